"""Scores and searches that scripted agents share, compiled; the agents are in `agents.roster`.

They score actions and clone nothing: a score follows from what the cards in play say. Read `harm`
and `values` (what an effect row is worth), `scores` (what an action is worth); `board_view` is for
plain games, which have no texts. Nothing here looks at what a seat may not see.
"""

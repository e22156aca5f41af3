"""Scores and searches shared by scripted agents, compiled; the agents are in `agents.roster`.

Scripted agents score actions by the texts of the cards in play and copy no game. Modules in reading
order: `harm` and `values` (value of an effect row), `scores` (score of an action), `board_view`
(plain games, which have no texts). All of them read only what the seat may see.
"""

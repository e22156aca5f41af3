"""The scripted agents where games are not plain: they score every legal action and take the best.

Nothing is cloned and nothing is tried: a score follows from what the cards in play say. Read
`values` (what an effect row is worth), `scores` (what an action is worth), then the agents.
"""

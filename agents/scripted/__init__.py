"""Compiled functions that scripted agents share; the agents themselves are in `agents.roster`.

Scripted agents score each legal action by closed formulas over cards and their texts, and imagine
no games. Modules in reading order: `harm` and `values` (values of effect rows), `scores` (scores of
actions), `board_view` (functions for plain games, which have no texts). All of them read only
information that the seat to move may see.
"""

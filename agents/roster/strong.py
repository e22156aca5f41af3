"""The strong agent: compares the best lines of the reader again, against searched answers.

The agent equals `turn:600:leaves=15:value=8:lines=6`, in plain games with `value=12`. A game takes
ten to twenty times as long as one of `turn:200` (docs/turn_search.md).
"""

from agents.roster.reader import N_LEAVES
from agents.roster.turn import reading_agent

N_NODES = 600
N_LINES = 6  # with 4 lines, a game takes two thirds of the time and is won less often

AGENT = reading_agent("strong", N_NODES, leaves=N_LEAVES, lines=N_LINES)

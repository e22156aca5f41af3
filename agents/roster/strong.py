"""The strong agent: compares the best lines of a search again, against answers of a policy network.

The agent equals `turn:600:leaves=20:value=8:lines=8:trials=8`, in plain games with `value=12`. A
game takes up to twenty times as long as one of `turn:200` (docs/turn_search.md).
"""

from agents.roster.turn import reading_agent

N_NODES = 600
LIMITS = {"leaves": 20, "lines": 8, "trials": 8}  # more lines and worlds win little more

AGENT = reading_agent("strong", N_NODES, **LIMITS)

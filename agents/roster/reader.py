"""The reader agent: searches its turn, and values its ends by a network that reads the cards.

The agent equals `turn:100:leaves=10:worlds=3:value=8:lines=2:trials=2`, in plain games with
`value=12`. It is as fast as `turn:200`, on real cards twice as fast, and wins more than half of the
games against it with decks that its networks never saw (docs/turn_search.md).
"""

from agents.roster.turn import reading_agent

# A third of the positions and answers of `turn:200`: their time pays for both networks.
N_NODES = 100
LIMITS = {"leaves": 10, "worlds": 3, "lines": 2, "trials": 2}

AGENT = reading_agent("reader", N_NODES, **LIMITS)

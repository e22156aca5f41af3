"""The reader agent: searches its turn, and values its ends by a network that reads the cards.

The agent equals `turn:200:leaves=15:value=8`, in plain games with `value=12`. It takes about as
long as `turn:200`, and wins more than half of the games against it with decks that the network
never saw (docs/turn_search.md).
"""

from agents.roster.turn import reading_agent

N_NODES = 200
# Half of the answers of `turn:200`: their time pays for the network.
N_LEAVES = 15

AGENT = reading_agent("reader", N_NODES, leaves=N_LEAVES)

"""The light agent: searches the whole own turn fairly and cheaply, for millions of games.

Its limits are those of `turn:20:leaves=4:worlds=1`. The cost of a search lies in the enemy's
answers: with 30 ends of the turn, answered in 6 worlds each, a game takes five to seven times as
long. docs/log.md reports how near to 50 % its patches stay when other agents play them.
"""

from agents.roster.turn import turn_agent_by_shipped_weights

# Win rates against `turn:200`: with these limits 42.2 %, with 12 nodes and 3 answers 39.9 %, with
# 8 nodes 38.2 %, with 30 nodes 43.8 %; an answer takes 8 % of a decision's time (docs/log.md).
N_NODES = 20
N_LEAVES = 4
N_WORLDS = 1

AGENT = turn_agent_by_shipped_weights("light", N_NODES, leaves=N_LEAVES, worlds=N_WORLDS)

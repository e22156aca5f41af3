"""The light agent: searches the whole own turn fairly and cheaply, for millions of games.

The agent equals `turn:20:leaves=4:worlds=1`. Most of the time of a search is spent on the enemy's
answers: if the enemy answers 30 ends of the turn in 6 worlds each, a game takes five to seven times
as long. docs/log.md reports how patches found with this agent fare with other agents.
"""

from agents.roster.turn import turn_agent_by_shipped_weights

# A trade-off of strength and time. Win rates against `turn:200` are 42.2 % with these limits,
# 39.9 % with 12 nodes and 3 answers, 38.2 % with 8 nodes, and 43.8 % with 30 nodes. One answer
# takes 8 % of a decision's time (docs/log.md).
N_NODES = 20
N_LEAVES = 4
N_WORLDS = 1

AGENT = turn_agent_by_shipped_weights("light", N_NODES, leaves=N_LEAVES, worlds=N_WORLDS)

"""The light agent: a cheap fair search of the whole own turn, for millions of games.

Its limits are those of `turn:20:leaves=4:worlds=1`. What a search costs is the enemy's answers:
with 30 ends of the turn answered in 6 worlds each, a game takes five to seven times as long. How
near to 50 % its patches stay in the hands of others is in docs/log.md.
"""

from agents.roster.turn import turn_agent_by_shipped_weights

N_NODES = 20
N_LEAVES = 4
N_WORLDS = 1

AGENT = turn_agent_by_shipped_weights("light", N_NODES, leaves=N_LEAVES, worlds=N_WORLDS)

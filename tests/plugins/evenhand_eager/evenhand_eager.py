"""Three agents: `eager`, the family `place:K`, and `hasty`, which answers batches of positions."""

from agents import AgentFamily
from sim.engine.listing import list_actions, listed


def eager(state, table):
    """Choose the first listed action; the end of the turn is listed last."""
    list_actions(state, table)
    return listed(state, 0)


def place(k):
    """Choose the action at position `k` of the list, or the end of the turn."""
    wanted = int(k)

    def policy(state, table):
        return listed(state, min(wanted, list_actions(state, table) - 1))

    return policy


PLACE = AgentFamily("place:K", place)

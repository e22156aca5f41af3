"""The random agent: every legal action equally likely."""

from __future__ import annotations

from typing import Any

from sim.engine.layout import ACTIVE, AGENT_STREAM, N_DECISIONS
from sim.engine.listing import list_actions, listed
from sim.engine.streams import load64, pick
from sim.engine.zones import player


def uniform(state: Any, table: Any) -> int:
    """A random legal action, keyed by (game seed, seat, decision)."""
    leader = player(state[ACTIVE])
    stream = load64(state, leader + AGENT_STREAM)
    return listed(state, pick(stream, state[leader + N_DECISIONS] + 1, list_actions(state, table)))

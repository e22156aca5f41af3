"""The random agent's shortcut: every legal action equally likely."""

from __future__ import annotations

from typing import Any

from agents.scripted.plain.board_view import count_legal, legal_action
from sim.engine.layout import ACTIVE, AGENT_STREAM, N_DECISIONS
from sim.engine.streams import load64, pick
from sim.engine.zones import player


def uniform(state: Any, table: Any) -> int:
    """A random legal action, keyed by (game seed, seat, decision)."""
    seat = state[ACTIVE]
    stream = load64(state, player(seat) + AGENT_STREAM)
    decision = state[player(seat) + N_DECISIONS] + 1
    return legal_action(state, seat, pick(stream, decision, count_legal(state, seat)))

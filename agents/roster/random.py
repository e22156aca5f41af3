"""The random agent: chooses each legal action with equal probability."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import count_legal, legal_action
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.listing import list_actions, listed
from sim.engine.streams import load64, pick
from sim.engine.zones import player
from sim.play.agent import CompiledAgent


@compiled(i64(Words, i64))
def _draw(state: Any, n_actions: int) -> int:
    """Return a random number in 0..n_actions - 1 for the decision of the seat to move.

    The number depends only on the seat's random stream and on the number of its decisions so far.
    """
    leader = player(state[at.ACTIVE])
    stream = load64(state, leader + at.AGENT_STREAM)
    return pick(stream, state[leader + at.N_DECISIONS] + 1, n_actions)


def choose(state: Any, table: Any) -> int:
    """Return a legal action for the seat to move, drawn uniformly from the listed actions."""
    return listed(state, _draw(state, list_actions(state, table)))


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the same action as `choose`, computed faster; for plain games only."""
    seat = state[at.ACTIVE]
    return legal_action(state, seat, _draw(state, count_legal(state, seat)))


AGENT = CompiledAgent("random", choose, shortcut=choose_in_plain_games)

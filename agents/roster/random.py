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
    """Return a number in [0, n_actions), drawn by game seed, seat and number of the decision."""
    leader = player(state[at.ACTIVE])
    stream = load64(state, leader + at.AGENT_STREAM)
    return pick(stream, state[leader + at.N_DECISIONS] + 1, n_actions)


def choose(state: Any, table: Any) -> int:
    """Return the action of the seat to move."""
    return listed(state, _draw(state, list_actions(state, table)))


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the action that `choose` returns in plain games, without listing the actions."""
    seat = state[at.ACTIVE]
    return legal_action(state, seat, _draw(state, count_legal(state, seat)))


AGENT = CompiledAgent("random", choose, shortcut=choose_in_plain_games)

"""The random agent: every legal action equally likely."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import attack_with
from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ACTIVE,
    AGENT_STREAM,
    AT_PLAYER,
    COST,
    END_TURN,
    MANA,
    N_DECISIONS,
    PLAY,
    READY,
    SOURCE_SHIFT,
)
from sim.engine.streams import load64, pick
from sim.engine.zones import board, hand, item, player


@compiled(i64(Words, i64))
def _count_legal(state: Any, seat: int) -> int:
    n_legal = 1  # ending the turn
    mana = state[player(seat) + MANA]
    for position in range(state[hand(seat)]):
        n_legal += state[item(state, hand(seat), position) + COST] <= mana
    for unit in range(state[board(seat)]):
        if state[item(state, board(seat), unit) + READY] > 0:
            n_legal += state[board(1 - seat)] + 1
    return n_legal


@compiled(i64(Words, i64, i64))
def _legal_action(state: Any, seat: int, k: int) -> int:
    """The k-th legal action: plays, then attacks (the enemy player last), then end of turn."""
    mana = state[player(seat) + MANA]
    for position in range(state[hand(seat)]):
        if state[item(state, hand(seat), position) + COST] <= mana:
            if k == 0:
                return PLAY + (position << SOURCE_SHIFT)
            k -= 1
    n_targets = state[board(1 - seat)] + 1
    for unit in range(state[board(seat)]):
        if state[item(state, board(seat), unit) + READY] > 0:
            if k < n_targets:
                return attack_with(unit, AT_PLAYER if k == n_targets - 1 else k)
            k -= n_targets
    return END_TURN


def uniform(state: Any, table: Any) -> int:
    """A random legal action, keyed by (game seed, seat, decision)."""
    seat = state[ACTIVE]
    stream = load64(state, player(seat) + AGENT_STREAM)
    decision = state[player(seat) + N_DECISIONS] + 1
    return _legal_action(state, seat, pick(stream, decision, _count_legal(state, seat)))

"""Mana that the cards of a hand can use, for the values of positions."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, u64
from sim.engine.zones import item

_DEAREST = 11  # maximum cost of counted cards: 12 counts of 5 bits fit a 64-bit word


@compiled(u64(Words, i64))
def _packed_costs(state: Any, cards: int) -> int:
    """Return the numbers of cards of a hand by cost from 0 to `_DEAREST`, packed in 5 bits each.

    Args:
        state: state of the game.
        cards: offset of the hand.
    """
    packed = 0
    for position in range(state[cards]):
        cost = state[item(state, cards, position) + at.COST]
        if cost <= _DEAREST:
            packed += 1 << (5 * cost)
    return packed


@compiled(i64(u64, i64))
def _n_of_cost(packed: int, cost: int) -> int:
    """Return the number of cards of a cost, read from the result of `_packed_costs`."""
    return (packed >> (5 * cost)) & 31


@compiled(i64(Words, i64, i64, i64), apart=True)
def _mana_used_by_dear(state: Any, cards: int, mana: int, used: int) -> int:
    """Return the mana used after cards that cost more than `_DEAREST` are played, cheapest first.

    Args:
        state: state of the game.
        cards: offset of the hand.
        mana: available mana.
        used: mana that cheaper cards use.
    """
    for cost in range(_DEAREST + 1, mana + 1):
        for position in range(state[cards]):
            if state[item(state, cards, position) + at.COST] == cost and used + cost <= mana:
                used += cost
    return used


@compiled(i64(Words, i64, i64))
def playable_mana(state: Any, cards: int, mana: int) -> int:
    """Return the mana that a hand's cards use if they are played from the cheapest card on.

    Args:
        state: state of the game.
        cards: offset of the hand.
        mana: available mana.
    """
    # The hand is read once for all usual costs, since every tried position needs this number.
    packed = _packed_costs(state, cards)
    used = 0
    cost = 1
    while cost <= _DEAREST and used + cost <= mana:
        n_cards = _n_of_cost(packed, cost)
        if used + n_cards * cost > mana:
            n_cards = (mana - used) // cost
        used += n_cards * cost
        cost += 1
    return used if mana <= _DEAREST else _mana_used_by_dear(state, cards, mana, used)

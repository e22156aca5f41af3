"""The mulligan: a hand that can be played turn by turn is kept, what is dear goes."""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.listing import listed, listed_source


@compiled(i64(Words, i64, i64))
def _n_of_cost(state: Any, n_listed: int, cost: int) -> int:
    """How many of the cards that may still be replaced cost this much."""
    n_cards = 0
    for k in range(n_listed - 1):
        n_cards += state[listed_source(state, k) + at.COST] == cost
    return n_cards


@compiled(i64(Words, i64, Words))
def answer_mulligan(state: Any, n_listed: int, mind: Any) -> int:
    """Replace the first card that is too dear, or of a cost that another card has; or end.

    Args:
        state: the game, its actions listed: cards, and the end last.
        n_listed: how many.
        mind: up to which costs all cards are kept, or one of each.
    """
    for k in range(n_listed - 1):
        cost = state[listed_source(state, k) + at.COST]
        is_double = cost > mind[of.CHEAP] and _n_of_cost(state, n_listed, cost) > 1
        if cost > mind[of.DEAREST] or is_double:
            return listed(state, k)
    return at.END_TURN

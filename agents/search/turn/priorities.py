"""Priorities of a player: groups of weights of the turn search that are scaled together.

A family with few parameters is needed to fit agents to results of people, which determine few of
the weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search.turn.weights import WEIGHT_MAX, Weights

Floats = npt.NDArray[np.float64]

_BOARD = ("attack", "health", "bodies", "guard", "shield", "skill", "text")
PRIORITIES: dict[str, tuple[tuple[str, str], ...]] = {
    "face": (
        *(("enemy", "life"), ("prospects", "threat"), ("prospects", "finish")),
        ("prospects", "pressure"),
    ),
    "caution": (("own", "life"), ("prospects", "danger")),
    "board": tuple((side, key) for side in ("own", "enemy") for key in _BOARD),
    "hand": (("own", "hand"), ("own", "deck"), ("prospects", "playable")),
}
"""Places of the scaled weights (table and key of a weights file) by priority: damage to the enemy,
the own life, minions on the board, and cards in the own hand.
"""
DOUBLINGS_MAX = 2.0
"""Maximum change of a priority in doublings: from a quarter to four times the weights. Beyond it,
one priority outweighs all others, and games hardly change any more.
"""


def with_priorities(weights: Weights, doublings: Floats) -> Weights:
    """Return weights with scaled priorities.

    Args:
        weights: weights of a turn search.
        doublings: binary logarithm of the factor of each of `PRIORITIES`, clipped to
            -`DOUBLINGS_MAX`..`DOUBLINGS_MAX`, shape ``[P]``.
    """
    scaled: dict[str, Any] = weights.model_dump()
    factors = np.exp2(np.clip(doublings, -DOUBLINGS_MAX, DOUBLINGS_MAX)).tolist()
    for places, factor in zip(PRIORITIES.values(), factors, strict=True):
        for table, key in places:
            value = round(scaled[table][key] * factor)
            scaled[table][key] = min(max(value, -WEIGHT_MAX), WEIGHT_MAX)
    return Weights.model_validate({**scaled, "origin": None})

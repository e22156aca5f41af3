"""The mulligan: which cards of the opening hand to replace."""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.listing import listed, listed_source


@compiled(i64(Words, i64, Words))
def answer_mulligan(state: Any, n_listed: int, mind: Any) -> int:
    """Replace the first card that is dearer than the mind keeps, or end."""
    for k in range(n_listed):
        action = listed(state, k)
        if action != at.END_TURN and state[listed_source(state, k) + at.COST] > mind[of.DEAREST]:
            return action
    return at.END_TURN

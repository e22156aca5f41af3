"""Why a flat search chose: the points of all actions, from the very search that an agent makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.explanation import Compared, Explainer, Explanation
from agents.search import flat
from sim.engine import layout as at
from sim.engine.compiled import Block, compiled, i64
from sim.engine.pointers import words_at
from sim.engine.stepping import Words16, legal_actions


@compiled(i64(Block, Block, Block, i64, i64, i64, i64), from_python=True)
def _search_in(
    state: Any, table: Any, scratch: Any, n_worlds: int, own: int, enemy: int, halves_after: int
) -> int:
    """The choice of `agents.search.flat`, with the points left in the scratch."""
    return flat.search_flat(
        words_at(state, 0), words_at(table, 0), scratch, n_worlds, own, enemy, halves_after
    )


def flat_explainer(
    table: Words16, n_worlds: int, addresses: dict[bool, tuple[int, int]], halves_after: int
) -> Explainer:
    """What explains the choices of a flat search.

    Args:
        table: the numbers.
        n_worlds: how many games it imagines for each action.
        addresses: of who plays on for the own seat and for the other, in plain games and in
            all others.
        halves_after: so many worlds half of the actions are dropped.
    """

    def explain(state: Words16) -> Explanation:
        actions = legal_actions(state.copy(), table)
        if len(actions) == 1:
            return Explanation(actions[0], "only")
        scratch = np.empty(flat.SCRATCH_SIZE, np.int16)
        agents = addresses[bool(state[at.GENERAL])]
        chosen = _search_in(state.copy(), table, scratch, n_worlds, *agents, halves_after)
        points = scratch[flat.POINTS :][: len(actions)].tolist()
        compared = [
            Compared((action,), None if count == flat.DROPPED else count)
            for action, count in zip(actions, points, strict=True)
        ]
        compared.sort(
            key=lambda one: (one.score is None, -(one.score or 0), one.actions != (chosen,))
        )
        return Explanation(
            chosen, "points", tuple(compared), {"worlds": int(scratch[flat.N_PLAYED])}
        )

    return explain

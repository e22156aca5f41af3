"""Explanation of a choice by the policy network: the scores of all legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.explanation import Compared, Explainer, Explanation
from agents.policy.evaluate import ROWS_SIZE, SCORES, SUMS_SIZE, score_actions
from agents.reading.seated_network import SeatedNetwork
from sim.engine import layout as at
from sim.engine.addresses import floats_at, words_at
from sim.engine.compiled import Block, FloatBlock, compiled, i64
from sim.engine.stepping import legal_actions


@compiled(i64(Block, Block, i64, Block, FloatBlock), from_python=True)
def _score_in(state: Any, table: Any, header_at: int, rows: Any, sums: Any) -> int:
    """Return the result of `score_actions` for arrays that are passed from Python."""
    return score_actions(
        words_at(state, 0), words_at(table, 0), header_at, words_at(rows, 0), floats_at(sums, 0)
    )


def policy_explainer(
    table: npt.NDArray[np.int16], seats: tuple[SeatedNetwork, SeatedNetwork]
) -> Explainer:
    """Return a function that explains the choices of a policy network by the scores of all actions.

    Args:
        table: words of the table of the games.
        seats: networks for plain games and for all other games.
    """

    def explain(state: npt.NDArray[np.int16]) -> Explanation:
        actions = legal_actions(state.copy(), table)
        if len(actions) == 1:
            return Explanation(actions[0], "only")
        rows = np.zeros(ROWS_SIZE, np.int16)
        sums = np.zeros(SUMS_SIZE, np.float32)
        header_at = seats[bool(state[at.GENERAL])].address
        best = _score_in(state.copy(), table, header_at, rows, sums)
        scores = sums[SCORES:][: len(actions)].tolist()
        compared = [
            Compared((action,), score) for action, score in zip(actions, scores, strict=True)
        ]
        compared.sort(key=lambda option: (-(option.score or 0), option.actions != (actions[best],)))
        return Explanation(actions[best], "value", tuple(compared))

    return explain

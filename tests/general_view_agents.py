"""Agents of games that are not plain, each compiled and once more from what a learner sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.agent import CompiledAgent
from sim.engine.general.calls import list_actions, listed
from sim.engine.layout import ACTIVE, TURN
from sim.engine.zones import hand
from sim.general_view import columns
from sim.pool import Pool
from sim.ruleset import Ruleset


def _nobody(state, table):
    raise AssertionError("no plain games are played here")


def _eager(state, table):
    list_actions(state, table)
    return listed(state, 0)


def _restless(state, table):
    n_legal = list_actions(state, table)
    return listed(state, (3 * state[TURN] + 5 * state[hand(state[ACTIVE])]) % n_legal)


EAGER = CompiledAgent("eager", _nobody, general=_eager)
RESTLESS = CompiledAgent("restless", _nobody, general=_restless)
"""Which of its actions it takes depends on the turn and on how many cards it holds."""


@dataclass(frozen=True)
class SeenRestless:
    """The twin of `RESTLESS`."""

    ruleset: Ruleset
    pool: Pool
    name: str = "restless, seen"

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        turn, cards = (self._whole(observations, name) for name in ("turn", "own hand"))
        wanted = (3 * turn + 5 * cards) % masks.sum(axis=1)
        return (masks.cumsum(axis=1) == wanted[:, None] + 1).argmax(axis=1)

    def _whole(self, observations: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.int64]:
        seen = columns(self.ruleset, self.pool)
        (place,) = (k for k, column in enumerate(seen) if column.name == name)
        return np.rint(observations[:, place] * seen[place].scale).astype(np.int64)

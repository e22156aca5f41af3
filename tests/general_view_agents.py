"""Agents of general games, each compiled and again from a learner's observations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine.layout import ACTIVE, TURN
from sim.engine.listing import list_actions, listed
from sim.engine.stepping import action_to_engine
from sim.engine.zones import hand
from sim.observation.general_view import GeneralView
from sim.play.agent import CompiledAgent


def _eager(state, table):
    list_actions(state, table)
    return listed(state, 0)


def _varying(state, table):
    n_legal = list_actions(state, table)
    return listed(state, (3 * state[TURN] + 5 * state[hand(state[ACTIVE])]) % n_legal)


EAGER = CompiledAgent("eager", _eager)
VARYING = CompiledAgent("varying", _varying)
"""Agent with actions that depend on the turn and on the number of its cards."""


class SeenEager:
    """Counterpart of `EAGER` that sees only a learner's observations."""

    def __init__(self, view: GeneralView) -> None:
        self.name = "eager, seen"
        self.view = view.size
        self._columns = view.columns
        numbers = view.table.words[0]
        actions = range(view.size.n_actions)
        in_engine = [action_to_engine(numbers, view.words, action) for action in actions]
        in_engine[-1] = max(in_engine) + 1  # the end of the turn is listed last
        self._order = np.argsort(in_engine)

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        wanted = self._wanted(observations) % masks.sum(axis=1)
        is_wanted = masks[:, self._order].cumsum(axis=1) == wanted[:, None] + 1
        return self._order[is_wanted.argmax(axis=1)]

    def _wanted(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        return np.zeros(len(observations), dtype=np.int64)

    def _whole(self, observations: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.int64]:
        (place,) = (k for k, column in enumerate(self._columns) if column.name == name)
        return np.rint(observations[:, place] * self._columns[place].scale).astype(np.int64)


class SeenVarying(SeenEager):
    """Counterpart of `VARYING` that sees only a learner's observations."""

    def _wanted(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        turn, cards = (self._whole(observations, name) for name in ("turn", "own hand"))
        return 3 * turn + 5 * cards

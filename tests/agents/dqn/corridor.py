"""Corridor game with a known solution: walk to the right end."""

from __future__ import annotations

import numpy as np

from sim.engine.viewing import N_ACTIONS, N_VALUES
from sim.environments.episodes import TERMINATED
from sim.observation.view import DuelView
from sim.seeds import number_of
from tests.duels import TABLE

# Two of the forty actions; the others are never legal.
LEFT = 3
RIGHT = 17
N_CELLS = 5
READY = 60  # offset of five flags of the view, which show the walker's cell


class Corridor:
    """``N`` walkers, who win beyond the right end and lose beyond the left end.

    It has the interface of `sim.observation.parallel_games.ParallelGames`. Episodes begin in any
    cell. The best value of a cell is ``gamma ** steps``, where steps is the distance from
    there to the right end.
    """

    def __init__(self, n_environments: int, seed: int) -> None:
        self.opponents = ()
        self.view = DuelView(TABLE)
        self.observations = np.zeros((n_environments, N_VALUES), dtype=np.float32)
        self.masks = np.zeros((n_environments, N_ACTIONS), dtype=np.bool_)
        self.masks[:, [LEFT, RIGHT]] = True
        self.rewards = np.zeros(n_environments, dtype=np.float32)
        self.ended = np.zeros(n_environments, dtype=np.uint8)
        self.is_learners = np.ones(n_environments, dtype=np.bool_)
        self._cells = np.zeros(n_environments, dtype=np.int64)
        self._n_begun = np.zeros(1, dtype=np.int64)
        self._seed = seed

    def reset(self) -> None:
        self._begin(np.ones(len(self._cells), dtype=np.bool_))

    def step(self, actions: np.ndarray) -> None:
        assert self.masks[np.arange(len(actions)), actions].all()
        self._cells += np.where(actions == RIGHT, 1, -1)
        self.rewards[:] = (self._cells == N_CELLS).astype(float) - (self._cells < 0)
        self.ended[:] = np.where(self.rewards != 0, TERMINATED, 0)
        self._begin(self.ended != 0)

    def answer(self, actions: np.ndarray) -> None:
        """Do nothing, since the game has no opponents."""

    def _begin(self, chosen: np.ndarray) -> None:
        for environment in np.flatnonzero(chosen):
            self._n_begun += 1
            self._cells[environment] = number_of(self._seed, int(self._n_begun[0])) % N_CELLS
        self.observations[:, READY : READY + N_CELLS] = np.eye(N_CELLS)[self._cells]

    def state_arrays(self) -> dict[str, np.ndarray]:
        return {
            "cells": self._cells.copy(),
            "n_begun": self._n_begun.copy(),
            "observations": self.observations.copy(),
        }


def every_cell() -> np.ndarray:
    """Return the observations of all cells, shape ``[5, 67]``."""
    observations = np.zeros((N_CELLS, N_VALUES), dtype=np.float32)
    observations[:, READY : READY + N_CELLS] = np.eye(N_CELLS)
    return observations

"""One duel, for Gymnasium."""

from __future__ import annotations

from typing import Any

from sim.environments.learners import LearnersEnv
from sim.environments.vector import DuelVectorEnv


class DuelEnv(LearnersEnv):
    """A learner's duel against another agent; `sim.environments.vector` is the same many times."""

    def __init__(self, **told: Any) -> None:
        """Arguments as for `sim.environments.vector.DuelVectorEnv`."""
        super().__init__(DuelVectorEnv(1, **told))

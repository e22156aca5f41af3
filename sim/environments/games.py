"""Learners' games: episodes of which only the learner's side is played; opponents answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.environments.duels import Duels
from sim.environments.episodes import LEARNER, Episodes
from sim.environments.position import action_text
from sim.errors import InputError
from sim.observation.view import View
from sim.play.agent import CompiledAgent
from sim.seeds import stream_seed

IllegalActions = Literal["refuse", "end_turn"]

_TICKS_MAX = 10_000  # of opponents between two decisions of a learner; a turn takes some tens


def stream_of(seed: int) -> int:
    """The seed of the episodes of an environment that was reset with `seed`."""
    return stream_seed(seed, "environment")


def legal_actions(
    actions: npt.NDArray[np.integer],
    masks: npt.NDArray[np.bool_],
    observations: npt.NDArray[np.float32],
    illegal: IllegalActions,
    view: View,
) -> npt.NDArray[np.int64]:
    """``[N]`` actions of which all are legal.

    Args:
        actions: ``[N]`` what the learner wants.
        masks: ``[N, n_actions]`` what it may do.
        observations: ``[N, n_values]`` where it stands.
        illegal: whether the others are refused or end the turn; where the turn cannot be ended,
            before a choice, they become the lowest legal one.
        view: what the actions are.

    Raises:
        ValueError: they are refused; names the environment, the action and the legal ones.
    """
    wanted, last = np.asarray(actions), view.size.last_action
    if wanted.shape != (len(masks),) or wanted.dtype.kind not in "iu":
        raise ValueError(
            f"actions of shape {wanted.shape}, type {wanted.dtype}; needed are "
            f"{len(masks)} whole numbers from 0 to {last}"
        )
    inside = (wanted >= 0) & (wanted <= last)
    legal = inside & masks[np.arange(len(masks)), np.where(inside, wanted, last)]
    if legal.all():
        return wanted.astype(np.int64)
    if illegal == "end_turn":
        instead = np.where(masks[:, last], last, masks.argmax(axis=1))
        return np.where(legal, wanted, instead).astype(np.int64)
    environment = int(np.flatnonzero(~legal)[0])
    action = int(wanted[environment])
    where = f" in environment {environment}" if len(masks) > 1 else ""
    raise ValueError(
        f"action {action} ({action_text(action, observations[environment], view)}) is "
        f"illegal{where}; "
        f"legal: {', '.join(map(str, np.flatnonzero(masks[environment])))}"
    )


class LearnersGames:
    """``N`` games side by side; `step` returns when the learner is asked in all of them.

    A game that ends is followed at once by the next one. Should that one end before the learner
    can move, another takes its place and it counts for nothing.

    Attributes:
        view: how the games are seen.
        observations: ``[N, n_values]`` what the learner sees; written in place.
        masks: ``[N, n_actions]`` what it may do; written in place.
        rewards: ``[N]`` of the last step, the learner's.
        ended: ``[N]`` how games ended in the last step, see `sim.environments.episodes.Episodes`.
        finals: ``[N, n_values]`` where `ended`: the end as the learner saw it.
    """

    def __init__(self, duels: Duels, n_environments: int, *, skip_forced: bool) -> None:
        self._episodes = Episodes(
            duels.table, duels.lineups, duels.opponents, n_environments, 0, skip_forced=skip_forced
        )
        self.view = self._episodes.view
        self.observations, self.masks = self._episodes.observations, self._episodes.masks
        self.rewards = np.zeros(n_environments, dtype=np.float64)
        self.ended = np.zeros(n_environments, dtype=np.uint8)
        self.finals = np.zeros((n_environments, self.view.size.n_values), dtype=np.float32)

    def seed(self, streams: Sequence[int], environments: Sequence[int]) -> None:
        """Give some environments streams of their own; a `reset` must follow."""
        self._episodes.seed(streams, environments)

    def reset(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Begin the next episode where ``[N]`` `chosen`."""
        self._episodes.reset(chosen)
        self._play_on()

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out ``[N]`` legal actions of the learner."""
        self._episodes.step(actions)
        self._play_on()

    def _play_on(self) -> None:
        """Let learned opponents answer until only the learner is asked; keep the first ends."""
        episodes = self._episodes
        self.rewards[:], self.ended[:] = episodes.rewards, episodes.ended
        self.finals[:] = episodes.last_observations
        for _ in range(_TICKS_MAX):
            waiting = episodes.asked != LEARNER
            if not waiting.any():
                return
            episodes.step(self._answers(), waiting)
            new = (self.ended == 0) & (episodes.ended != 0)
            self.rewards[new], self.ended[new] = episodes.rewards[new], episodes.ended[new]
            self.finals[new] = episodes.last_observations[new]
        raise InputError("these decks and rules end games before the learner's first move")

    def _answers(self) -> npt.NDArray[np.int64]:
        episodes = self._episodes
        actions = np.zeros(episodes.n_environments, dtype=np.int64)
        for position, opponent in enumerate(episodes.opponents):
            asking = np.flatnonzero(episodes.asked == position)
            if len(asking) and not isinstance(opponent, CompiledAgent):
                chosen = opponent.choose(episodes.observations[asking], episodes.masks[asking])
                actions[asking] = chosen
        return actions

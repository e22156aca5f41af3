"""One duel, for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from sim.cards.pool import Pool
from sim.environments.episodes import TERMINATED, TRUNCATED
from sim.environments.games import (
    DeckChoice,
    IllegalActions,
    LearnersGames,
    SeatChoice,
    duels,
    legal_actions,
    stream_of,
)
from sim.environments.position import (
    Observation,
    action_space,
    observation_of,
    observation_space,
    position_text,
)
from sim.play.agent import Agent
from sim.ruleset import Ruleset

_ALONE = np.ones(1, dtype=np.bool_)


class DuelEnv(gymnasium.Env[Observation, np.int64]):
    """A learner's duel against another agent; `sim.environments.vector` is the same many times.

    Observations, actions, rewards and masks are those of one environment there. `reset` with
    a seed begins that seed's first episode, `reset` without goes on with the next one.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        *,
        deck: DeckChoice | Sequence[DeckChoice],
        opponent_deck: DeckChoice | Sequence[DeckChoice],
        opponent: Agent | Sequence[Agent],
        seat: SeatChoice = 1,
        pool: str | Pool | None = None,
        ruleset: str | Ruleset | None = None,
        skip_forced: bool = False,
        illegal: IllegalActions = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """Arguments as for `sim.environments.vector.DuelVectorEnv`."""
        played = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        self.render_mode = render_mode
        self._games = LearnersGames(*played, 1, skip_forced=skip_forced)
        self.observation_space = observation_space(self._games.view)
        self.action_space = action_space(self._games.view)
        self._illegal = illegal
        self._is_seeded = False
        self._is_over = False
        self._end = np.zeros(self._games.view.size.n_actions, dtype=np.bool_)
        self._end[-1] = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: begin the episodes of this seed; without, the next one. An environment that
                never had a seed gets one by chance.
            options: none are known.
        """
        super().reset(seed=seed, options=options)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        if seed is not None:
            self._games.episodes.seed([stream_of(seed)], [0])
            self._is_seeded = True
        if seed is not None or not self._is_over:
            self._games.reset(_ALONE)
        self._is_over = False
        return self._returned()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One action of the learner, and the opponent's turn if it ends the learner's.

        Raises:
            ValueError: it is illegal, and such are refused; nothing has happened then.
            gymnasium.error.ResetNeeded: no episode is being played.
        """
        if self._is_over or not self._is_seeded:
            raise ResetNeeded("no episode is being played; call reset() first")
        games = self._games
        actions = np.array([action])
        games.step(
            legal_actions(actions, games.masks, games.observations, self._illegal, games.view)
        )
        ended = int(games.ended[0])
        self._is_over = ended != 0
        observation, info = self._returned()
        reward = float(games.rewards[0])
        return observation, reward, ended == TERMINATED, ended == TRUNCATED, info

    def render(self) -> str | None:
        """The position as text, if the mode is `"ansi"`."""
        if self.render_mode != "ansi":
            return None
        values, mask = self._position()
        return position_text(values, mask & (not self._is_over), self._games.view)

    def _returned(self) -> tuple[Observation, dict[str, Any]]:
        values, mask = self._position()
        return observation_of(values, mask), {"action_mask": mask.copy()}

    def _position(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Values and mask of the position, or of the end of the episode."""
        games = self._games
        return (
            (games.finals[0], self._end)
            if self._is_over
            else (games.observations[0], games.masks[0])
        )

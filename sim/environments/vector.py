"""Many duels at once, for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

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

Numbers = npt.NDArray[Any]


class DuelVectorEnv(VectorEnv[Observation, Numbers, Numbers]):
    """``N`` duels of a learner against other agents, stepped together by compiled code.

    A step is one action of the learner; the opponent's whole turn happens inside. An
    observation is a dictionary of `observation`, the ``[N, n_values]`` float32 values of
    `sim.observation.view`, and `action_mask`, ``[N, n_actions]`` int8, the form that spaces sample
    with: 67 and 40 in a plain duel. `info["action_mask"]` is the same mask as bool, the form to
    index with. Rewards are 1 for a win, -1 for a loss, else 0. The turn cap truncates.

    Environments reset in the step in which they end; `info["final_obs"]` and
    `info["final_info"]` hold what ended, as Gymnasium's own same-step environments have it. With
    nothing left to do, the mask of an end shows the end of the turn alone, so that the largest
    value over a mask is always a number.

    The environment that gets seed s plays the episodes of a `sim.environments.single.DuelEnv`
    with seed s, whatever happens beside it.
    """

    def __init__(
        self,
        num_envs: int,
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
        """Make the environments; `reset` begins the games.

        Args:
            num_envs: ``N``.
            deck: the learner's: a name, a path that ends in `.toml`, or a deck; or several, of
                which each episode takes one, all equally likely.
            opponent_deck: the opponent's; several belong to the opponents one by one, or all to
                the only one.
            opponent: who pilots it, e.g. `agents.registry.agent_named("control")`; several, each
                with its deck, are met equally often. A learned one is asked inside `step`.
            seat: the learner's: 0 moves first; 1; or `"either"`, both equally often.
            pool: the cards; default the pool that the learner's first deck names.
            ruleset: the rules; likewise.
            skip_forced: whether positions that leave nothing but ending the turn are skipped.
            illegal: what an illegal action does: `"refuse"` raises, `"end_turn"` ends the turn
                (for learners that know no masks).
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: see `sim.environments.games.duels`.
        """
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}
        self.num_envs = num_envs
        self.render_mode = render_mode
        played = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        self._games = LearnersGames(*played, num_envs, skip_forced=skip_forced)
        self.single_observation_space = observation_space(self._games.view)
        self.single_action_space = action_space(self._games.view)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._illegal = illegal
        self._is_seeded = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next episode, everywhere or where ``options["reset_mask"]`` says so.

        Args:
            seed: environment e begins anew with seed + e; or one seed each. Without, it goes on
                with its next episode; if it never had a seed, it gets one by chance.
            options: `reset_mask`, ``[N]`` bool, or nothing.

        Raises:
            ValueError: not one seed for each environment, or the mask has another shape or type.
            gymnasium.error.ResetNeeded: the first reset leaves an environment out.
        """
        seeds = self._seeds(seed)
        chosen = self._chosen(options)
        if not (chosen | self._is_seeded).all():
            raise ResetNeeded("the first reset() must be of all environments")
        environments, streams = [], []
        for environment in np.flatnonzero(chosen).tolist():
            own = seeds[environment]
            if own is None and not self._is_seeded[environment]:
                own = int(self.np_random.integers(2**63))
            if own is not None:
                environments.append(environment)
                streams.append(stream_of(own))
        self._games.episodes.seed(streams, environments)
        self._is_seeded |= chosen
        self._games.reset(chosen)
        return self._observation(), self._info()

    def step(
        self, actions: Numbers
    ) -> tuple[Observation, Numbers, Numbers, Numbers, dict[str, Any]]:
        """One action of the learner in every environment.

        Args:
            actions: ``[N]`` numbers of legal actions.

        Raises:
            ValueError: one is illegal, and illegal ones are refused; nothing has happened then.
            gymnasium.error.ResetNeeded: no game has begun.
        """
        games = self._games
        if not self._is_seeded.all():
            raise ResetNeeded("no game has begun; call reset() first")
        games.step(
            legal_actions(actions, games.masks, games.observations, self._illegal, games.view)
        )
        info = self._info()
        if games.ended.any():
            info |= self._final_info()
        terminated, truncated = games.ended == TERMINATED, games.ended == TRUNCATED
        return self._observation(), games.rewards.copy(), terminated, truncated, info

    def render(self) -> tuple[str, ...] | None:
        """The positions as text, if the mode is `"ansi"`."""
        if self.render_mode != "ansi":
            return None
        games = self._games
        return tuple(
            position_text(values, mask, games.view)
            for values, mask in zip(games.observations, games.masks, strict=True)
        )

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return [int(seed) + environment for environment in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        return seed

    def _chosen(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        chosen = (options or {}).get("reset_mask")
        if chosen is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(chosen, np.ndarray) or chosen.dtype != np.bool_:
            raise ValueError("options['reset_mask'] must be an array of bool")
        if chosen.shape != (self.num_envs,) or not chosen.any():
            raise ValueError(
                f"options['reset_mask'] must be {self.num_envs} values, at least one of them True"
            )
        return chosen

    def _observation(self) -> Observation:
        return observation_of(self._games.observations, self._games.masks)

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        return {"action_mask": self._games.masks.copy(), "_action_mask": everywhere}

    def _final_info(self) -> dict[str, Any]:
        """What Gymnasium's wrappers look for where games ended."""
        ended = self._games.ended != 0
        masks = np.zeros_like(self._games.masks)
        masks[ended, -1] = True
        finals = np.full(self.num_envs, None, dtype=object)
        for environment in np.flatnonzero(ended):
            finals[environment] = observation_of(
                self._games.finals[environment], masks[environment]
            )
        return {
            "final_obs": finals,
            "_final_obs": ended,
            "final_info": {"action_mask": masks, "_action_mask": ended.copy()},
            "_final_info": ended.copy(),
        }

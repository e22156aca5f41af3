"""Big Two as one seat meets it, for Gymnasium: many games at once, and one; and for PettingZoo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sim.big_two.cards import N_SEATS, PASS, cards_in, places_of, set_of, set_text
from sim.big_two.episodes import REWARDS, BigTwoEpisodes, Reward, final_rewards, rewards_of_plays
from sim.big_two.games import FIRST_GAME, BigTwoAgent, Games, Masks
from sim.big_two.layout import NOBODY
from sim.big_two.observers import BigTwoView, Observer, observer_named
from sim.big_two.rules import BigTwoRules, rules_of
from sim.environments.base import (
    EnvironmentGames,
    Observation,
    SeatedTurns,
    allowed_actions,
    observation_of,
)
from sim.environments.learners import LearnersEnv, LearnersVectorEnv
from sim.errors import known_word
from sim.seeds import number_of

IllegalActions = Literal["refuse", "pass"]


class _EnvironmentGames(BigTwoEpisodes, EnvironmentGames):
    """The games as environments have them: every one comes to its end."""

    idle = PASS

    def __init__(self, *told: Any, illegal: IllegalActions, **named: Any) -> None:
        super().__init__(*told, **named)
        self.instead = PASS if illegal == "pass" else None

    def told(self, environment: int, action: int) -> str:
        """What an action is called."""
        return action_text(self.games, environment, action)

    def text(self, environment: int, _: npt.NDArray[np.float32], mask: Masks) -> str:
        """A position as text."""
        return position_text(self.games, environment, mask)


class BigTwoVectorEnv(LearnersVectorEnv):
    """``N`` games of a learner against three agents.

    A step is one action of the learner; the others move inside it. The mask of an end shows
    passing. `reset(options={"fixed_hands": ["3d 4d", "", "", ""]})` tells what seats hold in the
    games that it begins.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        opponents: Sequence[BigTwoAgent],
        observer: str | Observer = "history",
        rules: str | BigTwoRules = "standard",
        reward: Reward = "first",
        seat: int = 0,
        skip_forced: bool = False,
        illegal: IllegalActions = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """Make the environments; `reset` begins the games.

        Args:
            num_envs: ``N``.
            opponents: who sits after the learner, in turn order; or one for all of them.
            observer: what the learner sees (`sim.big_two.observers`).
            rules: of the games, or the name of a variant.
            reward: what the learner is told (`sim.big_two.episodes`).
            seat: the learner's; seats differ where the rules give them different cards.
            skip_forced: whether the learner is not asked where it has one legal action.
            illegal: what an illegal action does: `"refuse"` raises, `"pass"` passes, or where that
                is none plays the lowest card (for learners that know no masks).
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: there is no such variant, observer, seat or reward, or not so many opponents
                are needed.
        """
        super().__init__(
            _EnvironmentGames(
                view_of(rules, observer),
                opponents,
                num_envs,
                0,
                seat=seat,
                reward=reward,
                skip_forced=skip_forced,
                illegal=illegal,
            ),
            render_mode,
        )


class BigTwoEnv(LearnersEnv):
    """One game of a learner against three agents."""

    def __init__(self, **told: Any) -> None:
        """Arguments as for `BigTwoVectorEnv`."""
        super().__init__(BigTwoVectorEnv(1, **told))


def view_of(rules: str | BigTwoRules, observer: str | Observer) -> BigTwoView:
    """The view of these rules, or this variant, by an observer.

    Raises:
        InputError: there is no such variant or observer.
    """
    return BigTwoView(
        rules_of(rules) if isinstance(rules, str) else rules,
        observer_named(observer) if isinstance(observer, str) else observer,
    )


def action_text(games: Games, row: int, action: int) -> str:
    """What an action of the active seat plays, e.g. `3d 3c`."""
    hand = cards_in(int(games.hands[row, games.active[row]]))
    if action == PASS:
        return "pass"
    if not 0 < action < games.rules.n_actions or places_of(action)[-1] >= len(hand):
        return "no such action"
    return set_text(set_of(hand[place] for place in places_of(action)))


def position_text(games: Games, row: int, mask: Masks) -> str:
    """The position as the active seat sees it, or who has won."""
    if games.winner[row] != NOBODY or not mask.any():
        return "the game is over"
    seat, left = int(games.active[row]), games.cards_left[row].tolist()
    others = [(seat + k) % N_SEATS for k in range(1, N_SEATS)]
    legal = (f"{one}: {action_text(games, row, one)}" for one in np.flatnonzero(mask).tolist())
    return "\n".join(
        [
            f"hand   {set_text(int(games.hands[row, seat]))}",
            f"table  {set_text(games.table(row))}",
            "others " + ", ".join(f"seat {other} holds {left[other]}" for other in others),
            "legal  " + "; ".join(legal),
        ]
    )


# --- a learner in every seat, for PettingZoo ---


class BigTwoTurns(SeatedTurns):
    """A game in which `seat_0` to `seat_3` take turns; whoever holds the opening card begins.

    Observations are those of `sim.big_two.environment` for one environment.
    `reset(options={"fixed_hands": ["3d 4d", "", "", ""]})` tells what seats hold.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "name": "evenhand_big_two_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        observer: str | Observer = "history",
        rules: str | BigTwoRules = "standard",
        reward: Reward = "first",
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; `reset` begins a game.

        Args:
            observer: what agents see (`sim.big_two.observers`).
            rules: of the games, or the name of a variant.
            reward: what agents are told (`sim.big_two.episodes`).
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: there is no such variant, observer or reward.
        """
        known_word("reward", reward, REWARDS)
        view = view_of(rules, observer)
        super().__init__(N_SEATS, view, render_mode)
        self._view, self._reward = view, reward
        self._games = Games(view.rules, 1)

    def observe(self, agent: str) -> Observation:
        """What `agent` sees, whether or not it is to move."""
        seat, games = self.possible_agents.index(agent), self._games
        values = np.zeros((1, self._view.size.n_values), dtype=np.float32)
        self._view.observer.see(games, FIRST_GAME, np.array([seat]), values)
        return observation_of(values[0], games.masks(FIRST_GAME)[0] & (games.active[0] == seat))

    def _deal(self, options: Mapping[str, Any]) -> None:
        game = self._n_games or 0
        self._games.deal([number_of(self._stream, game)], fixed_hands=options.get("fixed_hands"))
        self._n_games = game + 1

    def _active(self) -> int:
        return int(self._games.active[0])

    def _move(self, actions: Any) -> list[float]:
        games, seat = self._games, self._active()
        legal = allowed_actions(actions, games.masks(FIRST_GAME), None, partial(action_text, games))
        held = games.cards_left[0, seat]
        games.act(FIRST_GAME, legal)
        rewards = np.zeros(N_SEATS)
        rewards[seat] = rewards_of_plays(self._reward, held - games.cards_left[0, seat])
        if games.winner[0] != NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
            rewards += final_rewards(self._reward, games, FIRST_GAME)[0]
        return list(rewards.tolist())

    def _text(self) -> str:
        return position_text(self._games, 0, self._games.masks(FIRST_GAME)[0])

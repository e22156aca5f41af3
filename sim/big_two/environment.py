"""Gymnasium environments of Big Two with one learner: many games at once, or one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from sim.arguments import checked
from sim.big_two.cards import N_SEATS, PASS, cards_in, places_of, set_of, set_text
from sim.big_two.episodes import BigTwoEpisodes, Reward
from sim.big_two.games import BigTwoAgent, Games, Masks
from sim.big_two.layout import NOBODY
from sim.big_two.observers import BigTwoView, Observer, observer_named
from sim.big_two.rules import BigTwoRules, rules_of
from sim.environments.base import EnvironmentCount, EnvironmentGames, RenderMode
from sim.environments.learners import LearnersEnv, LearnersVectorEnv
from sim.errors import known_word

IllegalActions = Literal["pass", "refuse"]


class _EnvironmentGames(BigTwoEpisodes, EnvironmentGames):
    """The games of environments; none of them is cut short."""

    idle = PASS

    def __init__(self, *arguments: Any, illegal: IllegalActions, **options: Any) -> None:
        """Create the games; the other arguments are those of `BigTwoEpisodes`."""
        super().__init__(*arguments, **options)
        known_word("illegal", illegal, get_args(IllegalActions))
        self.replacement = PASS if illegal == "pass" else None

    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the position of an environment."""
        return action_text(self.games, environment, action)

    def text(self, environment: int, _: npt.NDArray[np.float32], mask: Masks) -> str:
        """Return a position as text (`EnvironmentGames.text`)."""
        return position_text(self.games, environment, mask)


class BigTwoVectorEnv(LearnersVectorEnv):
    """``N`` games of a learner against three agents.

    A step is one action of the learner; the others move inside it. The mask of an end allows only
    passing. `reset(options={"fixed_hands": ["3d 4d", "", "", ""]})` sets the hands of seats in the
    games that it begins.
    """

    @checked(num_envs=EnvironmentCount, skip_forced=bool, render_mode=RenderMode)
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
        illegal: IllegalActions = "pass",
        render_mode: str | None = None,
    ) -> None:
        """Create the environments; `reset` begins the games.

        Args:
            num_envs: number of environments, ``N``.
            opponents: agents that sit after the learner, in turn order; or one for all three seats.
            observer: observer of the learner, or its name (`sim.big_two.observers`).
            rules: the rules, or the name of a variant.
            reward: kind of reward (`sim.big_two.episodes`).
            seat: seat of the learner; seats differ if the rules deal them different numbers of
                cards.
            skip_forced: whether positions with one legal action are skipped.
            illegal: how an illegal action is handled: `"pass"` passes, or plays the lowest card
                where the learner leads, and `info["illegal_action"]` is true; `"refuse"` raises
                `ValueError`.
            render_mode: `"ansi"`, or `None` for no rendering.

        Raises:
            InputError: there is no such variant, observer, seat or reward, or there is a wrong
                number of opponents.
        """
        view = view_of(rules, observer)
        games = _EnvironmentGames(
            view,
            opponents,
            num_envs,
            0,
            seat=seat,
            reward=reward,
            skip_forced=skip_forced,
            illegal=illegal,
        )
        super().__init__(games, render_mode)


class BigTwoEnv(LearnersEnv):
    """One game of a learner against three agents; `BigTwoVectorEnv` plays many."""

    def __init__(self, **arguments: Any) -> None:
        """Create the environment; the arguments are those of `BigTwoVectorEnv`."""
        super().__init__(BigTwoVectorEnv(1, **arguments))


def view_of(rules: str | BigTwoRules, observer: str | Observer) -> BigTwoView:
    """Return the view of some rules by an observer.

    Args:
        rules: the rules, or the name of a variant.
        observer: the observer, or its name.

    Raises:
        InputError: there is no such variant or observer.
    """
    return BigTwoView(
        rules if isinstance(rules, BigTwoRules) else rules_of(rules),
        observer if isinstance(observer, Observer) else observer_named(observer),
    )


def action_text(games: Games, row: int, action: int) -> str:
    """Return the cards that an action of the active seat plays, such as `3d 3c`.

    Args:
        games: the games.
        row: index of the game.
        action: number of the action.
    """
    hand = cards_in(int(games.hands[row, games.active[row]]))
    if action == PASS:
        return "pass"
    if not 0 < action < games.rules.n_actions or places_of(action)[-1] >= len(hand):
        return "no such action"
    return set_text(set_of(hand[place] for place in places_of(action)))


def position_text(games: Games, row: int, mask: Masks) -> str:
    """Return a position as the active seat sees it.

    Args:
        games: the games.
        row: index of the game.
        mask: legal actions, shape ``[n_actions]``; empty for a finished game.
    """
    if games.winner[row] != NOBODY or not mask.any():
        return "the game is over"
    seat = int(games.active[row])
    left = games.cards_left[row].tolist()
    others = [(seat + k) % N_SEATS for k in range(1, N_SEATS)]
    legal = (
        f"{action}: {action_text(games, row, action)}" for action in np.flatnonzero(mask).tolist()
    )
    return "\n".join(
        [
            f"hand   {set_text(int(games.hands[row, seat]))}",
            f"table  {set_text(games.table(row))}",
            "others " + ", ".join(f"seat {other} holds {left[other]}" for other in others),
            "legal  " + "; ".join(legal),
        ]
    )

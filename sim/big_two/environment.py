"""Gymnasium environments of Big Two with one learner, for one game or many at once."""

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
    """Games of the Gymnasium environments; no limit ever ends a game, so none is truncated."""

    idle = PASS

    def __init__(self, *arguments: Any, illegal: IllegalActions, **options: Any) -> None:
        """Create the games; `reset` begins them.

        Args:
            *arguments: positional arguments of `BigTwoEpisodes`.
            illegal: way to handle illegal actions (`BigTwoVectorEnv`).
            **options: keyword arguments of `BigTwoEpisodes`.
        """
        super().__init__(*arguments, **options)
        known_word("value", illegal, get_args(IllegalActions), "illegal")
        self.replacement = PASS if illegal == "pass" else None

    def action_name(self, environment: int, action: int) -> str:
        """Return the cards that an action plays in the current position of an environment."""
        return action_text(self.games, environment, action)

    def text(self, environment: int, _: npt.NDArray[np.float32], mask: Masks) -> str:
        """Return the current position of an environment as text (`EnvironmentGames.text`)."""
        return position_text(self.games, environment, mask)


class BigTwoVectorEnv(LearnersVectorEnv):
    """Vector environment of ``N`` games of a learner against three agents.

    A step is one action of the learner and the actions of the others until the learner is to move
    again. The mask of a finished game allows only passing. The option `fixed_hands` of `reset` sets
    the hands of seats in the games that it begins: `{"fixed_hands": ["3d 4d", "", "", ""]}`.
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
            opponents: agents of the seats after the learner in turn order, or one agent for all
                three.
            observer: observer of the learner, or its name (`sim.big_two.observers`).
            rules: rules of the games, or the name of a variant.
            reward: kind of reward (`sim.big_two.episodes.Reward`).
            seat: seat of the learner, 0 to 3; seats differ only if the rules deal them different
                numbers of cards.
            skip_forced: whether positions with one legal action are skipped.
            illegal: way to handle an illegal action: `"pass"` passes, or takes the legal action
                with the lowest number if the learner must lead, and sets `info["illegal_action"]`
                to true; `"refuse"` raises `ValueError`.
            render_mode: `"ansi"`, or `None` to disable rendering.

        Raises:
            InputError: a variant, observer, seat or kind of reward does not exist, or the number of
                opponents is not 1 or 3.
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
    """Environment of one game of a learner against three agents."""

    def __init__(self, **arguments: Any) -> None:
        """Create the environment; `reset` begins the game.

        Args:
            **arguments: arguments of `BigTwoVectorEnv` other than `num_envs`.
        """
        super().__init__(BigTwoVectorEnv(1, **arguments))


def view_of(rules: str | BigTwoRules, observer: str | Observer) -> BigTwoView:
    """Return the view of games under given rules by a given observer.

    Args:
        rules: rules of the games, or the name of a variant.
        observer: observer, or its name.

    Raises:
        InputError: the variant or the observer does not exist.
    """
    return BigTwoView(
        rules if isinstance(rules, BigTwoRules) else rules_of(rules),
        observer if isinstance(observer, Observer) else observer_named(observer),
    )


def action_text(games: Games, row: int, action: int) -> str:
    """Return a text, such as `3d 3c`, of the cards that an action of the active seat plays.

    Args:
        games: states of all games.
        row: index of the selected game.
        action: number of the action; an action that does not fit the hand gives `no such action`.
    """
    hand = cards_in(int(games.hands[row, games.active[row]]))
    if action == PASS:
        return "pass"
    if not 0 < action < games.rules.n_actions or places_of(action)[-1] >= len(hand):
        return "no such action"
    return set_text(set_of(hand[place] for place in places_of(action)))


def position_text(games: Games, row: int, mask: Masks) -> str:
    """Return the position of a game as text: the hand, the table, the others and legal actions.

    Args:
        games: states of all games.
        row: index of the selected game.
        mask: whether each action of the active seat is legal, shape ``[n_actions]``; if none is
            legal, the text is `the game is over`.
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

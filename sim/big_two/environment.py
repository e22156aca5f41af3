"""Big Two as one seat meets it, for Gymnasium: many games at once, and one."""

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
    """The games as environments have them: every one comes to its end."""

    idle = PASS

    def __init__(self, *told: Any, illegal: IllegalActions, **named: Any) -> None:
        super().__init__(*told, **named)
        known_word("illegal", illegal, get_args(IllegalActions))
        self.replacement = PASS if illegal == "pass" else None

    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the position of an environment."""
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
        """Make the environments; `reset` begins the games.

        Args:
            num_envs: ``N``.
            opponents: who sits after the learner, in turn order; or one for all of them.
            observer: what the learner sees (`sim.big_two.observers`).
            rules: of the games, or the name of a variant.
            reward: what the learner is told (`sim.big_two.episodes`).
            seat: the learner's; seats differ where the rules give them different cards.
            skip_forced: whether the learner is not asked where it has one legal action.
            illegal: what an illegal action does: `"pass"` passes, or plays the lowest card where
                the learner leads, and `info["illegal_action"]` says so; `"refuse"` raises
                `ValueError`.
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: there is no such variant, observer, seat or reward, or not so many opponents
                are needed.
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
        rules if isinstance(rules, BigTwoRules) else rules_of(rules),
        observer if isinstance(observer, Observer) else observer_named(observer),
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
    seat = int(games.active[row])
    left = games.cards_left[row].tolist()
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

"""Observers: what a seat sees of games as numbers; shipped ones, and users' own over the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sim.big_two import views
from sim.big_two.games import Games, Positions, Turn
from sim.big_two.rules import BigTwoRules
from sim.errors import InputError, known_word
from sim.observation.view_size import ViewSize

Values = npt.NDArray[np.float32]


class Observer(Protocol):
    """A way to see games."""

    @property
    def name(self) -> str:
        """What experiments and pilots call it."""

    @property
    def n_values(self) -> int:
        """How many numbers it makes of a position."""

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write what seats ``[B]`` see of games ``[B]`` into ``[B, n_values]`` values.

        Whole numbers from -128 to 127, made of nothing but what the seat may know.
        """


@dataclass(frozen=True)
class CompiledObserver:
    """An observer that takes the first values of the view in `sim.big_two.views`.

    Attributes:
        name: what experiments and pilots call it.
        n_values: how many of them.
    """

    name: str
    n_values: int

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write views (`Observer.see`)."""
        views.see_games(games.words, rows, seats, values.reshape(-1), self.n_values)


class Seen(NamedTuple):
    """What a seat knows of a game.

    Attributes:
        seat: who looks.
        hand: the set of cards that it holds (`sim.big_two.cards`).
        cards_left: how many cards each of the four seats holds.
        log: every play and pass, in turn.
    """

    seat: int
    hand: int
    cards_left: tuple[int, ...]
    log: list[Turn]


@dataclass(frozen=True)
class LogObserver:
    """An observer that is a plain function of what a seat knows.

    Attributes:
        name: what experiments and pilots call it.
        n_values: how many numbers it makes of it.
        tell: makes them.
    """

    name: str
    n_values: int
    tell: Callable[[Seen], Sequence[float]]

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write views (`Observer.see`)."""
        hands, counts = games.hands, games.cards_left
        for k, (row, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
            left = tuple(counts[row].tolist())
            values[k] = self.tell(Seen(seat, int(hands[row, seat]), left, games.log(row)))


_OBSERVERS: dict[str, Observer] = {
    "table": CompiledObserver("table", views.COUNTS),
    "counts": CompiledObserver("counts", views.GONE),
    "history": CompiledObserver("history", views.N_VALUES),
}


def observer_named(name: str) -> Observer:
    """The observer that pilots and environments call `name`.

    `table` sees the own hand and what is to be beaten, `counts` also how many cards the others
    hold and who passed, `history` also which cards each seat has played.

    Raises:
        InputError: there is none of this name.
    """
    return _OBSERVERS[known_word("observer", name, _OBSERVERS)]


def observer_names() -> list[str]:
    """The names of all observers."""
    return list(_OBSERVERS)


def register_observer(observer: Observer) -> None:
    """Let `observer_named` know an observer for as long as the process lives.

    Raises:
        InputError: there is another one of its name.
    """
    if _OBSERVERS.setdefault(observer.name, observer) is not observer:
        raise InputError(f"observer {observer.name!r}: there is one of this name already")


@dataclass(frozen=True)
class BigTwoView:
    """How learners see games of some rules, and act in them.

    Attributes:
        rules: of the games.
        observer: who looks.
    """

    rules: BigTwoRules
    observer: Observer

    @property
    def size(self) -> ViewSize:
        """Its shape."""
        name = f"big_two/{self.observer.name}"
        return ViewSize(name=name, n_values=self.observer.n_values, n_actions=self.rules.n_actions)

    @property
    def scales(self) -> None:
        """Its values are whole numbers in -128..127 as they are."""
        return

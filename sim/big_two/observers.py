"""Observers: the values that a seat sees of a game; built-in ones and users' own.

The built-in observers are compiled and take the first values of this list, all 0 or 1:

1. The own hand by places, which actions refer to: of each card its rank, its suit, whether two,
three and four of the rank are held, and whether five of the suit are. 2. The cards to beat, the
kind of their set, and which of the seats after this one played them; all zero if this seat leads.
3. Of each seat after this one: its number of cards in unary, and whether it has passed. 4. The
cards that were played by this seat, then by the seats after it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from sim.big_two import layout as to
from sim.big_two.cards import HAND_SIZE, N_CARDS, N_RANKS, N_SEATS, N_SUITS
from sim.big_two.games import Games, Positions, Turn
from sim.big_two.play import count_cards
from sim.big_two.rules import BigTwoRules
from sim.big_two.sets import KIND_SHIFT, KINDS
from sim.engine.compiled import FloatBlock, Vector, compiled, i64, none
from sim.errors import InputError, known_word
from sim.observation.parallel_games import Values
from sim.observation.view_size import ViewSize

_BOUNDS = (-128, 127)  # replay memories store values as signed bytes
_OTHERS = N_SEATS - 1

# Offsets within the values of one place of the hand; the rank comes first.
_SUIT = N_RANKS
_SAME_RANK = N_RANKS + N_SUITS
_FIVE_SUITED = N_RANKS + N_SUITS + 3
_PLACE_SIZE = _FIVE_SUITED + 1

# Offsets of the second to fourth part, and of their pieces.

_TABLE = HAND_SIZE * _PLACE_SIZE
_KIND = _TABLE + N_CARDS
_OWNER = _KIND + len(KINDS) - 1

_COUNTS = _OWNER + _OTHERS
_PASSED = _COUNTS + _OTHERS * HAND_SIZE

_GONE = _PASSED + _OTHERS

_N_VALUES = _GONE + N_SEATS * N_CARDS
"""Number of values of all four parts."""

_SUITED = sum(1 << card for card in range(0, N_CARDS, N_SUITS))
"""The set of all cards of the lowest suit."""


@compiled(none(FloatBlock, i64, i64))
def _mark_cards(values: Any, first: int, cards: int) -> None:
    """Write 1 for each card of a set, and 0 for all other cards below the highest one."""
    card = 0
    while cards:
        values[first + card] = cards & 1
        cards >>= 1
        card += 1


@compiled(none(FloatBlock, i64, i64))
def _see_hand(values: Any, first: int, hand: int) -> None:
    """Write the values of a hand, place by place."""
    place = 0
    for card in range(N_CARDS):
        if (hand >> card) & 1:
            at = first + place * _PLACE_SIZE
            rank = card >> 2
            suit = card & 3
            values[at + rank] = values[at + _SUIT + suit] = 1
            for n_others in range(1, count_cards((hand >> (rank << 2)) & 15)):
                values[at + _SAME_RANK + n_others - 1] = 1
            values[at + _FIVE_SUITED] = count_cards((hand >> suit) & _SUITED) >= 5
            place += 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_table(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    """Write the values of the set to beat, as `seat` sees it."""
    if games[at + to.TABLE]:
        _mark_cards(values, first + _TABLE, games[at + to.TABLE])
        values[first + _KIND + (games[at + to.BEATEN] >> KIND_SHIFT) - 1] = 1
        after = (games[at + to.OWNER] - seat) % N_SEATS
        if after:
            values[first + _OWNER + after - 1] = 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_others(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    """Write the card counts and passes of the seats after `seat`."""
    for after in range(1, N_SEATS):
        other = (seat + after) % N_SEATS
        counted = first + _COUNTS + (after - 1) * HAND_SIZE
        for card in range(count_cards(games[at + to.HANDS + other])):
            values[counted + card] = 1
        values[first + _PASSED + after - 1] = (games[at + to.PASSED] >> other) & 1


@compiled(none(Vector, Vector, Vector, FloatBlock, i64), from_python=True)
def _see_games(games: Any, rows: Any, seats: Any, values: Any, n_values: int) -> None:
    """Write what one seat sees of each selected game.

    Args:
        games: words of all games, shape ``[G * GAME_SIZE]``.
        rows: indices of the games, shape ``[B]``.
        seats: seat that looks, whether or not it is to move, shape ``[B]``.
        values: observations, overwritten, shape ``[B * n_values]``.
        n_values: number of values of an observation; must be where a part of the list ends.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        seat = seats[k]
        first = n_values * k
        for value in range(n_values):
            values[first + value] = 0
        _see_hand(values, first, games[at + to.HANDS + seat])
        _see_table(games, at, seat, values, first)
        if n_values > _COUNTS:
            _see_others(games, at, seat, values, first)
        for after in range(N_SEATS if n_values > _GONE else 0):
            gone = games[at + to.GONE + (seat + after) % N_SEATS]
            _mark_cards(values, first + _GONE + after * N_CARDS, gone)


@dataclass(frozen=True)
class Observer(ABC):
    """A way to see games: it turns the information of a seat into an observation.

    Attributes:
        name: name of the observer in experiments and pilots.
        n_values: number of values of an observation.
    """

    name: str
    n_values: int

    @abstractmethod
    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write observations of ``[B]`` games into ``[B, n_values]`` values.

        The values are whole numbers from -128 to 127, and depend only on what the seat may know.

        Args:
            games: the games.
            rows: indices of the games, shape ``[B]``.
            seats: seat that looks in each game, shape ``[B]``.
            values: the observations, overwritten.
        """


class CompiledObserver(Observer):
    """An observer that takes the first `n_values` values of the compiled view."""

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write observations (`Observer.see`)."""
        _see_games(games.words, rows, seats, values.reshape(-1), self.n_values)


class Seen(NamedTuple):
    """The information that a seat has about a game.

    Attributes:
        seat: the seat that looks.
        hand: the set of cards that it holds (`sim.big_two.cards`).
        cards_left: number of cards that each of the four seats holds.
        log: all plays and passes, in turn order.
    """

    seat: int
    hand: int
    cards_left: tuple[int, ...]
    log: list[Turn]


@dataclass(frozen=True)
class LogObserver(Observer):
    """An observer defined by a Python function of the information of a seat.

    Attributes:
        values_of: returns the values of an observation.
    """

    values_of: Callable[[Seen], Sequence[float]]

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write observations (`Observer.see`)."""
        hands = games.hands
        counts = games.cards_left
        for k, (row, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
            left = tuple(counts[row].tolist())
            values[k] = self.values_of(Seen(seat, int(hands[row, seat]), left, games.log(row)))


_OBSERVERS: dict[str, Observer] = {
    "table": CompiledObserver("table", _COUNTS),
    "counts": CompiledObserver("counts", _GONE),
    "history": CompiledObserver("history", _N_VALUES),
}


def observer_named(name: str) -> Observer:
    """Return the observer with a name.

    `table` sees the own hand and the set to beat, `counts` also the number of cards of the others
    and their passes, `history` also the cards that each seat has played.

    Raises:
        InputError: there is no observer with this name.
    """
    return _OBSERVERS[known_word("observer", name, _OBSERVERS)]


def observer_names() -> list[str]:
    """Return the names of all observers."""
    return list(_OBSERVERS)


def register_observer(observer: Observer) -> None:
    """Register an observer under its name for as long as the process runs.

    Raises:
        InputError: another observer has the same name.
    """
    if _OBSERVERS.setdefault(observer.name, observer) is not observer:
        raise InputError(
            "another observer has this name",
            place=f"observer {observer.name!r}",
            value=observer.name,
            remedy="choose another name",
        )


@dataclass(frozen=True)
class BigTwoView:
    """A view of games of Big Two: the observer, and the actions of the rules.

    Attributes:
        rules: rules of the games.
        observer: observer that writes the observations.
        scales: none, since the values are whole numbers in -128..127.
    """

    scales: ClassVar[None] = None

    rules: BigTwoRules
    observer: Observer

    @property
    def size(self) -> ViewSize:
        """The shape of observations and actions."""
        name = f"big_two/{self.observer.name}"
        return ViewSize(name=name, n_values=self.observer.n_values, n_actions=self.rules.n_actions)

    @property
    def bounds(self) -> tuple[Values, Values]:
        """The lowest and the highest observation, each ``[n_values]``."""
        low, high = (np.full(self.observer.n_values, bound, dtype=np.float32) for bound in _BOUNDS)
        return low, high

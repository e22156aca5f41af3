"""Observers: what a seat sees of games as numbers; shipped ones, and users' own over the log.

The shipped ones take the first of these zeros and ones, which are compiled:

1. Its hand by places, in the order of which actions speak: of each card its rank, its suit, whether
   two, three and four of the rank are held, and whether five of the suit are.
2. The cards to be beaten, their kind, and which of the seats after this one played them; all zero
   for who leads.
3. Of each seat after this one: at least how many cards it holds, and whether it has passed.
4. Which cards are gone: this seat's, then those of the seats after it.
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
from sim.observation.side_by_side import Values
from sim.observation.view_size import ViewSize

_BOUNDS = (-128, 127)  # of what observers may write
_OTHERS = N_SEATS - 1
_SUIT = N_RANKS
_ALIKE = N_RANKS + N_SUITS
_FIVE_SUITED = N_RANKS + N_SUITS + 3
_PLACE_SIZE = _FIVE_SUITED + 1

_TABLE = HAND_SIZE * _PLACE_SIZE
_KIND = _TABLE + N_CARDS
_OWNER = _KIND + len(KINDS) - 1

_COUNTS = _OWNER + _OTHERS
_PASSED = _COUNTS + _OTHERS * HAND_SIZE

_GONE = _PASSED + _OTHERS

_N_VALUES = _GONE + N_SEATS * N_CARDS
"""Of all four parts; `_TABLE`, `_COUNTS` and `_GONE` are where the second to fourth begin."""

_SUITED = sum(1 << card for card in range(0, N_CARDS, N_SUITS))


@compiled(none(FloatBlock, i64, i64))
def _mark_cards(values: Any, first: int, cards: int) -> None:
    """Write ones for the cards of a set."""
    card = 0
    while cards:
        values[first + card] = cards & 1
        cards >>= 1
        card += 1


@compiled(none(FloatBlock, i64, i64))
def _see_hand(values: Any, first: int, hand: int) -> None:
    place = 0
    for card in range(N_CARDS):
        if (hand >> card) & 1:
            at = first + place * _PLACE_SIZE
            rank = card >> 2
            suit = card & 3
            values[at + rank] = values[at + _SUIT + suit] = 1
            for more in range(1, count_cards((hand >> (rank << 2)) & 15)):
                values[at + _ALIKE + more - 1] = 1
            values[at + _FIVE_SUITED] = count_cards((hand >> suit) & _SUITED) >= 5
            place += 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_table(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    if games[at + to.TABLE]:
        _mark_cards(values, first + _TABLE, games[at + to.TABLE])
        values[first + _KIND + (games[at + to.BEATEN] >> KIND_SHIFT) - 1] = 1
        after = (games[at + to.OWNER] - seat) % N_SEATS
        if after:
            values[first + _OWNER + after - 1] = 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_others(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    for after in range(1, N_SEATS):
        other = (seat + after) % N_SEATS
        counted = first + _COUNTS + (after - 1) * HAND_SIZE
        for card in range(count_cards(games[at + to.HANDS + other])):
            values[counted + card] = 1
        values[first + _PASSED + after - 1] = (games[at + to.PASSED] >> other) & 1


@compiled(none(Vector, Vector, Vector, FloatBlock, i64), from_python=True)
def _see_games(games: Any, rows: Any, seats: Any, values: Any, n_values: int) -> None:
    """Write what one seat sees of each of some games.

    Args:
        games: ``[G * GAME_SIZE]`` words.
        rows: ``[B]`` which games.
        seats: ``[B]`` who looks, whether or not it is to move.
        values: ``[B * n_values]`` overwritten.
        n_values: how many of the view's values; where one of its parts ends.
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
    """A way to see games.

    Attributes:
        name: what experiments and pilots call it.
        n_values: how many numbers it makes of a position.
    """

    name: str
    n_values: int

    @abstractmethod
    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write what seats ``[B]`` see of games ``[B]`` into ``[B, n_values]`` values.

        Whole numbers from -128 to 127, made of nothing but what the seat may know.
        """


class CompiledObserver(Observer):
    """An observer that takes the first `n_values` values of the compiled view."""

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write views (`Observer.see`)."""
        _see_games(games.words, rows, seats, values.reshape(-1), self.n_values)


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
class LogObserver(Observer):
    """An observer that is a plain function of what a seat knows.

    Attributes:
        tell: makes the numbers.
    """

    tell: Callable[[Seen], Sequence[float]]

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write views (`Observer.see`)."""
        hands = games.hands
        counts = games.cards_left
        for k, (row, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
            left = tuple(counts[row].tolist())
            values[k] = self.tell(Seen(seat, int(hands[row, seat]), left, games.log(row)))


_OBSERVERS: dict[str, Observer] = {
    "table": CompiledObserver("table", _COUNTS),
    "counts": CompiledObserver("counts", _GONE),
    "history": CompiledObserver("history", _N_VALUES),
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
        scales: none, since its values are whole numbers in -128..127 as they are.
    """

    scales: ClassVar[None] = None

    rules: BigTwoRules
    observer: Observer

    @property
    def size(self) -> ViewSize:
        """Its shape."""
        name = f"big_two/{self.observer.name}"
        return ViewSize(name=name, n_values=self.observer.n_values, n_actions=self.rules.n_actions)

    @property
    def bounds(self) -> tuple[Values, Values]:
        """The least and the most that its values are."""
        low, high = (np.full(self.observer.n_values, one, dtype=np.float32) for one in _BOUNDS)
        return low, high

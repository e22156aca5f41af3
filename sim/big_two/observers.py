"""Observers, which turn the information of a seat into an observation: built-in and registered.

The built-in observers are compiled. Each takes a number of values from the beginning of this list,
in which all values are 0 or 1:

1. The own hand by places, as in actions: for each card its rank, its suit, whether the hand has
   two, three and four cards of this rank, and whether it has five cards of this suit.
2. The set to beat: its cards, its kind, and the seat that played it, counted from this seat; all
   values are 0 if this seat leads.
3. For each other seat in turn order: its number of cards in unary, and whether it has passed.
4. The cards that were played by this seat, then by the other seats in turn order.
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

# Offsets within the values of one place of the hand, which begin with the rank.
_SUIT = N_RANKS
_SAME_RANK = N_RANKS + N_SUITS
_FIVE_SUITED = N_RANKS + N_SUITS + 3
_PLACE_SIZE = _FIVE_SUITED + 1

# Offsets of the second to fourth part of the values, and of the groups of values in each part.

_TABLE = HAND_SIZE * _PLACE_SIZE
_KIND = _TABLE + N_CARDS
_OWNER = _KIND + len(KINDS) - 1

_COUNTS = _OWNER + _OTHERS
_PASSED = _COUNTS + _OTHERS * HAND_SIZE

_GONE = _PASSED + _OTHERS

_N_VALUES = _GONE + N_SEATS * N_CARDS
"""Number of values in all four parts."""

_SUITED = sum(1 << card for card in range(0, N_CARDS, N_SUITS))
"""Set of all cards of the lowest suit."""


@compiled(none(FloatBlock, i64, i64))
def _mark_cards(values: Any, first: int, cards: int) -> None:
    """Write 1 for each card of a set, and 0 for all cards below its highest card not in the set.

    Args:
        values: observations, changed in place.
        first: offset of the value of card 0.
        cards: set of cards.
    """
    card = 0
    while cards:
        values[first + card] = cards & 1
        cards >>= 1
        card += 1


@compiled(none(FloatBlock, i64, i64))
def _see_hand(values: Any, first: int, hand: int) -> None:
    """Write the values of a hand, for each of its places; all values must be 0 before the call.

    Args:
        values: observations, changed in place.
        first: offset of the first place's values.
        hand: set of cards in the hand.
    """
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
    """Write the values of the set to beat, if any; all values must be 0 before the call.

    Args:
        games: words of all games.
        at: offset of this game.
        seat: seat that observes the game.
        values: observations, changed in place.
        first: offset of the observation.
    """
    if games[at + to.TABLE]:
        _mark_cards(values, first + _TABLE, games[at + to.TABLE])
        values[first + _KIND + (games[at + to.BEATEN] >> KIND_SHIFT) - 1] = 1
        after = (games[at + to.OWNER] - seat) % N_SEATS
        if after:
            values[first + _OWNER + after - 1] = 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_others(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    """Write the card counts and passes of the seats other than `seat`.

    The values of card counts must be 0 before the call. The arguments are those of `_see_table`.
    """
    for after in range(1, N_SEATS):
        other = (seat + after) % N_SEATS
        counted = first + _COUNTS + (after - 1) * HAND_SIZE
        for card in range(count_cards(games[at + to.HANDS + other])):
            values[counted + card] = 1
        values[first + _PASSED + after - 1] = (games[at + to.PASSED] >> other) & 1


@compiled(none(Vector, Vector, Vector, FloatBlock, i64), from_python=True)
def _see_games(games: Any, rows: Any, seats: Any, values: Any, n_values: int) -> None:
    """Write the observation of one seat in each selected game.

    Args:
        games: words of all games, shape ``[G * GAME_SIZE]``.
        rows: indices of the selected games, shape ``[B]``.
        seats: observing seat in each selected game, which need not be the active seat, shape
            ``[B]``.
        values: observations, overwritten, shape ``[B * n_values]``.
        n_values: number of values of an observation: `_COUNTS`, `_GONE` or `_N_VALUES`.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        seat = seats[k]
        first = n_values * k
        # The functions below write only values that are 1.
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
    """Base class of observers, which turn the information of a seat into an observation.

    Attributes:
        name: name of the observer in experiments and in files of trained agents.
        n_values: number of values of an observation.
    """

    name: str
    n_values: int

    @abstractmethod
    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write the observation of one seat in each selected game.

        The values must be whole numbers from -128 to 127, and must depend only on information that
        the seat may have.

        Args:
            games: states of all games.
            rows: indices of the selected games, shape ``[B]``.
            seats: observing seat in each selected game, shape ``[B]``.
            values: observations, overwritten, shape ``[B, n_values]``.
        """


class CompiledObserver(Observer):
    """Built-in observer, which writes the first `n_values` values that the module describes."""

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write the observation of one seat in each selected game (`Observer.see`)."""
        _see_games(games.words, rows, seats, values.reshape(-1), self.n_values)


class Seen(NamedTuple):
    """Information that a seat has about a game of Big Two.

    Attributes:
        seat: seat that observes the game.
        hand: set of cards that this seat holds (`sim.big_two.cards`).
        cards_left: number of cards that each of the four seats holds.
        log: all plays and passes so far, in turn order.
    """

    seat: int
    hand: int
    cards_left: tuple[int, ...]
    log: list[Turn]


@dataclass(frozen=True)
class LogObserver(Observer):
    """Observer that is defined by a Python function, which is slower than compiled observers.

    Attributes:
        values_of: function that maps the information of a seat to the values of its observation.
    """

    values_of: Callable[[Seen], Sequence[float]]

    def see(self, games: Games, rows: Positions, seats: Positions, values: Values) -> None:
        """Write the observation of one seat in each selected game (`Observer.see`)."""
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
    """Return the built-in or registered observer with a name.

    The built-in observer `table` shows the own hand and the set to beat. `counts` adds the numbers
    of cards and the passes of the other seats, and `history` also the cards that each seat has
    played.

    Raises:
        InputError: there is no observer with this name.
    """
    return _OBSERVERS[known_word("observer", name, _OBSERVERS)]


def observer_names() -> list[str]:
    """Return the names of all built-in and registered observers."""
    return list(_OBSERVERS)


def register_observer(observer: Observer) -> None:
    """Register an observer under its name in this process.

    Raises:
        InputError: a different observer is registered under the same name.
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
    """View of games of Big Two, with the observations of an observer and the actions of the rules.

    Attributes:
        rules: rules of the games.
        observer: observer that writes the observations.
        scales: `None`, since all values are whole numbers from -128 to 127.
    """

    scales: ClassVar[None] = None

    rules: BigTwoRules
    observer: Observer

    @property
    def size(self) -> ViewSize:
        """Shape of observations and actions, with a name such as `big_two/history`."""
        name = f"big_two/{self.observer.name}"
        return ViewSize(name=name, n_values=self.observer.n_values, n_actions=self.rules.n_actions)

    @property
    def bounds(self) -> tuple[Values, Values]:
        """Lowest and highest possible value at each place, both of shape ``[n_values]``."""
        low, high = (np.full(self.observer.n_values, bound, dtype=np.float32) for bound in _BOUNDS)
        return low, high

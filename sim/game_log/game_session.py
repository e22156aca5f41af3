"""A sitting: a game in which a person has a seat and agents the others, whatever game it is.

Everything that has been done lies in `actions`: a game is its deal and that list, so that one that
was saved goes on as if it had never been left, whoever chose what.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sim.errors import InputError


class Option(NamedTuple):
    """One legal action: how it differs from others of its choice, and its number in the game."""

    words: str
    action: int


class Choice(NamedTuple):
    """Something to do, and the ways to do it.

    Attributes:
        words: what it is; of a single way, with all that there is to say.
        options: at least one; of several, one is asked for next.
    """

    words: str
    options: tuple[Option, ...]


class GameSession(ABC):
    """A game at which a person sits.

    Attributes:
        seat: the person's.
        actions: all that has been done, by all seats.
    """

    seat: int
    actions: list[int]

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether there is nothing more to do."""

    def begin(self, actions: Sequence[int] = ()) -> list[str]:
        """Do again what was done, then play on until the person is asked; the story so far.

        Args:
            actions: of all seats.

        Raises:
            InputError: one of them is not possible in this game.
            CardFault: a card's texts stopped the game.
        """
        return self._redo(actions) + self._play_on()

    def act(self, action: int) -> list[str]:
        """Take a legal action and play on until the person is asked again; what happened.

        Raises:
            CardFault: a card's texts stopped the game.
        """
        return self._perform(action, f"{action} is no legal action") + self._play_on()

    def undo(self, at_most: int | None = None) -> int:
        """Take back actions of the person's turn; how many were.

        By default none: a turn is one action.

        Args:
            at_most: so many; default all, back to where the turn began.
        """
        del at_most
        return 0

    @abstractmethod
    def choices(self) -> list[Choice]:
        """What the person may do."""

    @abstractmethod
    def position(self, *, whole: bool = False) -> Iterator[str]:
        """What the person sees; the whole of it at the beginning of a turn, or if asked."""

    @abstractmethod
    def more(self) -> Mapping[str, tuple[str, Iterator[str]]]:
        """What else can be looked at, by the word that asks for it: what it is, and its lines."""

    @abstractmethod
    def greeting(self) -> str:
        """Who plays whom."""

    @abstractmethod
    def result(self) -> str:
        """How the game ended for the person."""

    def retold(self, actions: Sequence[int]) -> list[str]:
        """The game in which all seats did this, as `replay` tells it: nothing is hidden.

        Raises:
            InputError: an action is not possible.
        """
        self._redo(actions)
        left = iter(actions)
        return list(self._tell(lambda _: next(left, None)))

    def _redo(self, actions: Sequence[int]) -> list[str]:
        told = self._start_over()
        self.actions = []
        for number, action in enumerate(actions, start=1):
            if self.is_over:
                raise InputError(f"actions: {number} and later come after the end of the game")
            told += self._perform(action, f"actions: number {number}, {action}, is not possible")
        return told

    def _play_on(self) -> list[str]:
        told: list[str] = []
        while not self.is_over and self._active != self.seat:
            told += self._perform(self._answer(), "the agent's action is not legal")
        return told

    def _perform(self, action: int, refused: str) -> list[str]:
        told = self._do(action)
        if told is None:
            raise InputError(refused)
        self.actions.append(action)
        return told

    @property
    @abstractmethod
    def _active(self) -> int:
        """The seat to move."""

    @abstractmethod
    def _start_over(self) -> list[str]:
        """Deal the game anew; what is told of that."""

    @abstractmethod
    def _do(self, action: int) -> list[str] | None:
        """Carry out an action; what happened, or `None` where it is not legal."""

    @abstractmethod
    def _answer(self) -> int:
        """What the agent of the seat to move does."""

    @abstractmethod
    def _tell(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        """The lines of the game anew, in which what is done is chosen so and always possible."""

"""Interactive game sessions: a person plays against agents, in a game of any kind.

A game is its deal and the list `actions`. A saved game therefore continues exactly as if it had
never been interrupted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sim.errors import InputError


class Option(NamedTuple):
    """One legal action.

    Attributes:
        words: how the action differs from the others of its choice.
        action: number of the action in the game.
    """

    words: str
    action: int


class Choice(NamedTuple):
    """A decision that the person may take, and the ways to carry it out.

    Attributes:
        words: description of the decision; complete if there is only one way.
        options: the ways, at least one; the person picks one of several in a second step.
    """

    words: str
    options: tuple[Option, ...]


class GameSession(ABC):
    """A game in which a person has one seat and agents have the others.

    Attributes:
        seat: seat of the person.
        actions: all actions so far, of all seats.
    """

    seat: int
    actions: list[int]

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def begin(self, actions: Sequence[int] = ()) -> list[str]:
        """Deal the game, repeat recorded actions, and play until the person must choose.

        Args:
            actions: recorded actions of all seats.

        Returns:
            Lines of the log so far.

        Raises:
            InputError: a recorded action is not possible in this game.
            CardFault: the effects of a card stopped the game.
        """
        return self._redo(actions) + self._play_on()

    def act(self, action: int) -> list[str]:
        """Take an action, play until the person must choose again, and return the log's lines.

        Raises:
            InputError: the action is illegal.
            CardFault: the effects of a card stopped the game.
        """
        return self._perform(action, "is no legal action") + self._play_on()

    def undo(self, at_most: int | None = None) -> int:
        """Take back actions of the person's current turn, and return how many were taken back.

        The base class takes back none, for games in which a turn is one action.

        Args:
            at_most: largest number of actions to take back; by default all of the turn.
        """
        del at_most
        return 0

    @abstractmethod
    def choices(self) -> list[Choice]:
        """Return the decisions that the person may take now."""

    @abstractmethod
    def position(self, *, whole: bool = False) -> Iterator[str]:
        """Yield the lines of the position as the person sees it.

        Args:
            whole: whether to show all details, as at the beginning of a turn.
        """

    @abstractmethod
    def more(self) -> Mapping[str, tuple[str, Iterator[str]]]:
        """Return further information: by the word that requests it, a title and its lines."""

    @abstractmethod
    def greeting(self) -> str:
        """Return the players and seats, as sentences."""

    @abstractmethod
    def result(self) -> str:
        """Return the result of the game for the person, as a sentence."""

    def full_log(self, actions: Sequence[int]) -> list[str]:
        """Return the log of the game with these actions of all seats; nothing is hidden.

        Raises:
            InputError: an action is not possible.
        """
        self._redo(actions)
        remaining = iter(actions)
        return list(self._log_lines(lambda _: next(remaining, None)))

    def _redo(self, actions: Sequence[int]) -> list[str]:
        """Deal the game, carry out recorded actions, and return the log's lines."""
        lines = self._start_over()
        self.actions = []
        for number, action in enumerate(actions, start=1):
            if self.is_over:
                raise InputError(
                    f"number {number} and later ones follow the end of the game",
                    place="actions",
                    value=action,
                )
            lines += self._perform(action, f"(number {number}) is not possible", place="actions")
        return lines

    def _play_on(self) -> list[str]:
        """Let agents move until the person must choose, and return the log's lines."""
        lines: list[str] = []
        while not self.is_over and self._active != self.seat:
            lines += self._perform(self._answer(), "of the agent is not legal")
        return lines

    def _perform(self, action: int, problem: str, place: str = "") -> list[str]:
        """Carry out an action, record it, and return the log's lines.

        Args:
            action: the action.
            problem: predicate of the message if the action is illegal.
            place: place of the message.
        """
        lines = self._do(action)
        if lines is None:
            raise InputError(f"action {action} {problem}", place=place, value=action)
        self.actions.append(action)
        return lines

    @property
    @abstractmethod
    def _active(self) -> int:
        """The seat to move."""

    @abstractmethod
    def _start_over(self) -> list[str]:
        """Deal the game from the start, and return the log's lines."""

    @abstractmethod
    def _do(self, action: int) -> list[str] | None:
        """Carry out an action and return the log's lines; `None` if it is illegal."""

    @abstractmethod
    def _answer(self) -> int:
        """Return the action of the agent of the seat to move."""

    @abstractmethod
    def _log_lines(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        """Yield the log of a new game with the same deal.

        Args:
            choose: returns the next action, which must be legal; `None` where the game was left.
        """

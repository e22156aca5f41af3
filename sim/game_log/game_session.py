"""Base class of interactive sessions, in which a person plays a game against agents.

The deal and the list of actions determine the state of a game. A game that is restored from them
continues exactly as if it had not been interrupted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sim.errors import InputError


class Option(NamedTuple):
    """A legal action, offered to the person as part of a choice.

    Attributes:
        words: words that distinguish the action from the other options of its choice.
        action: number of the action in the game.
    """

    words: str
    action: int


class Choice(NamedTuple):
    """A decision offered to the person, such as playing a card, with the actions that carry it out.

    Attributes:
        words: description of the decision; if there is only one option, it is complete.
        options: legal actions for this decision, at least one; if there are several, the person
            picks one of them in a second step.
    """

    words: str
    options: tuple[Option, ...]


class GameSession(ABC):
    """Base class of interactive games in which a person has one seat and agents have the others.

    Attributes:
        seat: seat of the person.
        actions: numbers of all actions so far, of all seats, in order.
    """

    seat: int
    actions: list[int]

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def begin(self, actions: Sequence[int] = ()) -> list[str]:
        """Deal the game, carry out recorded actions, and play until the person must choose.

        Args:
            actions: numbers of recorded actions, of all seats.

        Returns:
            Lines of the log so far.

        Raises:
            InputError: a recorded action is illegal or follows the end of the game, or an agent
                chose an illegal action.
            CardFault: the effects of a card stopped the game.
        """
        return self._redo(actions) + self._play_on()

    def act(self, action: int) -> list[str]:
        """Carry out an action of the person, and play until the person must choose again.

        Args:
            action: number of the action.

        Returns:
            Lines of the log since the previous choice.

        Raises:
            InputError: the action, or an action that an agent chose, is illegal.
            CardFault: the effects of a card stopped the game.
        """
        return self._perform(action, "is no legal action") + self._play_on()

    def undo(self, at_most: int | None = None) -> int:
        """Take back actions of the person's current turn, and return the number taken back.

        The base class takes back none, for games in which a turn is one action.

        Args:
            at_most: maximum number of actions to take back; by default all actions of the turn.
        """
        del at_most
        return 0

    @abstractmethod
    def choices(self) -> list[Choice]:
        """Return the decisions that the person may take in the current position."""

    @abstractmethod
    def position(self, *, whole: bool = False) -> Iterator[str]:
        """Yield the lines that show the current position from the seat of the person.

        Args:
            whole: whether to show all details, which are otherwise shown only at the beginning of a
                turn.
        """

    @abstractmethod
    def more(self) -> Mapping[str, tuple[str, Iterator[str]]]:
        """Return titles and lines of further information, by the word that requests it."""

    @abstractmethod
    def greeting(self) -> str:
        """Return an introduction to the players and seats, as sentences."""

    @abstractmethod
    def result(self) -> str:
        """Return the result of the finished game for the person, as a sentence."""

    def full_log(self, actions: Sequence[int]) -> list[str]:
        """Return the lines of an omniscient log of the game with given actions.

        The session's game is dealt again and the actions are carried out in it too.

        Args:
            actions: numbers of the actions of all seats, in order.

        Raises:
            InputError: an action is illegal, or follows the end of the game.
        """
        self._redo(actions)
        remaining = iter(actions)
        return list(self._log_lines(lambda _: next(remaining, None)))

    def _redo(self, actions: Sequence[int]) -> list[str]:
        """Deal the game, carry out recorded actions, and return the lines of the log.

        Raises:
            InputError: an action is illegal, or follows the end of the game.
        """
        lines = self._start_over()
        self.actions = []
        for number, action in enumerate(actions, start=1):
            if self.is_over:
                raise InputError(
                    "the game is over before this action",
                    place=f"actions #{number}",
                    value=action,
                    remedy="delete this action and all later ones",
                )
            problem = "is not legal at that point of the game"
            lines += self._perform(action, problem, place=f"actions #{number}")
        return lines

    def _play_on(self) -> list[str]:
        """Let agents move until the person must choose, and return the lines of the log.

        Raises:
            InputError: an agent chose an illegal action.
        """
        lines: list[str] = []
        while not self.is_over and self._active != self.seat:
            lines += self._perform(self._answer(), "of the agent is not legal")
        return lines

    def _perform(self, action: int, problem: str, place: str = "") -> list[str]:
        """Carry out an action, record it, and return the lines of the log.

        Args:
            action: number of the action.
            problem: predicate of the error message, used if the action is illegal.
            place: place of the error, used if the action is illegal.

        Raises:
            InputError: the action is illegal.
        """
        lines = self._do(action)
        if lines is None:
            raise InputError(f"action {action} {problem}", place=place, value=action)
        self.actions.append(action)
        return lines

    @property
    @abstractmethod
    def _active(self) -> int:
        """Seat that must move next."""

    @abstractmethod
    def _start_over(self) -> list[str]:
        """Deal the game again, and return the first lines of the log."""

    @abstractmethod
    def _do(self, action: int) -> list[str] | None:
        """Carry out an action and return the lines of the log.

        If the action is illegal, return `None` and change nothing.
        """

    @abstractmethod
    def _answer(self) -> int:
        """Return the action that the agent of the seat to move chooses."""

    @abstractmethod
    def _log_lines(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        """Play a new game with the same deal, and yield the lines of its omniscient log.

        Args:
            choose: function that maps the state of the game to the next action, which must be
                legal; `None` ends the log, for a game that was not finished.
        """

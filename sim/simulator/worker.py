"""A child with the request that it answers, and the deadline of its answer."""

from __future__ import annotations

import time

from sim.errors import InputError
from sim.simulator.child import Child, quoted
from sim.simulator.game_results import GameResults
from sim.simulator.program_error import ProgramError
from sim.simulator.protocol import HELLO_REQUEST, Answer, Hello, read_message

# A request may take this many times the expected time in addition to the time of the slowest game.
# Games that are stopped by mistake cost only time, since they are played again in smaller requests.
_SLACK = 10


class Worker:
    """A child that answers one request at a time."""

    def __init__(self, child: Child, timeout_s: float, start_timeout_s: float) -> None:
        """Send the first request to a child.

        Args:
            child: the child, just started.
            timeout_s: longest time of a game in seconds.
            start_timeout_s: longest time in seconds until the first request is answered.
        """
        self.child = child
        self._timeout_s = timeout_s
        self._is_greeted = False
        self._number = 0
        self._n_games = 0
        self._n_done = 0
        self._game_s = 0.0
        self._began_s = 0.0
        self._line = b""
        self._set_deadline(start_timeout_s)
        child.send(HELLO_REQUEST)

    @property
    def seconds(self) -> float:
        """Time since the current request began to be answered."""
        return time.monotonic() - self._began_s

    def send(self, number: int, request: bytes, n_games: int, game_s: float) -> None:
        """Send a request to play games; the deadline begins when the child is ready.

        Args:
            number: number of the request.
            request: line of the request.
            n_games: number of its games.
            game_s: expected time of a game in seconds.
        """
        self._number = number
        self._n_games = n_games
        self._n_done = 0
        self._game_s = game_s
        self.child.send(request)
        if self._is_greeted:
            self._begin()

    def hello(self) -> Hello | None:
        """Return the answer to the first request; `None` if it has not come yet.

        Raises:
            ProgramError: the child has ended, is too slow or gave a wrong answer.
        """
        line = self._next_line()
        if line is None:
            return None
        try:
            hello = read_message(Hello, line)
        except InputError as error:
            raise _wrong_answer(line, error) from None
        self._is_greeted = True
        return hello

    def results(self, expected: Hello) -> tuple[GameResults, ...] | None:
        """Return the results of the current request; `None` if they have not come yet.

        Args:
            expected: required answer to the first request, if it has not come yet.

        Raises:
            InputError: the answer to the first request is another one.
            ProgramError: the child has ended, is too slow or gave a wrong answer.
        """
        if not self._is_greeted:
            hello = self.hello()
            if hello is None:
                return None
            if hello != expected:
                raise InputError(
                    "the program describes another game than at its first start",
                    place="hello",
                    value=hello.version,
                    limit=expected.version,
                    remedy="start the command again, and do not change the program while it runs",
                )
            self._begin()
        while (line := self._next_line()) is not None:
            answer = self._answer(line)
            if answer.results is not None:
                return answer.results
            # Without progress, a program that prints forever would never be too slow.
            if answer.done is not None and answer.done > self._n_done:
                self._n_done = answer.done
                self._extend(self._n_games - self._n_done)
        return None

    def wrong_results(self, error: InputError) -> ProgramError:
        """Return the fault of results that do not fit the request."""
        return _wrong_answer(self._line, error)

    def postpone(self, seconds: float) -> None:
        """Move the deadline, after a time in which the output of the child was not read."""
        self._began_s += seconds
        self._deadline_s += seconds

    def _answer(self, line: bytes) -> Answer:
        """Return the answer on a line.

        Raises:
            ProgramError: it is not an answer to the current request.
        """
        self._line = line
        try:
            answer = read_message(Answer, line)
        except InputError as error:
            raise _wrong_answer(line, error) from None
        if answer.id != self._number:
            wrong = InputError(f"is {answer.id} instead of {self._number}", place="id")
            raise _wrong_answer(line, wrong)
        return answer

    def _begin(self) -> None:
        """Set the time at which the child begins to play, and its deadline."""
        self._began_s = time.monotonic()
        self._extend(self._n_games)

    def _extend(self, n_games: int) -> None:
        """Set the deadline anew, for a number of games that are still to be played."""
        is_single = self._n_games == 1  # its expected time may be that of other games
        slack_s = 0.0 if is_single else _SLACK * max(0, n_games) * self._game_s
        self._set_deadline(self._timeout_s + slack_s)

    def _set_deadline(self, seconds: float) -> None:
        """Set the longest time from now to the next line of the child."""
        self._limit_s = seconds
        self._deadline_s = time.monotonic() + seconds

    def _next_line(self) -> bytes | None:
        """Return the next line of the child; `None` if none has come yet.

        Raises:
            ProgramError: the child has ended or is too slow.
        """
        line = self.child.take_line()
        if line is None and time.monotonic() > self._deadline_s:
            remedy = "flush standard output after each line"
            if self._is_greeted:
                remedy += ", or raise timeout_s if a game takes longer"
            raise ProgramError(
                "deadline",
                f"gave no answer within {self._limit_s:.3g} s",
                remedy=remedy,
                value=self._limit_s,
            )
        return line


def _wrong_answer(line: bytes, error: InputError) -> ProgramError:
    """Return the fault of a line that is not the expected answer."""
    return ProgramError(
        "answer",
        f"printed a wrong answer ({error}): {quoted(line)}",
        remedy="print only answers on standard output, and everything else on standard error",
        value=quoted(line),
    )

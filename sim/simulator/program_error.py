"""Faults of programs that play games: the exception that describes one."""

from __future__ import annotations

from typing import Literal

Kind = Literal["start", "end", "deadline", "answer"]
"""Kinds of faults: the program did not start, ended, was too slow, or answered wrongly."""


class ProgramError(Exception):
    """Fault of a program that was started to play games.

    Attributes:
        kind: kind of the fault.
        problem: description that follows the program's name, such as `ended with exit status 3`.
        remedy: the suggested fix; empty if the problem itself implies it.
        value: the value at fault: an exit status, seconds, or the start of an answer.
        last_words: last lines that the program printed on standard error.
    """

    def __init__(self, kind: Kind, problem: str, *, remedy: str = "", value: object = None) -> None:
        """Set the attributes; the arguments are those of the class, without the last words."""
        self.kind: Kind = kind
        self.problem = problem
        self.remedy = remedy
        self.value = value
        self.last_words: tuple[str, ...] = ()
        super().__init__(problem)

    @property
    def is_by_signal(self) -> bool:
        """Whether a signal ended the program, such as that of another process."""
        return self.kind == "end" and isinstance(self.value, int) and self.value < 0

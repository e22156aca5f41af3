"""A conversation with somebody at a terminal, or with a file of lines in place of one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from shutil import get_terminal_size

from sim.errors import InputError

_WIDTHS = 60, 100  # the least and the most that lines are made for
_USUAL = 80


class Terminal:
    """Where a person reads lines and writes some.

    Attributes:
        width: that lines should have.
    """

    def __init__(self) -> None:
        if sys.stdin is None or sys.stdout is None:  # closed
            raise InputError("needs a terminal, or a file of lines in place of one")
        self._is_person = sys.stdin.isatty() and sys.stdout.isatty()
        columns = get_terminal_size().columns if self._is_person else _USUAL
        self.width = min(max(columns, _WIDTHS[0]), _WIDTHS[1])

    def say(self, lines: Iterable[str]) -> None:
        """Print lines."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str | None:
        """A line, without its end; `None` where there are no more."""
        if self._is_person:
            return self._of_person(prompt)
        line = sys.stdin.readline()
        self.say([f"{prompt}{line.rstrip()}".rstrip()])
        return line.strip() if line else None

    def _of_person(self, prompt: str) -> str | None:
        with suppress(ImportError):  # not everywhere
            import readline  # noqa: F401, PLC0415 (its import lets people edit their lines)
        try:
            return input(prompt).strip()
        except EOFError:
            self.say([""])
            return None

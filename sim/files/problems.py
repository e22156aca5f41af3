"""What is wrong with a file that somebody filled in: all of it at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sim.errors import InputError, PlacedError, readable

SHOWN_MAX = 20  # of one file; more would scroll away


class FileError(PlacedError):
    """A file has problems: a line that counts them, then a line for each of the first.

    A single problem is one line, as any other `InputError` is.
    """

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        """Say what is wrong with the file at `path`."""
        if len(problems) == 1:
            super().__init__(f"{path}: {problems[0]}")
            return
        n_more = len(problems) - SHOWN_MAX
        more = [f"and {n_more:,} more"] if n_more > 0 else []
        lines = [*problems[:SHOWN_MAX], *more]
        head = readable(f"{path}: {len(problems):,} problems")
        ValueError.__init__(self, "\n  ".join([head, *map(readable, lines)]))


class Problems:
    """Those found so far in one file, in the order in which they were found."""

    def __init__(self, path: Path) -> None:
        """Begin with none."""
        self._path = path
        self._found: list[str] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, problem: str) -> None:
        """Note one, told by its place, the value and the limit."""
        self._found.append(problem)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Note what is wrong with a place, and go on after the block."""
        try:
            yield
        except PlacedError:
            raise
        except InputError as error:
            self.add(f"{place}: {error}" if place else str(error))

    def check(self) -> None:
        """Refuse the file if anything is wrong with it.

        Raises:
            FileError: names everything.
        """
        if self._found:
            raise FileError(self._path, self._found)

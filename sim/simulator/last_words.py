"""Output of a program on standard error: the last lines for messages, and all of it in a log."""

from __future__ import annotations

from collections import deque
from pathlib import Path

# Lines that are kept: a traceback of Python with ten frames.
_LINES_MAX = 20

# Bytes of a line without an end that are kept; more would not be read in a message.
_LINE_BYTES_MAX = 2_000

# Size of a log file in bytes. A program that prints a line for each game must not fill the disk.
_LOG_BYTES_MAX = 16 * 2**20


class LastWords:
    """Lines that a program printed on standard error.

    Attributes:
        log: file to which everything is appended, up to 16 MiB; `None` for no file.
    """

    def __init__(self, log: Path | None = None) -> None:
        """Create an empty record; `log` is the attribute of the class."""
        self.log = log
        self._lines: deque[bytes] = deque(maxlen=_LINES_MAX)
        self._rest = b""

    def add(self, data: bytes) -> None:
        """Record output; a log file that cannot be written is ignored."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._lines.extend(line for line in lines if line.strip())
        self._rest = rest[-_LINE_BYTES_MAX:]
        if self.log is not None:
            try:
                with self.log.open("ab") as file:
                    if self.log.stat().st_size < _LOG_BYTES_MAX:
                        file.write(data)
            except OSError:
                self.log = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines, the oldest first; empty lines are left out."""
        lines = [*self._lines, *([self._rest] if self._rest.strip() else [])]
        return tuple(line.decode(errors="replace").strip() for line in lines)

"""A program that was started to play games: its process, its pipes and its end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn, cast

from sim.simulator.last_words import LastWords
from sim.simulator.program_error import ProgramError
from sim.simulator.protocol import LINE_BYTES_MAX

# Bytes of one read from a pipe, the capacity of a pipe on Linux.
_READ_BYTES = 2**16

# Seconds in which a process may end after its output, so that its own exit status is seen.
_GRACE_S = 0.1

# Seconds between two looks at a process that should end soon.
_LOOK_S = 0.002

# Characters of a wrong line that a message quotes.
_QUOTED_MAX = 80


class Child:
    """Process of a program in a process group of its own, with non-blocking pipes.

    One selector watches the pipes of many children. Waiting for any of them reads the output of all
    of them, so no child blocks because a pipe is full.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        selector: selectors.BaseSelector,
        log: Path | None = None,
    ) -> None:
        """Start the program.

        Args:
            command: program and its arguments; the program is a path relative to `folder`, or a
                name that is searched on the path.
            folder: folder in which the program runs.
            selector: selector that watches the pipes.
            log: file to which standard error is appended; `None` for no file.

        Raises:
            ProgramError: the program cannot be started.
        """
        self._process = _start(command, folder)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = cast("tuple[IO[bytes], ...]", pipes)
        self._selector = selector
        self._unsent = bytearray()
        self._unread = bytearray()
        self._lines: deque[bytes] = deque()
        self._stopped = False
        self.last_words = LastWords(log)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        selector.register(self._stdout, selectors.EVENT_READ, self._read_answers)
        selector.register(self._stderr, selectors.EVENT_READ, self._read_errors)
        # Also called at the end of the interpreter, for owners that do not stop their children.
        self._end = weakref.finalize(self, _end_group, self._process, os.getpid())

    @property
    def pid(self) -> int:
        """Number of the process, and of its process group."""
        return self._process.pid

    def send(self, data: bytes) -> None:
        """Write lines to the program, now or while a selector waits."""
        was_empty = not self._unsent
        self._unsent += data
        if was_empty:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)

    def take_line(self) -> bytes | None:
        """Return the next line of the program without its end; `None` if there is none yet.

        Blank lines are left out.

        Raises:
            ProgramError: the program has ended, or it prints a line that is too long.
        """
        while self._lines:
            line = self._lines.popleft().strip()
            if line:
                return line
        if len(self._unread) > LINE_BYTES_MAX:
            raise ProgramError(
                "answer",
                f"printed a line of more than {LINE_BYTES_MAX // 2**20} MiB: "
                f"{quoted(bytes(self._unread))}",
                value=quoted(bytes(self._unread)),
            )
        # A last answer may be waiting in the pipe after the end of the process.
        if self._has_ended() and not self._read_answers():
            self._raise_end()
        return None

    def stop(self) -> int:
        """End the process and all processes that it has started, and return its exit status.

        The status is negative for a process that was ended by a signal.
        """
        if not self._stopped:
            self._stopped = True
            if self._stderr in self._selector.get_map():
                self._read_errors()
            for pipe in (self._stdin, self._stdout, self._stderr):
                with suppress(KeyError, ValueError):
                    self._selector.unregister(pipe)
            self._end()
        return int(self._process.returncode)

    def _write(self) -> None:
        """Write as much as the pipe takes."""
        try:
            n_written = os.write(self._stdin.fileno(), self._unsent[:_READ_BYTES])
        except BlockingIOError:
            return
        except OSError:  # the program has closed its input; its end or the deadline follows
            n_written = len(self._unsent)
        del self._unsent[:n_written]
        if not self._unsent:
            self._selector.unregister(self._stdin)

    def _read_answers(self) -> bool:
        """Read standard output, divide it into lines, and return whether anything was there."""
        data = self._read(self._stdout)
        first, *others = data.split(b"\n")
        self._unread += first
        for line in others:
            self._lines.append(bytes(self._unread))
            self._unread = bytearray(line)
        return bool(data)

    def _read_errors(self) -> None:
        """Read standard error."""
        self.last_words.add(self._read(self._stderr))

    def _read(self, pipe: IO[bytes]) -> bytes:
        """Return what a pipe holds; at its end it is not watched any more."""
        try:
            data = os.read(pipe.fileno(), _READ_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            with suppress(KeyError):
                self._selector.unregister(pipe)
        return data

    def _has_ended(self) -> bool:
        """Return whether no answer can follow: the process or its output has ended."""
        return self._stdout not in self._selector.get_map() or self._is_zombie()

    def _is_zombie(self) -> bool:
        """Return whether the process has ended, without removing its entry.

        The entry keeps the number of the process group from being used again until `stop`. Systems
        without `waitid` (macOS before Python 3.13) remove it earlier.
        """
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, look) is not None

    def _raise_end(self) -> NoReturn:
        """Raise the fault of a program that has ended.

        Raises:
            ProgramError: always; it states the exit status.
        """
        until = time.monotonic() + _GRACE_S
        while not self._is_zombie() and time.monotonic() < until:
            time.sleep(_LOOK_S)
        has_ended = self._is_zombie()
        status = self.stop()
        if not has_ended:
            raise ProgramError("end", "closed its standard output", value=status)
        raise ProgramError("end", _words_of(status), value=status)


def quoted(line: bytes) -> str:
    """Return the beginning of a line in quotes, for messages."""
    text = line[: 4 * _QUOTED_MAX].decode(errors="replace")
    return repr(text if len(text) <= _QUOTED_MAX else f"{text[:_QUOTED_MAX]}...")


def is_file(path: Path) -> bool:
    """Return whether a word of a command names a file; it may also be code of any length."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a program with pipes, in a process group of its own.

    Raises:
        ProgramError: the program cannot be started.
    """
    try:
        return subprocess.Popen(  # noqa: S603 (the user's own program, never a shell)
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "name a program that can be run"
        if isinstance(error, FileNotFoundError) and is_file(folder / command[0]):
            remedy = f"write ./{command[0]} for the program in the folder of the file"
        elif isinstance(error, PermissionError):
            remedy = f"make it executable: chmod +x {command[0]}"
        raise ProgramError(
            "start", f"cannot be started: {reason}", remedy=remedy, value=command[0]
        ) from None


def _end_group(process: subprocess.Popen[bytes], owner: int) -> None:
    """End all processes of a process group, and remove the entry of its first process.

    Args:
        process: first process of the group.
        owner: number of the process that started it; a forked copy of that process does nothing.
    """
    if os.getpid() != owner:
        return
    # The entry of the process still exists, so its number cannot be that of another group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _words_of(status: int) -> str:
    """Return the end of a process in words, by its exit status."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"was ended by {name} (exit status {status})"

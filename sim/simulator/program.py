"""A program in any language that plays games: a simulator that starts it as child processes."""

from __future__ import annotations

import hashlib
import selectors
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from sim.errors import InputError, system_error_place
from sim.play.workers.current import current_workers
from sim.simulator.block import Block, Played
from sim.simulator.child import Child, is_file
from sim.simulator.dispatcher import Dispatcher
from sim.simulator.program_error import ProgramError
from sim.simulator.protocol import Hello, changed_values
from sim.simulator.simulator import Simulator

TIMEOUT_S = 20.0
"""Longest time of one game in seconds by default: a slow engine takes a second for a game."""

START_TIMEOUT_S = 30.0
"""Longest time in seconds until the first answer by default: large engines load for ten seconds."""

# Lines of standard error in a message; the log file has all of them.
_LINES_SHOWN = 3

# Changed parameters in a message; a message of a patch with hundreds would hide the fault.
_CHANGES_SHOWN = 12


class ProgramSimulator(Simulator):
    """Simulator that starts a program, which reads requests and prints answers line by line.

    One call of `play` must end before the next begins.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        n_children: int = 1,
        timeout_s: float = TIMEOUT_S,
        start_timeout_s: float = START_TIMEOUT_S,
        log: Path | None = None,
    ) -> None:
        """Describe the program; it is started when it is needed.

        Args:
            command: program and its arguments, which no shell reads; a path is relative to
                `folder`, a name without a slash is searched on the path.
            folder: folder in which the program runs.
            n_children: number of processes that play at the same time.
            timeout_s: longest time of one game in seconds.
            start_timeout_s: longest time in seconds until the program answers the first request.
            log: file to which the program's standard error is appended; `None` for no file.

        Raises:
            InputError: the command is empty.
        """
        if not command:
            raise InputError("must name a program", place="command", value=command)
        self.command = tuple(command)
        self.folder = folder
        self._log = log
        self._limits: dict[str, Any] = {
            "n_children": n_children,
            "timeout_s": timeout_s,
            "start_timeout_s": start_timeout_s,
        }
        self._dispatcher = Dispatcher(self._start_child, self._describe, **self._limits)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process makes this simulator, which starts a program of its own."""
        make = partial(ProgramSimulator, self.command, self.folder, log=self._log, **self._limits)
        return make, ()

    def _start_child(self, selector: selectors.BaseSelector) -> Child:
        """Start one process of the program."""
        return Child(self.command, self.folder, selector, self._log)

    @cached_property
    def hello(self) -> Hello:
        """What the program plays; reading it starts the program.

        Raises:
            InputError: the program cannot be started, or does not answer correctly in time.
        """
        try:
            return self._dispatcher.greet()
        except ProgramError as fault:
            raise self._error(fault, "") from fault

    @cached_property
    def identity(self) -> str:
        """Hash of the command, the files that it names, and the game and version of the hello.

        Raises:
            InputError: a file cannot be read, or the program does not answer.
        """
        digest = hashlib.sha256()
        for word in (*self.command, self.hello.game, self.hello.version):
            digest.update(f"{len(word)}:{word}".encode())
        for word in self.command:
            path = self.folder / word
            if is_file(path):
                with system_error_place(path, "read"), path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    @property
    def n_seats(self) -> int:
        """Number of players of a game, by the program's hello."""
        return self.hello.seats

    @property
    def can_leave_out(self) -> bool:
        """Whether the program can leave out a group of parameters, by its hello."""
        return "without" in self.hello.can

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        """Play blocks by the program; see `Simulator.play`.

        Args:
            blocks: games to play.

        Raises:
            InputError: a game failed repeatedly; the program cannot play a block; or the current
                workers are other processes.
        """
        if current_workers().are_remote:
            raise InputError(
                "has processes of its own",
                place=self._place,
                value=str(self.folder),
                remedy="leave out --workers, and set workers in the table [simulator]",
                separator=" ",
            )
        hello = self.hello
        for block in blocks:
            if any(block.without) and not self.can_leave_out:
                raise InputError(
                    "does not play without a group of parameters",
                    place=self._place,
                    value=block.without,
                    remedy='let it do so, and list "without" in "can" of its hello',
                )
        return self._dispatcher.play(blocks, hello)

    def close(self) -> None:
        """End all processes of the program, and everything that they have started."""
        self._dispatcher.close()

    @property
    def _place(self) -> str:
        """Place of the program in messages: its game if it is known, else the command."""
        hello: Hello | None = vars(self).get("hello")
        return f"simulator {' '.join(self.command) if hello is None else hello.game}"

    def _describe(self, fault: ProgramError, game: Block) -> InputError:
        """Return the error for a game on which the program failed repeatedly.

        Args:
            fault: the last fault.
            game: block that consists of the game.
        """
        seed = f"{int(game.seeds[0]):016x}"
        text = f" in the game with seed {seed} of {' vs '.join(game.players)}"
        changes = changed_values(game.numbers, self.hello.numbers)
        shown = [f"{name} = {value}" for name, value in changes.items()]
        if n_more := max(0, len(shown) - _CHANGES_SHOWN):
            shown = [*shown[:_CHANGES_SHOWN], f"{n_more:,} more changes"]
        if shown:
            text += f" with {', '.join(shown)}"
        for player, group in zip(game.players, game.without, strict=False):
            text += f", {player} without {group}" if group else ""
        return self._error(fault, text, seed=seed)

    def _error(self, fault: ProgramError, game: str, seed: str = "") -> InputError:
        """Return the error for a fault of the program.

        Args:
            fault: the fault.
            game: the game in words; empty if no game was played.
            seed: seed of the game; empty if no game was played.
        """
        problem = f"the program {fault.problem}{game}"
        if fault.last_words:
            problem += f"; its last words: {' / '.join(_without_trace(fault.last_words))}"
        return InputError(
            problem,
            place=self._place,
            value=seed or fault.value,
            remedy=fault.remedy,
        )


def _without_trace(lines: Sequence[str]) -> list[str]:
    """Return the last lines of standard error, without the lines of a JavaScript stack trace.

    JavaScript prints the error above its stack trace. The lines of the trace begin with `at`.
    """
    kept = [line for line in lines if not line.lstrip().startswith("at ")]
    return [*(kept or lines)][-_LINES_SHOWN:]

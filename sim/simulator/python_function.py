"""Simulator that calls a Python function for each game, or for many games at once."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from sim.play.workers.current import current_workers
from sim.simulator.block import Block, Played
from sim.simulator.function_calls import call_for_all_games, call_for_each_game
from sim.simulator.function_source import FunctionSource, source_hash
from sim.simulator.game_results import infeasible_games
from sim.simulator.pieces import play_in_pieces
from sim.simulator.result import Infeasible
from sim.simulator.simulator import Simulator

# Longest time of a game in seconds, unless a file sets another one: far above that of any game of
# which a run can play tens of thousands.
TIMEOUT_S = 60.0

# Games of one call of the batch form: enough for the speed of numpy, and few enough for memory.
_BATCH_MAX = 100_000


@dataclass
class FunctionSimulator(Simulator):
    """Simulator of a game that a Python function plays.

    The function is called as `play(numbers, players, seed)` with the value of each parameter by
    name, the names of the players in the order of their seats, and a whole number from which it
    draws all randomness. It returns the seat that won, `None` for a draw, or a `Result`. A function
    with a parameter `without` can leave out a group of parameters for each seat.

    In the batch form, `players` are positions in the list of players, ``[G, seats]``, and numbers
    and seeds are arrays ``[G]``.

    Attributes:
        function: function that plays.
        player_names: names of all players, ``[D]``.
        n_players: number of players of a game.
        is_batch: whether the function plays many games in one call.
        timeout_s: longest time of a game, or of a call of the batch form, in seconds.
        source: file of the function, from which worker processes load it; `None` for a function
            that they can import.
        note: callback for a note on a function that prints; `None` for no notes.
    """

    function: Callable[..., Any]
    player_names: tuple[str, ...]
    n_players: int = 2
    is_batch: bool = False
    timeout_s: float = TIMEOUT_S
    source: FunctionSource | None = None
    note: Callable[[str], None] | None = None

    @property
    def identity(self) -> str:
        """Hash of the files that define the game, or of the function's code if no file does."""
        return self.source.identity if self.source else source_hash(self.function)

    @property
    def n_seats(self) -> int:
        """Number of players of a game."""
        return self.n_players

    @property
    def can_leave_out(self) -> bool:
        """Whether the function has a parameter `without`."""
        return not self.is_batch and "without" in inspect.signature(self.function).parameters

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for worker processes, which load the function from its file."""
        state = vars(self) | {"note": None}
        return state | ({"function": None} if self.source else {})

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state, and load the function from its file if there is one."""
        vars(self).update(state)
        if self.source is not None:
            self.function = self.source.load()

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        """Play blocks in this process, or by the current workers if they are other processes."""
        workers = current_workers()
        if workers.are_remote:
            yield from play_in_pieces(self, blocks, workers, self.n_seats)
            return
        position = 0
        for group in _groups(blocks) if self.is_batch else ([block] for block in blocks):
            for played in self.play_here(group):
                yield position, played
                position += 1

    def play_here(self, blocks: Sequence[Block]) -> list[Played]:
        """Play blocks in this process.

        Raises:
            InputError: the function fails, takes too long or returns no valid result; the message
                names the game.
        """
        output = io.StringIO()
        try:
            with redirect_stdout(output):
                played = self._call(blocks)
        except Infeasible as refusal:
            if len(blocks) > 1:  # the refused numbers are those of one block
                return [result for block in blocks for result in self.play_here([block])]
            reason = str(refusal) or "no reason is given"
            return [infeasible_games(reason)]
        printed = output.getvalue()
        if printed and self.note is not None:
            first, *_ = printed.strip().splitlines() or [""]
            self.note(f"the game prints, which is not shown; its first line: {first}")
            self.note = None
        return played

    def _call(self, blocks: Sequence[Block]) -> list[Played]:
        """Call the function in its form."""
        if self.is_batch:
            return call_for_all_games(
                self.function,
                blocks,
                n_seats=self.n_seats,
                player_names=self.player_names,
                timeout_s=self.timeout_s,
            )
        return [
            call_for_each_game(self.function, block, n_seats=self.n_seats, timeout_s=self.timeout_s)
            for block in blocks
        ]


def _groups(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield consecutive blocks in groups of at most `_BATCH_MAX` games, or of one block."""
    group = list[Block]()
    n_games = 0
    for block in blocks:
        if group and n_games + block.n_games > _BATCH_MAX:
            yield group
            group = []
            n_games = 0
        group.append(block)
        n_games += block.n_games
    if group:
        yield group

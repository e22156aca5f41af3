"""Distribution of blocks to worker processes, in pieces that take about as long as sending pays."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sim.play.workers.seam import Workers
from sim.simulator.block import Block, Played
from sim.simulator.chunks import Assembly, Piece, part_of

# Games of the first piece, which this process plays to measure their speed.
_SAMPLE = 16

# Pieces for each worker, so that no worker waits long for the slowest piece.
_PIECES_PER_WORKER = 8


class _PlaysHere(Protocol):
    """Interface of a simulator that can be sent to another process."""

    def play_here(self, blocks: Sequence[Block]) -> list[Played]:
        """Play blocks in this process."""


@dataclass(frozen=True)
class _Job:
    """Games of a simulator, as work for the workers of `sim.play.workers`.

    Attributes:
        simulator: simulator that plays.
    """

    simulator: _PlaysHere

    def do(self, task: tuple[Piece, Block]) -> Played:
        """Play the games of a piece."""
        _, block = task
        (played,) = self.simulator.play_here([block])
        return played

    def give_up(self) -> None:
        """Let running pieces end by themselves, since a function cannot be stopped from outside."""


def play_in_pieces(
    simulator: _PlaysHere, blocks: Sequence[Block], workers: Workers, n_seats: int
) -> Iterator[tuple[int, Played]]:
    """Play blocks by worker processes, and yield their positions and results in any order.

    Results do not depend on the pieces, since each game depends only on its own seed.

    Args:
        simulator: simulator that can be pickled.
        blocks: games to play.
        workers: workers of other processes.
        n_seats: number of seats of a game.

    Raises:
        InputError: the simulator cannot be sent to another process, or a game fails.
    """
    n_games = sum(block.n_games for block in blocks)
    if n_games == 0:
        return
    began_s = time.perf_counter()
    sample = blocks[0]._replace(seeds=blocks[0].seeds[:_SAMPLE])
    simulator.play_here([sample])
    game_s = (time.perf_counter() - began_s) / sample.n_games
    if n_games * game_s < workers.least_s:
        workers.effort.keep_here(n_games * game_s)
        yield from enumerate(simulator.play_here(blocks))
        return
    n_wanted = n_games // (_PIECES_PER_WORKER * workers.n_workers)
    size = max(int(workers.least_s / max(game_s, 1e-9)), n_wanted, 1)
    pieces = [
        Piece(position, start, min(start + size, block.n_games))
        for position, block in enumerate(blocks)
        for start in range(0, block.n_games, size)
    ]
    tasks = [(piece, part_of(blocks[piece.block], piece)) for piece in pieces]
    assemblies = [Assembly(block.n_games, n_seats) for block in blocks]
    for (piece, _), played in workers.map(_Job(simulator), tasks):
        assembly = assemblies[piece.block]
        was_refused = assembly.is_complete
        if was_refused:  # by another piece of the block
            continue
        if played.infeasible:
            assembly.refuse()
            yield piece.block, played
            continue
        assembly.add(slice(piece.start, piece.stop), played)
        if assembly.is_complete:
            yield piece.block, assembly.played()

"""Chunks of games: parts of blocks that are sent to a program together, and divided if it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.errors import InputError
from sim.simulator.block import Block, Played


class Piece(NamedTuple):
    """Consecutive games of a block.

    Attributes:
        block: position of the block.
        start: position of the first game in the block.
        stop: position after the last game.
    """

    block: int
    start: int
    stop: int

    @property
    def n_games(self) -> int:
        """Number of games."""
        return self.stop - self.start


class Chunk(NamedTuple):
    """Games that are played by one request.

    Attributes:
        pieces: the games, at least one.
        n_failures: number of times that a program failed on exactly these games.
    """

    pieces: tuple[Piece, ...]
    n_failures: int = 0

    @property
    def n_games(self) -> int:
        """Number of games."""
        return sum(piece.n_games for piece in self.pieces)

    def divided(self, n_parts: int) -> list[Chunk]:
        """Return the games in at most `n_parts` chunks of about equal numbers of games."""
        size = -(-self.n_games // n_parts)
        parts = list[list[Piece]]()
        n_free = 0
        for piece in self.pieces:
            start = piece.start
            while start < piece.stop:
                if not n_free:
                    parts.append([])
                    n_free = size
                stop = min(piece.stop, start + n_free)
                parts[-1].append(Piece(piece.block, start, stop))
                n_free -= stop - start
                start = stop
        return [Chunk(tuple(part)) for part in parts]


def part_of(block: Block, piece: Piece) -> Block:
    """Return the games of a piece as a block of their own."""
    return block._replace(seeds=block.seeds[piece.start : piece.stop])


class Assembly:
    """Results of a block that arrive in parts."""

    def __init__(self, n_games: int, n_seats: int) -> None:
        """Create results of which all are missing.

        Args:
            n_games: number of games of the block, ``S``.
            n_seats: number of seats of a game.
        """
        self._n_missing = n_games
        self._winners = np.zeros(n_games, dtype=np.int8)
        self._turns = np.zeros(n_games, dtype=np.int32)
        self._points = np.zeros((n_games, n_seats))
        self._has: tuple[bool, bool] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the results of all games have arrived."""
        return not self._n_missing

    def add(self, games: slice | npt.NDArray[np.intp], played: Played) -> None:
        """Record the results of some games.

        Args:
            games: positions of the games in the block; none was recorded before.
            played: their results.

        Raises:
            InputError: turns or points are reported for some games of the block only.
        """
        has = (played.turns is not None, played.points is not None)
        if self._has not in {None, has}:
            raise InputError("turns or points are reported for some games of a block only")
        self._has = has
        self._winners[games] = played.winners
        if played.turns is not None:
            self._turns[games] = played.turns
        if played.points is not None:
            self._points[games] = played.points
        self._n_missing -= len(played.winners)

    def refuse(self) -> None:
        """Complete a block of parameters that cannot be played, which has no further results."""
        self._n_missing = 0

    def played(self) -> Played:
        """Return the results of the complete block."""
        has_turns, has_points = self._has or (False, False)
        return Played(
            self._winners,
            self._turns if has_turns else None,
            self._points if has_points else None,
        )


class Queue:
    """Games that wait to be sent: blocks in their order, and chunks that failed before them."""

    def __init__(self, blocks: Sequence[Block], rows_max: int) -> None:
        """Create a queue of all games of some blocks.

        Args:
            blocks: the blocks.
            rows_max: most pieces of a chunk.
        """
        self._sizes = [block.n_games for block in blocks]
        self._rows_max = rows_max
        self._failed = list[Chunk]()
        self._dropped = set[int]()
        self._block = 0
        self._start = 0
        self.n_games = sum(self._sizes)

    def put_back(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks that failed; they are taken before all other games."""
        self._failed.extend(reversed(chunks))
        self.n_games += sum(chunk.n_games for chunk in chunks)

    def drop(self, block: int) -> None:
        """Leave out the remaining games of a block."""
        self._dropped.add(block)

    def take(self, n_games: int) -> Chunk | None:
        """Return the next chunk, of at most `n_games` games; `None` if no games are left.

        A chunk that failed is taken as it is.
        """
        while self._failed:
            chunk = self._failed.pop()
            self.n_games -= chunk.n_games
            pieces = tuple(piece for piece in chunk.pieces if piece.block not in self._dropped)
            if pieces:
                return chunk._replace(pieces=pieces)
        pieces = tuple(self._pieces(n_games))
        return Chunk(pieces) if pieces else None

    def _pieces(self, n_games: int) -> Iterator[Piece]:
        """Take at most `n_games` games of the blocks in their order, and yield their pieces."""
        n_rows = 0
        while n_games and n_rows < self._rows_max and self._block < len(self._sizes):
            size = self._sizes[self._block]
            stop = min(size, self._start + n_games)
            piece = Piece(self._block, self._start, stop)
            if self._block in self._dropped:
                stop = size
                self.n_games -= stop - self._start
            elif piece.n_games:
                n_games -= piece.n_games
                self.n_games -= piece.n_games
                n_rows += 1
                yield piece
            self._start = stop
            if stop == size:
                self._block += 1
                self._start = 0

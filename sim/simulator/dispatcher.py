"""Distribution of games to several children; games on which a child fails are played again."""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Iterator, Sequence

from sim.errors import InputError
from sim.simulator.block import Block, Played
from sim.simulator.child import Child
from sim.simulator.chunks import Assembly, Chunk, Queue, part_of
from sim.simulator.game_results import GameResults, infeasible_games
from sim.simulator.program_error import ProgramError
from sim.simulator.protocol import REQUEST_GAMES_MAX, REQUEST_ROWS_MAX, Hello, play_request
from sim.simulator.worker import Worker

# Seconds that a chunk should take. An exchange takes 0.1 ms, so it costs nothing in comparison; a
# program that fails, or a run that is stopped, loses at most a few seconds of games.
_CHUNK_S = 1.0

# Games of the first chunk, of which the speed is unknown.
_FIRST_GAMES = 4

# Largest ratio of the sizes of two chunks in succession: a few quick games prove little.
_GROWTH = 8

# Parts of a chunk that failed. With 8, an endless game among 1,000 is found after four deadlines.
_PARTS = 8

# Times that one game may fail before it is reported, so that a child that was ended by chance, for
# example because memory was short, does not stop a run.
_FAILURES_MAX = 3

# Seconds of one wait, after which ends of processes with open pipes are noticed.
_WAIT_S = 0.1

Describe = Callable[[ProgramError, Block], InputError]
"""Function that describes a fault in a game, given as a block of one game."""


class Dispatcher:
    """Children that run the same program, and the distribution of games to them.

    Results depend neither on the number of children nor on chunks and failures: each game is
    determined by its block and its seed.
    """

    def __init__(
        self,
        start: Callable[[selectors.BaseSelector], Child],
        describe: Describe,
        *,
        n_children: int,
        timeout_s: float,
        start_timeout_s: float,
    ) -> None:
        """Prepare the distribution; no child is started.

        Args:
            start: function that starts a child; the given selector watches its pipes.
            describe: function that describes a fault in a game.
            n_children: number of children.
            timeout_s: longest time of a game in seconds.
            start_timeout_s: longest time in seconds until the first request is answered.
        """
        self._start = start
        self._describe = describe
        self._n_children = n_children
        self._timeout_s = timeout_s
        self._start_timeout_s = start_timeout_s
        self._selector = selectors.DefaultSelector()
        self._idle = list[Worker]()
        self._busy = dict[Worker, Chunk]()
        self._is_playing = False
        self._game_s = 0.0
        self._n_games = _FIRST_GAMES
        self._n_requests = 0

    def greet(self) -> Hello:
        """Start the first child, and return its answer to the first request.

        A child that another process ends is started again, like a child that plays.

        Raises:
            ProgramError: the program cannot be started, or does not answer correctly.
        """
        for _ in range(_FAILURES_MAX - 1):
            try:
                return self._greet_once()
            except ProgramError as error:
                if not error.is_by_signal:
                    raise
        return self._greet_once()

    def _greet_once(self) -> Hello:
        """Start a child, and return its answer to the first request.

        Raises:
            ProgramError: the program cannot be started, or does not answer correctly.
        """
        worker = self._new_worker()
        try:
            while (hello := worker.hello()) is None:
                self._wait()
        except ProgramError as error:
            error.last_words = self._end(worker)
            raise
        except BaseException:  # such as Ctrl-C
            self._end(worker)
            raise
        self._idle.append(worker)
        return hello

    def play(self, blocks: Sequence[Block], hello: Hello) -> Iterator[tuple[int, Played]]:
        """Play blocks, and yield the position of each block with its results, in any order.

        Args:
            blocks: games to play.
            hello: answer of the first child, which all children must give.

        Raises:
            InputError: a game failed repeatedly, or the program has changed.
            RuntimeError: an earlier call has neither ended nor been closed.
        """
        if self._is_playing:
            raise RuntimeError("the games of an earlier call are still being played")
        self._is_playing = True
        try:
            work = _Work(blocks, hello)
            yield from work.empty_blocks()
            while True:
                self._hand_out(work)
                if not self._busy:
                    return
                self._wait()
                for worker in tuple(self._busy):
                    for result in self._collect(worker, work):
                        yielded_s = time.monotonic()
                        yield result
                        # The caller may have worked for a while, in which no output was read.
                        for other in self._busy:
                            other.postpone(time.monotonic() - yielded_s)
        finally:
            self._is_playing = False
            # Children that still play would answer during the next call.
            for worker in tuple(self._busy):
                self._end(worker)

    def close(self) -> None:
        """End all children."""
        for worker in (*self._busy, *self._idle):
            self._end(worker)
        self._idle.clear()

    def _new_worker(self) -> Worker:
        """Start a child."""
        return Worker(self._start(self._selector), self._timeout_s, self._start_timeout_s)

    def _end(self, worker: Worker) -> tuple[str, ...]:
        """End a child with everything that it has started.

        Returns:
            The last lines that it printed on standard error.
        """
        self._busy.pop(worker, None)
        worker.child.stop()
        return worker.child.last_words.lines

    def _wait(self) -> None:
        """Write requests and read output until something arrives, at most `_WAIT_S` seconds."""
        for key, _ in self._selector.select(_WAIT_S):
            key.data()

    def _hand_out(self, work: _Work) -> None:
        """Send games to children until all children play or no games are left."""
        while len(self._busy) < self._n_children:
            # Children share the last games evenly instead of one of them playing a long last chunk.
            fair = -(-work.queue.n_games // self._n_children)
            chunk = work.queue.take(max(1, min(self._n_games, fair)))
            if chunk is None:
                return
            self._n_requests += 1
            request = play_request(self._n_requests, work.parts(chunk), work.hello.numbers)
            try:
                worker = self._idle.pop() if self._idle else self._new_worker()
            except ProgramError as error:
                self._put_back(chunk, work, error)
                continue
            self._busy[worker] = chunk
            worker.send(self._n_requests, request, chunk.n_games, self._game_s)

    def _collect(self, worker: Worker, work: _Work) -> Iterator[tuple[int, Played]]:
        """Process what a child has printed, and yield the blocks that are complete by it."""
        chunk = self._busy[worker]
        try:
            results = worker.results(work.hello)
            if results is None:
                return
            try:
                played = work.checked(chunk, results)
            except InputError as error:
                raise worker.wrong_results(error) from None
        except ProgramError as error:
            error.last_words = self._end(worker)
            self._put_back(chunk, work, error)
            return
        self._learn(chunk.n_games, worker.seconds)
        del self._busy[worker]
        self._idle.append(worker)
        yield from work.add(chunk, played)

    def _learn(self, n_games: int, seconds: float) -> None:
        """Choose the size of the next chunks by the time that a chunk took."""
        self._game_s = seconds / n_games
        wanted = int(_CHUNK_S / max(self._game_s, 1e-9))
        grown = max(self._n_games, n_games) * _GROWTH
        self._n_games = max(1, min(wanted, grown, REQUEST_GAMES_MAX))

    def _put_back(self, chunk: Chunk, work: _Work, error: ProgramError) -> None:
        """Put games on which a child failed back, in smaller chunks.

        Raises:
            InputError: a single game has failed too often.
        """
        if chunk.n_games > 1:
            work.queue.put_back(chunk.divided(_PARTS))
        elif chunk.n_failures + 1 < _FAILURES_MAX:
            work.queue.put_back([chunk._replace(n_failures=chunk.n_failures + 1)])
        else:
            (game,) = work.parts(chunk)
            raise self._describe(error, game) from error


class _Work:
    """Blocks that are played by one call, and their results so far."""

    def __init__(self, blocks: Sequence[Block], hello: Hello) -> None:
        self._blocks = blocks
        self.hello = hello
        self.queue = Queue(blocks, REQUEST_ROWS_MAX)
        self._assemblies = {
            position: Assembly(block.n_games, hello.seats) for position, block in enumerate(blocks)
        }

    def parts(self, chunk: Chunk) -> list[Block]:
        """Return the games of a chunk, as a block for each piece."""
        return [part_of(self._blocks[piece.block], piece) for piece in chunk.pieces]

    def empty_blocks(self) -> Iterator[tuple[int, Played]]:
        """Yield the results of blocks without games."""
        for position, block in enumerate(self._blocks):
            if not block.n_games:
                yield position, self._assemblies.pop(position).played()

    def checked(self, chunk: Chunk, results: Sequence[GameResults]) -> list[Played]:
        """Return the results of a chunk as arrays, for each of its pieces.

        Raises:
            InputError: the results do not fit the request, or the abilities of the program.
        """
        if len(results) != len(chunk.pieces):
            raise InputError(
                f"{len(results)} for {len(chunk.pieces)} rows",
                place="results",
                value=len(results),
                limit=len(chunk.pieces),
            )
        for result in results:
            for name in ("turns", "points"):
                is_given = getattr(result, name) is not None
                if not result.infeasible and is_given != (name in self.hello.can):
                    raise InputError('must be given if and only if "can" lists them', place=name)
        pairs = zip(chunk.pieces, results, strict=True)
        return [result.played(piece.n_games, self.hello.seats) for piece, result in pairs]

    def add(self, chunk: Chunk, results: Sequence[Played]) -> Iterator[tuple[int, Played]]:
        """Record the results of a chunk, and yield the blocks that are complete by it."""
        for piece, played in zip(chunk.pieces, results, strict=True):
            assembly = self._assemblies.get(piece.block)
            if assembly is None:  # infeasible, as another part of the block has shown
                continue
            if played.infeasible:
                self.queue.drop(piece.block)
                del self._assemblies[piece.block]
                yield piece.block, infeasible_games(played.infeasible)
                continue
            assembly.add(slice(piece.start, piece.stop), played)
            if assembly.is_complete:
                del self._assemblies[piece.block]
                yield piece.block, assembly.played()

"""A batch, its checks, and its division into chunks that workers play."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.arguments import ROW_GAMES_MAX
from sim.engine import layout as at
from sim.observation.view import View, view_of
from sim.play.agent import Agent, CompiledAgent, address_of_agent, require_agent
from sim.play.backend import Backend, CompiledPlay, Tally, Work
from sim.play.lockstep import LockstepPlay
from sim.play.outcomes import Counts
from sim.play.reach import reach_of_rows
from sim.play.table import Table
from sim.play.workers.seam import Threads, Workers, n_cores
from sim.ruleset import DECK_CAPACITY, N_SEATS
from sim.seeds import STREAM_MAX
from sim.short_repr import short_repr


@dataclass(frozen=True)
class Batch:
    """Games to play, in ``R`` rows of a variant, a player in each seat, and a range of game seeds.

    Attributes:
        decks: deck row of each player (`sim.play.batch.deck_row`), int16, shape
            ``[D, DECK_ROW_SIZE]``.
        variant: row of the card table that each row of games uses, shape ``[R]``.
        seats: player in each seat, shape ``[R, 2]``. A player is a position in `decks`; the agent
            at the same position controls it.
        n_games: number of games of each row, shape ``[R]``.
        first_game: index of the first game of each row, shape ``[R]``. The seed of a game is a
            function of `stream` and the game's index, so rows with equal indices use common
            random numbers.
        stream: seed from which the seeds of all games are derived (`sim.seeds.stream_seed`).
    """

    decks: npt.NDArray[np.int16]
    variant: Counts
    seats: Counts
    n_games: Counts
    first_game: Counts
    stream: int

    def __repr__(self) -> str:
        return short_repr(self, rows=len(self.n_games), games=self.total, stream=self.stream)

    @property
    def total(self) -> int:
        """Number of games of all rows, ``G``."""
        return int(self.n_games.sum())


def check_batch(batch: Batch, table: Table, agents: Sequence[Agent]) -> None:
    """Check a batch before the engine reads it, since the engine checks no bounds.

    Args:
        batch: batch to check.
        table: card table that its variants and cards refer to.
        agents: agent of each player, shape ``[D]``.

    Raises:
        ValueError: the batch refers to decks, variants or agents that do not exist, a number is
            not whole or out of range, or an array has a wrong shape.
        InputError: an element of `agents` is not an agent.
    """
    for agent in agents:
        require_agent(agent)
    check_decks(batch.decks, table)
    if isinstance(batch.stream, bool) or not 0 <= index(batch.stream) <= STREAM_MAX:
        raise ValueError(f"stream = {batch.stream!r} must be a whole number from 0 to {STREAM_MAX}")
    n_rows = len(batch.n_games)
    n_players = len(batch.decks)
    if len(agents) != n_players:
        raise ValueError(f"agents: {len(agents)} given for {n_players} decks; give one for each")
    for name, shape, low, high in (
        ("variant", (n_rows,), 0, table.n_variants - 1),
        ("seats", (n_rows, N_SEATS), 0, n_players - 1),
        ("n_games", (n_rows,), 0, ROW_GAMES_MAX),
        ("first_game", (n_rows,), 0, None),
    ):
        _check_column(name, getattr(batch, name), shape, low, high)


def check_decks(decks: npt.NDArray[np.int16], table: Table) -> None:
    """Check the shape of deck rows, and that they refer only to cards of a table.

    Args:
        decks: deck rows (`sim.play.batch.deck_row`), shape ``[D, DECK_ROW_SIZE]``.
        table: card table of the games.

    Raises:
        ValueError: the shape is wrong, or a number is out of range.
    """
    if np.shape(decks)[1:] != (at.DECK_ROW_SIZE,):
        raise ValueError(
            f"decks: the array has shape {np.shape(decks)}; it must have shape "
            f"[D, {at.DECK_ROW_SIZE}], one row for each of D decks"
        )
    sizes = decks[:, 0]
    cards = decks[:, 1 : at.DECK_POWER]
    powers = decks[:, at.DECK_POWER]
    _check_column("decks: sizes", sizes, sizes.shape, 0, DECK_CAPACITY)
    _check_column("decks: cards", cards, cards.shape, at.BLANK, len(table.pool.cards) - 1)
    _check_column("decks: hero powers", powers, powers.shape, at.BLANK, table.n_cards - 1)


def _check_column(
    name: str, values: npt.NDArray[np.integer], shape: tuple[int, ...], low: int, high: int | None
) -> None:
    """Check the type, shape and range of one array of a batch.

    Args:
        name: name of the array in messages.
        values: array to check.
        shape: required shape.
        low: lowest permitted number.
        high: highest permitted number; `None` if there is no upper limit.

    Raises:
        ValueError: the object is not an array of whole numbers of this shape and range.
    """
    if not isinstance(values, np.ndarray):
        raise ValueError(f"{name}: a {type(values).__name__} must be an array")  # noqa: TRY004 - one exception class for a wrong batch
    if values.shape != shape:
        raise ValueError(f"{name}: the shape {values.shape} must be {shape}")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name}: the type {values.dtype} must be one of whole numbers")
    outside = values[(values < low) | (values > (values if high is None else high))]
    if outside.size:
        limit = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}: {outside.flat[0]} must be {limit}")


@dataclass(frozen=True)
class BatchJob:
    """A batch as a job for workers (`sim.play.workers.seam.Job`); its tasks are chunks of games.

    A pickled job contains only its attributes. Each worker looks up addresses of compiled code and
    allocates arrays for results itself.

    Attributes:
        batch: games to play.
        table: card table of all variants.
        agents: agent of each player, shape ``[D]``.
        keep: details to record in addition to the totals (`sim.play.batch.play`).
    """

    batch: Batch
    table: Table
    agents: Sequence[Agent]
    keep: frozenset[str]

    @cached_property
    def work(self) -> Work:
        """The batch as arguments of the engine; the first access compiles the agents.

        Raises:
            InputError: the view of a compiled agent cannot show a card or these rules.
        """
        batch = self.batch
        table = self.table
        return Work(
            tables=table.words,
            decks=batch.decks,
            rows=np.column_stack([batch.variant, batch.seats, batch.first_game]),
            ends=np.cumsum(batch.n_games),
            addresses=_addresses(batch, table, self.agents),
            stream=batch.stream,
            keep_cards="cards" in self.keep,
            winners=np.zeros(batch.total if "winner" in self.keep else 0, dtype=np.int8),
            counting_view=_view_of_decks(batch, table) if "actions" in self.keep else None,
        )

    @cached_property
    def backend(self) -> Backend:
        """Backend of the batch: `LockstepPlay` if a learned agent plays, else `CompiledPlay`."""
        playing = [self.agents[player] for player in np.unique(self.batch.seats)]
        if all(isinstance(agent, CompiledAgent) for agent in playing):
            searching = any(
                isinstance(agent, CompiledAgent) and agent.searches for agent in playing
            )
            return CompiledPlay(self.work, searching=searching)
        return LockstepPlay(self.work, self.table, self.agents)

    def do(self, chunk: tuple[int, int]) -> Tally:
        """Play the games of a chunk and return their tally; threads may call it concurrently.

        Args:
            chunk: index of the first game of the chunk, and the index after its last game.
        """
        return self.backend.play(*chunk)

    def give_up(self) -> None:
        """Make all running chunks end early; their tallies are incomplete and must be discarded."""
        self.backend.give_up()

    @property
    def running_chunks(self) -> dict[int, Tally]:
        """Tallies of the chunks that this process is playing, by the index of their first game."""
        # Reading this from another thread must not create the backend, which may compile agents.
        backend: Backend | None = self.__dict__.get("backend")
        return {} if backend is None else backend.running_chunks

    @property
    def plays_one_by_one(self) -> bool:
        """Whether the games of a chunk are played one after the other."""
        return self.backend.plays_one_by_one

    def __getstate__(self) -> dict[str, Any]:
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}


def _addresses(batch: Batch, table: Table, agents: Sequence[Agent]) -> Counts:
    """Return each player's agent addresses for plain and for general games, shape ``[D, 2]``.

    Agents are compiled only for the rules that their rows need; all other addresses are 0.
    """
    is_general = table.is_general(batch.decks)[batch.seats].any(axis=1)
    addresses = np.zeros((len(agents), 2), dtype=np.int64)
    for general in (False, True):
        seats = batch.seats[is_general == general]
        for player in np.unique(seats).tolist():
            met = partial(_decks_met, batch, seats, player)
            addresses[player, int(general)] = address_of_agent(
                agents[player], table, met, general=general
            )
    return addresses


def _decks_met(batch: Batch, seats: Counts, player: int) -> npt.NDArray[np.int16]:
    """Return the deck rows of a player and of all its opponents, without repetition.

    Args:
        batch: batch with the deck rows of all players.
        seats: player in each seat in the rows of the batch to consider, shape ``[R, 2]``.
        player: position of the player in `batch.decks`.
    """
    return np.asarray(batch.decks[np.unique(seats[(seats == player).any(axis=1)])])


def _view_of_decks(batch: Batch, table: Table) -> View:
    """Return a view that fits the games of all decks of a batch, to number the counted actions."""
    return view_of(table, reach_of_rows(table.pool, table.ruleset, batch.decks))


# --- division into chunks ---


def play_chunks(job: BatchJob, workers: Workers) -> Iterator[Tally]:
    """Play all games of a batch, and yield the tallies of its chunks in any order.

    Remote workers are used only for batches that are large enough to gain from them. To decide
    this, threads of this process play the first two chunks and measure the time of a game. If the
    batch is too small, the threads also play the rest.

    Args:
        job: batch to play.
        workers: threads of this process, or remote workers.
    """
    n_games = job.batch.total
    if not workers.are_remote:
        yield from _play_range(job, workers, 0, n_games, 0)
        return
    local = Threads(min(workers.n_workers, n_cores()))
    # Two chunks are timed. Together they have the minimum number of games for a useful estimate.
    half = job.backend.least_games // 2
    seconds = list[float]()
    start = 0
    while len(seconds) < 2 and start + half < n_games:
        began_s = time.perf_counter()
        yield from _play_range(job, local, start, start + half, half)
        seconds.append(time.perf_counter() - began_s)
        start += half
    # The shorter time is used, since the first chunk may include loading or compiling the engine.
    game_s = min(seconds, default=0.0) / half
    # With less work than two tasks of minimum length, the remote workers would get only one task.
    if game_s * (n_games - start) <= 2 * workers.least_s:
        workers.effort.keep_here(game_s * n_games)
        yield from _play_range(job, local, start, n_games, 0)
    else:
        yield from _play_range(job, workers, start, n_games, int(workers.least_s / game_s))


def _play_range(
    job: BatchJob, workers: Workers, start: int, stop: int, least_games: int
) -> Iterator[Tally]:
    """Play games `start` to `stop` (exclusive) in chunks, and yield the tallies of the chunks.

    Args:
        job: batch that contains the games.
        workers: workers that play the chunks.
        start: index of the first game.
        stop: index after the last game.
        least_games: minimum number of games in a chunk; fewer if a worker would otherwise get no
            chunk.
    """
    n_games = stop - start
    if n_games <= 0:
        return
    equal_share = -(-n_games // workers.n_workers)
    chunk_games = job.backend.chunk_games(n_games, workers.n_workers)
    # Remote workers need long chunks, but no chunk may leave another worker without work.
    size = max(chunk_games, min(least_games, equal_share), 1)
    chunks = [(first, min(first + size, stop)) for first in range(start, stop, size)]
    yield from (tally for _, tally in workers.map(job, chunks))

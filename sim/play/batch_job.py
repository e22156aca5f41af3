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


@dataclass(frozen=True)
class Batch:
    """``R`` rows of games: a variant, a player in each seat, and a range of game seeds.

    Attributes:
        decks: ``[D, DECK_ROW_SIZE]`` int16, one row per player (`sim.play.batch.deck_row`).
        variant: ``[R]`` row of the card table.
        seats: ``[R, 2]`` player in each seat; a player is a row of `decks`, controlled by the
            agent at the same position.
        n_games: ``[R]`` number of games to play.
        first_game: ``[R]`` index of the first game. The seed of a game is a function of `stream`
            and the game's index, so rows with equal indices use common random numbers.
        stream: seed of the purpose of the batch (`sim.seeds.stream_seed`).
    """

    decks: npt.NDArray[np.int16]
    variant: Counts
    seats: Counts
    n_games: Counts
    first_game: Counts
    stream: int

    @property
    def total(self) -> int:
        """Number of games of all rows, ``G``."""
        return int(self.n_games.sum())


def check_batch(batch: Batch, table: Table, agents: Sequence[Agent]) -> None:
    """Check a batch before the engine reads it, since the engine checks no bounds.

    Raises:
        ValueError: the batch refers to decks, variants or agents that do not exist, or holds
            numbers that are not whole.
        InputError: an element of `agents` is no agent.
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
    """Check that deck rows refer to the cards of a table.

    Raises:
        ValueError: the shape or a number is wrong; names the value and its limits.
    """
    if np.shape(decks)[1:] != (at.DECK_ROW_SIZE,):
        raise ValueError(f"decks: the shape {np.shape(decks)} must be [D, {at.DECK_ROW_SIZE}]")
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
        values: the array.
        shape: the required shape.
        low: the lowest permitted number.
        high: the highest permitted number; `None` for no limit.
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
    """A batch as a job; its tasks are chunks of games (`sim.play.workers.seam.Job`).

    A pickled job holds only its attributes. Each worker looks up addresses of compiled code and
    allocates arrays for results by itself.

    Attributes:
        batch: the games to play.
        table: the card table of all variants.
        agents: ``[D]`` the agent of each player.
        keep: what to record in addition to the aggregates (`sim.play.batch.play`).
    """

    batch: Batch
    table: Table
    agents: Sequence[Agent]
    keep: frozenset[str]

    @cached_property
    def work(self) -> Work:
        """The batch as the arrays that the engine takes.

        Raises:
            InputError: an agent cannot see a card or cannot play by these rules.
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
        """The backend: lock-step if a learned agent plays, otherwise whole games in the engine."""
        playing = [self.agents[player] for player in np.unique(self.batch.seats)]
        if all(isinstance(agent, CompiledAgent) for agent in playing):
            searching = any(
                isinstance(agent, CompiledAgent) and agent.searches for agent in playing
            )
            return CompiledPlay(self.work, searching=searching)
        return LockstepPlay(self.work, self.table, self.agents)

    def do(self, chunk: tuple[int, int]) -> Tally:
        """Play the games of a chunk; threads may call it concurrently.

        Args:
            chunk: index of the chunk's first game, and the index after its last one.
        """
        return self.backend.play(*chunk)

    def give_up(self) -> None:
        """Make all running chunks end early; their results are discarded."""
        self.backend.give_up()

    @property
    def stretches(self) -> dict[int, Tally]:
        """Tallies of the chunks that this process is playing now, by their first game."""
        # A look from another thread must not create the backend, which may compile agents.
        backend: Backend | None = self.__dict__.get("backend")
        return {} if backend is None else backend.stretches

    @property
    def plays_one_by_one(self) -> bool:
        """Whether the games of a chunk are played one after the other."""
        return self.backend.plays_one_by_one

    def __getstate__(self) -> dict[str, Any]:
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}


def _addresses(batch: Batch, table: Table, agents: Sequence[Agent]) -> Counts:
    """Return ``[D, 2]`` addresses of each player's agent, for plain games and for general ones.

    An agent that no row needs is not compiled; its address is 0.
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
    """Return the rows of all decks that take part in the games of a player.

    Args:
        batch: the batch.
        seats: ``[R, 2]`` players by seat of the rows to consider.
        player: the player.
    """
    return np.asarray(batch.decks[np.unique(seats[(seats == player).any(axis=1)])])


def _view_of_decks(batch: Batch, table: Table) -> View:
    """Return the view of all games that the batch's decks can play, which numbers the actions."""
    return view_of(table, reach_of_rows(table.pool, table.ruleset, batch.decks))


# --- division into chunks ---


def play_chunks(job: BatchJob, workers: Workers) -> Iterator[Tally]:
    """Play all games of a batch, and yield the tallies of its chunks in any order.

    Remote workers are used only for batches large enough to gain from them. Each command plays many
    small batches, so the first chunks are played by threads of this process to measure the time of
    a game. A batch that is too small is then played to its end by threads.

    Args:
        job: the batch.
        workers: the workers to use.
    """
    n_games = job.batch.total
    if not workers.are_remote:
        yield from _play_range(job, workers, 0, n_games, 0)
        return
    local = Threads(min(workers.n_workers, n_cores()))
    # Two chunks are timed; together they have the fewest games that give a useful time.
    half = job.backend.least_games // 2
    seconds = list[float]()
    start = 0
    while len(seconds) < 2 and start + half < n_games:
        began_s = time.perf_counter()
        yield from _play_range(job, local, start, start + half, half)
        seconds.append(time.perf_counter() - began_s)
        start += half
    # The minimum of two, since the first chunk may include the time to load or compile the engine.
    game_s = min(seconds, default=0.0) / half
    # Twice the shortest task: below that, at most one remote task would run at a time.
    if game_s * (n_games - start) <= 2 * workers.least_s:
        workers.effort.keep_here(game_s * n_games)
        yield from _play_range(job, local, start, n_games, 0)
    else:
        yield from _play_range(job, workers, start, n_games, int(workers.least_s / game_s))


def _play_range(
    job: BatchJob, workers: Workers, start: int, stop: int, least_games: int
) -> Iterator[Tally]:
    """Play games `start` to `stop` in chunks, and yield the chunks' tallies.

    Args:
        job: the batch.
        workers: the workers to use.
        start: index of the first game.
        stop: index after the last game.
        least_games: fewest games of a chunk, as long as each worker still gets a chunk.
    """
    n_games = stop - start
    if n_games <= 0:
        return
    equal_share = -(-n_games // workers.n_workers)
    chunk_games = job.backend.chunk_games(n_games, workers.n_workers)
    size = max(chunk_games, min(least_games, equal_share), 1)
    chunks = [(first, min(first + size, stop)) for first in range(start, stop, size)]
    yield from (tally for _, tally in workers.map(job, chunks))

"""A batch, and the job that it is: what one worker needs to play any stretch of it, anywhere.

Whoever plays is given stretches of its games.
"""

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
    """``R`` rows of games: a variant, a player in each seat, and a stretch of game seeds.

    Attributes:
        decks: ``[D, DECK_ROW_SIZE]`` int16, one row per player (see `sim.play.batch.deck_row`).
        variant: ``[R]`` row of the table.
        seats: ``[R, 2]`` player that sits in each seat; a player is a row of `decks`, piloted
            by the agent of the same position.
        n_games: ``[R]`` games to play.
        first_game: ``[R]`` index of the first one; a game's seed is a function of `stream` and
            its index, so rows that share indices share luck.
        stream: seed of the batch's purpose (`sim.seeds.stream_seed`).
    """

    decks: npt.NDArray[np.int16]
    variant: Counts
    seats: Counts
    n_games: Counts
    first_game: Counts
    stream: int

    @property
    def total(self) -> int:
        """``G``, the games of all rows."""
        return int(self.n_games.sum())


def check_batch(batch: Batch, table: Table, agents: Sequence[Agent]) -> None:
    """Refuse what would lead the engine, which does not look, outside its memory.

    Raises:
        ValueError: the batch points outside its decks, the table or the agents, or holds what are
            no whole numbers.
        InputError: one of the agents is none.
    """
    for agent in agents:
        require_agent(agent)
    check_decks(batch.decks, table)
    if isinstance(batch.stream, bool) or not 0 <= index(batch.stream) <= STREAM_MAX:
        raise ValueError(f"stream = {batch.stream!r} must be a whole number from 0 to {STREAM_MAX}")
    n_rows = len(batch.n_games)
    n_players = len(batch.decks)
    if len(agents) != n_players:
        raise ValueError(f"{len(agents)} agents for {n_players} decks; each deck needs one")
    for name, shape, low, high in (
        ("variant", (n_rows,), 0, table.n_variants - 1),
        ("seats", (n_rows, N_SEATS), 0, n_players - 1),
        ("n_games", (n_rows,), 0, ROW_GAMES_MAX),
        ("first_game", (n_rows,), 0, None),
    ):
        _check_column(name, getattr(batch, name), shape, low, high)


def check_decks(decks: npt.NDArray[np.int16], table: Table) -> None:
    """Refuse rows that are no decks of a table's cards.

    Raises:
        ValueError: names what is outside, and the limits.
    """
    if np.shape(decks)[1:] != (at.DECK_ROW_SIZE,):
        raise ValueError(f"decks have shape {np.shape(decks)}, not [D, {at.DECK_ROW_SIZE}]")
    sizes = decks[:, 0]
    cards = decks[:, 1 : at.DECK_POWER]
    powers = decks[:, at.DECK_POWER]
    _check_column("decks' sizes", sizes, sizes.shape, 0, DECK_CAPACITY)
    _check_column("decks' cards", cards, cards.shape, at.BLANK, len(table.pool.cards) - 1)
    _check_column("decks' powers", powers, powers.shape, at.BLANK, table.n_cards - 1)


def _check_column(
    name: str, values: npt.NDArray[np.integer], shape: tuple[int, ...], low: int, high: int | None
) -> None:
    if not isinstance(values, np.ndarray):
        raise ValueError(f"{name} is a {type(values).__name__}; it must be an array")  # noqa: TRY004 - as all that is wrong with a batch
    if values.shape != shape:
        raise ValueError(f"{name} has shape {values.shape}, not {shape}")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} is an array of {values.dtype}; it must be of whole numbers")
    outside = values[(values < low) | (values > (values if high is None else high))]
    if outside.size:
        limit = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} holds {outside.flat[0]}; it must be {limit}")


@dataclass(frozen=True)
class BatchJob:
    """A batch that plays by stretches (`sim.play.workers.seam.Job`).

    It is pickled by what it is made of; addresses and room for results are found anew by whoever
    plays it.

    Attributes:
        batch: what to play.
        table: the numbers of all variants.
        agents: ``[D]`` the agent of each player.
        keep: what is kept besides aggregates (`sim.play.batch.play`).
    """

    batch: Batch
    table: Table
    agents: Sequence[Agent]
    keep: frozenset[str]

    @cached_property
    def work(self) -> Work:
        """The batch as the engine takes it.

        Raises:
            InputError: a learned agent cannot see a card or play by these rules.
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
        """How it is played: lock-step where a learned agent plays, else each game in the engine."""
        playing = [self.agents[player] for player in np.unique(self.batch.seats)]
        if all(isinstance(agent, CompiledAgent) for agent in playing):
            searching = any(
                isinstance(agent, CompiledAgent) and agent.searches for agent in playing
            )
            return CompiledPlay(self.work, searching=searching)
        return LockstepPlay(self.work, self.table, self.agents)

    def do(self, stretch: tuple[int, int]) -> Tally:
        """Play the games from one index to another; several threads may call it side by side."""
        return self.backend.play(*stretch)

    def give_up(self) -> None:
        """Let stretches that are being played end early; what they return is not used."""
        self.backend.give_up()

    @property
    def stretches(self) -> dict[int, Tally]:
        """What is being played by this process, as it is counted by now, by the first game."""
        backend: Backend | None = self.__dict__.get("backend")  # which looking on does not make
        return {} if backend is None else backend.stretches

    @property
    def plays_one_by_one(self) -> bool:
        """Whether the games of a stretch are played one after the other."""
        return self.backend.plays_one_by_one

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def _addresses(batch: Batch, table: Table, agents: Sequence[Agent]) -> Counts:
    """``[D, 2]`` where the engine calls each player's agent in plain and in all other games.

    What no row plays is not compiled: its address is 0.
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
    """The decks in the games of a player, by the ``[R, 2]`` `seats` of some rows."""
    return np.asarray(batch.decks[np.unique(seats[(seats == player).any(axis=1)])])


def _view_of_decks(batch: Batch, table: Table) -> View:
    """The view of all games that these decks can play, by whose numbers actions are counted."""
    return view_of(table, reach_of_rows(table.pool, table.ruleset, batch.decks))


# --- which stretches of it whom is given ---


def play_stretches(job: BatchJob, workers: Workers) -> Iterator[Tally]:
    """Play all games of a batch; stretches come in any order.

    Workers elsewhere are asked only where it pays. Each command plays many small batches, so a
    first stretch is played here to tell: what is too small is then played to its end by threads.

    Args:
        job: the batch.
        workers: who plays.
    """
    n_games = job.batch.total
    if not workers.are_elsewhere:
        yield from _played(job, workers, 0, n_games, 0)
        return
    here = Threads(min(workers.n_workers, n_cores()))
    half = job.backend.least_games // 2
    seconds = list[float]()
    start = 0
    while len(seconds) < 2 and start + half < n_games:
        began_s = time.perf_counter()
        yield from _played(job, here, start, start + half, half)
        seconds.append(time.perf_counter() - began_s)
        start += half
    game_s = min(seconds, default=0.0) / half  # the first one may also have loaded the engine
    if game_s * (n_games - start) <= 2 * workers.least_s:
        workers.effort.keep_here(game_s * n_games)
        yield from _played(job, here, start, n_games, 0)
    else:
        yield from _played(job, workers, start, n_games, int(workers.least_s / game_s))


def _played(
    job: BatchJob, workers: Workers, start: int, stop: int, least_games: int
) -> Iterator[Tally]:
    """Games `start` to `stop`, at least so many at a time while there is enough for everybody."""
    n_games = stop - start
    if n_games <= 0:
        return
    fair = -(-n_games // workers.n_workers)
    size = max(job.backend.stretch_games(n_games, workers.n_workers), min(least_games, fair), 1)
    pieces = [(k, min(k + size, stop)) for k in range(start, stop, size)]
    yield from (tally for _, tally in workers.map(job, pieces))

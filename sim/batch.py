"""The one thing that is ever simulated: a batch of games in, outcomes out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.agent import CompiledAgent
from sim.engine.kernel import play_games
from sim.engine.layout import (
    BLANK,
    FAULT_ILLEGAL,
    FAULTS,
    N_RESULTS,
    N_SEEN_CODES,
    N_TOTALS,
    STATE_SIZE,
    TURN_BINS,
)
from sim.outcomes import Counts, Outcomes
from sim.ruleset import DECK_CAPACITY, N_SEATS
from sim.table import Table

_SEEN_SHAPE = (N_SEATS, N_RESULTS, DECK_CAPACITY, N_SEEN_CODES)
_CHUNK_GAMES_MIN = 500  # below this, handing work to a thread costs more than it saves
_CHUNK_GAMES_MAX = 20_000  # above this, Ctrl-C would wait too long
_CHUNKS_PER_THREAD = 8  # two chunks for two threads loses a third of the speed


@dataclass(frozen=True)
class Batch:
    """``R`` rows of games: a variant, a player in each seat, and a stretch of game seeds.

    Attributes:
        decks: ``[D, 1 + DECK_CAPACITY]`` int16, one row per player (see `deck_row`).
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


def deck_row(slots: Sequence[int]) -> npt.NDArray[np.int16]:
    """``[1 + DECK_CAPACITY]``: the number of slots, then the pool position of each slot's card.

    A slot whose card has been left out holds `BLANK`.
    """
    row = np.full(1 + DECK_CAPACITY, BLANK, dtype=np.int16)
    row[0] = len(slots)
    row[1 : 1 + len(slots)] = slots
    return row


def play(
    batch: Batch,
    table: Table,
    agents: Sequence[CompiledAgent],
    *,
    threads: int | None = None,
    keep: str | Sequence[str] = (),
) -> Outcomes:
    """Play a batch.

    Args:
        batch: what to play.
        table: the numbers of all variants.
        agents: ``[D]`` the agent of each player.
        threads: threads to use; default all cores. Results do not depend on it.
        keep: besides aggregates, `"winner"` (the result of each game), `"cards"` (what became
            of each deck slot), or both.

    Raises:
        ValueError: the batch points outside its decks, the table or the agents.
        RuntimeError: an agent chose an illegal action, or the engine ran out of room.
    """
    keep = (keep,) if isinstance(keep, str) else keep
    if unknown := set(keep) - {"winner", "cards"}:
        raise ValueError(f"keep has {sorted(unknown)}; it may hold 'winner' and 'cards'")
    _check_bounds(batch, table, agents)
    ends = np.cumsum(batch.n_games)
    n_games = int(ends[-1]) if len(ends) else 0
    work = _Work(
        batch=batch,
        table=table,
        addresses=np.array([agent.address for agent in agents], dtype=np.int64),
        rows=np.column_stack([batch.variant, batch.seats, batch.first_game]).ravel(),
        ends=ends,
        keep_cards="cards" in keep,
        winners=np.zeros(n_games if "winner" in keep else 0, dtype=np.int8),
    )
    outcomes = _empty_outcomes(batch, work, keep)
    for first_row, totals, turns, seen in _play_chunks(work, n_games, threads or n_cores()):
        stretch = slice(first_row, first_row + len(totals))
        outcomes.totals[stretch, :FAULTS] += totals[:, :FAULTS]
        outcomes.totals[stretch, FAULTS] |= totals[:, FAULTS]
        outcomes.turns[stretch] += turns
        if outcomes.seen is not None:
            outcomes.seen[stretch] += seen
    _refuse_faults(batch, outcomes, agents)
    return outcomes


def _check_bounds(batch: Batch, table: Table, agents: Sequence[CompiledAgent]) -> None:
    """Refuse what would lead the engine, which does not look, outside its memory."""
    n_rows, n_players = len(batch.n_games), len(batch.decks)
    if len(agents) != n_players:
        raise ValueError(f"{len(agents)} agents for {n_players} decks; each deck needs one")
    if batch.decks.shape[1:] != (1 + DECK_CAPACITY,):
        raise ValueError(f"decks have shape {batch.decks.shape}, not [D, {1 + DECK_CAPACITY}]")
    for name, shape, low, high in (
        ("variant", (n_rows,), 0, table.n_variants - 1),
        ("seats", (n_rows, N_SEATS), 0, n_players - 1),
        ("n_games", (n_rows,), 0, None),
        ("first_game", (n_rows,), 0, None),
    ):
        _check_column(name, getattr(batch, name), shape, low, high)
    _check_column("decks' sizes", batch.decks[:, 0], (n_players,), 0, DECK_CAPACITY)
    cards = batch.decks[:, 1:]
    _check_column("decks' cards", cards, cards.shape, BLANK, len(table.pool.cards) - 1)


def _check_column(
    name: str, values: npt.NDArray[np.integer], shape: tuple[int, ...], low: int, high: int | None
) -> None:
    if values.shape != shape:
        raise ValueError(f"{name} has shape {values.shape}, not {shape}")
    outside = values[(values < low) | (values > (values if high is None else high))]
    if outside.size:
        limit = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} holds {outside.flat[0]}; it must be {limit}")


def n_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class _Work:
    """A batch in the arrays that the kernel takes."""

    batch: Batch
    table: Table
    addresses: Counts
    rows: Counts
    ends: Counts
    keep_cards: bool
    winners: npt.NDArray[np.int8]

    def play(self, stretch: tuple[int, int]) -> tuple[int, Counts, Counts, Counts]:
        """Play games ``start`` to ``stop`` of the batch; aggregates of the rows they touch."""
        start, stop = stretch
        first_row, last_row = np.searchsorted(self.ends, [start, stop - 1], side="right")
        n_rows = int(last_row - first_row) + 1
        totals = np.zeros((n_rows, N_TOTALS), dtype=np.int64)
        turns = np.zeros((n_rows, TURN_BINS), dtype=np.int64)
        seen = np.zeros((n_rows if self.keep_cards else 0, *_SEEN_SHAPE), dtype=np.int64)
        play_games(
            self.table.words.ravel(),
            self.table.words.shape[1],
            self.batch.decks.ravel(),
            self.rows,
            self.ends,
            self.addresses,
            self.batch.stream,
            np.zeros(2 * STATE_SIZE, dtype=np.int16),
            start,
            stop,
            totals.ravel(),
            turns.ravel(),
            seen.ravel(),
            self.winners,
        )
        return int(first_row), totals, turns, seen


def _empty_outcomes(batch: Batch, work: _Work, keep: Sequence[str]) -> Outcomes:
    n_rows = len(batch.n_games)
    return Outcomes(
        n_games=batch.n_games,
        totals=np.zeros((n_rows, N_TOTALS), dtype=np.int64),
        turns=np.zeros((n_rows, TURN_BINS), dtype=np.int64),
        seen=np.zeros((n_rows, *_SEEN_SHAPE), dtype=np.int64) if work.keep_cards else None,
        winners=work.winners if "winner" in keep else None,
    )


def _play_chunks(
    work: _Work, n_games: int, threads: int
) -> Iterator[tuple[int, Counts, Counts, Counts]]:
    chunks = _chunks(n_games, threads)
    if threads == 1 or len(chunks) == 1:
        yield from map(work.play, chunks)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from pool.map(work.play, chunks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _chunks(n_games: int, threads: int) -> list[tuple[int, int]]:
    """Cut the games into stretches that keep all threads busy to the end."""
    size = -(-n_games // (_CHUNKS_PER_THREAD * threads))
    size = min(max(size, _CHUNK_GAMES_MIN), _CHUNK_GAMES_MAX)
    return [(start, min(start + size, n_games)) for start in range(0, n_games, size)]


def _refuse_faults(batch: Batch, outcomes: Outcomes, agents: Sequence[CompiledAgent]) -> None:
    faulty = np.flatnonzero(outcomes.totals[:, FAULTS])
    if not len(faulty):
        return
    row = int(faulty[0])
    names = " and ".join(agents[player].name for player in batch.seats[row])
    if outcomes.totals[row, FAULTS] & FAULT_ILLEGAL:
        raise RuntimeError(f"agents {names}: one of them chose an illegal action")
    raise RuntimeError(f"agents {names}: a game ran out of room for events or records")

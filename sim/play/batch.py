"""The one thing that is ever simulated: a batch of games in, outcomes out."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.cards.deck import Deck
from sim.cards.pool import Pool
from sim.engine import layout as at
from sim.interruption import uninterrupted
from sim.observation.view import View, view_of
from sim.play.agent import Agent, CompiledAgent, address_of_agent
from sim.play.backend import Backend, CompiledPlay, Tally, Work
from sim.play.card_fault import fault_of
from sim.play.lockstep import LockstepPlay
from sim.play.outcomes import Counts, Outcomes
from sim.play.reach import reach_of_rows
from sim.play.table import Table
from sim.ruleset import DECK_CAPACITY, N_SEATS
from sim.seeds import number_of

BLANK = at.BLANK
"""What stands in a deck row for no card, or for no hero power."""


@dataclass(frozen=True)
class Batch:
    """``R`` rows of games: a variant, a player in each seat, and a stretch of game seeds.

    Attributes:
        decks: ``[D, DECK_ROW_SIZE]`` int16, one row per player (see `deck_row`).
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


def deck_row(slots: Sequence[int], power: int = BLANK) -> npt.NDArray[np.int16]:
    """``[DECK_ROW_SIZE]``: the number of slots, the pool position of each slot's card, the power.

    A slot whose card has been left out holds `BLANK`, and so does the place of the hero power
    (`sim.cards.pool.Pool.number`) in a deck that has none.
    """
    row = np.full(at.DECK_ROW_SIZE, at.BLANK, dtype=np.int16)
    row[0] = len(slots)
    row[1 : 1 + len(slots)] = slots
    row[at.DECK_POWER] = power
    return row


def row_of_deck(deck: Deck, pool: Pool) -> npt.NDArray[np.int16]:
    """The `deck_row` of a whole deck.

    Raises:
        InputError: the deck's hero or a card is not in the pool.
    """
    return deck_row(deck.slots(pool), deck.power(pool))


def without(row: npt.NDArray[np.int16], card: int, stand_in: int = BLANK) -> npt.NDArray[np.int16]:
    """A deck's row (`deck_row`) with `stand_in` in the slots of `card`."""
    edited = row.copy()
    edited[1 : at.DECK_POWER][row[1 : at.DECK_POWER] == card] = stand_in
    return edited


def play(
    batch: Batch,
    table: Table,
    agents: Sequence[Agent],
    *,
    threads: int | None = None,
    keep: str | Sequence[str] = (),
    faults: Literal["raise", "keep"] = "raise",
    on_games: Callable[[int], None] | None = None,
) -> Outcomes:
    """Play a batch.

    Args:
        batch: what to play.
        table: the numbers of all variants.
        agents: ``[D]`` the agent of each player. Where a learned one plays, games are played in
            lock-step; the outcomes do not depend on it.
        threads: threads to use; default all cores. Results do not depend on it.
        keep: besides aggregates, any of `"winner"` (the result of each game), `"cards"` (what
            became of each deck slot) and `"actions"` (how often each was chosen).
        faults: what becomes of a row in which a card's texts never end, or find no room: it is
            refused, or noted in `Outcomes.faults`, for those who can do without the row.
        on_games: told, stretch by stretch, how many more games have been played.

    Raises:
        CardFault: a card's texts stopped a game, and `faults` is `"raise"`.
        ValueError: the batch points outside its decks, the table or the agents.
        InputError: a learned agent cannot see a card or play by these rules, or sees by another
            view.
        RuntimeError: an agent chose an illegal action.
    """
    keep = (keep,) if isinstance(keep, str) else keep
    if unknown := set(keep) - {"winner", "cards", "actions"}:
        raise ValueError(f"keep has {sorted(unknown)}; it may hold winner, cards and actions")
    _check_bounds(batch, table, agents)
    ends = np.cumsum(batch.n_games)
    n_games = int(ends[-1]) if len(ends) else 0
    work = Work(
        tables=table.words,
        decks=batch.decks,
        rows=np.column_stack([batch.variant, batch.seats, batch.first_game]),
        ends=ends,
        addresses=_addresses(batch, table, agents),
        stream=batch.stream,
        keep_cards="cards" in keep,
        winners=np.zeros(n_games if "winner" in keep else 0, dtype=np.int8),
        counting_view=_view_of_decks(batch, table) if "actions" in keep else None,
    )
    backend = _backend(work, batch, table, agents)
    total = work.empty_tally(0, len(batch.n_games))
    for tally in _play_stretches(backend, n_games, threads or n_cores()):
        total.add(tally)  # stretches come in their order
        if on_games is not None:
            on_games(int(tally.turns.sum()))
    outcomes = Outcomes(
        n_games=batch.n_games,
        totals=total.totals,
        turns=total.turns,
        seen=total.seen if "cards" in keep else None,
        chosen=total.chosen if "actions" in keep else None,
        winners=work.winners if "winner" in keep else None,
    )
    _refuse_illegal_actions(batch, outcomes, agents)
    _leave_out_faulty_rows(batch, table, outcomes, ends)
    if outcomes.faults and faults == "raise":
        raise outcomes.faults[min(outcomes.faults)]
    return outcomes


def _backend(work: Work, batch: Batch, table: Table, agents: Sequence[Agent]) -> Backend:
    """Lock-step play where a learned agent plays, else each game inside the engine."""
    playing = [agents[player] for player in np.unique(batch.seats)]
    if all(isinstance(agent, CompiledAgent) for agent in playing):
        searching = any(isinstance(agent, CompiledAgent) and agent.searches for agent in playing)
        return CompiledPlay(work, searching=searching)
    return LockstepPlay(work, table, agents)


def _addresses(batch: Batch, table: Table, agents: Sequence[Agent]) -> Counts:
    """``[D, 2]`` where the engine calls each player's agent in plain and in all other games.

    What no row plays is not compiled: its address is 0.
    """
    needs_general = table.is_general(batch.decks)
    is_general = needs_general[batch.seats].any(axis=1)
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
    met: npt.NDArray[np.int16] = batch.decks[np.unique(seats[(seats == player).any(axis=1)])]
    return met


def _view_of_decks(batch: Batch, table: Table) -> View:
    """The view of all games that these decks can play, by whose numbers actions are counted."""
    return view_of(table, reach_of_rows(table.pool, table.ruleset, batch.decks))


def _check_bounds(batch: Batch, table: Table, agents: Sequence[Agent]) -> None:
    """Refuse what would lead the engine, which does not look, outside its memory."""
    n_rows, n_players = len(batch.n_games), len(batch.decks)
    if len(agents) != n_players:
        raise ValueError(f"{len(agents)} agents for {n_players} decks; each deck needs one")
    if batch.decks.shape[1:] != (at.DECK_ROW_SIZE,):
        raise ValueError(f"decks have shape {batch.decks.shape}, not [D, {at.DECK_ROW_SIZE}]")
    for name, shape, low, high in (
        ("variant", (n_rows,), 0, table.n_variants - 1),
        ("seats", (n_rows, N_SEATS), 0, n_players - 1),
        ("n_games", (n_rows,), 0, None),
        ("first_game", (n_rows,), 0, None),
    ):
        _check_column(name, getattr(batch, name), shape, low, high)
    _check_column("decks' sizes", batch.decks[:, 0], (n_players,), 0, DECK_CAPACITY)
    cards = batch.decks[:, 1 : at.DECK_POWER]
    _check_column("decks' cards", cards, cards.shape, at.BLANK, len(table.pool.cards) - 1)
    powers = batch.decks[:, at.DECK_POWER]
    _check_column("decks' powers", powers, powers.shape, at.BLANK, table.n_cards - 1)


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


def _play_stretches(backend: Backend, n_games: int, threads: int) -> Iterator[Tally]:
    size = backend.stretch_games(n_games, threads)
    starts = range(0, n_games, size)
    stops = [min(start + size, n_games) for start in starts]
    if not stops or (threading.current_thread() is not threading.main_thread() and threads == 1):
        yield from map(backend.play, starts, stops)
        return
    # The main thread only waits: while it is in compiled code it hears no Ctrl-C.
    with ThreadPoolExecutor(min(threads, len(stops))) as pool:
        try:
            with uninterrupted():  # the pool's own locks do not outlive an exception
                playing = pool.map(backend.play, starts, stops)
            yield from playing
        except BaseException:
            backend.give_up()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _refuse_illegal_actions(batch: Batch, outcomes: Outcomes, agents: Sequence[Agent]) -> None:
    faulty = np.flatnonzero(outcomes.totals[:, at.FAULTS] & at.FAULT_ILLEGAL)
    if len(faulty):
        names = " and ".join(agents[player].name for player in batch.seats[int(faulty[0])])
        raise RuntimeError(f"agents {names}: one of them chose an illegal action")


def _leave_out_faulty_rows(batch: Batch, table: Table, outcomes: Outcomes, ends: Counts) -> None:
    """Note what stopped games, and count nothing of their rows: the others may not be played."""
    for row in np.flatnonzero(outcomes.totals[:, at.FAULT_GAME]).tolist():
        reason, at_row, played, turn, game = outcomes.totals[row, at.FAULTS :].tolist()
        variant, first = int(batch.variant[row]), int(ends[row] - batch.n_games[row])
        index = int(batch.first_game[row]) + game - 1 - first
        outcomes.faults[row] = fault_of(
            table,
            reason,
            at_row,
            played,
            turn=turn,
            game_seed=number_of(batch.stream, index),
            variant=variant,
        )
        for counts in (outcomes.totals, outcomes.turns, outcomes.seen, outcomes.chosen):
            if counts is not None:
                counts[row] = 0
        if outcomes.winners is not None:
            outcomes.winners[first : ends[row]] = at.FAULTED

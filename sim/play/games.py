"""What is to be played: rows of games, and whether they point where they may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.play.agent import Agent
from sim.play.outcomes import Counts
from sim.play.table import Table
from sim.ruleset import DECK_CAPACITY, N_SEATS


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
        ValueError: the batch points outside its decks, the table or the agents.
    """
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

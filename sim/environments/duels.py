"""Duels that an environment plays: names and choices, turned into line-ups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.cards.deck import Deck, check_deck, load_deck
from sim.cards.pool import Pool
from sim.cards.pool_source import load_pool
from sim.environments.episodes import Lineup
from sim.errors import InputError
from sim.observation.view import check_view
from sim.play.agent import Agent
from sim.play.batch import row_of_deck
from sim.play.table import Table, pack_table
from sim.ruleset import N_SEATS, Ruleset, load_ruleset

Rows16 = npt.NDArray[np.int16]
DeckChoice = str | Deck
SeatChoice = int | Literal["either"]


@dataclass(frozen=True)
class Duels:
    """The duels an environment plays; what `sim.environments.episodes.Episodes` takes.

    Attributes:
        table: the cards, one variant.
        lineups: how a duel may be made up, all equally likely.
        opponents: who pilots the enemies' decks.
    """

    table: Table
    lineups: tuple[Lineup, ...]
    opponents: tuple[Agent, ...]


def duels(
    deck: DeckChoice | Sequence[DeckChoice],
    opponent_deck: DeckChoice | Sequence[DeckChoice],
    opponent: Agent | Sequence[Agent],
    seat: SeatChoice,
    pool: str | Pool | None,
    ruleset: str | Ruleset | None,
) -> Duels:
    """The duels of a learner's decks against opponents with theirs.

    Args:
        deck: the learner's, or several to choose from: each a name, a path that ends in `.toml`,
            or a deck.
        opponent_deck: the opponent's; several belong to the opponents one by one, or all to the
            only one.
        opponent: who pilots it; several pilot the decks one by one, or all the only one.
        seat: the learner's; 0 moves first.
        pool: the cards; default the pool that the learner's first deck names.
        ruleset: the rules; likewise.

    Raises:
        InputError: a file is missing or wrong, decks do not fit each other or the rules, the
            learner could not see a card, or there is no such seat.
    """
    decks, enemies = _several(deck), _several(opponent_deck)
    agents: list[Agent] = list(opponent) if isinstance(opponent, Sequence) else [opponent]
    table, rows = rows_of([*decks, *enemies], pool, ruleset)
    own_rows, enemy_rows = rows[: len(decks)], rows[len(decks) :]
    lineups = tuple(
        Lineup(own, enemy_rows[enemy], agent, learners)
        for own in own_rows
        for enemy, agent in _pairs(len(enemies), len(agents))
        for learners in _seats(seat)
    )
    return Duels(table, lineups, tuple(agents))


def rows_of(
    decks: Sequence[DeckChoice], pool: str | Pool | None, ruleset: str | Ruleset | None
) -> tuple[Table, list[Rows16]]:
    """The table that decks are played with, and each deck's row; arguments as for `duels`.

    Raises:
        InputError: see `duels`.
    """
    loaded = [load_deck(deck) if isinstance(deck, str) else deck for deck in decks]
    first, near = loaded[0], _file_of(decks[0])
    if not isinstance(pool, Pool):
        pool = load_pool(pool) if pool else load_pool(first.pool, near)
    if not isinstance(ruleset, Ruleset):
        ruleset = load_ruleset(ruleset) if ruleset else load_ruleset(first.ruleset, near)
    for deck in loaded:
        check_deck(deck, pool, ruleset)
    table = pack_table(pool, ruleset)
    check_view(table, loaded)
    return table, [row_of_deck(deck, pool) for deck in loaded]


def _file_of(deck: DeckChoice) -> Path | None:
    """The file that a deck's own names may be relative to."""
    return Path(deck) if isinstance(deck, str) and deck.endswith(".toml") else None


def _several(deck: DeckChoice | Sequence[DeckChoice]) -> list[DeckChoice]:
    decks = [deck] if isinstance(deck, str | Deck) else list(deck)
    if not decks:
        raise InputError("an environment needs at least one deck on either side")
    return decks


def _pairs(n_decks: int, n_agents: int) -> Iterable[tuple[int, int]]:
    """Which of the opponents' decks is piloted by which agent."""
    n_pairs = max(n_decks, n_agents)
    if n_agents == 0 or {n_decks, n_agents} - {1, n_pairs}:
        raise InputError(
            f"{n_agents} opponents for {n_decks} decks; give as many of both, or one of either"
        )
    return [(min(k, n_decks - 1), min(k, n_agents - 1)) for k in range(n_pairs)]


def _seats(seat: SeatChoice) -> Sequence[int]:
    if seat == "either":
        return range(N_SEATS)
    if seat not in range(N_SEATS):
        raise InputError(f"seat = {seat!r}; it must be 0 (moves first), 1 or 'either'")
    return [int(seat)]

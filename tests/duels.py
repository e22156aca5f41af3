"""The shipped duel for tests: packed for the engine, and as objects of the plain reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.registry import agent_named
from sim import (
    DECK_CAPACITY,
    Pool,
    Ruleset,
    game_seed,
    load_deck,
    load_pool,
    load_ruleset,
    stream_seed,
)
from sim.cards.effect import Token
from sim.engine import layout as at
from sim.engine.layout import BLANK
from sim.observation.view import View, view_of
from sim.play import Batch, Gene, Outcomes, Table, deck_row, kept, pack_table, play
from tests.reference_duel import (
    Deck,
    Effect,
    ReferenceCard,
    ReferenceOutcome,
    ReferenceRules,
    play_reference,
)

ROOT = Path(__file__).parent.parent  # of the repository
AGENT_NAMES = ("random", "greedy", "aggro", "control")
DECK_NAMES = ("ember_rush", "tide_keep", "grove_march", "spore_swarm")
DUEL = load_ruleset("duel")
CORE = load_pool("core")
TABLE = pack_table(CORE, DUEL)
DECKS = np.stack([deck_row(load_deck(name).slots(CORE)) for name in DECK_NAMES])

Rows = npt.NDArray[np.int16]


def reference_card(card: Any) -> ReferenceCard:
    """Return a card as an object of the plain reference."""
    effects = tuple(
        Effect(row.do, str(row.to), row.amount, row.token and _reference_token(row.token))
        for row in card.effects
    )
    return ReferenceCard(card.cost, card.attack, card.health, "haste" in card.keywords, effects)


def _reference_token(token: Token) -> ReferenceCard:
    return ReferenceCard(0, token.attack, token.health, "haste" in token.keywords)


def reference_deck(pool: Pool, row: Rows) -> Deck:
    """Return a deck row as cards of the plain reference; `None` is a blank."""
    slots = row[1 : 1 + row[0]].tolist()
    return [None if card == BLANK else reference_card(pool.cards[card]) for card in slots]


def reference_rules(ruleset: Ruleset) -> ReferenceRules:
    """Return a ruleset as rules of the plain reference."""
    shared = ReferenceRules.__dataclass_fields__
    return ReferenceRules(**{name: getattr(ruleset, name) for name in shared})


def play_singly(
    table: Table,
    decks: Rows,
    agents: Sequence[str],
    n_games: int,
    *,
    run_seed: int,
    purpose: str = "test",
    threads: int = 1,
) -> list[ReferenceOutcome]:
    """Play games 0 to `n_games` of deck 0 in seat 0 against deck 1, each in a row of its own."""
    index = np.arange(n_games)
    batch = Batch(
        decks=decks,
        variant=0 * index,
        seats=np.tile([0, 1], (n_games, 1)),
        n_games=0 * index + 1,
        first_game=index,
        stream=stream_seed(run_seed, purpose),
    )
    played = play(
        batch, table, [agent_named(name) for name in agents], threads=threads, keep="winner"
    )
    return [
        ReferenceOutcome(int(winner), int(n_turns), int(n_actions), (int(life[0]), int(life[1])))
        for winner, n_turns, n_actions, life in zip(
            kept(played.winners),
            *played.totals[:, [at.SUM_TURNS, at.SUM_ACTIONS]].T,
            played.sum_life,
            strict=True,
        )
    ]


def reference_singly(
    table: Table,
    decks: Rows,
    agents: Sequence[str],
    n_games: int,
    *,
    run_seed: int,
    purpose: str = "test",
) -> list[ReferenceOutcome]:
    """Play the same games as `play_singly` by the plain reference."""
    rules = reference_rules(table.ruleset)
    first, second = (reference_deck(table.pool, row) for row in decks)
    return [
        play_reference(
            rules, (first, second), (agents[0], agents[1]), game_seed(run_seed, purpose, index)
        )
        for index in range(n_games)
    ]


def batch_of(decks: Rows, seats: Any, n_games: int, *, stream: int, first_game: int = 0) -> Batch:
    """Return a batch of `n_games` games of each pair of players, with the current numbers."""
    rows = np.zeros(len(seats), dtype=np.int64)
    return Batch(decks, rows, np.array(seats), rows + n_games, rows + first_game, stream)


def every_pairing(decks: Rows, n_games: int, *, stream: int) -> Batch:
    """Return a batch of `n_games` games of every player against every player, in both seats."""
    return batch_of(decks, list(product(range(len(decks)), repeat=2)), n_games, stream=stream)


def rows_of(batch: Batch, rows: Sequence[int] | npt.NDArray[np.int64]) -> Batch:
    """Return some rows of a batch, in any order."""
    names = ("variant", "seats", "n_games", "first_game")
    return replace(batch, **{name: getattr(batch, name)[rows] for name in names})


def assert_same(first: Outcomes, second: Outcomes) -> None:
    """Assert that two outcomes of the same games agree in all counts."""
    for name in ("totals", "turns", "winners", "seen", "chosen"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), name)


def row_of(slots: Sequence[int | None]) -> Rows:
    """Return a deck row of card numbers, in which `None` is a blank."""
    assert len(slots) <= DECK_CAPACITY
    return deck_row([BLANK if slot is None else slot for slot in slots])


def view_of_pool(table: Table) -> View:
    """Return the view of games that could reach every card of a pool."""
    return view_of(table, range(table.n_cards))


def varied(table: Table, genes: Sequence[Gene], steps: npt.ArrayLike) -> Table:
    """Return variants of a table, with numbers raised at most to the ruleset's limits."""
    limits = table.ruleset.limits
    margins = [
        limits.of(field)[1] - table.pool.cards[owner].number(field) if owner >= 0 else 1000
        for owner, field in genes
    ]
    return table.vary(genes, np.minimum(steps, margins))

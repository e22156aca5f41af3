"""Deck spaces for tests: small ones with countable decks, and those of the shipped pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from balance.decks import deck_search
from balance.decks import selection as deck_selection
from balance.decks.space import DeckSpace, Slots, deck_space
from balance.metagame.field import Field, FieldCounts
from balance.settings.tables import BalanceSettings, Build
from sim import Deck, Pool, Ruleset, generator
from sim.play import Agent, Table, pack_table
from tests.balance.contests import body
from tests.duels import CORE, DUEL, TABLE

SMALL_COSTS = (0, 1, 1, 2, 3)


def settings_of(
    seed: int = 1, collection: Mapping[str, int] | None = None, **build: Any
) -> BalanceSettings:
    """Settings of a build."""
    owned = None if collection is None else dict(collection)
    return BalanceSettings(seed=seed, collection=owned, build=Build(**build))


def space_in(
    table: Table = TABLE,
    origin: Deck | None = None,
    collection: Mapping[str, int] | None = None,
    **build: Any,
) -> DeckSpace:
    """The decks of a table that `[build]` allows."""
    return deck_space(table, settings_of(collection=collection, **build), origin)


def small_table(copy_limit: int = 2) -> Table:
    """Five cards `a` to `e`, and decks that may be dealt whole."""
    cards = tuple(body(name, cost, 1, 1) for name, cost in zip("abcde", SMALL_COSTS, strict=True))
    rules = DUEL.model_dump() | {"opening_hand": (1, 1), "copy_limit": copy_limit}
    return pack_table(Pool(name="own", cards=cards), Ruleset.model_validate(rules))


def small_deck(cards: Mapping[str, int]) -> Deck:
    """A deck of the cards of `small_table`."""
    return Deck(name="mine", pool="own", ruleset="duel", cards=dict(cards))


def all_decks(n_cards: int, size: int) -> Slots:
    """``[P, size]`` every multiset, legal or not."""
    return np.array(list(combinations_with_replacement(range(n_cards), size)), dtype=np.int16)


@dataclass
class CoinField:
    """Plays coins instead of games: a deck wins as often as its cards are worth.

    Of the seeds' luck, uniform numbers, all decks share one half; the other half is each deck's
    own, whatever its slots. Every purpose has its own luck.

    Attributes:
        worth: ``[C]`` what a copy of each card adds to a win rate of one half.
        calls: of each stretch that was played, its purpose, decks and games.
    """

    worth: npt.NDArray[np.float64]
    calls: list[tuple[str, int, int]] = field(default_factory=list)

    def rates(self, decks: Slots) -> npt.NDArray[np.float64]:
        """``[P]`` true win rates."""
        return 0.5 + self.worth[decks].sum(axis=1)

    def play(
        self,
        opponents: Field,
        decks: npt.NDArray[np.int16],
        pilot: Agent,
        *,
        n_games: int,
        run_seed: int,
        purpose: str,
        first_game: int = 0,
        keep_games: bool = False,
    ) -> FieldCounts:
        """Stands in for `play_field`."""
        self.calls.append((purpose, len(decks), n_games))
        slots = decks[:, 1 : 1 + decks[0, 0]]
        n_seeds = first_game + n_games // 2
        luck = np.stack([_luck(run_seed, purpose, deck, n_seeds) for deck in np.sort(slots)])
        won = (luck[:, first_game:] < self.rates(slots)[:, np.newaxis]).astype(float)
        points = np.repeat(2 * won.sum(axis=1)[:, np.newaxis], len(opponents.opponents), axis=1)
        is_mirror = np.zeros(len(decks), dtype=bool)
        return FieldCounts(n_games, points, won if keep_games else won[:, :0], is_mirror)


def _luck(
    run_seed: int, purpose: str, deck: npt.NDArray[np.int16], n_seeds: int
) -> npt.NDArray[np.float64]:
    """``[S]`` uniform numbers: at every second seed, by chance, those of all decks."""
    shared, own = (
        generator(run_seed, f"{purpose}/{who}").random((n_seeds, 2)).T
        for who in ("", deck.tobytes())
    )
    luck: npt.NDArray[np.float64] = np.where(shared[1] < 0.5, shared[0], own[0])
    return luck


def coin_field(monkeypatch: pytest.MonkeyPatch, worth: Mapping[str, float]) -> CoinField:
    """Have all decks of the shipped pool play coins; cards not named are worth nothing."""
    coins = CoinField(np.array([worth.get(card.id, 0.0) for card in CORE.cards]))
    for module in (deck_search, deck_selection):
        monkeypatch.setattr(module, "play_field", coins.play)
    return coins

"""Search for decks: its results, its seeds, and its continuation from any state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.decks.deck_search import DeckSearch, DeckState, search_decks
from balance.metagame.field import field_of
from sim.cards.deck import Deck, load_deck
from sim.play import using_threads
from tests.balance.contests import THREE
from tests.balance.decks import coin_field, settings_of, small_deck, small_table, space_in
from tests.balance.test_pipeline import assert_equal
from tests.duels import CORE

FIELD = field_of(THREE)
WORTH = {card.id: 0.003 * (k % 7) - 0.009 for k, card in enumerate(CORE.cards)}
TINY = {"population": 8, "generations": 4, "search": 4}


def search_of(origin: Deck | None = None, *, seed: int = 1, **build) -> DeckSearch:
    space = space_in(origin=origin, **build)
    settings = settings_of(seed, **build)
    return DeckSearch(space, FIELD, THREE.players[0].agent, settings.build, seed)


@pytest.mark.thorough
def test_where_cards_add_up_the_best_deck_is_found(monkeypatch):
    coins = coin_field(monkeypatch, WORTH)
    state = search_decks(search_of(search=100))
    best = np.sort(np.repeat(coins.worth, 2))[-30:].sum()
    assert coins.rates(state.population[:1])[0] > 0.5 + 0.75 * best
    assert coins.rates(state.seen[:40]).max() < 0.5 + 0.5 * best  # it did not begin there


@pytest.mark.parametrize("stopped_after", [0, 2, 4])
@pytest.mark.parametrize("improve", [False, True])
def test_a_search_continued_from_a_state_is_the_one_that_never_stopped(improve, stopped_after):
    search = search_of(load_deck("ember_rush") if improve else None, **TINY)
    states: list[DeckState] = []
    unbroken = search_decks(search, on_generation=states.append)
    assert [state.generation for state in states] == [0, 1, 2, 3, 4]
    assert_equal(search_decks(search, state=states[stopped_after]), unbroken)


def test_threads_change_nothing_and_the_seed_everything():
    one = search_decks(search_of(**TINY))
    with using_threads(3):
        assert_equal(search_decks(search_of(**TINY)), one)
    assert search_decks(search_of(seed=2, **TINY)).population.tolist() != one.population.tolist()


def test_only_legal_decks_are_played_each_once_a_generation():
    search = search_of(curve={"0": (0, 1), "1": (8, 12)}, copies=1, **TINY)
    states: list[DeckState] = []
    search_decks(search, on_generation=states.append)
    for state in states:
        assert search.space.legal(state.seen).all()
        for decks in (state.population, state.seen):
            assert len(np.unique(np.sort(decks, axis=1), axis=0)) == len(decks)


def test_every_generation_has_its_own_games_and_all_are_recorded(monkeypatch):
    coins = coin_field(monkeypatch, WORTH)
    state = search_decks(search_of(**TINY))
    purposes = list(dict.fromkeys(purpose for purpose, _, _ in coins.calls))
    assert purposes == [f"build/search/{generation}" for generation in range(5)]
    n_games = int(state.seen_games.sum())
    assert n_games == sum(decks * games for _, decks, games in coins.calls)
    assert state.history[-1, 0] == n_games * len(FIELD.opponents)
    assert (state.seen_points <= state.seen_games[:, np.newaxis]).all()
    assert (np.diff(state.history[:, 0]) > 0).all()


def test_each_number_of_swaps_keeps_its_best_and_children_the_other_slots(monkeypatch):
    coin_field(monkeypatch, WORTH)
    search = search_of(load_deck("ember_rush"), swaps=3, **(TINY | {"population": 12}))
    state = search_decks(search)
    moved = (state.seen != search.space.origin).sum(axis=1)
    assert moved.tolist() == search.space.n_swaps(state.seen).tolist()
    n_swaps = search.space.n_swaps(state.population)
    assert n_swaps.tolist().count(0) == 1  # there is only one
    for number in set(n_swaps.tolist()) | {0, 1, 2, 3}:
        mine = state.criteria[n_swaps == number]
        assert mine[:, 0].tolist() == list(range(len(mine)))


@pytest.mark.parametrize(
    ("owned", "n_decks"), [({"a": 2, "b": 2}, 1), ({"a": 2, "b": 2, "c": 1}, 3)]
)
def test_a_space_smaller_than_the_population_is_searched_whole(owned, n_decks):
    table = small_table()
    contest = replace(
        THREE, table=table, players=(replace(THREE.players[0], deck=small_deck({"d": 2})),)
    )
    settings = settings_of(collection=owned, size=4, **TINY)
    space = space_in(table, collection=owned, size=4)
    search = DeckSearch(space, field_of(contest), THREE.players[0].agent, settings.build, 1)
    state = search_decks(search)
    assert len(state.seen) == len(state.population) == n_decks
    assert (state.seen_games > 0).all()

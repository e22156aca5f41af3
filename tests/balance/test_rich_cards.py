"""Balancing of cards with kinds, heroes and tokens: no part of a rich pool gets lost."""

from __future__ import annotations

import numpy as np
import pytest

from agents.registry import agent_named
from balance import BalanceSettings, Build, build_deck, find_vacancies
from balance.cards.card_contest import CardContest, Player, parameter_of
from balance.cards.power import measure_power, with_vanilla_bodies
from balance.contest.patch import apply_patch, edit_of, patch_notes
from balance.decks.program import random_decks
from balance.decks.space import deck_space
from sim import Effect, check_deck, load_deck, load_pool, load_ruleset
from sim.engine.layout import BLANK, DECK_POWER
from sim.play import pack_table, play
from tests.balance.contests import spell
from tests.duels import batch_of
from tests.messages import check_message
from tests.refusals import refusal_of

SAGA = load_pool("saga")
LEGACY = load_ruleset("legacy")
DECKS = (load_deck("saga_ember"), load_deck("saga_tide"))
CONTEST = CardContest(
    pack_table(SAGA, LEGACY),
    tuple(Player(deck.name, deck, agent_named("greedy")) for deck in DECKS),
)


def test_plain_bodies_leave_tokens_heroes_and_coin_in_the_pool():
    extended, places = with_vanilla_bodies(SAGA, LEGACY)
    assert extended.cards[: len(SAGA.cards)] == SAGA.cards
    assert extended.model_copy(update={"name": SAGA.name, "cards": SAGA.cards}) == SAGA
    assert sorted(places) == sorted({card.cost for card in SAGA.cards})


def test_a_plain_body_has_no_power_over_another_with_hero_powers():
    pool, places = with_vanilla_bodies(SAGA, LEGACY)
    plain = pool.cards[next(iter(places.values()))]
    twin = plain.model_copy(update={"id": "the_twin"})
    cards = {"the_twin": 2, **dict(list(DECKS[0].cards.items())[1:])}
    deck = DECKS[0].model_copy(update={"cards": cards})
    with_twin = SAGA.model_copy(update={"cards": (*SAGA.cards, twin)})
    contest = CardContest(
        pack_table(with_twin, LEGACY), (Player("a", deck, agent_named("greedy")),)
    )
    powers = measure_power(contest, n_games=60, run_seed=1, baseline="vanilla")
    assert tuple(powers[0].power) == (0.0, 0.0, 0.0)
    assert any(power.power.estimate for power in powers[1:])


def test_decks_know_their_hero_powers_by_the_numbers_of_the_pool():
    ids = [card.id for card in SAGA.everything]
    for deck, row in zip(DECKS, CONTEST.deck_rows, strict=True):
        assert ids[row[DECK_POWER]] == SAGA.hero(deck.hero).power


def test_a_space_offers_the_heros_cards_and_everybodys():
    space = deck_space(CONTEST.table, BalanceSettings(seed=1), hero="tide")
    assert space.power == SAGA.number(SAGA.hero("tide").power)
    decks = random_decks(space, 20, np.random.default_rng(1))
    assert {SAGA.cards[card].hero for card in np.unique(decks)} == {"", "tide"}
    foreign = decks[:1].copy()
    foreign[0, 0] = next(k for k, card in enumerate(SAGA.cards) if card.hero not in ("", "tide"))
    assert not space.legal(foreign)[0]


def test_a_deck_without_hero_holds_neutral_cards_and_has_no_power():
    space = deck_space(CONTEST.table, BalanceSettings(seed=1, build=Build(size=10)))
    assert space.power == BLANK
    assert {SAGA.cards[card].hero for card in np.flatnonzero(space.most)} == {""}


@pytest.mark.parametrize(
    ("settings", "hero"),
    [({}, "ember"), ({"hero": "spore"}, "spore"), ({"improve": "saga_tide"}, "tide")],
)
def test_a_built_deck_has_the_requested_or_previous_or_first_hero(settings, hero):
    build = Build(population=4, generations=1, search=4, select=4, certify=20, **settings)
    built = build_deck(CONTEST, BalanceSettings(seed=1, build=build))
    assert built.deck.hero == hero
    check_deck(built.deck, SAGA, LEGACY)


def test_an_improved_deck_gets_no_other_hero():
    other = BalanceSettings(seed=1, build=Build(improve="saga_tide", hero="ember"))
    refusal_of(build_deck, CONTEST, other)


def test_only_the_heros_cards_and_everybodys_stand_in():
    deck = DECKS[0]
    vacancies = find_vacancies(deck, SAGA, LEGACY, [next(iter(deck.cards))])
    heroes = {SAGA.cards[card].hero for card in vacancies.stand_ins(vacancies.open[0])}
    assert heroes == {"", deck.hero}


def test_patch_notes_name_amounts_by_their_effects():
    strike = Effect(on="play", do="damage", to="target", amount=3)
    bolt = spell("bolt", 2, strike, Effect(on="play", do="draw"))
    after = {"cost": 3, "amount": 2, "amount_2": 2}
    patch = [edit_of(parameter_of(bolt, field), value) for field, value in after.items()]
    check_message(patch_notes(patch))
    assert [edit.field for edit in patch] == [*after]


def test_patched_amounts_are_played():
    card = next(
        card for card in SAGA.cards if card.id in DECKS[0].cards and "amount" in card.fields
    )
    patched = apply_patch(SAGA, [edit_of(parameter_of(card, "amount"), card.number("amount") + 5)])
    assert patched.card(card.id).number("amount") == card.number("amount") + 5
    assert patched.model_copy(update={"cards": SAGA.cards}) == SAGA
    batch = batch_of(CONTEST.deck_rows, [[0, 1]], 100, stream=1)
    before, after = (
        play(batch, table, CONTEST.agents, threads=1).totals.tolist()
        for table in (CONTEST.table, pack_table(patched, LEGACY))
    )
    assert before != after

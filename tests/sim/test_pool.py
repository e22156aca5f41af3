"""Pools find their cards, and their numbers obey the ruleset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Card, InputError, Pool, check_pool, load_pool, load_ruleset
from sim.cards.effect import Effect, Token
from tests.strategies import pools

DUEL = load_ruleset("duel")
CARD = Card(id="ember_whelp", name="Ember Whelp", cost=2, attack=3, health=1)


def pool_with(**changes: object) -> Pool:
    return Pool(name="p", cards=(Card(**{**CARD.model_dump(), **changes}),))


@given(pools(DUEL))
def test_legal_pools_pass_and_find_every_card_at_its_index(pool: Pool) -> None:
    check_pool(pool, DUEL)
    assert [pool.index(card.id) for card in pool.cards] == list(range(len(pool.cards)))
    assert [pool.card(card.id) for card in pool.cards] == list(pool.cards)


def test_an_unknown_card_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="no card 'ember_welp'; did you mean 'ember_whelp'"):
        pool_with().card("ember_welp")


@pytest.mark.parametrize(
    ("changes", "fragment"),
    [
        ({"attack": 6}, "card 'ember_whelp': attack = 6 must be at most 5 (ruleset 'duel')"),
        ({"tunable": {"attack": (3, 6)}}, "tunable.attack = 6 must be at most 5"),
        (
            {"effects": (Effect(on="play", do="summon", token=Token(attack=1, health=9)),)},
            "token.health = 9 must be at most 5",
        ),
    ],
)
def test_numbers_beyond_the_ruleset_are_named(changes: dict[str, object], fragment: str) -> None:
    with pytest.raises(InputError) as caught:
        check_pool(pool_with(**changes), DUEL)
    assert fragment in str(caught.value)


def test_a_number_below_the_limit_is_named() -> None:
    limits = DUEL.limits.model_copy(update={"health": (2, 5)})
    with pytest.raises(InputError, match="health = 1 must be at least 2"):
        check_pool(pool_with(), DUEL.model_copy(update={"limits": limits}))


def test_the_core_pool_fits_the_duel() -> None:
    pool = load_pool("core")
    check_pool(pool, DUEL)
    assert len({card.name for card in pool.cards}) == len(pool.cards)


CORE_EFFECTS = (
    Effect(on="play", do="summon", token=Token(attack=1, health=1)),
    Effect(on="play", do="heal", amount=2),
    Effect(on="play", do="damage", amount=2),
    Effect(on="play", do="draw"),
)


@given(st.sampled_from(load_pool("core").cards))
def test_a_core_card_does_at_most_one_of_the_duels_five_things(card: Card) -> None:
    assert len(card.keywords) + len(card.effects) <= 1
    assert all(effect in CORE_EFFECTS for effect in card.effects)

"""Pools find their cards, and their numbers obey the ruleset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Card, Pool, check_pool, load_pool, load_ruleset
from sim.cards.effect import Effect, Token
from tests.refusals import refusal_of

DUEL = load_ruleset("duel")
TOUGH = DUEL.model_copy(update={"limits": DUEL.limits.model_copy(update={"health": (2, 5)})})
CARD = Card(id="ember_whelp", name="Ember Whelp", cost=2, attack=3, health=1)


def pool_with(**changes: object) -> Pool:
    return Pool(name="p", cards=(Card(**{**CARD.model_dump(), **changes}),))


@pytest.mark.parametrize(
    ("changes", "field", "value", "limit"),
    [
        ({"health": 1}, "health", 1, 2),
        ({"attack": 6}, "attack", 6, 5),
        ({"tunable": {"attack": (3, 6)}}, "tunable.attack", 6, 5),
        (
            {"effects": (Effect(on="play", do="summon", token=Token(attack=1, health=9)),)},
            "token.health",
            9,
            5,
        ),
    ],
)
def test_numbers_beyond_the_ruleset_are_named(
    changes: dict[str, object], field: str, value: int, limit: int
) -> None:
    error = refusal_of(check_pool, pool_with(**{"health": 2, **changes}), TOUGH)
    assert error.place == f"pool 'p': card 'ember_whelp': {field}"
    assert (error.value, error.limit) == (value, limit)


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

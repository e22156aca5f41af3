"""How alike two cards are."""

from __future__ import annotations

import pytest
from hypothesis import given

from balance.decks.roles import role_difference
from sim.cards.effect import Effect, Token
from tests.balance.contests import body
from tests.duels import DUEL
from tests.strategies import cards

DRAW = Effect(on="play", do="draw", amount=1)
STRIKE = Effect(on="play", do="damage", amount=2)
SUMMON = Effect(on="play", do="summon", token=Token(attack=1, health=1))


def test_each_step_of_a_number_counts_one():
    difference = role_difference(body("a", 2, 3, 2), body("b", 1, 3, 4))
    assert difference.steps == {"cost": -1, "attack": 0, "health": 2}
    assert difference.distance == 3


def test_a_keyword_or_an_effect_counts_two():
    card = body("a", 2, 3, 2, keywords=("haste",), effects=(DRAW,))
    difference = role_difference(card, body("b", 2, 3, 2, effects=(STRIKE, SUMMON)))
    assert difference.lost == ("haste",)
    assert difference.effects_lost == (DRAW,)
    assert difference.effects_gained == (STRIKE, SUMMON)
    assert difference.distance == 2 + 2 + 2 + 2


def test_an_effect_of_another_amount_counts_its_steps():
    more = STRIKE.model_copy(update={"amount": 5})
    difference = role_difference(
        body("a", 1, 1, 1, effects=(STRIKE,)), body("b", 1, 1, 1, effects=(more,))
    )
    assert difference.effects_changed == (more,)
    assert difference.distance == 3


def test_two_rows_of_one_kind_are_one_effect():
    twice = body("a", 1, 1, 1, effects=(DRAW, DRAW))
    both = body("b", 1, 1, 1, effects=(DRAW.model_copy(update={"amount": 2}),))
    assert role_difference(twice, both).distance == 0


def test_tokens_that_differ_are_other_effects():
    large = SUMMON.model_copy(update={"token": Token(attack=2, health=2)})
    difference = role_difference(
        body("a", 1, 1, 1, effects=(SUMMON,)), body("b", 1, 1, 1, effects=(large,))
    )
    assert difference.distance == 4


@pytest.mark.thorough
@given(cards(DUEL), cards(DUEL), cards(DUEL))
def test_distance_is_a_distance(a, b, c):
    assert role_difference(a, a).distance == 0
    assert role_difference(a, b).distance == role_difference(b, a).distance
    assert role_difference(a, c).distance <= (
        role_difference(a, b).distance + role_difference(b, c).distance
    )

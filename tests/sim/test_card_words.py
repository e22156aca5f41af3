"""Effect rows and cards in English; every shipped card can be described."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sim import Card, Effect, load_pool
from sim.cards.effect import Token
from sim.cards.notation import read_condition
from sim.cards.text.card_text import card_lines, row_words
from sim.cards.text.group_phrases import condition_words
from tests.duels import DUEL
from tests.strategies import cards

NAMES = {"a": "Ash", "x": "Bite"}

ROWS: list[tuple[dict[str, Any], str, str]] = [
    ({"do": "draw"}, "minion", "Battlecry: draw a card."),
    ({"do": "draw", "to": "enemy_player", "amount": 2}, "spell", "Your opponent draws 2 cards."),
    (
        {"on": "deathrattle", "do": "damage", "to": "enemy_minions", "amount": 2, "pick": 1},
        "minion",
        "Deathrattle: deal 2 damage to a random enemy minion.",
    ),
    (
        {"do": "damage", "to": "enemy_characters", "pick": 1, "repeat": 3},
        "spell",
        "Deal 1 damage to a random enemy character, 3 times.",
    ),
    (
        {"do": "damage", "to": "target", "times": "armor of own_player"},
        "spell",
        "Deal damage equal to the armor of your hero to the target.",
    ),
    (
        {"on": "aura", "do": "buff", "to": "own_minions(other, beast)", "attack": 1},
        "minion",
        "Your other beast minions have +1 attack.",
    ),
    (
        {"on": "aura", "when": "count self(damaged)", "do": "buff", "to": "self", "attack": 3},
        "minion",
        "This minion has +3 attack, while this minion is damaged.",
    ),
    (
        {"on": "cast", "do": "grant", "to": "self", "keywords": ["taunt"], "lasts": "turn"},
        "minion",
        "Whenever you cast a spell, give this minion taunt this turn.",
    ),
    (
        {"on": "turn_end", "of": "players", "do": "destroy", "to": "minions", "spare": 2},
        "minion",
        "At the end of each turn, destroy all but 2 random minions.",
    ),
    (
        {"do": "summon", "token": Token(attack=1, health=1, keywords=("haste",)), "amount": 2},
        "minion",
        "Battlecry: summon 2 1/1 minions with haste.",
    ),
    ({"do": "summon", "cards": ["a", "b"]}, "spell", "Summon one of Ash or b at random."),
    (
        {"do": "give", "cards": ["a"], "amount": 2, "to": "enemy_player"},
        "spell",
        "Add 2 copies of Ash to your opponent's hand.",
    ),
    (
        {"do": "set", "to": "target", "attack": 1, "when": "combo"},
        "spell",
        "Set the attack of the target to 1, if you played another card this turn.",
    ),
    (
        {"on": "own_cost", "do": "cost", "to": "self", "amount": -1, "times": "count own_hand"},
        "minion",
        "While in hand, this minion costs (1) less for each card in your hand.",
    ),
    (
        {"on": "cast", "of": "enemy_cards", "do": "counter", "to": "subject"},
        "secret",
        "Secret: whenever your opponent casts a spell, counter that spell.",
    ),
    (
        {"on": "attack", "do": "draw", "to": "enemy_player"},
        "attachment",
        "Whenever this card attacks, your opponent draws a card.",
    ),
]


@pytest.mark.parametrize(("row", "kind", "says"), ROWS)
def test_rows_in_words(row: dict[str, Any], kind: str, says: str) -> None:
    assert row_words(Effect(**{"on": "play", **row}), kind, NAMES) == says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("always", ""),
        ("count own_deck(demon) = 0", "there are no demon cards in your deck"),
        ("count target(own) = 0", "the target is not friendly"),
        (
            "count own_weapon and count target(taunt)",
            "your weapon is there and the target has taunt",
        ),
        ("count enemy_minions >= 2", "there are 2 or more enemy minions"),
        ("health of own_player <= 12", "the health of your hero is 12 or less"),
        ("coin_flip", "a coin flip succeeds"),
    ],
)
def test_conditions_in_words(text: str, says: str) -> None:
    assert condition_words(read_condition(text)) == says


@given(cards(DUEL, named={"a": "minion", "b": "weapon"}))
def test_every_card_has_one_line_per_row_at_least(card: Card) -> None:
    lines = card_lines(card)
    assert len(lines) >= len(card.effects)
    assert all(line.strip() and "_" not in line for line in lines)


@pytest.mark.parametrize("name", ["core", "saga"])
def test_shipped_cards_have_words_for_every_row(name: str) -> None:
    pool = load_pool(name)
    names = {card.id: card.name for card in pool.everything}
    for card in pool.everything:
        assert all("_" not in line for line in card_lines(card, names)), card.id


def test_a_card_has_a_line_for_each_of_its_properties() -> None:
    card = Card(
        id="a",
        name="A",
        kind="spell",
        cost=1,
        target="enemy_minions",
        needs="count own_weapon >= 1",
        overload=2,
        options=("x", "y"),
    )
    assert card_lines(card, NAMES) == [
        "Choose an enemy minion.",
        "Playable only if your weapon is there.",
        "Choose one: Bite or y.",
        "Overload: (2).",
    ]


def test_a_spell_is_played_again_after_another_event() -> None:
    rows = (Effect(on="game_start", do="draw"), Effect(on="play", do="armor"))
    card = Card(id="a", name="A", kind="spell", cost=1, effects=rows)
    assert card_lines(card) == ["Start of game: draw a card.", "When played: gain 1 armor."]

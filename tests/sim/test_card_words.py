"""What rows mean in plain words, and that no shipped card is beyond words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sim import Card, load_pool
from sim.cards.effect import Effect, Token
from sim.cards.notation import read_condition, read_group, read_measure
from sim.cards.text.card_text import card_lines, row_words
from sim.cards.text.group_phrases import condition_words, measure_words, member_words
from tests.duels import DUEL
from tests.strategies import cards


@pytest.mark.parametrize(
    ("row", "kind", "says"),
    [
        ({"do": "draw"}, "minion", "When played: draw a card."),
        ({"do": "draw", "amount": 2}, "spell", "Draw 2 cards."),
        ({"do": "draw", "to": "enemy_player"}, "spell", "The enemy player draws a card."),
        (
            {"on": "deathrattle", "do": "damage", "to": "enemy_minions", "amount": 2, "pick": 1},
            "minion",
            "When it dies: deal 2 damage to a random enemy minion.",
        ),
        (
            {"do": "damage", "to": "enemy_characters", "pick": 1, "repeat": 3},
            "spell",
            "Deal 1 damage to a random enemy character, 3 times.",
        ),
        (
            {"do": "damage", "to": "minions", "amount": 4, "amount_to": 5},
            "spell",
            "Deal 4 to 5 damage to all minions.",
        ),
        (
            {"do": "damage", "to": "target", "times": "armor of own_player"},
            "spell",
            "Deal damage equal to the armour of the own player to the target.",
        ),
        (
            {"on": "aura", "do": "buff", "to": "own_minions(other, beast)", "attack": 1},
            "minion",
            "While in play: give other own beast minions +1 attack.",
        ),
        (
            {
                "on": "aura",
                "when": "count self(damaged) >= 1",
                "do": "buff",
                "to": "self",
                "attack": 3,
            },
            "minion",
            "While in play: give this card +3 attack, while this card is damaged.",
        ),
        (
            {"do": "buff", "to": "own_weapon", "attack": 1, "health": 1},
            "spell",
            "Give the own weapon +1 attack and +1 durability.",
        ),
        (
            {"on": "cast", "do": "grant", "to": "self", "keywords": ["taunt"], "lasts": "turn"},
            "minion",
            "Whenever an own spell is cast: give this card taunt until the end of the turn.",
        ),
        (
            {"on": "after_summon", "do": "heal", "to": "subject", "amount": 2},
            "minion",
            "After another own minion has arrived: restore 2 health to that minion.",
        ),
        (
            {"on": "turn_end", "of": "players", "do": "destroy", "to": "minions", "spare": 2},
            "minion",
            "At the end of each turn: destroy all but 2 random minions.",
        ),
        (
            {"do": "summon", "token": Token(attack=1, health=1, keywords=("haste",)), "amount": 2},
            "minion",
            "When played: summon 2 1/1 bodies with haste.",
        ),
        ({"do": "summon", "cards": ["a", "b"]}, "spell", "Summon one of Ash or b at random."),
        ({"do": "equip", "cards": ["a"]}, "power", "Equip Ash."),
        (
            {"do": "give", "cards": ["a"], "amount": 2, "to": "enemy_player"},
            "spell",
            "Put 2 copies of Ash into the hand of the enemy player.",
        ),
        (
            {"do": "set", "to": "target", "attack": 1, "when": "combo"},
            "spell",
            "Change the target: attack to 1, if another card was played before in this turn.",
        ),
        (
            {"on": "own_cost", "do": "cost", "to": "self", "amount": -1, "times": "count own_hand"},
            "minion",
            "While in the hand: make this card cost less by the number of cards in the own hand.",
        ),
        (
            {"do": "return", "to": "enemy_minions(attack<=3)"},
            "spell",
            "Return enemy minions with attack at most 3 to the owner's hand.",
        ),
    ],
)
def test_rows_in_words(row: dict[str, Any], kind: str, says: str) -> None:
    assert row_words(Effect(**{"on": "play", **row}), kind, {"a": "Ash"}) == says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("always", ""),
        ("count own_secrets >= 1", "if there are any own secrets"),
        ("count own_deck(demon) = 0", "if there are no demon cards in the own deck"),
        ("count target(own) >= 1", "if the target is on the own side"),
        ("count target(own) = 0", "if the target is on the enemy side"),
        ("count aim(hero) = 0", "if the attack or the spell is not aimed at a hero"),
        (
            "count own_minions = 0 and count own_weapon",
            "if there are no own minions and the own weapon is there",
        ),
        ("count enemy_minions >= 2", "if there are at least 2 enemy minions"),
        ("count own_minions = 0", "if there are no own minions"),
        ("count target(frozen) >= 1", "if the target is frozen"),
        ("count target(frozen) = 0", "if the target is not frozen"),
        ("count own_weapon", "if the own weapon is there"),
        ("health of own_player <= 12", "if the own player has at most 12 health"),
        ("event = 3", "if the amount of the event is 3"),
        ("coin_flip", "half of the time"),
    ],
)
def test_conditions_in_words(text: str, says: str) -> None:
    assert condition_words(read_condition(text)) == says


def test_measures_and_members_in_words() -> None:
    spells = read_measure("count own_hand(spell)")
    assert measure_words(spells) == "the number of spells in the own hand"
    assert member_words(read_group("own_minions(other)")) == "another own minion"
    assert member_words(read_group("enemy_characters")) == "an enemy character"


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

"""Effect rows and cards in plain words; every shipped card can be described."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sim import Card, Effect, load_pool
from sim.cards.effect import Token
from sim.cards.notation import read_condition, read_group, read_measure
from sim.cards.text.card_text import card_lines, row_words
from sim.cards.text.group_phrases import condition_words, measure_words, member_words
from tests.duels import DUEL
from tests.messages import check_message
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
    check_message(measure_words(read_measure("count own_hand(spell)")))
    check_message(member_words(read_group("own_minions(other)")))
    check_message(member_words(read_group("enemy_characters")))


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


# --- secrets, attachments, copies and other rules of a player ---


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"do": "attach", "to": "target", "cards": ["a"]}, "Attach Ash to the target."),
        (
            {"do": "attach", "to": "own_player", "cards": ["a"]},
            "Attach Ash to the own player until the end of the turn.",
        ),
        (
            {"do": "copy", "to": "enemy_hand", "pick": 1},
            "Copy a random card from the enemy hand into the own hand.",
        ),
        (
            {"do": "copy", "to": "enemy_deck(minion)", "pick": 2},
            "Copy 2 random minions from the enemy deck into the own hand.",
        ),
        (
            {"on": "cast", "do": "copy", "to": "subject", "receiver": "enemy"},
            "Whenever an own spell is cast: copy that spell into the enemy hand.",
        ),
        ({"do": "clone", "to": "target"}, "Summon an exact copy of the target."),
        ({"do": "clone", "to": "own_minions"}, "Summon exact copies of own minions."),
        (
            {"do": "clone", "to": "enemy_deck(minion)", "pick": 1},
            "Summon a copy of a random minion from the enemy deck.",
        ),
        (
            {"on": "death", "of": "own_minions", "do": "clone", "to": "subject"},
            "Whenever an own minion dies: summon a copy of that minion.",
        ),
        ({"do": "become", "to": "target"}, "Turn this card into an exact copy of the target."),
        (
            {"do": "discount", "kind": "spell", "amount": -3},
            "The next own spell of this turn costs 3 less.",
        ),
        (
            {"do": "discount", "kind": "secret", "amount": -1000},
            "The next own secret of this turn costs nothing.",
        ),
        (
            {
                "do": "discount",
                "to": "enemy_player",
                "kind": "spell",
                "amount": -1000,
                "lasts": "next_turn",
            },
            "All enemy spells cost nothing through the whole next enemy turn.",
        ),
        ({"do": "power", "cards": ["a"]}, "Change the own hero power to Ash."),
        (
            {"do": "power", "to": "enemy_player", "cards": ["a", "b", "c"]},
            "Change the enemy hero power to Ash, or from Ash to b, or from b to c.",
        ),
        (
            {"do": "power", "cards": [f"p{k}" for k in range(18)]},
            "Change the own hero power to the one that follows it among 18 powers.",
        ),
        (
            {"do": "exchange", "to": "own_hand(minion)", "pick": 1},
            "Swap this card with a random minion in the own hand.",
        ),
        (
            {"do": "double", "to": "own_minions(other)"},
            "Double the health of other own minions.",
        ),
        (
            {"do": "voice", "to": "neighbours"},
            "Give the minions next to it +1 spell damage.",
        ),
        (
            {"do": "wound", "to": "previous"},
            "Leave what the row before brought with 1 health.",
        ),
        (
            {"do": "embody", "amount": 15},
            "Replace the own player by this card, with 15 life and no armour.",
        ),
        (
            {"do": "steal", "to": "target", "lasts": "turn"},
            "Take control of the target until the end of the turn.",
        ),
        (
            {"do": "draw", "to": "own_deck(demon)", "pick": 2},
            "Draw 2 random demon cards from the own deck.",
        ),
        (
            {"do": "give", "of_enemy_hero": True, "cards": ["a", "b"]},
            "Put a random card of the enemy hero's class into the hand of the own player.",
        ),
        ({"do": "destroy", "to": "enemy_secrets"}, "Destroy enemy secrets."),
        (
            {"do": "damage", "to": "characters(not a)", "amount": 5},
            "Deal 5 damage to all characters other than Ash.",
        ),
        (
            {"do": "freeze", "to": "characters(own, hero)"},
            "Freeze all own heroes.",
        ),
        ({"do": "freeze", "to": "minions(in_play)"}, "Freeze all minions in play."),
        (
            {"on": "reveal", "of": "own_cards", "do": "draw"},
            "Whenever an own secret comes to light: draw a card.",
        ),
        (
            {"on": "game_start", "when": "even_deck", "do": "cost", "amount": -1},
            "At the start of the game, from the deck: make the own hero power cost less by 1, "
            "if every card in the own deck has an even cost.",
        ),
        (
            {"on": "aura", "do": "grant", "keywords": ["doubling"]},
            "While in play: give the own player doubling "
            "(its spells and hero power damage and heal twice as much).",
        ),
        (
            {"on": "aura", "do": "grant", "keywords": ["harmful_healing"]},
            "While in play: give the own player harmful healing "
            "(what its cards would heal they damage).",
        ),
        (
            {"do": "grant", "keywords": ["sturdy_side"], "lasts": "turn"},
            "Give the own player sturdy side (damage leaves its minions 1 health) "
            "until the end of the turn.",
        ),
    ],
)
def test_rows_about_other_things_than_bodies_in_words(row: dict[str, Any], says: str) -> None:
    assert row_words(Effect(**{"on": "play", **row}), "spell", {"a": "Ash"}) == says


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            {
                "on": "attack",
                "of": "enemy_characters",
                "when": "count aim(own, hero) >= 1",
                "do": "aim",
                "to": "characters(bystander)",
                "pick": 1,
            },
            "When an enemy character attacks: aim the attack instead at a random character "
            "neither attacking nor attacked, if the attack is aimed at the own hero.",
        ),
        (
            {
                "on": "attack",
                "of": "enemy_minions",
                "when": "count aim(own, minion)",
                "do": "destroy",
                "to": "subject",
            },
            "When an enemy minion attacks: destroy the attacker, "
            "if the attack is aimed at an own minion.",
        ),
        (
            {
                "on": "cast",
                "of": "enemy_cards",
                "when": "count aim(minion)",
                "do": "aim",
                "to": "previous",
            },
            "When an enemy spell is cast: aim that spell instead at what the row before brought, "
            "if that spell is aimed at a minion.",
        ),
        (
            {"on": "cast", "of": "enemy_cards", "do": "counter", "to": "subject"},
            "When an enemy spell is cast: counter that spell.",
        ),
        (
            {"on": "arrival", "of": "enemy_minions", "do": "clone", "to": "subject"},
            "After an enemy minion has been played: summon an exact copy of that minion.",
        ),
        (
            {"on": "damage", "of": "own_player", "do": "damage", "times": "event"},
            "When the own player takes damage: deal as much damage to the enemy player.",
        ),
        (
            {"on": "lethal", "of": "own_player", "do": "armor", "amount": 5},
            "When the own player would die, it takes no damage: gain 5 armour.",
        ),
    ],
)
def test_secrets_in_words(row: dict[str, Any], says: str) -> None:
    card = Card(id="a", name="A", kind="secret", cost=1, effects=(Effect(**row),))
    first, *others = card_lines(card)
    check_message(first)
    assert others == [says]


CARDS = [
    (
        Card(
            id="a",
            name="A",
            kind="attachment",
            cost=0,
            effects=(
                Effect(on="deathrattle", do="clone", to="self"),
                Effect(on="turn_start", of="enemy_player", do="destroy", to="self"),
                Effect(on="attack", do="draw", to="enemy_player"),
            ),
        ),
        [
            "Belongs to what it is attached to; own and enemy are seen from there.",
            "When its minion dies: summon a copy of its minion.",
            "At the start of each enemy turn: destroy its minion.",
            "Whenever its minion attacks: the enemy player draws a card.",
        ],
    ),
    (
        Card(id="a", name="A", kind="weapon", cost=1, attack=2, durability=1, keywords=("blunt",)),
        ["Keywords: blunt (against minions it loses 1 attack instead of durability)"],
    ),
    (
        Card(
            id="a",
            name="A",
            kind="spell",
            cost=1,
            target="enemy_minions",
            needs="count own_weapon >= 1",
            overload=2,
            options=("x", "y"),
        ),
        [
            "Chooses an enemy minion.",
            "Can be played only if the own weapon is there.",
            "Choose one: Bite or y.",
            "Locks 2 mana in the next own turn.",
        ],
    ),
]


@pytest.mark.parametrize(("card", "lines"), CARDS, ids=[card.kind for card, _ in CARDS])
def test_a_card_in_lines(card: Card, lines: list[str]) -> None:
    assert card_lines(card, {"x": "Bite"}) == lines

"""Card texts in English: what is printed is read back, and published phrases are understood."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from sim import Card, Pool, load_pool, load_ruleset, validate
from sim.cards.reading.card_reader import CardReading, read_card_text
from sim.cards.reading.lexicon import Lexicon, pool_lexicon
from sim.cards.text.card_text import card_lines
from sim.errors import InputError
from tests.strategies import cards

KINDS = {
    "oak": "minion",
    "blade": "weapon",
    "bolt": "spell",
    "snare": "secret",
    "zap": "power",
    "vow": "attachment",
}
KEYS = ("effects", "target", "target_when", "needs", "keywords", "spell_damage", "overload")


def named(card_id: str, kind: str, **keys: Any) -> Card:
    numbers = {"minion": {"attack": 2, "health": 3}, "weapon": {"attack": 1, "durability": 2}}
    data = {"id": card_id, "name": card_id.title(), "kind": kind, "cost": 1}
    return validate(Card, {**data, **numbers.get(kind, {}), **keys}, source="test")


CARDS = {card_id: named(card_id, kind) for card_id, kind in KINDS.items()}
LEXICON = Lexicon(CARDS, frozenset({"beast", "demon"}), tuple(CARDS))
NAMES = {card.id: card.name for card in CARDS.values()}


def read(text: str, kind: str = "spell") -> CardReading:
    """Return the only meaning of a text."""
    (reading,) = read_card_text(text, kind, LEXICON)
    return reading


def card_keys(card: Card) -> dict[str, Any]:
    return {key: getattr(card, key) for key in KEYS}


def read_keys(reading: CardReading) -> dict[str, Any]:
    nothing = card_keys(named("it", "spell"))
    return {**nothing, **{key: reading.keys[key] for key in KEYS if key in reading.keys}}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cards(load_ruleset("legacy"), named=KINDS))
def test_what_is_printed_is_read_back(card: Card) -> None:
    (reading,) = read_card_text(" ".join(card_lines(card, NAMES)), card.kind, LEXICON, card.id)
    assert read_keys(reading) == card_keys(card)


@pytest.mark.parametrize("name", ["core", "saga"])
def test_shipped_cards_are_read_back(name: str) -> None:
    pool = load_pool(name)
    lexicon = pool_lexicon(pool)
    names = {card.id: card.name for card in pool.everything}
    for card in pool.everything:
        lines = card_lines(card, names)
        (reading,) = read_card_text(" ".join(lines), card.kind, lexicon, card.id)
        assert read_again(card, reading, names) == lines, card.id


def read_again(card: Card, reading: CardReading, names: dict[str, str]) -> list[str]:
    """Return the lines of a card with the keys that were read from its text."""
    bare = {"effects": (), "target": None, "keywords": (), "spell_damage": 0, "overload": 0}
    text_keys = {**bare, "target_when": "always", "needs": "always", "options": (), **reading.keys}
    data = card.model_dump() | {
        key: str(value or "") if key in ("target", "target_when", "needs") else value
        for key, value in text_keys.items()
    }
    return card_lines(validate(Card, data, source=card.id), names)


PUBLISHED: list[tuple[str, str, dict[str, Any]]] = [
    (
        "Battlecry: Deal 2 damage.",
        "minion",
        {"target": "characters", "effects": [{"do": "damage", "to": "target", "amount": 2}]},
    ),
    (
        "Deal 3 damage to an enemy and 1 damage to all other enemies.",
        "spell",
        {
            "target": "enemy_characters",
            "effects": [
                {"do": "damage", "to": "target", "amount": 3},
                {"do": "damage", "to": "enemy_characters(untargeted)", "amount": 1},
            ],
        },
    ),
    (
        "Deal 3 damage to a minion and your hero.",
        "spell",
        {
            "target": "minions",
            "effects": [
                {"do": "damage", "to": "target", "amount": 3},
                {"do": "damage", "to": "own_player", "amount": 3},
            ],
        },
    ),
    (
        "Choose a minion. Deal 1 damage to all other minions.",
        "spell",
        {
            "target": "minions",
            "effects": [{"do": "damage", "to": "minions(untargeted)", "amount": 1}],
        },
    ),
    (
        "Whenever an enemy casts a spell on a minion, give it +1/+1.",
        "minion",
        {
            "effects": [
                {
                    "on": "cast",
                    "of": "enemy_cards",
                    "when": "count aim(minion) >= 1",
                    "do": "buff",
                    "to": "aim",
                    "attack": 1,
                    "health": 1,
                }
            ]
        },
    ),
    (
        "Deathrattle: Destroy a minion.",
        "minion",
        {"effects": [{"on": "deathrattle", "do": "destroy", "to": "minions", "pick": 1}]},
    ),
    (
        "Taunt. Your other Beasts have +1/+1.",
        "minion",
        {
            "keywords": ["taunt"],
            "effects": [
                {
                    "on": "aura",
                    "do": "buff",
                    "to": "own_minions(other, beast)",
                    "attack": 1,
                    "health": 1,
                }
            ],
        },
    ),
    (
        "Give a minion Taunt and +2/+2.",
        "spell",
        {
            "target": "minions",
            "effects": [
                {"do": "buff", "to": "target", "attack": 2, "health": 2},
                {"do": "grant", "to": "target", "keywords": ["taunt"]},
            ],
        },
    ),
    (
        "Deal 2 damage. Combo: Deal 4 damage instead.",
        "spell",
        {
            "target": "characters",
            "effects": [
                {"when": "no_combo", "do": "damage", "to": "target", "amount": 2},
                {"when": "combo", "do": "damage", "to": "target", "amount": 4},
            ],
        },
    ),
    (
        "Freeze a character. If it was already Frozen, deal 4 damage instead.",
        "spell",
        {
            "target": "characters",
            "effects": [
                {"when": "count target(frozen)", "do": "damage", "to": "target", "amount": 4},
                {"when": "count target(frozen) = 0", "do": "freeze", "to": "target"},
            ],
        },
    ),
    (
        "Battlecry: Destroy a Demon and gain +2/+2.",
        "minion",
        {
            "target": "minions(demon)",
            "effects": [
                {"do": "destroy", "to": "target"},
                {"when": "count target", "do": "buff", "to": "self", "attack": 2, "health": 2},
            ],
        },
    ),
    (
        "Secret: When an enemy attacks your hero, deal 2 damage to all enemies.",
        "secret",
        {
            "effects": [
                {
                    "on": "attack",
                    "of": "enemy_characters",
                    "when": "count aim(own, hero) >= 1",
                    "do": "damage",
                    "to": "enemy_characters",
                    "amount": 2,
                }
            ]
        },
    ),
    (
        "Whenever a minion dies, draw a card.",
        "minion",
        {"effects": [{"on": "death", "of": "minions(other)", "do": "draw"}]},
    ),
    (
        "Costs (2) less for each other card in your hand.",
        "minion",
        {
            "effects": [
                {
                    "on": "own_cost",
                    "do": "cost",
                    "to": "self",
                    "amount": -2,
                    "times": "count own_hand(other)",
                }
            ]
        },
    ),
    (
        "Summon two 2/3 Oaks. Overload: (2)",
        "spell",
        {"overload": 2, "effects": [{"do": "summon", "amount": 2, "cards": ["oak"]}]},
    ),
]


@pytest.mark.parametrize(("text", "kind", "keys"), PUBLISHED, ids=[text for text, *_ in PUBLISHED])
def test_published_phrases_are_understood(text: str, kind: str, keys: dict[str, Any]) -> None:
    rows = [{"on": "play", **row} for row in keys["effects"]]
    card = named("it", kind, **{**keys, "effects": rows})
    assert read_keys(read(text, kind)) == card_keys(card)


@pytest.mark.parametrize(
    "text",
    [
        "Give a random friendly minion +1/+1 and taunt.",
        "Give minions with 3 or less attack +1/+1 and taunt.",
        "Give minions with 3 or less attack +1/+1. Give them taunt.",
        "Draw a card. Destroy it.",
        "Draw a card and your hero.",
        "If you have 2 minions, give it +1/+1.",
        "Double the attack of your minions.",
        "Deal 2 damage to a minion. Freeze another minion.",
        "Deal 1 damage to a random minion and the minions next to it.",
        "Give a friendly minion taunt or charge.",
        "Destroy enemy minion.",
        "Destroy 0 random enemy minions.",
        "Deal 2 damage instead.",
        "Otherwise, draw a card.",
        "Return an enemy minion to your hand.",
        "Choose a minion. Whenever you cast a spell, gain 2 armor.",
        "Choose a minion. When it dies, gain control of a random enemy minion.",
        "Overload: (1). Overload: (2).",
        "Summon a 99999/99999 minion.",
        "Deal ٣ damage.",
        "taunt, " * 150,
        "if " * 300,
    ],
)
def test_what_no_rows_can_do_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read(text)


def test_an_attached_text_changes_sides_in_all_of_its_keys() -> None:
    reading = read(
        "Choose a minion. Whenever it attacks, if you have 3 minions, "
        "deal damage equal to the number of cards in your hand to your hero."
    )
    own, enemy = (attached.keys["effects"][0] for attached in reading.attached.values())
    assert [str(own.to), str(own.when), str(own.times)] == [
        "own_player",
        "count own_minions = 3",
        "count own_hand",
    ]
    assert [str(enemy.to), str(enemy.when), str(enemy.times)] == [
        "enemy_player",
        "count enemy_minions = 3",
        "count enemy_hand",
    ]


def test_a_text_that_a_row_attaches_is_read_too() -> None:
    reading = read('Give your minions "Deathrattle: Draw a card."')
    (row,) = reading.keys["effects"]
    (attached,) = reading.attached.values()
    assert (row.do, row.cards) == ("attach", tuple(reading.attached))
    assert [effect.on for effect in attached.keys["effects"]] == ["deathrattle"]


def test_a_later_event_of_a_spell_belongs_to_its_target_on_either_side() -> None:
    reading = read("Choose a minion. Whenever it attacks, gain 2 armor.")
    own, enemy = (attached.keys["effects"][0] for attached in reading.attached.values())
    assert [str(own.to), str(enemy.to)] == ["own_player", "enemy_player"]


def test_a_body_that_no_card_has_is_a_token() -> None:
    (row,) = read("Summon two 1/1 Sprites with taunt.").keys["effects"]
    assert row.amount == 2
    assert (row.token.attack, row.token.health, row.token.keywords) == (1, 1, ("taunt",))


def test_a_body_of_a_tribe_or_with_an_unknown_name_is_a_card_of_its_own() -> None:
    reading = read("Transform a random enemy minion into a 1/1 Toad.")
    (row,) = reading.keys["effects"]
    assert row.cards == ("it_toad_1_1",)
    assert reading.created["it_toad_1_1"]["name"] == "Toad"
    (demon,) = read("Summon a 7/7 Demon.").created.values()
    assert (demon["tribe"], demon["attack"], demon["health"]) == ("demon", 7, 7)
    with pytest.raises(InputError):
        read("Add a 1/1 Toad to your hand.")


def test_an_option_of_a_minion_can_mention_it() -> None:
    reading = read("Choose one: give this +2 attack, or give it taunt and +2 health.", "minion")
    to = [str(row.to) for option in reading.options for row in option.keys["effects"]]
    assert to == ["self", "self", "self"]


def test_a_battlecry_may_choose_in_a_sentence_of_its_own() -> None:
    reading = read("Battlecry: Choose a friendly minion. Summon a copy of it.", "minion")
    (row,) = reading.keys["effects"]
    assert (str(reading.keys["target"]), row.do, str(row.to)) == ("own_minions", "clone", "target")


def test_a_dead_minion_returns_as_a_copy() -> None:
    (row,) = read("Deathrattle: Return this to your hand.", "minion").keys["effects"]
    assert (row.do, str(row.to)) == ("copy", "self")


def test_options_are_read_with_what_they_share() -> None:
    reading = read("Choose One - Deal 3 damage to a minion; or 1 damage and draw a card.")
    second = reading.options[1].keys
    assert str(second["target"]) == "minions"
    assert [effect.do for effect in second["effects"]] == ["damage", "draw"]


REFUSED = {
    "a word that no phrase has": ("Deal 2 damage to a purple minion.", "purple minion."),
    "an unknown tribe": ("Your Goblins have +1 attack.", "Goblins have +"),
    "an unknown card": ("Summon an Elm.", "Elm."),
    "a random choice for each": ("For each minion, deal 1 damage to a random enemy.", None),
    "several cards again": ("Draw 2 cards. They cost (1) less.", None),
    "an unknown remark": ("Draw a card. (Once per turn)", None),
    "two targets": ("Destroy a minion. Freeze an enemy.", None),
    "no antecedent": ("Give it +1 attack.", None),
    "no event": ("Draw a card.", None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_understood_is_refused_by_its_words(case: str) -> None:
    text, words = REFUSED[case]
    kind = "minion" if case == "no event" else "spell"
    with pytest.raises(InputError) as caught:
        read_card_text(text, kind, LEXICON)
    if words is not None:
        assert caught.value.value == words


def test_a_pool_gives_the_names_and_tribes_of_its_cards() -> None:
    data = {"name": "p", "card": [{**CARDS["oak"].model_dump(), "tribe": "elf"}]}
    lexicon = pool_lexicon(validate(Pool, data, source="test"))
    (reading,) = read_card_text("Summon an Oak. Give your Elves +1 attack.", "spell", lexicon)
    assert [effect.do for effect in reading.keys["effects"]] == ["summon", "buff"]

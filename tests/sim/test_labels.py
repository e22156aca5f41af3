"""Labels name every column of a sheet, in any spelling of its title and its values."""

from __future__ import annotations

import pytest

from sim import Card
from sim.cards.labels import Labels, tag_of
from tests.refusals import refusal_of

CARDS = [
    Card(id="cat", name="Cat", cost=2, attack=3, health=2, tags=("rare",), keywords=("haste",),
         notes={"Faction": "Wok", "Tier": "A+", "Type": "Creature", "Text": "x" * 50}),
    Card(id="moth", name="Moth", cost=1, attack=1, health=2,
         notes={"Faction": "Wok; Tea", "Tier": "A-", "Type": "Creature"}),
    Card(id="bolt", name="Bolt", kind="spell", cost=2, notes={"Faction": "TEA", "Tier": ""}),
]  # fmt: skip
LABELS = Labels(CARDS)


def holders(text: str) -> list[str]:
    """Return the ids of the cards with a label."""
    split = LABELS.split(text)
    assert split is not None, text
    label = LABELS.find(*split)
    return [CARDS[place].id for place in LABELS.values(label.column)[label.value]]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Faction: Wok", ["cat", "moth"]),
        ("faction:wok", ["cat", "moth"]),
        ("FACTION : tea", ["moth", "bolt"]),
        ("Faction: wok; tea", ["moth"]),
        ("tier: A+", ["cat"]),
        ("tier: a-", ["moth"]),
        ("tag: rare", ["cat"]),
        ("tags:Rare", ["cat"]),
        ("keyword: haste", ["cat"]),
        ("abilities: haste", ["cat"]),
        ("kind: spell", ["bolt"]),
        ("type: creature", ["cat", "moth"]),
        ("mana: 2", ["cat", "bolt"]),
        ("HP: 2", ["cat", "moth"]),
    ],
)
def test_a_label_names_the_cards_with_that_value(text: str, cards: list[str]):
    assert holders(text) == cards


def test_a_text_without_a_column_is_no_label():
    assert LABELS.split("colour: red") is None
    assert LABELS.split("cat") is None
    assert LABELS.split("Text: x") is None  # a text groups nothing


@pytest.mark.parametrize(
    ("column", "value", "label"),
    [
        ("Faction", "wk", "'Wok'"),
        ("tag", "wok", '"Faction: Wok"'),
        ("Type", "spell", '"kind: spell"'),
    ],
)
def test_a_value_that_no_card_has_is_refused_with_a_label(column: str, value: str, label: str):
    error = refusal_of(LABELS.find, column, value)
    assert error.value == value
    assert label in error.remedy


def test_a_value_that_may_be_two_is_refused():
    error = refusal_of(LABELS.find, "Tier", "a")
    assert (error.value, error.limit) == ("a", ("A+", "A-"))


def test_tags_of_two_labels_differ():
    plus, minus = (LABELS.find("Tier", value) for value in ("A+", "A-"))
    first = tag_of(plus, [])
    assert first.isidentifier()
    assert tag_of(minus, [first]) not in ("", first)

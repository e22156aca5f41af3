"""Reports of runs whose cards have kinds and amounts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from experiments.report.provenance import _decks
from experiments.report.wording import edits_by_card, label_of
from experiments.runs.finished_run import FinishedRun
from sim import Card, Effect, Pool

BOLT = Card(
    id="bolt",
    name="Bolt",
    kind="spell",
    cost=2,
    effects=(Effect(on="play", do="damage", amount=3), Effect(on="play", do="draw")),
)
AXE = Card(id="axe", name="Axe", kind="weapon", cost=3, attack=3, durability=2)
UNIT = Card(id="unit", name="Unit", cost=1, attack=1, health=1)
DUMPED = Pool(name="p", cards=(BOLT, AXE, UNIT)).model_dump(mode="json", by_alias=True)
CARDS = {card["id"]: card for card in DUMPED["card"]}
PATCH = [
    {"card": "bolt", "field": "amount", "from": 3, "to": 2},
    {"card": "axe", "field": "durability", "from": 2, "to": 3},
]


def run_with(*decks: dict[str, int]) -> FinishedRun:
    """As much of a finished run as the tables of decks read."""
    resolved = {
        "pool": DUMPED,
        "experiment": {"player": [{"name": None, "agent": "aggro"} for _ in decks]},
        "decks": [{"name": "d", "cards": deck} for deck in decks],
    }
    return cast("FinishedRun", SimpleNamespace(resolved=resolved, summary={"patch": PATCH}))


def test_patch_notes_say_what_an_amount_is_of():
    assert edits_by_card(PATCH, CARDS) == [
        {"name": "Bolt", "changes": [["damage", 3, 2]]},
        {"name": "Axe", "changes": [["durability", 2, 3]]},
    ]
    assert label_of(CARDS["bolt"], "amount_2") == "draw"
    assert label_of(CARDS["bolt"], "cost") == "cost"


def test_a_deck_shows_the_numbers_that_its_cards_have():
    rich, plain = _decks(run_with({"bolt": 2, "axe": 1}, {"unit": 2}))
    assert rich["columns"] == ["cost", "attack", "durability"]
    bolt, axe = rich["cards"]
    assert bolt["numbers"] == [(2, None), ("\N{EN DASH}", None), ("\N{EN DASH}", None)]
    assert bolt["amounts"] == [("damage", 3, 2), ("draw", 1, None)]
    assert axe["numbers"] == [(3, None), (3, None), (2, 3)]
    assert axe["amounts"] == []
    assert plain["columns"] == ["cost", "attack", "health"]
    assert plain["cards"][0]["numbers"] == [(1, None), (1, None), (1, None)]

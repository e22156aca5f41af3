"""Cards complete their rows with defaults, and look up words when they are read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim import Card, Effect, Pool, validate
from sim.cards.action import all_actions
from sim.play import pack_table
from tests.duels import DUEL
from tests.refusals import refusal_of


@pytest.mark.parametrize(
    ("action", "selector"),
    [("damage", "enemy_player"), ("heal", "own_player"), ("draw", "own_player")],
)
def test_an_effect_has_the_default_group_of_its_action(action: str, selector: str) -> None:
    assert Effect(on="play", do=action).to.text == selector


def test_an_action_added_at_run_time_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    error = refusal_of(validate, Effect, {"on": "play", "do": "shout"}, source="row")
    assert error.place == "row: do"
    assert error.value == "shout"
    monkeypatch.setitem(all_actions(), "shout", replace(all_actions()["freeze"], word="shout"))
    assert Effect(on="play", do="shout").do == "shout"


def test_tunable_ranges_stand_in_the_order_of_the_fields() -> None:
    card = Card(
        id="a", name="A", cost=1, attack=2, health=3, tunable={"health": (1, 3), "cost": (1, 2)}
    )
    assert list(card.tunable or {}) == ["cost", "health"]


def test_games_do_not_depend_on_tags() -> None:
    plain = Card(id="a", name="A", cost=1, attack=2, health=3)
    tagged = plain.model_copy(update={"tags": ("rare", "fire")})
    assert tagged.nameless() == plain.nameless()
    words = [pack_table(Pool(name="p", cards=(card,)), DUEL).words for card in (plain, tagged)]
    np.testing.assert_array_equal(*words)


STORM = Card(
    id="storm",
    name="Storm",
    kind="spell",
    cost=3,
    target="minions",
    effects=(
        Effect(on="play", do="damage", to="target", amount=2, amount_to=5),
        Effect(on="play", do="freeze", to="target"),
        Effect(on="play", do="damage", to="neighbours", amount=1),
        Effect(on="play", do="buff", to="own_minions", attack=1, health=-1),
    ),
)


def test_a_card_has_the_fields_of_its_kind_and_its_amounts() -> None:
    assert Card(id="a", name="A", cost=1, attack=1, health=1).fields == ("cost", "attack", "health")
    axe = Card(id="a", name="A", kind="weapon", cost=1, attack=1, durability=1)
    assert axe.fields == ("cost", "attack", "durability")
    assert STORM.fields == ("cost", "amount", "amount_2", "amount_3", "amount_4")
    assert [STORM.number(field) for field in STORM.fields] == [3, 2, 1, 1, -1]


def test_amounts_are_labelled_by_their_actions() -> None:
    assert [STORM.label(field) for field in STORM.fields] == [
        "cost",
        "damage",
        "damage (2)",
        "attack bonus",
        "health bonus",
    ]


def test_an_amount_keeps_its_sign_and_its_upper_end() -> None:
    assert {field: STORM.possible(field) for field in STORM.fields} == {
        "cost": (0, 1000),
        "amount": (1, 5),
        "amount_2": (1, 1000),
        "amount_3": (1, 1000),
        "amount_4": (-1000, -1),
    }


def test_new_numbers_stand_where_the_old_ones_did() -> None:
    moved = STORM.with_numbers({"cost": 4, "amount_2": 3, "amount_4": -2})
    assert [moved.number(field) for field in moved.fields] == [4, 2, 3, 1, -2]
    assert moved == Card.model_validate(moved.model_dump())
    assert moved.with_numbers({"cost": 3, "amount_2": 1, "amount_4": -1}) == STORM


@pytest.mark.parametrize(
    ("tunable", "place"),
    [
        ({"attack": (1, 2)}, "card 'storm': tunable.attack"),
        ({"amount_4": (-3, 0)}, "card 'storm': tunable.amount_4"),
        ({"amount": (0, 3)}, "card 'storm': tunable.amount"),
        ({"amount": (1, 6)}, "card 'storm': tunable.amount"),
        ({"amount_2": (2, 3)}, "card 'storm': tunable.amount_2"),
    ],
)
def test_a_range_is_one_of_a_number_that_the_card_has(
    tunable: dict[str, tuple[int, int]], place: str
) -> None:
    data = {**STORM.model_dump(), "tunable": tunable}
    assert refusal_of(validate, Card, data, source="").place == place


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({"do": "discount", "amount": -1}, "do"),
        ({"do": "cost", "amount": -1, "kind": "spell"}, "do"),
        ({"do": "discount", "amount": -1, "kind": "minion"}, "kind"),
        ({"do": "draw", "receiver": "enemy"}, "do"),
        ({"do": "copy", "receiver": "both"}, "receiver"),
        (
            {"do": "summon", "cards": ["a"], "of_enemy_hero": True},
            "do",
        ),
        ({"do": "attach", "to": "target"}, "do"),
        ({"do": "power"}, "do"),
        ({"do": "wound", "amount": 0}, "amount"),
        (
            {"do": "draw", "to": "enemy_deck(cost<=2)"},
            "to",
        ),
        (
            {"do": "buff", "attack": 1, "lasts": "next_turn"},
            "lasts",
        ),
        (
            {"do": "discount", "kind": "secret", "amount": -1, "lasts": "next_turn"},
            "lasts",
        ),
        ({"do": "discount", "kind": "spell"}, "amount"),
        (
            {"do": "discount", "kind": "spell", "amount": -1, "lasts": "turn"},
            "lasts",
        ),
        (
            {"do": "steal", "lasts": "until_own_turn"},
            "lasts",
        ),
        ({"do": "copy", "lasts": "turn"}, "lasts"),
        ({"on": "aura", "do": "double"}, "do"),
    ],
)
def test_keys_that_an_action_cannot_have_are_refused(row: dict[str, Any], place: str) -> None:
    assert refusal_of(validate, Effect, {"on": "play", **row}, source="").place == place


@pytest.mark.parametrize(
    "row",
    [
        {"do": "draw", "to": "own_deck(secret)", "pick": 1},
        {"do": "copy", "to": "enemy_deck", "pick": 2, "receiver": "enemy"},
        {"do": "clone", "to": "own_deck(minion)", "pick": 1},
        {"do": "discount", "kind": "secret", "amount": -1000},
        {"do": "discount", "kind": "spell", "amount": -1, "lasts": "next_turn"},
        {"do": "steal", "to": "target", "lasts": "turn"},
        {"do": "give", "cards": ["a", "b"], "of_enemy_hero": True},
    ],
)
def test_keys_that_an_action_can_have_are_kept(row: dict[str, Any]) -> None:
    effect = Effect(on="play", **row)
    assert {key: effect.model_dump()[key] for key in row} == {
        **row,
        **({"cards": tuple(row["cards"])} if "cards" in row else {}),
    }

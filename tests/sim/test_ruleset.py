"""Rulesets are read whole, and stay within what the engine has room for."""

from __future__ import annotations

import pytest

from sim import FIELDS, Ruleset, content_hash, load_ruleset, validate
from tests.refusals import complaint_of


def test_the_duel_has_the_published_numbers() -> None:
    duel = load_ruleset("duel")
    published = {
        "life": 20,
        "hand_limit": 9,
        "board_limit": 5,
        "deck_limit": 30,
        "mana_max": 5,
        "opening_hand": (5, 5),
        "turn_cap": 100,
        "skip_first_draw": True,
        "deck_out": "lose",
    }
    assert {key: getattr(duel, key) for key in published} == published
    bounds = {field: duel.limits.of(field) for field in FIELDS}
    assert [bounds.pop(field) for field in ("cost", "attack", "health")] == [(0, 5), (0, 5), (1, 5)]
    assert bounds.pop("durability") == (1, 1000)  # no card of the duel has the others
    assert set(bounds.values()) == {(-1000, 1000)}


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ({"deck_limit": 61}, "deck_limit = 61 must be at most 60"),
        ({"hand_limit": 17}, "hand_limit = 17 must be at most 16"),
        ({"board_limit": 9}, "board_limit = 9 must be at most 8"),
        ({"turn_cap": 201}, "turn_cap = 201 must be at most 200"),
        ({"life": 1001}, "life = 1001 must be at most 1000"),
        ({"extra_life_second": -1}, "extra_life_second = -1 must be at least 0"),
        ({"extra_mana_second": 101}, "extra_mana_second = 101 must be at most 100"),
        ({"extra_mana_second": 0.5}, "extra_mana_second"),
        ({"mana_max": 101}, "mana_max = 101 must be at most 100"),
        ({"copy_limit": 31}, "copy_limit = 31 must be at most deck_limit = 30"),
        ({"opening_hand": [5, 10]}, "must be at most hand_limit = 9"),
        ({"opening_hand": [5]}, "opening_hand #2: missing"),
        ({"deck_out": "fatige"}, "unknown word 'fatige'; did you mean 'fatigue'?"),
        ({"skip_first_draw": 1}, "skip_first_draw = 1 must be true or false"),
        ({"limits": {"cost": [0, 5], "attack": [0, 5], "health": [0, 5]}}, "must be at least 1"),
        ({"limits": {"cost": [6, 5], "attack": [0, 5], "health": [1, 5]}}, "low not above high"),
        ({"lifes": 3}, "unknown key 'lifes'; did you mean 'life'?"),
    ],
)
def test_a_bad_ruleset_is_refused(change: dict[str, object], fragment: str) -> None:
    data = load_ruleset("duel").model_dump() | change
    said = complaint_of(validate, Ruleset, data, source="mine.toml")
    assert said.startswith("mine.toml: ruleset 'duel': ")
    assert fragment in said


def test_rules_that_give_the_second_player_nothing_are_told_as_before() -> None:
    """Hashes of runs and pilots rest on the words that rules are dumped in."""
    duel = load_ruleset("duel")
    assert not {"extra_life_second", "extra_mana_second"} & duel.model_dump().keys()
    assert content_hash(duel.with_numbers({"extra_life_second": 0})) == content_hash(duel)
    more = duel.with_numbers({"extra_life_second": 3, "extra_mana_second": 2})
    assert content_hash(more) != content_hash(duel)
    assert validate(Ruleset, more.model_dump(), source="more") == more
    assert (more.starting_lives, more.most_life, more.most_mana) == ((20, 23), 23, 5)

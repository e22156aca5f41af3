"""Rulesets are checked when they are read, and stay within the engine's capacities."""

from __future__ import annotations

import pytest

from sim import FIELDS, Ruleset, content_hash, load_ruleset, validate
from tests.refusals import refusal_of


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


UNORDERED = {"cost": [6, 5], "attack": [0, 5], "health": [1, 5]}
NO_HEALTH = {"cost": [0, 5], "attack": [0, 5], "health": [0, 5]}


@pytest.mark.parametrize(
    ("change", "place", "limit"),
    [
        ({"deck_limit": 61}, "deck_limit", 60),
        ({"hand_limit": 17}, "hand_limit", 16),
        ({"board_limit": 9}, "board_limit", 8),
        ({"turn_cap": 201}, "turn_cap", 200),
        ({"life": 1001}, "life", 1000),
        ({"extra_life_second": -1}, "extra_life_second", 0),
        ({"extra_mana_second": 101}, "extra_mana_second", 100),
        ({"extra_mana_second": 0.5}, "extra_mana_second", None),
        ({"mana_max": 101}, "mana_max", 100),
        ({"copy_limit": 31}, "copy_limit", 30),
        ({"opening_hand": [5, 10]}, "opening_hand", 9),
        ({"opening_hand": [5]}, "opening_hand #2", None),
        ({"deck_out": "fatige"}, "deck_out", None),
        ({"skip_first_draw": 1}, "skip_first_draw", None),
        ({"limits": NO_HEALTH}, "limits.health #1", 1),
        ({"limits": UNORDERED}, "limits.cost", None),
        ({"lifes": 3}, "", None),
    ],
)
def test_a_bad_ruleset_is_refused(change: dict[str, object], place: str, limit: int | None) -> None:
    data = load_ruleset("duel").model_dump() | change
    error = refusal_of(validate, Ruleset, data, source="mine.toml")
    assert error.place == ": ".join(part for part in ("mine.toml: ruleset 'duel'", place) if part)
    assert limit is None or error.limit == limit


def test_rules_without_extras_for_the_second_player_are_dumped_without_their_keys() -> None:
    """Hashes of runs and pilots depend on the dump."""
    duel = load_ruleset("duel")
    assert not {"extra_life_second", "extra_mana_second"} & duel.model_dump().keys()
    assert content_hash(duel.with_numbers({"extra_life_second": 0})) == content_hash(duel)
    more = duel.with_numbers({"extra_life_second": 3, "extra_mana_second": 2})
    assert content_hash(more) != content_hash(duel)
    assert validate(Ruleset, more.model_dump(), source="more") == more
    assert (more.starting_lives, more.most_life, more.most_mana) == ((20, 23), 23, 5)

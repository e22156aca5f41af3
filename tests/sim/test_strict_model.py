"""Strict models refuse what is not exactly right, and say so in one sentence."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from sim import InputError
from sim.files.strict_model import StrictModel, content_hash
from sim.files.validation import shown_value, validate


class Ship(StrictModel):
    id: str
    masts: Annotated[int, Field(ge=1, le=4)]
    speed: float = 1.0
    flags: tuple[str, ...] = ()


class Fleet(StrictModel):
    name: str
    ships: Annotated[tuple[Ship, ...], Field(validation_alias="ship")]
    target: float | dict[str, float] = 0.5


def message(model: type[StrictModel], data: dict[str, object]) -> str:
    with pytest.raises(InputError) as caught:
        validate(model, data, source="fleet.toml")
    return str(caught.value)


def test_lists_from_files_become_tuples() -> None:
    assert validate(Ship, {"id": "a", "masts": 1, "flags": ["x"]}, source="").flags == ("x",)


def test_models_cannot_be_changed() -> None:
    ship = Ship(id="a", masts=1)
    with pytest.raises(ValidationError, match="frozen"):
        ship.masts = 2


@pytest.mark.parametrize("masts", [True, 1.0, "1", None, float("nan")])
def test_only_whole_numbers_are_whole_numbers(masts: object) -> None:
    assert "must be a whole number" in message(Ship, {"id": "a", "masts": masts})


@pytest.mark.parametrize("speed", [float("nan"), float("inf"), float("-inf")])
def test_numbers_are_finite(speed: float) -> None:
    assert "must be a finite number" in message(Ship, {"id": "a", "masts": 1, "speed": speed})


def test_a_misspelt_key_is_one_problem() -> None:
    assert message(Ship, {"id": "a", "mast": 1}) == (
        "fleet.toml: ship 'a': unknown key 'mast'; did you mean 'masts'?"
    )


def test_a_misspelt_key_and_another_missing_key_are_two_problems() -> None:
    assert message(Ship, {"mast": 1}).endswith("(and 1 more problem)")


def test_keys_are_spelt_as_in_files() -> None:
    assert "unknown key 'ships'; did you mean 'ship'?" in message(Fleet, {"name": "f", "ships": []})


def test_elements_are_named_by_their_id_or_else_their_position() -> None:
    named: dict[str, object] = {"name": "f", "ship": [{"id": "a", "masts": 1}, {"id": "b"}]}
    assert message(Fleet, named) == "fleet.toml: ship 'b': missing key 'masts'"
    nameless: dict[str, object] = {"name": "f", "ship": [{"id": "", "masts": 9}]}
    assert message(Fleet, nameless) == "fleet.toml: fleet 'f': ship #1: masts = 9 must be at most 4"


@pytest.mark.parametrize(
    ("target", "fragment"),
    [
        ({"a": "x"}, "fleet 'f': target.a = 'x' must be a number"),
        ("x", "fleet 'f': target = 'x' must be a number"),
    ],
)
def test_a_value_that_fits_no_type_of_a_union_is_one_problem(target: object, fragment: str) -> None:
    assert message(Fleet, {"name": "f", "ship": [], "target": target}).endswith(fragment)


def test_problems_beyond_the_first_are_counted() -> None:
    assert message(Ship, {"id": 1, "masts": 0, "speed": "x"}).endswith("(and 2 more problems)")


def test_long_values_are_cut() -> None:
    assert len(shown_value("x" * 1000)) <= 60


def test_content_hash_depends_on_the_data_only() -> None:
    ship = Ship(id="a", masts=1)
    assert content_hash(ship) == content_hash(Ship(masts=1, id="a", speed=1.0))
    assert content_hash(ship) != content_hash(Ship(id="a", masts=2))

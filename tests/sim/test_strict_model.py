"""Strict models refuse data that does not fit exactly, in one sentence."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from sim import InputError, StrictModel, content_hash
from sim.files.validation import validate
from sim.value_error import shown_value
from tests.refusals import refusal_of


class Ship(StrictModel):
    id: str
    masts: Annotated[int, Field(ge=1, le=4)]
    speed: float = 1.0
    flags: tuple[str, ...] = ()


class Fleet(StrictModel):
    name: str
    ships: Annotated[tuple[Ship, ...], Field(validation_alias="ship")]
    target: float | dict[str, float] = 0.5


def refusal(model: type[StrictModel], data: dict[str, object]) -> InputError:
    return refusal_of(validate, model, data, source="fleet.toml")


def test_lists_from_files_become_tuples() -> None:
    assert validate(Ship, {"id": "a", "masts": 1, "flags": ["x"]}, source="").flags == ("x",)


def test_models_cannot_be_changed() -> None:
    ship = Ship(id="a", masts=1)
    with pytest.raises(ValidationError, match="frozen"):
        ship.masts = 2


@pytest.mark.parametrize("masts", [True, 1.0, "1", None, float("nan")])
def test_only_whole_numbers_are_whole_numbers(masts: object) -> None:
    error = refusal(Ship, {"id": "a", "masts": masts})
    assert error.place == "fleet.toml: ship 'a': masts"
    assert error.value is masts


@pytest.mark.parametrize("speed", [float("nan"), float("inf"), float("-inf")])
def test_numbers_are_finite(speed: float) -> None:
    error = refusal(Ship, {"id": "a", "masts": 1, "speed": speed})
    assert error.place == "fleet.toml: ship 'a': speed"
    assert error.value is speed


A = {"id": "a", "masts": 1}
NO_MASTS = {"id": "b"}
NINE_MASTS = {"id": "", "masts": 9}


@pytest.mark.parametrize(
    ("model", "data", "place", "value"),
    [
        (Ship, {"id": "a", "mast": 1}, ": ship 'a'", "mast"),
        (Ship, {"mast": 1}, "", "mast"),  # and the key `id` is missing
        (Ship, {"id": 1, "masts": 0, "speed": "x"}, ": id", 1),  # and two more problems
        (Fleet, {"name": "f", "ships": []}, ": fleet 'f'", "ships"),  # spelt `ship` in files
        (Fleet, {"name": "f", "ship": [A, NO_MASTS]}, ": ship 'b'", None),
        (Fleet, {"name": "f", "ship": [NINE_MASTS]}, ": fleet 'f': ship #1: masts", 9),
        (Fleet, {"name": "f", "ship": [], "target": {"a": "x"}}, ": fleet 'f': target.a", "x"),
        (Fleet, {"name": "f", "ship": [], "target": "x"}, ": fleet 'f': target", "x"),
    ],
)
def test_problems_are_named_by_element_and_key_and_counted(
    model: type[StrictModel], data: dict[str, object], place: str, value: object
) -> None:
    error = refusal(model, data)
    assert (error.place, error.value) == (f"fleet.toml{place}", value)


def test_long_values_are_cut() -> None:
    assert len(shown_value("x" * 1000)) <= 60


def test_content_hash_depends_on_the_data_only() -> None:
    ship = Ship(id="a", masts=1)
    assert content_hash(ship) == content_hash(Ship(masts=1, id="a", speed=1.0))
    assert content_hash(ship) != content_hash(Ship(id="a", masts=2))

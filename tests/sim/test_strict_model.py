"""Strict models refuse what is not exactly right, and say so in one sentence."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from sim import InputError, StrictModel, content_hash
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


A = {"id": "a", "masts": 1}
NO_MASTS = {"id": "b"}
NINE_MASTS = {"id": "", "masts": 9}


@pytest.mark.parametrize(
    ("model", "data", "ends"),
    [
        (Ship, {"id": "a", "mast": 1}, ": ship 'a': unknown key 'mast'; did you mean 'masts'?"),
        (Ship, {"mast": 1}, "(and 1 more problem)"),  # another key is missing
        (Ship, {"id": 1, "masts": 0, "speed": "x"}, "(and 2 more problems)"),
        (
            Fleet, {"name": "f", "ships": []},
            ": fleet 'f': unknown key 'ships'; did you mean 'ship'?",  # as it is spelt in files
        ),
        (Fleet, {"name": "f", "ship": [A, NO_MASTS]}, ": ship 'b': missing key 'masts'"),
        (
            Fleet, {"name": "f", "ship": [NINE_MASTS]},
            ": fleet 'f': ship #1: masts = 9 must be at most 4",
        ),
        (
            Fleet, {"name": "f", "ship": [], "target": {"a": "x"}},
            ": fleet 'f': target.a = 'x' must be a number",
        ),
        (
            Fleet, {"name": "f", "ship": [], "target": "x"},
            ": fleet 'f': target = 'x' must be a number",
        ),
    ],
)  # fmt: skip
def test_problems_are_named_by_element_and_key_and_counted(
    model: type[StrictModel], data: dict[str, object], ends: str
) -> None:
    told = message(model, data)
    said = told.partition(" (known: ")[0]  # what there is, where that is short
    assert said == f"fleet.toml{ends}" if ends.startswith(":") else told.endswith(ends)


def test_long_values_are_cut() -> None:
    assert len(shown_value("x" * 1000)) <= 60


def test_content_hash_depends_on_the_data_only() -> None:
    ship = Ship(id="a", masts=1)
    assert content_hash(ship) == content_hash(Ship(masts=1, id="a", speed=1.0))
    assert content_hash(ship) != content_hash(Ship(id="a", masts=2))

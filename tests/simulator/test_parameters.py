"""Declared parameters: their values, ranges, groups, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.contest.contest_limits import ContestLimits
from balance.contest.scale import Scale
from balance.simulator.function_contest import simulated_contest
from balance.simulator.parameters import read_parameters
from sim import InputError
from sim.play.table import Gene
from tests.refusals import refusal_of
from tests.simulator.tug_of_war import play

PLAYERS = ("ann", "bob")
TABLES = {
    "ann": {"hp": {"value": 45, "low": 35, "high": 55, "step": 5, "better": "higher"}},
    "bob": {"hp": {"value": 40, "low": 30, "high": 50, "better": "higher", "players": ["bob"]}},
    "speed": {"value": 0.5, "low": 0.3, "high": 0.8, "step": 0.1, "better": "lower"},
    "style": {"value": "b", "choices": ["a", "b", "c"]},
    "fixed": 3,
}


@given(
    origin=st.decimals(-100, 100, places=3),
    step=st.decimals("0.001", 10, places=3),
    position=st.integers(-1000, 1000),
    is_real=st.booleans(),
)
def test_a_value_has_its_position(
    origin: Decimal, step: Decimal, position: int, is_real: bool
) -> None:
    if not is_real:
        origin = Decimal(int(origin))
        step = Decimal(max(int(step), 1))
    scale = Scale(origin, step, is_real=is_real)
    value = scale.value(position)
    assert scale.position(value) == position
    assert isinstance(value, float) == is_real
    assert len(repr(value)) < 20  # no 0.30000000000000004


def test_values_of_patches_are_those_of_the_declarations() -> None:
    parameters = read_parameters(TABLES, PLAYERS)
    assert parameters.groups == ("ann", "bob", "game")
    assert parameters.names[Gene(0, "hp")] == "ann.hp"
    assert parameters.ranges == {
        Gene(0, "hp"): (-2, 2),
        Gene(1, "hp"): (-10, 10),
        Gene(2, "speed"): (-2, 3),
        Gene(2, "style"): (-1, 1),
    }
    moved = {Gene(0, "hp"): -1, Gene(2, "speed"): 1, Gene(2, "style"): 1}
    assert parameters.values(moved) == {
        "ann.hp": 40, "bob.hp": 40, "speed": 0.6, "style": "c", "fixed": 3,
    }  # fmt: skip
    assert parameters.reach(list(parameters.names)).tolist()[:3] == [[1, 1], [0, 1], [1, 1]]


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"value": True},
        {"value": "word", "high": 2},
        {"value": 1, "low": 2},
        {"value": 1, "high": 0},
        {"value": 1, "low": -1, "step": 3},
        {"value": 0.5, "low": 0.0},
        {"value": 1, "step": 0},
        {"value": 1, "step": -1},
        {"value": 1, "high": 10**6},
        {"value": "a", "choices": ["b"]},
        {"value": "a", "choices": ["a", "a"]},
        {"value": "a", "choices": ["a", "b"], "low": 1},
        {"value": 1, "hi": 2},
        {"value": float("nan")},
        {"value": 1, "players": ["eve"]},
        {"value": 1, "weight": 0},
        {"value": 1, "better": "more"},
    ],
)
def test_a_declaration_that_cannot_be_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        read_parameters({"x": entry, "y": {"value": 1}} if entry else {"x": {"y": None}}, PLAYERS)


def test_two_names_of_one_number_are_refused() -> None:
    tables = {
        "ann": {"hp": 1},
        "ann_hp": {"value": 2, "group": "ann"},
        "hp": {"value": 3, "group": "ann"},
    }
    assert refusal_of(lambda: read_parameters(tables, PLAYERS)).place == "parameters"


def space_of(**limits: Any) -> dict[str, tuple[int, int]]:
    """Return the steps that limits permit, by number."""
    contest = simulated_contest(play, PLAYERS, TABLES)
    space = contest.space(ContestLimits.model_validate(limits))
    names = contest.parameters.names
    return {
        names[gene]: (int(low), int(high))
        for gene, low, high in zip(space.genes, space.low, space.high, strict=True)
    }


def test_limits_narrow_the_space() -> None:
    everything = {"ann.hp": (-2, 2), "bob.hp": (-10, 10), "speed": (-2, 3), "style": (-1, 1)}
    assert space_of() == everything
    assert space_of(lock=["ann", "game.style"]) == {"bob.hp": (-10, 10), "speed": (-2, 3)}
    assert space_of(max_steps=1) == dict.fromkeys(everything, (-1, 1))
    buffs = {"ann.hp": (0, 2), "bob.hp": (0, 10), "speed": (-2, 0), "style": (-1, 1)}
    assert space_of(direction="buffs") == buffs
    ways = {"all": "up", "game": "down", "bob.hp": "both"}
    assert space_of(direction=ways) == {
        "ann.hp": (0, 2), "bob.hp": (-10, 10), "speed": (-2, 0), "style": (-1, 0),
    }  # fmt: skip


@pytest.mark.parametrize(
    "limits",
    [
        {"lock": ["eve"]},
        {"direction": {"ann.mana": "up"}},
        {"lock": ["ann", "bob", "game"]},
    ],
)
def test_limits_of_unknown_numbers_or_of_all_are_refused(limits: dict[str, Any]) -> None:
    refusal_of(lambda: space_of(**limits))


def test_buffs_and_nerfs_are_balanced_by_zero_sum() -> None:
    contest = simulated_contest(play, PLAYERS, TABLES)
    space = contest.space(ContestLimits(zero_sum=0.0))
    assert space.sums is not None
    assert space.sums.weights.tolist() == [[1, 1, -1, 0]]
    unknown = simulated_contest(play, PLAYERS, {"x": {"value": 1, "high": 2}})
    assert refusal_of(lambda: unknown.space(ContestLimits(zero_sum=0.0))).value == 0


def test_the_players_of_a_group_are_those_of_its_parameters() -> None:
    own = {"value": 2, "low": 1, "high": 3, "players": ["ann"]}
    tables = {"bob": {"players": ["bob"], "hp": 3, "sword": {"damage": 4, "reach": own}}}
    entries = read_parameters(tables, PLAYERS).entries
    reached = {name: entry.players for name, entry in entries.items()}
    assert reached == {
        "bob.hp": ("bob",),
        "bob.sword.damage": ("bob",),
        "bob.sword.reach": ("ann",),
    }


@pytest.mark.parametrize("key", ["low", "high", "step"])
def test_a_number_without_its_value_is_refused(key: str) -> None:
    with pytest.raises(InputError) as raised:
        read_parameters({"ann": {"hp": {"valeu": 3, key: 1}}}, PLAYERS)
    assert raised.value.value == key
    assert "ann.hp" in raised.value.place

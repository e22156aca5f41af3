"""Targets: goals of all forms, the demands that follow from them, and refused goals."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from balance.contest.demands import Demands
from balance.contest.target import Target, demands_of, with_players
from sim import validate
from tests.balance.contests import THREE
from tests.refusals import refusal_of

A, B, C = THREE.player_names
A_B = f"{A} vs {B}"
A_C = f"{A} vs {C}"
B_C = f"{B} vs {C}"


def demands(weights: dict[str, float] | None = None, **goals: Any):
    return demands_of(THREE, validate(Target, goals, source="test"), weights)


def bounds_in_percent(**goals: Any) -> list[list[float]]:
    result = demands(**goals)
    return np.round(100 * np.array([result.low, result.high]).T, 9).tolist()


def test_one_number_is_the_goal_of_all() -> None:
    result = demands(win_rate=0.45)
    assert result.names == (A_B, A_C, B_C)
    assert (result.aims.tolist(), result.band_pp, result.n_rates) == ([[0.45] * 3] * 2, 5.0, 3)


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ({f"{B} vs {A}": 0.4, B_C: 0.55}, [[55, 65], [45, 55], [50, 60]]),
        ({B: 0.6}, [[35, 45], [45, 55], [55, 65]]),
        ({A: 0.4, B: 0.6}, [[35, 45], [35, 45], [55, 65]]),
        ({B: 0.6, B_C: [0.3, 0.5]}, [[35, 45], [45, 55], [30, 50]]),
        ({f"{B} vs {A}": [0.3, 0.6]}, [[40, 70], [45, 55], [45, 55]]),
        ({"others": "free", A_C: {"at": 0.5, "band_pp": 2}}, [[48, 52]]),
        ({"others": [0.35, 0.65], C: "free"}, [[35, 65]]),
        ({A_B: [0.45, 1], A_C: [0, 0.6]}, [[45, inf], [-inf, 60], [45, 55]]),
    ],
)
def test_a_table_names_matchups_either_way_round_players_and_others(
    table: dict[str, Any], wanted: list[list[float]]
) -> None:
    assert bounds_in_percent(win_rate=table) == wanted


def test_the_narrowest_goal_is_the_band_of_all() -> None:
    result = demands(win_rate={"others": [0.35, 0.65], A_B: {"at": 0.5, "band_pp": 3}})
    assert result.band_pp == 3
    np.testing.assert_allclose(result.aims.T, [[0.5, 0.5], [0.38, 0.62], [0.38, 0.62]])


def test_a_field_is_weighted_as_the_metagame_is() -> None:
    result = demands({B: 3.0}, win_rate="free", field={"at": 0.5, "band_pp": 3})
    assert result.names == tuple(f"{name} vs the field" for name in (A, B, C))
    np.testing.assert_allclose(result.weights, [[0.75, 0.25, 0], [-0.5, 0, 0.5], [0, -0.25, -0.75]])
    np.testing.assert_allclose(result.of(np.array([0.6, 0.4, 0.7])), [0.55, 0.55, 0.375])
    new = demands(win_rate="free", field={C: 0.5})
    assert (new.names, new.weights.tolist()) == ((f"{C} vs the field",), [[0, -0.5, -0.5]])
    alone = demands({A: 0, B: 0}, win_rate="free", field=0.5)
    assert alone.names == (f"{A} vs the field", f"{B} vs the field")  # nobody counts for the third


def test_the_first_seat_is_demanded_besides() -> None:
    result = demands(first_seat={"at": 0.5, "band_pp": 3})
    assert (result.names[3], result.n_rates) == ("first seat vs second seat", 4)
    assert result.with_first_seat
    np.testing.assert_array_equal(result.weights, np.eye(4))


@pytest.mark.parametrize(
    ("weights", "goals", "place", "value"),
    [
        (None, {"win_rate": {f"{A} vs tide_kep": 0.4}}, "target.win_rate", f"{A} vs tide_kep"),
        (None, {"win_rate": {A_B: 0.4, f"{B} vs {A}": 0.6}}, "target.win_rate", f"{B} vs {A}"),
        (None, {"field": {"nobody": 0.6}}, "target.field", "nobody"),
        (None, {"win_rate": {A: 0.6, B: 0.6}}, "target.win_rate", A_B),
        (None, {"win_rate": "free"}, "target", "free"),
        (None, {"win_rate": "targets.csv"}, "target.win_rate", "targets.csv"),
        (None, {"win_rate": 1.5}, "test: win_rate", 1.5),
        (None, {"win_rate": "even"}, "test: win_rate", "even"),
        (None, {"win_rate": [0.6, 0.4]}, "test: win_rate", (0.6, 0.4)),
        (None, {"win_rate": {A_B: [0.1, 0.2, 0.3]}}, f"test: win_rate.{A_B}", (0.1, 0.2, 0.3)),
        (None, {"field": {"at": 0.5, "band_pp": 0.1}}, "test: field.band_pp", 0.1),
        (None, {"band_pp": 0.4}, "test: band_pp", 0.4),
        ({A: 0, B: 0}, {"field": {C: 0.5}}, "target.field", C),
        ({"nobody": 1.0}, {"field": 0.5}, "field.weights", "nobody"),
    ],
)
def test_invalid_goals_are_refused_by_name(
    weights: dict[str, float] | None, goals: dict[str, Any], place: str, value: object
) -> None:
    error = refusal_of(demands, weights, **goals)
    assert (error.place, error.value) == (place, value)


def test_reports_list_all_players_and_demanded_ones_once() -> None:
    goals = with_players(demands_of(THREE, Target()), THREE, {"tide_keep": 3})
    assert goals.names[3:] == tuple(f"{name} vs the field" for name in THREE.player_names)
    assert goals.weights[3].tolist() == [0.75, 0.25, 0.0]
    assert (goals.low[3:].tolist(), goals.high[3:].tolist()) == ([-inf] * 3, [inf] * 3)
    demanded = demands_of(THREE, Target(field={"tide_keep": 0.5}, first_seat=0.5))
    more = with_players(demanded, THREE)
    assert [name for name in more.names if name.startswith("tide_keep vs the")] == [
        "tide_keep vs the field"
    ]
    assert (len(more), more.n_rates) == (3 + 3 + 1, 4)


def test_players_without_weighted_opponents_are_not_listed() -> None:
    fair = Demands.around([0.5] * 3, 5)
    assert len(with_players(fair, THREE, {"ember_rush": 0, "tide_keep": 0})) == 3 + 2


@pytest.mark.parametrize(
    ("goals", "share"),
    [
        ({"win_rate": 50}, "0.5"),
        ({"win_rate": [35, 65]}, "0.35"),
        ({"win_rate": {"a vs b": 60}}, "0.6"),
        ({"win_rate": {"a vs b": {"at": 60, "band_pp": 3}}}, "0.6"),
        ({"field": 55.5}, "0.555"),
        ({"first_seat": 48}, "0.48"),
    ],
)
def test_a_goal_in_percent_says_how_shares_are_written(goals: dict[str, Any], share: str):
    error = refusal_of(validate, Target, goals, source="f")
    assert share in error.remedy.split()


def test_a_goal_that_is_hardly_meant_in_percent_gets_no_hint():
    error = refusal_of(validate, Target, {"win_rate": 1.5}, source="f")
    assert (error.limit, error.remedy) == (1, "")

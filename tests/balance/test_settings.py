"""Settings are checked when they are read, and errors name the setting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.settings.tables import (
    ANY_GROWTH_PP,
    BalanceSettings,
    Games,
    Guards,
    Narrow,
    Search,
    Target,
)
from balance.space.tune import TUNABLE, Tune
from sim import StrictModel, validate
from tests.refusals import refusal_of

NAN = float("nan")
INFINITY = float("inf")


@pytest.mark.parametrize(
    ("model", "data", "field", "value"),
    [
        (Games, {"search": 401}, "search", 401),
        (Games, {"certify": 2}, "certify", 2),
        (Games, {"select": 1000.0}, "select", 1000.0),
        (Games, {"power": "many"}, "power", "many"),
        (Games, {"serach": 400}, "", "serach"),
        (Target, {"win_rate": 1.2}, "win_rate", 1.2),
        (Target, {"win_rate": -0.1}, "win_rate", -0.1),
        (Target, {"win_rate": NAN}, "win_rate", NAN),
        (Target, {"win_rate": {"a vs b": 1.2}}, "win_rate.a vs b", 1.2),
        (Target, {"win_rate": {"a vs b": NAN}}, "win_rate.a vs b", NAN),
        (Target, {"band_pp": 0.0}, "band_pp", 0.0),
        (Target, {"band_pp": INFINITY}, "band_pp", INFINITY),
        (Tune, {"fields": ["atack"]}, "fields", ("atack",)),
        (Tune, {"max_steps": 0}, "max_steps", 0),
        (Tune, {"max_steps": {"cost": 0}}, "max_steps.cost", 0),
        (Tune, {"max_steps": {"cots": 1}}, "max_steps", {"cots": 1}),
        (Tune, {"max_steps": "2"}, "max_steps", "2"),
        (Tune, {"max_card_change": 0}, "max_card_change", 0),
        (Tune, {"weights": {"cost": 0.0}}, "weights.cost", 0.0),
        (Tune, {"weights": {"manna": 1.0}}, "weights", "manna"),
        (Tune, {"weights": {"card": -1.0}}, "weights.card", -1.0),
        (Tune, {"sense": 3}, "sense", 3),
        (Tune, {"sense": {"dominanse": False}}, "sense", "dominanse"),
        (Tune, {"sense": {"cost": 0}}, "sense.cost", 0),
        (Tune, {"lock": "ember_whelp"}, "lock", "ember_whelp"),
        (Guards, {"max_draw_rate": 1.5}, "max_draw_rate", 1.5),
        (Guards, {"max_first_seat_pp": -1.0}, "max_first_seat_pp", -1.0),
        (Guards, {"median_turns": NAN}, "median_turns", NAN),
        (Narrow, {"by": "powr"}, "by", "powr"),
        (Narrow, {"keep": 0}, "keep", 0),
        (Narrow, {"baseline": "vanila"}, "baseline", "vanila"),
        (Search, {"start": "spars"}, "start", "spars"),
        (Search, {"population": 3}, "population", 3),
        (Search, {"generations": True}, "generations", True),
    ],
)
def test_a_bad_value_is_refused_with_its_field(
    model: type[StrictModel], data: dict[str, Any], field: str, value: object
) -> None:
    error = refusal_of(validate, model, data, source="mine.toml")
    assert error.place == (f"mine.toml: {field}" if field else "mine.toml")
    assert error.value is value or error.value == value


@pytest.mark.parametrize("value", [True, False])
def test_one_word_is_for_all_rules_of_sense(value: bool) -> None:
    sense = validate(Tune, {"sense": value}, source="mine.toml").sense
    assert set(sense.model_dump().values()) == {value}


def test_steps_of_fields_that_are_not_named_are_as_usual() -> None:
    tune = validate(Tune, {"max_steps": {"cost": 1, "amount": 5}}, source="mine.toml")
    assert [tune.steps_of(field) for field in ("cost", "attack", "amount_2")] == [1, 2, 5]
    assert tune.with_times_steps(3).steps_of("attack") == 6
    assert validate(Tune, tune.model_dump(), source="again.toml") == tune


def test_a_table_of_equal_steps_is_the_number() -> None:
    tune = validate(Tune, {"max_steps": {"cost": 2, "health": 2}}, source="mine.toml")
    assert tune == Tune(max_steps=2)


@given(st.lists(st.sampled_from(TUNABLE)))
def test_fields_are_kept_once_and_in_their_fixed_order(fields: list[str]) -> None:
    tune = validate(Tune, {"fields": fields}, source="mine.toml")
    assert tune.fields == tuple(field for field in TUNABLE if field in fields)


@pytest.mark.parametrize("value", [1, {"a vs b": 0.4}])
def test_a_target_is_a_number_or_a_table(value: object) -> None:
    assert validate(Target, {"win_rate": value}, source="mine.toml").win_rate == value


def test_a_preset_is_its_settings_and_leaves_no_trace() -> None:
    spelt_out = {
        "tune": {"sense": False, "weights": {"card": 0}},
        "narrow": {"by": "power", "keep": 5},
        "search": {"method": "nsga2", "widen": False},
    }
    one, other = (
        BalanceSettings.model_validate({"seed": 1, **value})
        for value in ({"preset": "thesis"}, spelt_out)
    )
    assert one.model_dump() == other.model_dump()


def test_explicit_settings_precede_a_preset() -> None:
    value = {"preset": "thesis", "narrow": {"keep": 3}, "search": {"method": "ga", "population": 8}}
    settings = BalanceSettings.model_validate({"seed": 1, **value})
    assert (settings.narrow.by, settings.narrow.keep) == ("power", 3)
    assert (settings.search.method, settings.search.population) == ("ga", 8)


def test_widen_is_an_ordered_list_or_a_bool() -> None:
    usual = ("games", "cards", "rounds")
    for value, widen in (
        ({}, usual),
        ({"widen": True}, (*usual, "steps")),
        ({"widen": False}, ()),
        ({"widen": ["steps", "games"]}, ("games", "steps")),
    ):
        assert BalanceSettings.model_validate({"seed": 1, "search": value}).search.widen == widen


@pytest.mark.parametrize(
    ("tables", "limit_pp"),
    [
        ({}, 2.0),
        ({"target": {"first_seat": "free"}}, 2.0),
        ({"target": {"first_seat": (0.45, 0.55)}}, ANY_GROWTH_PP),
        ({"target": {"first_seat": 0.5}, "guards": {"median_turns": 0.5}}, ANY_GROWTH_PP),
        ({"target": {"first_seat": 0.5}, "guards": {"max_first_seat_pp": 3.0}}, 3.0),
    ],
)
def test_a_goal_of_the_first_seat_replaces_its_default_guard(
    tables: dict[str, Any], limit_pp: float
) -> None:
    assert BalanceSettings(seed=1, **tables).guards.max_first_seat_pp == limit_pp

"""What a run may be told is checked when it is read, and a mistake is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.settings import (
    ANY_GROWTH_PP,
    BalanceSettings,
    Games,
    Guards,
    Narrow,
    Search,
    Target,
)
from balance.tune import TUNABLE, Tune
from sim import InputError, StrictModel, validate

NAN = float("nan")
INFINITY = float("inf")


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (Games, {"search": 401}, r"search = 401 must be a multiple of 2"),
        (Games, {"certify": 2}, r"certify = 2 must be at least 4"),
        (Games, {"select": 1000.0}, r"select = 1000\.0 must be a whole number"),
        (Games, {"power": "many"}, r"power = 'many' must be a whole number"),
        (Games, {"serach": 400}, r"unknown key 'serach'; did you mean 'search'\?"),
        (Target, {"win_rate": 1.2}, r"win_rate = 1\.2 must be at most 1"),
        (Target, {"win_rate": -0.1}, r"win_rate = -0\.1 must be at least 0"),
        (Target, {"win_rate": NAN}, r"win_rate = nan must be a finite number"),
        (Target, {"win_rate": {"a vs b": 1.2}}, r"win_rate\.a vs b = 1\.2 must be at most 1"),
        (Target, {"win_rate": {"a vs b": NAN}}, r"win_rate\.a vs b = nan must be a finite"),
        (Target, {"band_pp": 0.0}, r"band_pp = 0\.0 must be at least 0\.5"),
        (Target, {"band_pp": INFINITY}, r"band_pp = inf must be a finite number"),
        (Tune, {"fields": ["atack"]}, r"fields: unknown field 'atack'; did you mean 'attack'\?"),
        (Tune, {"max_steps": 0}, r"max_steps = 0 must be at least 1"),
        (Tune, {"max_steps": {"cost": 0}}, r"max_steps\.cost = 0 must be at least 1"),
        (Tune, {"max_steps": {"cots": 1}}, r"max_steps: unknown field 'cots'; did you mean 'cost'"),
        (Tune, {"max_steps": "2"}, r"max_steps = '2' must be a whole number"),
        (Tune, {"max_card_change": 0}, r"max_card_change = 0 must be at least 1"),
        (Tune, {"weights": {"cost": 0.0}}, r"weights\.cost = 0\.0 must be more than 0"),
        (Tune, {"weights": {"manna": 1.0}}, r"weights: unknown key 'manna'"),
        (Tune, {"weights": {"card": -1.0}}, r"weights\.card = -1\.0 must be at least 0"),
        (Tune, {"sense": 3}, r"sense = 3 must be true, false, or a table of attack, cost, dom"),
        (Tune, {"sense": {"dominanse": False}}, r"sense: unknown key 'dominanse'; did you mean 'd"),
        (Tune, {"sense": {"cost": 0}}, r"sense\.cost = 0 must be true or false"),
        (Tune, {"lock": "ember_whelp"}, r"lock = 'ember_whelp' must be a list"),
        (Guards, {"max_draw_rate": 1.5}, r"max_draw_rate = 1\.5 must be at most 1"),
        (Guards, {"max_first_seat_pp": -1.0}, r"max_first_seat_pp = -1\.0 must be at least 0"),
        (Guards, {"median_turns": NAN}, r"median_turns = nan must be a finite number"),
        (Narrow, {"by": "powr"}, r"by: unknown word 'powr'; did you mean 'power'\?"),
        (Narrow, {"keep": 0}, r"keep = 0 must be at least 1"),
        (Narrow, {"baseline": "vanila"}, r"baseline: unknown word 'vanila'; did you mean"),
        (Search, {"start": "spars"}, r"start: unknown word 'spars'; did you mean 'sparse'\?"),
        (Search, {"population": 3}, r"population = 3 must be at least 4"),
        (Search, {"generations": True}, r"generations = true must be a whole number"),
    ],
)
def test_a_bad_value_is_refused_with_its_field(
    model: type[StrictModel], data: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"^mine.toml: {message}"):
        validate(model, data, source="mine.toml")


@pytest.mark.parametrize("told", [True, False])
def test_one_word_is_for_all_rules_of_sense(told: bool) -> None:
    sense = validate(Tune, {"sense": told}, source="mine.toml").sense
    assert set(sense.model_dump().values()) == {told}


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


@pytest.mark.parametrize("told", [1, {"a vs b": 0.4}])
def test_a_target_is_a_number_or_a_table(told: object) -> None:
    assert validate(Target, {"win_rate": told}, source="mine.toml").win_rate == told


def test_a_preset_is_its_settings_and_leaves_no_trace() -> None:
    spelt_out = {
        "tune": {"sense": False},
        "narrow": {"by": "power", "keep": 5},
        "search": {"method": "nsga2", "widen": False},
    }
    one, other = (
        BalanceSettings.model_validate({"seed": 1, **told})
        for told in ({"preset": "thesis"}, spelt_out)
    )
    assert one.model_dump() == other.model_dump()


def test_what_is_said_goes_before_a_preset() -> None:
    told = {"preset": "thesis", "narrow": {"keep": 3}, "search": {"method": "ga", "population": 8}}
    settings = BalanceSettings.model_validate({"seed": 1, **told})
    assert (settings.narrow.by, settings.narrow.keep) == ("power", 3)
    assert (settings.search.method, settings.search.population) == ("ga", 8)


def test_what_may_be_widened_is_a_list_in_one_order_or_a_word_for_all_or_none() -> None:
    usual = ("games", "cards", "rounds")
    for told, widen in (
        ({}, usual),
        ({"widen": True}, (*usual, "steps")),
        ({"widen": False}, ()),
        ({"widen": ["steps", "games"]}, ("games", "steps")),
    ):
        assert BalanceSettings.model_validate({"seed": 1, "search": told}).search.widen == widen


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

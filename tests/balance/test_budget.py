"""The budget: a total is never exceeded, and explicit settings of stages are kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from balance import BalanceRun, BalanceSettings, run_balance
from balance.settings.budget import games_to_spend, split_games
from sim.errors import InputError
from tests.balance.contests import THREE
from tests.refusals import refusal_of

METHODS = ("model", "nsga2")


def settings_of(total: int, **more: object) -> BalanceSettings:
    games = {"total": total, **more.get("games", {})}
    return BalanceSettings.model_validate({"seed": 3, **more, "games": games})


def split(settings: BalanceSettings, n_matchups: int = 3) -> BalanceSettings:
    return split_games(settings, n_matchups=n_matchups, n_numbers=129, n_powers=33)


def spent(run: BalanceRun) -> int:
    n_matchups = len(run.contest.matchups)
    selection = run.selection
    cleanup = run.cleanup
    of_each = run.measurement.matchups.n_games + 2 * run.certificate.n_games_played
    before = int(run.state.history[-1, 0]) + run.measurement.narrowing.n_games
    return of_each * n_matchups + before + selection.n_played + cleanup.n_games


SEARCHES = [{"method": "model"}, {"method": "nsga2"}, {"method": "nsga2", "assist": True}]


@given(st.integers(1_000, 10**9), st.integers(1, 66), st.sampled_from(SEARCHES))
@example(300, 1, SEARCHES[1])
@example(312 * 7, 7, SEARCHES[2])
def test_the_stages_share_what_there_is(
    total: int, n_matchups: int, search: dict[str, object]
) -> None:
    settings = settings_of(total, search=search)
    try:
        games = split(settings, n_matchups).games
    except InputError:
        assert total < 300 * n_matchups
        return
    n_selected = split(settings, n_matchups).search.candidates + 1
    of_each = games.matchups + n_selected * games.select + 2 * games.certify
    assert of_each * n_matchups + games_to_spend(settings, n_matchups) <= total
    assert of_each * n_matchups > 0.6 * total or games.select < 100  # rounded down


@pytest.mark.parametrize(("by", "n_measured"), [("power", 33), ("lever", 2 * 129 * 3)])
def test_narrowing_has_its_share_of_the_games(by: str, n_measured: int) -> None:
    games = split(settings_of(600_000, narrow={"by": by})).games
    assert 0.14 < n_measured * getattr(games, by) / 600_000 <= 0.15


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("total", "by", "method"),
    [
        *((24_000, by, method) for by in ("none", "power", "lever") for method in METHODS),
        *((60_000, "lever", method) for method in METHODS),
    ],
)
def test_a_run_takes_no_more_than_its_total(total: int, by: str, method: str) -> None:
    rounds = {"rounds": 6} if method == "model" else {}  # of hopeless searches, which take longest
    settings = settings_of(total, search={"method": method, **rounds}, narrow={"by": by})
    assert 0.4 * total < spent(run_balance(THREE, settings)) <= total


def test_explicit_settings_are_kept_and_the_rest_is_split() -> None:
    settings = split(settings_of(600_000, games={"certify": 10_000}, search={"rounds": 3}))
    assert (settings.games.certify, settings.search.rounds) == (10_000, 3)
    assert settings.games.matchups == 20_000
    assert split(settings) == settings
    usual = BalanceSettings(seed=1)
    assert split(usual) is usual


@pytest.mark.parametrize(
    ("total", "settings", "limit"),
    [
        (60_000, {"games": {"certify": 20_000}}, ("games.certify",)),
        (60_000, {"games": {"design": 8_000}}, ("games.design",)),
        (60_000, {"games": {"search": 6_400}}, ("games.search",)),
        (60_000, {"narrow": {"by": "power"}, "games": {"power": 10_000}}, 272),
        (60_000, {"search": {"method": "nsga2", "population": 1000}}, ("search.population",)),
        (500, {}, 4),
    ],
)
def test_settings_beyond_the_total_are_refused(total: int, settings: Any, limit: object) -> None:
    error = refusal_of(split, settings_of(total, **settings))
    assert (error.place, error.value, error.limit) == ("games.total", total, limit)

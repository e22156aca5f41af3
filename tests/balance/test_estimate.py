"""Estimates count what settings fix, and never promise that a stage takes less than it can."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.card_contest import CardContest
from balance.edit_effects import measure_edits
from balance.estimate import Probe, estimate_run, guess_run
from balance.pipeline import run_balance
from balance.settings import BalanceSettings
from experiments.results.stages import games_of_stages
from tests.balance.contests import RUSH_KEEP

SETTINGS = BalanceSettings.model_validate(
    {
        "seed": 3,
        "target": {"band_pp": 9},
        "guards": {"max_draw_rate": 1, "max_first_seat_pp": 100, "median_turns": 100},
        "games": {
            "matchups": 200, "power": 20, "lever": 20, "search": 40, "select": 200, "certify": 400,
        },
        "search": {"population": 8, "generations": 3, "rounds": 4},
    }
)  # fmt: skip
EVOLUTION = {"population": 8, "generations": 3}


def settings_with(**tables: object) -> BalanceSettings:
    told = SETTINGS.model_dump(exclude_unset=True)
    return BalanceSettings.model_validate(told | tables)


def games_played(settings: BalanceSettings) -> tuple[dict[str, int], int]:
    """The games of each stage of a run, and what it told of games as it played them."""
    told = list[int]()
    contest: CardContest = replace(RUSH_KEEP, on_games=told.append)
    run = run_balance(contest, settings)
    n_spent = sum(games_of_stages(run).values())
    genome = run.selection.genomes[run.selection.recommended]
    effects = measure_edits(run.evaluator, genome, settings.games, n_spent=n_spent)
    return games_of_stages(run, effects), sum(told)


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"narrow": {"by": "lever", "keep": 2}},
        {"narrow": {"by": "power"}, "search": EVOLUTION | {"method": "nsga2"}},
        {"search": EVOLUTION | {"method": "ga", "assist": True}},
    ],
)  # fmt: skip
def test_what_settings_fix_is_counted_and_no_stage_takes_more_than_its_most(
    tables: dict[str, object],
) -> None:
    settings = settings_with(**tables)
    played, n_told = games_played(settings)
    assert n_told == sum(played.values())
    stages = {
        stage.stage.replace(" ", "_"): stage for stage in estimate_run(RUSH_KEEP, settings).stages
    }
    played.pop("explain", 0)  # of a failure, which nobody expects
    assert stages.keys() == played.keys()
    for name in ("measure", "narrow"):
        assert stages[name].n_games == played[name]
    for name, stage in stages.items():
        assert stage.n_games <= stage.most, name
        assert played[name] <= stage.most, name


def test_a_total_is_not_overdrawn() -> None:
    settings = settings_with(games={"total": 60_000}, search={})
    estimate = estimate_run(RUSH_KEEP, settings)
    assert estimate.n_games <= 60_000
    played, n_told = games_played(settings)
    assert sum(played.values()) == n_told <= estimate.most == 60_000


def test_the_further_off_today_is_the_more_rounds_and_edits_are_expected() -> None:
    expected = []
    for off_pp in (0.0, 15.0, 25.0, 35.0):
        probe = Probe(off_pp, n_games=4_000, seconds=1e-6, unit_s=5e-3)
        expected.append(guess_run(RUSH_KEEP, SETTINGS, probe))
    for name in ("n_games", "seconds"):
        values = [getattr(estimate, name) for estimate in expected]
        assert values == sorted(values), name
        assert values[0] < values[-1], name


def test_seconds_are_those_of_the_games_and_of_the_model() -> None:
    probe = Probe(0.0, n_games=4_000, seconds=2e-3, unit_s=0.0)
    guess = guess_run(RUSH_KEEP, SETTINGS, probe)
    assert guess.seconds == pytest.approx(2e-3 * guess.n_games)
    slower = guess_run(RUSH_KEEP, SETTINGS, probe._replace(unit_s=5e-3))
    assert slower.seconds > guess.seconds

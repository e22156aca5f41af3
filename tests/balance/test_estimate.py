"""Estimates: stages fixed by the settings are exact, and no stage exceeds its estimated maximum."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance import BalanceSettings, CardContest, prepare, run_balance
from balance.cards.game_time import time_games
from balance.run.estimate import RunEstimate, estimate_run, guess_run
from balance.run.probe import Probe, probe_run
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
    return BalanceSettings.model_validate(SETTINGS.model_dump(exclude_unset=True) | tables)


def games_played(settings: BalanceSettings) -> tuple[dict[str, int], int]:
    """Return the games of each stage of a run, and the number that its callback reported."""
    reported = list[int]()
    contest: CardContest = replace(RUSH_KEEP, on_games=reported.append)
    run = run_balance(contest, settings)
    return run.with_effects(settings.games).games, sum(reported)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"narrow": {"by": "lever", "keep": 2}, "search": {"widen": False}},
        {"narrow": {"by": "power"}, "search": EVOLUTION | {"method": "nsga2", "widen": False}},
        {"search": EVOLUTION | {"method": "ga", "assist": True}},
    ],
)  # fmt: skip
def test_fixed_stages_are_counted_and_no_stage_exceeds_its_maximum(
    tables: dict[str, object],
) -> None:
    settings = settings_with(**tables)
    played, n_reported = games_played(settings)
    assert n_reported == sum(played.values())
    stages = {
        stage.stage.replace(" ", "_"): stage
        for stage in estimate_run(prepare(RUSH_KEEP, settings)).stages
    }
    for some in (played, stages):
        some.pop("explain", None)  # of a failure
    assert stages.keys() == played.keys()
    for name in ("measure", "narrow"):
        assert stages[name].n_games == played[name]
    for name, stage in stages.items():
        assert max(stage.n_games, played[name]) <= stage.most, name


def test_a_total_is_not_overdrawn() -> None:
    settings = settings_with(games={"total": 60_000}, search={})
    estimate = estimate_run(prepare(RUSH_KEEP, settings))
    assert estimate.n_games <= 60_000
    played, n_reported = games_played(settings)
    assert sum(played.values()) == n_reported <= estimate.most == 60_000


SEEN = Probe(game_s=1e-6, n_steps=3.0, does=True, does_narrowed=True, chance=0.5, round_s=0.1)


def expected(**seen: float) -> RunEstimate:
    return guess_run(prepare(RUSH_KEEP, SETTINGS), SEEN._replace(**seen))


@pytest.mark.parametrize(("what", "least", "most"), [("n_steps", 1, 9), ("chance", 0.9, 0.1)])
def test_the_more_steps_and_the_less_likely_the_longer_the_search(
    what: str, least: float, most: float
) -> None:
    easy, usual, hard = (expected(**{what: value}) for value in (least, (least + most) / 2, most))
    assert easy.n_games < usual.n_games <= hard.n_games
    assert easy.seconds < usual.seconds <= hard.seconds


def test_a_failure_is_expected_to_be_explained() -> None:
    hopeful, hopeless = (
        {stage.stage: stage.n_games for stage in expected(does=does).stages}
        for does in (True, False)
    )
    assert "explain" not in hopeful
    assert sum(hopeless.values()) > sum(hopeful.values())
    assert hopeless["explain"] > hopeless["clean up"] == 0


@pytest.mark.parametrize("method", ["ga", "model"])
def test_relaxations_are_expected_if_no_patch_suffices(method: str) -> None:
    def guessed(widen: bool | list[str], **seen: float) -> RunEstimate:
        search = EVOLUTION | {"generations": 10, "method": method, "widen": widen}
        return guess_run(prepare(RUSH_KEEP, settings_with(search=search)), SEEN._replace(**seen))

    enough = guessed(widen=True)
    assert enough.widened == ()
    assert guessed(widen=False, does_narrowed=False) == guessed(widen=False)
    few = guessed(widen=["cards"], does_narrowed=False)
    assert few.widened == ("cards",)
    searched = [next(s for s in guess.stages if s.stage == "search") for guess in (enough, few)]
    assert 2 * searched[0].n_games < searched[1].n_games <= searched[1].most
    assert guessed(widen=True, n_steps=7.0).widened == (() if method == "model" else ("rounds",))


@pytest.mark.thorough
@pytest.mark.parametrize("by", ["power", "lever"])
def test_few_cards_that_cannot_reach_a_target_are_not_expected_to_do(by: str) -> None:
    def does(keep: int) -> bool:
        target = {"win_rate": 0.4, "band_pp": 9}
        settings = settings_with(narrow={"by": by, "keep": keep}, target=target)
        return probe_run(prepare(RUSH_KEEP, settings)).does_narrowed

    assert does(keep=30)
    assert not does(keep=1)


@pytest.mark.parametrize(("beside", "needs_steps"), [(0.0, False), (0.3, True)])
def test_rates_far_from_a_target_but_within_bounds_need_no_patch(
    beside: float, needs_steps: bool
) -> None:
    played, _ = time_games(RUSH_KEEP, SETTINGS.seed)
    rate = float(played.rates[0, 0])
    middle = rate - beside if rate > 0.5 else rate + beside
    target = {"win_rate": (middle - 0.2, middle + 0.2), "band_pp": 1}
    assert (probe_run(prepare(RUSH_KEEP, settings_with(target=target))).n_steps > 0) == needs_steps


def test_seconds_are_those_of_the_games_and_of_the_model() -> None:
    guess = expected(round_s=0.0)
    assert guess.seconds == pytest.approx(1e-6 * guess.n_games)
    assert expected().seconds > guess.seconds

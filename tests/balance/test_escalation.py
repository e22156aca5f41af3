"""Escalation: what a run widens, that it says so, and that nothing else of the run moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance import BalanceRun, SearchState, card_contest, run_balance
from balance.model.state import ModelState
from tests.balance.contests import THREE
from tests.balance.test_pipeline import Counter, assert_equal_runs, settings_of

pytestmark = pytest.mark.thorough

ONE_CARD = {"narrow": {"by": "random", "keep": 1}}
FAR = {"target": {"band_pp": 1}, "tune": {"max_steps": 1}}


def widened(**told: Any) -> tuple[BalanceRun, list[str], list[SearchState]]:
    """A run that finds nothing; its stages, and the states that it kept."""
    stages, states = list[str](), list[SearchState]()
    settings = settings_of(**ONE_CARD, **FAR, **told)
    kept = {"on_stage": stages.append, "on_generation": states.append}
    return run_balance(THREE, settings, threads=1, explains=False, **kept), stages, states


@pytest.mark.parametrize("method", ["model", "nsga2"])
def test_a_run_that_finds_nothing_widens_before_its_only_certificate(method: str) -> None:
    search = {"method": method, "rounds": 2, "population": 6, "generations": 2}
    run, stages, states = widened(search=search)
    assert len(run.measurement.narrowing.kept) == 3
    n_cards = len(run.measurement.narrowing.full.cards)
    assert run.widened[0] == f"all {n_cards} cards instead of the 3 that narrowing kept"
    assert [stage.removeprefix("widen: ") for stage in stages if "widen" in stage] == [*run.widened]
    assert stages.count("certify") == 1
    assert stages.count("select") == 1 + len(run.widened)
    moved = {run.evaluator.space.genes[k].owner for k in np.flatnonzero(run.state.seen.any(axis=0))}
    assert moved - {*run.measurement.narrowing.kept}
    for state in states[:: len(states) // 4]:
        how = {"state": state, "measurement": run.measurement, "explains": False}
        again = run_balance(THREE, settings_of(**ONE_CARD, **FAR, search=search), threads=2, **how)
        assert again.widened == run.widened
        assert_equal_runs(again, run)


def test_what_was_seen_is_the_same_patch_in_a_wider_space() -> None:
    run, _, states = widened(search={"method": "model", "rounds": 2, "widen": ["cards"]})
    before = next(state for state in states if not len(state.widened))
    place = [
        run.evaluator.space.genes.index(gene) for gene in run.measurement.narrowing.space.genes
    ]
    n_seen = len(before.seen)
    np.testing.assert_array_equal(run.state.seen[:n_seen, place], before.seen)
    assert not np.delete(run.state.seen[:n_seen], place, axis=1).any()
    assert isinstance(run.state, ModelState)
    assert (run.state.seen_times[:n_seen] >= before.seen_times).all()


def test_all_games_of_a_widened_search_count(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counter()
    monkeypatch.setattr(card_contest, "play", counted)
    at_stages = dict[str, int]()
    search = {"method": "model", "rounds": 2, "widen": ["cards"]}
    run = run_balance(
        THREE,
        settings_of(**ONE_CARD, **FAR, search=search),
        threads=1,
        explains=False,
        on_stage=lambda stage: at_stages.update({stage: counted.n_games}),
    )
    n_measured = run.measurement.matchups.n_games * len(THREE.matchups)
    assert len(run.widened) == 1
    assert run.state.history[-1, 0] == at_stages["select"] - n_measured


@pytest.mark.parametrize(
    "told", [{"search": {"widen": False}}, {"games": {"total": 60_000}}], ids=["false", "total"]
)
def test_nothing_is_widened_that_may_not_be(told: dict[str, Any]) -> None:
    search = {"method": "model", "rounds": 2} | told.pop("search", {})
    run, stages, _ = widened(search=search, **told)
    assert not run.certificate.certified
    assert run.widened == ()
    assert stages.count("search") == 1
    assert run.evaluator.space == run.measurement.narrowing.space


def test_steps_are_doubled_only_if_asked_for() -> None:
    for widen, most in ((["steps"], 2), (["rounds"], 1)):
        run, _, _ = widened(search={"method": "model", "rounds": 2, "widen": widen})
        assert run.evaluator.space.high.max() == most


def test_a_reading_inside_its_bands_is_given_more_games() -> None:
    told = {
        "target": {"band_pp": 9},
        "search": {"method": "model", "rounds": 2, "widen": ["games"]},
    }
    games = {"matchups": 2_000, "search": 100, "select": 100, "certify": 100}
    run = run_balance(THREE, settings_of("none", games=games, **told), threads=1)
    assert run.widened == ("4 times the games of selection and certificate (400 and 400)",)
    assert run.selection.n_games == 400
    assert run.certificate.n_games <= 400

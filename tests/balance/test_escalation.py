"""Escalation: the relaxations that a run makes and reports, and equality of everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from balance import BalanceRun, RunContext, SearchState, prepare, run_balance, run_stages
from balance.search.model.state import ModelState
from balance.settings.tables import BalanceSettings
from tests.balance.contests import RUSH_KEEP
from tests.balance.test_pipeline import assert_equal_runs, settings_of
from tests.messages import check_message

pytestmark = pytest.mark.thorough


def far_off(**settings: Any) -> BalanceSettings:
    """Return settings with which nothing is found: one card per deck, one step, a narrow band."""
    one_card = {"narrow": {"by": "random", "keep": 1}}
    far = {"target": {"band_pp": 1}, "tune": {"max_steps": 1, "fields": ["attack"]}}
    return settings_of(**one_card, **far, **settings)


class Widened(NamedTuple):
    """A run, the games played before each of its stages, and the states of its search."""

    run: BalanceRun
    stages: list[tuple[str, int]]
    states: list[SearchState]

    def times(self, stage: str) -> int:
        return [name for name, _ in self.stages].count(stage)


def widened(**settings: Any) -> Widened:
    """Run a balancing run that finds nothing."""
    played = list[int]()
    stages = list[tuple[str, int]]()
    states = list[SearchState]()
    run = run_balance(
        replace(RUSH_KEEP, on_games=played.append),
        far_off(**settings),
        RunContext(
            explains=False,
            on_stage=lambda stage: stages.append((stage, sum(played))),
            on_generation=states.append,
        ),
    )
    return Widened(run, stages, states)


@pytest.fixture(scope="module")
def by_cards() -> Widened:
    """Return a run relaxed from one card per deck to all cards; tests only read it."""
    return widened(search={"method": "model", "rounds": 2, "widen": ["cards"]})


@pytest.mark.parametrize("method", ["model", "nsga2"])
def test_a_run_that_finds_nothing_widens_before_its_only_certificate(method: str) -> None:
    search = {"method": method, "rounds": 2, "population": 6, "generations": 2}
    outcome = widened(search=search)
    run = outcome.run
    narrowing = outcome.run.measurement.narrowing
    n_cards = len(narrowing.full.cards)
    assert len(narrowing.kept) == 2
    assert str(n_cards) in run.widened[0].split()
    check_message(run.widened[0])
    settings = [stage for stage, _ in outcome.stages if "widen" in stage]
    assert settings == [f"widen: {one}" for one in run.widened]
    assert (outcome.times("certify"), outcome.times("select")) == (1, 1 + len(run.widened))
    moved = {run.evaluator.space.genes[k].owner for k in np.flatnonzero(run.state.seen.any(axis=0))}
    assert moved - {*narrowing.kept}
    for state in outcome.states[:: len(outcome.states) // 2]:
        context = RunContext(state=state, explains=False)
        question = prepare(RUSH_KEEP, far_off(search=search))
        again = run_stages(question, context, measured=run.measurement)
        assert again.widened == run.widened
        assert_equal_runs(again, run)


def test_evaluated_candidates_stay_the_same_patches_in_a_relaxed_space(by_cards: Widened) -> None:
    run = by_cards.run
    before = next(state for state in by_cards.states if not len(state.widened))
    genes = run.measurement.narrowing.space.genes
    n_seen = len(before.seen)
    place = [run.evaluator.space.genes.index(gene) for gene in genes]
    np.testing.assert_array_equal(run.state.seen[:n_seen, place], before.seen)
    assert not np.delete(run.state.seen[:n_seen], place, axis=1).any()
    assert isinstance(run.state, ModelState)
    assert (run.state.seen_times[:n_seen] >= before.seen_times).all()


def test_all_games_of_a_widened_search_count(by_cards: Widened) -> None:
    run = by_cards.run
    at_stages = dict(by_cards.stages)
    assert len(run.widened) == 1
    assert run.state.history[-1, 0] == at_stages["select"] - run.measurement.matchups.n_games


@pytest.mark.parametrize(
    "settings", [{"search": {"widen": False}}, {"games": {"total": 60_000}}], ids=["false", "total"]
)
def test_forbidden_relaxations_are_not_made(settings: dict[str, Any]) -> None:
    search = {"method": "model", "rounds": 2} | settings.pop("search", {})
    outcome = widened(search=search, **settings)
    assert not outcome.run.certificate.certified
    assert (outcome.run.widened, outcome.times("search")) == ((), 1)
    assert outcome.run.evaluator.space == outcome.run.measurement.narrowing.space


def test_steps_are_doubled_only_if_asked_for() -> None:
    for widen, most in ((["steps"], 2), (["rounds"], 1)):
        run = widened(search={"method": "model", "rounds": 2, "widen": widen}).run
        assert run.evaluator.space.low.min() == -most


def test_doubled_steps_stay_within_what_one_card_may_change() -> None:
    tune = {"max_steps": {"cost": 1}, "max_card_change": 1}
    search = {"method": "model", "rounds": 2, "widen": ["steps"]}
    run = run_balance(
        RUSH_KEEP,
        settings_of("none", target={"band_pp": 1}, tune=tune, search=search),
        RunContext(explains=False),
    )
    space = run.evaluator.space
    ends = {"cost": 2, "attack": 4, "health": 4}
    assert len(run.widened) == 1
    assert all(low >= -ends[gene.field] for gene, low in zip(space.genes, space.low, strict=True))
    assert space.high.max() == 4
    cards = [np.abs(run.state.seen[:, space.owners == card]).sum(axis=1) for card in space.cards]
    assert run.state.seen.any()
    assert np.stack(cards).max() <= 1


def test_a_reading_inside_its_bands_is_given_more_games() -> None:
    settings = {
        "target": {"band_pp": 9},
        "search": {"method": "model", "rounds": 2, "widen": ["games"]},
    }
    games = {"matchups": 2_000, "search": 100, "select": 100, "certify": 100}
    run = run_balance(RUSH_KEEP, settings_of("none", games=games, **settings))
    (widening,) = run.widened
    check_message(widening)
    assert set(run.selection.n_games.tolist()) <= {400, 1_600}
    assert run.certificate.n_games <= 400

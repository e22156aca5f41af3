"""Assisted evolution: the played genomes are well chosen, and all games are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance import Contest, Demands, SearchState, prepare
from balance.search.methods import Evolution
from balance.search.optimisers import OPTIMISERS
from balance.settings.tables import BalanceSettings, Guards
from balance.verdict.evaluation import UNPLAYABLE, Evaluator
from tests.balance.contests import RUSH_KEEP, evaluator_of, free_space
from tests.balance.model.test_model_search import SPACE, Strengths
from tests.refusals import refusal_of

both_methods = pytest.mark.parametrize("method", OPTIMISERS)


def settings_of(**search: Any) -> BalanceSettings:
    given = {"assist": True, "method": "nsga2", "population": 12, "generations": 6, **search}
    settings = {"seed": 1, "games": {"matchups": 1000}, "search": given}
    return BalanceSettings.model_validate(settings)


def evolved(contest: Contest, **search: Any) -> list[SearchState]:
    evaluator = Evaluator(contest, SPACE, Demands.around([0.5] * 3, 5.0), Guards(), run_seed=1)
    states: list[SearchState] = []
    Evolution(evaluator, settings_of(**search)).run(None, states.append)
    return states


def smallest_that_does(contest: Strengths, state: SearchState) -> float:
    """Return the least change of a surviving genome with all true rates in their bands."""
    does = (np.abs(contest.chances(state.population) - 0.5) < 0.05).all(axis=1)
    return min(np.abs(state.population[does]).sum(axis=1), default=np.inf)


@both_methods
def test_the_first_generation_includes_feasible_genomes(method: str) -> None:
    contest = Strengths()  # of which the least that does is a change of 3
    assisted = [smallest_that_does(contest, one) for one in evolved(contest, method=method)]
    assert len(assisted) > 3
    assert max(assisted) <= 4  # which the GA takes, if it is a point nearer
    assert smallest_that_does(contest, evolved(contest, method=method, assist=False)[0]) > 4


def test_all_games_are_counted_and_no_more_played_than_may_be() -> None:
    contest = Strengths()
    states = evolved(contest, generations=8)
    played = np.cumsum([n_candidates * n for _, n_candidates, n in contest.calls])
    assert states[-1].history[-1, 0] == played[-1]
    assert states[-1].generation < 8  # as the initial_design took the games of the last generations
    alone = Strengths()
    evolved(alone, generations=8, assist=False)
    given = sum(n_candidates * n for _, n_candidates, n in alone.calls)
    assert 0.8 * given < played[-1] <= given


def test_genomes_with_endless_games_do_not_survive() -> None:
    last = evolved(Strengths(endless=(3, -2)))[-1]
    assert (last.seen_violation >= UNPLAYABLE).any()
    assert not (last.population[:, 3] == -2).any()


@both_methods
def test_a_space_smaller_than_the_population_is_searched_through(method: str) -> None:
    evaluator = evaluator_of(RUSH_KEEP, free_space([0], [1]))
    state = Evolution(evaluator, settings_of(method=method)).run(None, lambda _: None)
    assert sorted(state.seen.ravel().tolist()) == [0, 1]


def test_only_an_optimiser_can_be_assisted() -> None:
    error = refusal_of(prepare, RUSH_KEEP, settings_of(method="model"))
    assert "search.assist" in str(error)

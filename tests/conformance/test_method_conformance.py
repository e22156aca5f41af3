"""Every method passes the suite, and optimisers of users that break its rules are rejected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance import BalanceSettings, register_optimiser
from balance.conformance import MethodSuite
from balance.search import methods
from balance.search.methods import METHODS, method_named
from balance.settings.budget import games_to_spend
from experiments.methods import BASELINES
from tests.balance.contests import coin_evaluator, free_space
from tests.refusals import refusal_of

SETTINGS = BalanceSettings.model_validate(
    {"seed": 1, "search": {"method": "mine", "population": 4, "generations": 1}}
)
SPACE = free_space([-2, 0], [2, 1])
ZEROS = np.zeros((1, 2), np.int16)


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> str:
    return request.param


class TestOurMethods(MethodSuite):
    """The suite, applied to all registered methods."""


@pytest.mark.parametrize("method", ["nsga2", pytest.param("ga", marks=pytest.mark.thorough)])
class TestAssistedOptimisers(MethodSuite):
    """The suite, applied to optimisers that a surrogate assists."""

    assist = True


class TestBaselines(MethodSuite):
    """The suite, applied to the baselines of `evenhand suite`, registered as those of users."""

    @pytest.fixture(params=["random", pytest.param("tpe", marks=pytest.mark.thorough)])
    def method(self, request: pytest.FixtureRequest) -> str:
        register_optimiser(request.param, BASELINES[request.param])
        return request.param


def run_solver(solve, state=None, on_round=lambda _: None) -> Any:
    """Run an optimiser on two coins, and return the final state of the search.

    Args:
        solve: the optimiser.
        state: state to resume from.
        on_round: called with the state after each round.
    """
    methods._solvers["mine"] = solve
    return method_named("mine")(coin_evaluator(SPACE, n_matchups=2), SETTINGS).run(state, on_round)


def test_a_batch_costs_its_different_genomes_and_the_baseline() -> None:
    n_games = games_to_spend(SETTINGS, 2)
    assert n_games == (4 + 1 + 4 + 4 + 1) * 400 * 2
    left = []

    def solve(problem, settings, n_given):
        assert (n_given, problem.n_affordable) == (n_games, 13)
        scores = problem.score([[1, 0], [0, 0], [1, 0], [2, 0]])
        assert scores.change.tolist() == [1, 0, 1, 2]
        assert scores.win_rate[0].tolist() == scores.win_rate[2].tolist()
        left.append((problem.n_games_left, problem.n_affordable))
        return [[2, 0], [1, 0]]

    state = run_solver(solve)
    assert left == [(n_games - 4 * 800, 9)]
    assert state.history[-1, 0] == 4 * 800
    assert state.population.tolist() == [[2, 0], [1, 0]]
    assert state.scores.change.tolist() == [2, 1]
    assert sorted(state.seen.tolist()) == [[0, 0], [1, 0], [2, 0]]


def test_evaluations_of_a_genome_add_up() -> None:
    rates: list[Any] = []

    def solve(problem, settings, n_games):
        rates.extend(problem.score(ZEROS).win_rate[0].tolist() for _ in range(3))
        return ZEROS

    state = run_solver(solve)
    assert state.seen_times.tolist() == [3]
    assert rates[0] != rates[1]  # each evaluation plays other games
    np.testing.assert_allclose(state.scores.win_rate, [np.mean(rates, axis=0)])


def spends_too_much(problem, settings, n_games):
    while True:
        problem.score([[k, 0] for k in range(-2, 3)])


def strays(problem, settings, n_games):
    problem.score([[0, 2]])


def counts_in_halves(problem, settings, n_games):
    problem.score([[0.5, 0.0]])


def forgets_a_number(problem, settings, n_games):
    problem.score([[1], [0]])


def never_played_it(problem, settings, n_games):
    problem.score(ZEROS)
    return [[1, 1]]


def says_nothing(problem, settings, n_games):
    return []


@pytest.mark.parametrize(
    "solve",
    [
        spends_too_much,
        strays,
        counts_in_halves,
        forgets_a_number,
        never_played_it,
        says_nothing,
    ],
)
def test_an_optimiser_that_breaks_the_rules_is_named_in_one_line(solve) -> None:
    error = refusal_of(run_solver, solve)
    assert "'mine'" in str(error)


def test_an_optimiser_that_does_not_repeat_itself_is_caught_when_resumed() -> None:
    steps = iter([1, 2, 2])
    states = list[Any]()

    def solve(problem, settings, n_games):
        problem.score([[next(steps), 0]])
        return problem.score(ZEROS) and ZEROS

    run_solver(solve, on_round=states.append)
    refusal_of(run_solver, solve, state=states[-1])


@pytest.mark.parametrize(
    ("name", "solve"),
    [
        pytest.param("ga", spends_too_much, id="a name that is taken"),
        pytest.param("mine", 7, id="no function"),
        pytest.param("mine", lambda problem: None, id="other parameters"),
    ],
)
def test_only_optimisers_with_new_names_are_registered(name: str, solve: Any) -> None:
    refusal_of(register_optimiser, name, solve)


def test_a_registered_optimiser_is_a_method_and_others_are_refused_with_it() -> None:
    assert register_optimiser("mine", strays) is strays
    assert method_named("mine") is methods.Solving
    assert refusal_of(method_named, "mime").value == "mime"

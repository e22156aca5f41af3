"""Every method passes the suite, and optimisers from outside that break its rules are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance import BalanceSettings, methods, register_optimiser
from balance.budget import games_to_spend
from balance.conformance import MethodSuite
from balance.methods import METHODS, method_named
from experiments.methods import BASELINES
from sim import InputError
from tests.balance.contests import coin_evaluator, free_space

SETTINGS = BalanceSettings.model_validate(
    {"seed": 1, "search": {"method": "mine", "population": 4, "generations": 1}}
)
SPACE = free_space([-2, 0], [2, 1])
ZEROS = np.zeros((1, 2), np.int16)


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> str:
    return request.param


class TestOurMethods(MethodSuite):
    """Nothing to add: a method that is registered is tested."""


@pytest.mark.parametrize("method", ["nsga2", pytest.param("ga", marks=pytest.mark.thorough)])
class TestAssistedOptimisers(MethodSuite):
    """They owe the same."""

    assist = True


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "_solvers", {})


class TestBaselines(MethodSuite):
    """Those of `evenhand suite` are optimisers from outside."""

    @pytest.fixture(params=["random", pytest.param("tpe", marks=pytest.mark.thorough)])
    def method(self, request: pytest.FixtureRequest) -> str:
        register_optimiser(request.param, BASELINES[request.param])
        return request.param


def asked(solve, state=None, on_round=lambda _: None) -> Any:
    """What comes of asking an optimiser about two coins."""
    methods._solvers["mine"] = solve
    return method_named("mine")(coin_evaluator(SPACE, n_matchups=2), SETTINGS).run(state, on_round)


def test_a_batch_costs_its_different_genomes_and_todays() -> None:
    n_games = games_to_spend(SETTINGS, 2)
    assert n_games == (4 + 1 + 4 + 4 + 1) * 400 * 2
    left = []

    def solve(question, settings, given):
        assert (given, question.n_affordable) == (n_games, 13)
        scores = question.score([[1, 0], [0, 0], [1, 0], [2, 0]])
        assert scores.change.tolist() == [1, 0, 1, 2]
        assert scores.win_rate[0].tolist() == scores.win_rate[2].tolist()
        left.append((question.n_games_left, question.n_affordable))
        return [[2, 0], [1, 0]]

    state = asked(solve)
    assert left == [(n_games - 4 * 800, 9)]
    assert state.history[-1, 0] == 4 * 800
    found = state.population.tolist(), state.scores.change.tolist()
    assert found == ([[2, 0], [1, 0]], [2, 1])
    assert sorted(state.seen.tolist()) == [[0, 0], [1, 0], [2, 0]]


def test_evaluations_of_a_genome_add_up() -> None:
    rates: list[Any] = []

    def solve(question, settings, n_games):
        rates.extend(question.score(ZEROS).win_rate[0].tolist() for _ in range(3))
        return ZEROS

    state = asked(solve)
    assert state.seen_times.tolist() == [3]
    assert rates[0] != rates[1]  # luck of its own each time
    np.testing.assert_allclose(state.scores.win_rate, [np.mean(rates, axis=0)])


def spends_too_much(question, settings, n_games):
    while True:
        question.score([[k, 0] for k in range(-2, 3)])


def strays(question, settings, n_games):
    question.score([[0, 2]])


def counts_in_halves(question, settings, n_games):
    question.score([[0.5, 0.0]])


def forgets_a_number(question, settings, n_games):
    question.score([[1], [0]])


def never_played_it(question, settings, n_games):
    question.score(ZEROS)
    return [[1, 1]]


def says_nothing(question, settings, n_games):
    return []


@pytest.mark.parametrize(
    ("solve", "complaint"),
    [
        (spends_too_much, "a batch of 5 and today's takes 4,800 games; it has 1,600 left"),
        (strays, "step 2 of number 1 is outside 0 to 1"),
        (counts_in_halves, "genomes are whole numbers, not float64"),
        (forgets_a_number, r"genomes are \[P, 2\] with P > 0, not \[2, 1\]"),
        (never_played_it, r"it returned a genome that it did not play: \[1, 1\]"),
        (says_nothing, r"genomes are \[P, 2\] with P > 0, not \[0\]"),
    ],
)
def test_who_breaks_the_rules_is_named_in_one_line(solve, complaint: str) -> None:
    with pytest.raises(InputError, match=f"^optimiser 'mine': {complaint}$"):
        asked(solve)


def test_who_does_not_repeat_itself_is_caught_when_resumed() -> None:
    steps = iter([1, 2, 2])
    states = list[Any]()

    def solve(question, settings, n_games):
        question.score([[next(steps), 0]])
        return question.score(ZEROS) and ZEROS

    asked(solve, on_round=states.append)
    with pytest.raises(InputError, match="'mine': it does not repeat what it did before"):
        asked(solve, state=states[-1])


@pytest.mark.parametrize(
    ("name", "solve", "complaint"),
    [
        ("ga", spends_too_much, "optimiser 'ga' is already registered"),
        ("mine", 7, "declared is no optimiser but 7"),
        ("mine", lambda question: None, r"takes \(question, settings, n_games\), not \(question\)"),
    ],
)
def test_only_optimisers_of_new_names_are_registered(name: str, solve: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        register_optimiser(name, solve)


def test_a_registered_optimiser_is_a_method_and_others_are_refused_with_it() -> None:
    assert register_optimiser("mine", strays) is strays
    assert method_named("mine") is methods.Solving
    with pytest.raises(InputError, match=r"unknown method 'mime'; did you mean 'mine'\?"):
        method_named("mime")

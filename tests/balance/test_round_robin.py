"""Round robin of agents: the agents and the mirrors alone determine the results."""

from __future__ import annotations

import numpy as np
import pytest

from agents import agent_named
from balance import CardContest, Player, load_contest
from balance.metagame.round_robin import RoundRobin, play_round_robin
from sim import load_deck, stream_seed
from sim.play import play, using_threads
from tests.balance.test_pipeline import assert_equal
from tests.duels import batch_of

NAMES = ("random", "aggro", "greedy")
CONTEST = load_contest(("ember_rush", "control"), ("tide_keep", "control"))


def played(names: tuple[str, ...] = NAMES, contest: CardContest = CONTEST, **how) -> RoundRobin:
    agents = [agent_named(name) for name in names]
    return play_round_robin(contest, agents, n_games=60, run_seed=3, **how)


def test_rates_are_those_of_the_games_in_both_seatings() -> None:
    found = played()
    assert (found.pairs, found.n_games) == (((0, 1), (0, 2), (1, 2)), 120)
    for m, (a, b) in enumerate(found.pairs):
        for deck in range(2):
            rows = np.repeat(CONTEST.deck_rows[[deck]], 2, axis=0)
            batch = batch_of(rows, [[0, 1], [1, 0]], 30, stream=stream_seed(3, "agents"))
            outcomes = play(batch, CONTEST.table, [agent_named(NAMES[a]), agent_named(NAMES[b])])
            points = outcomes.points[0, 0] + outcomes.points[1, 1]
            assert found.by_deck.estimate[m, deck] == pytest.approx(points / 60)
    np.testing.assert_allclose(found.rates.estimate, found.by_deck.estimate.mean(axis=1))
    first, second, third = found.rates.estimate
    overall = np.array([first + second, 1 - first + third, 2 - second - third]) / 2
    np.testing.assert_allclose(found.overall.estimate, overall)


def test_stronger_agents_are_rated_higher_and_intervals_include_estimates() -> None:
    found = played()
    assert found.ratings.estimate[0] < min(found.ratings.estimate[1:])
    assert found.ratings.estimate.sum() == pytest.approx(0, abs=1e-6)
    for estimate, low, high in (found.rates, found.by_deck, found.overall, found.ratings):
        assert ((low <= estimate) & (estimate <= high)).all()


def test_results_depend_neither_on_threads_nor_on_the_players_pilots() -> None:
    with using_threads(1):
        one = played()
    with using_threads(2):
        two = played()
    others = played(contest=CONTEST.piloted_by(agent_named("random")))
    assert_equal(two, one)
    assert_equal(others, one)


def test_the_same_agent_twice_is_even() -> None:
    deck = load_deck("ember_rush")
    alone = CardContest(CONTEST.table, (Player("one", deck, agent_named("aggro")),))
    found = played(("greedy", "greedy"), alone)
    assert [found.rates.estimate.tolist(), found.ratings.estimate.tolist()] == [[0.5], [0, 0]]

"""The benchmark of the turn search reports what its games show."""

from __future__ import annotations

import numpy as np

from agents.registry import compiled_agent_named
from experiments.benchmarks import turn_search
from experiments.benchmarks.turn_search import (
    as_slow_as,
    decks_of,
    mirror_points,
    rate_agents,
    strengths,
    turn_times_ms,
)


def test_mirrors_give_each_seed_s_luck_to_both_sides() -> None:
    decks = decks_of("duel")
    greedy = compiled_agent_named("greedy")
    points = mirror_points([decks], [greedy, greedy], n_seeds=20, run_seed=1)
    np.testing.assert_array_equal(points, np.full((1, 4, 20), 0.5))


def test_who_plays_better_gets_more() -> None:
    rates = dict(strengths([decks_of("duel")], "greedy", "random", n_seeds=40, run_seed=1))
    assert set(rates) == {*decks_of("duel").player_names, "mean", "by deck"}
    assert rates["mean"].low > 0.8


def test_every_turn_of_the_agent_is_timed() -> None:
    greedy = compiled_agent_named("greedy")
    times_ms = turn_times_ms(decks_of("duel"), greedy, greedy, 2)
    assert len(times_ms) > 6
    assert (times_ms > 0).all()


def test_a_search_that_sees_little_does_not_end_its_turn_on_what_it_has_not_done() -> None:
    agent = compiled_agent_named("turn:3")
    greedy = compiled_agent_named("greedy")
    points = mirror_points([decks_of("saga")], [agent, greedy], n_seeds=10, run_seed=1)
    assert (
        points.mean() > 0.4
    )  # 0.19 before a fix: nodes that were not expanded were valued as ended turns


def test_ratings_agree_with_win_rates() -> None:
    names = ["greedy", "control", "random"]
    round_robin = rate_agents([decks_of("duel")], names, n_seeds=30, run_seed=1)
    assert round_robin.n_games == 30 * 2 * 4
    assert round_robin.ratings.estimate.argmin() == names.index("random")
    best = int(round_robin.ratings.estimate.argmax())
    others = np.delete(round_robin.ratings.estimate, best)
    assert round_robin.leads.at(best).estimate == round_robin.ratings.estimate[best] - others.max()
    assert (round_robin.leads.estimate > 0).sum() == 1
    assert (round_robin.leads.low <= round_robin.leads.estimate).all()


def test_the_agent_that_is_as_slow_is_searched_for_by_its_turns(monkeypatch) -> None:
    taken_ms = {
        "rollout:50": 3.1,
        "turn:50": 1.0,
        "turn:100": 2.0,
        "turn:200": 3.0,
        "turn:400": 9.0,
    }
    monkeypatch.setattr(turn_search, "mean_turn_ms", lambda _sets, agent, _n: taken_ms[agent])
    assert as_slow_as([], "rollout:50", 4) == "turn:200"

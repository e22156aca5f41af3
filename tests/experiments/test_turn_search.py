"""The benchmark of the turn search counts what it says."""

from __future__ import annotations

import numpy as np

from agents.registry import compiled_agent_named
from experiments.benchmarks.turn_search import decks_of, mirror_points, strengths, turn_times_ms


def test_mirrors_give_each_seed_s_luck_to_both_sides() -> None:
    decks, greedy = decks_of("duel"), compiled_agent_named("greedy")
    points = mirror_points(decks, greedy, greedy, n_seeds=20, run_seed=1)
    np.testing.assert_array_equal(points, np.full((4, 20), 0.5))


def test_who_plays_better_gets_more() -> None:
    rates = dict(strengths([decks_of("duel")], "greedy", "random", n_seeds=40, run_seed=1))
    assert set(rates) == {*decks_of("duel").names, "mean"}
    assert rates["mean"].low > 0.8


def test_every_turn_of_the_agent_is_timed() -> None:
    greedy = compiled_agent_named("greedy")
    times_ms = turn_times_ms(decks_of("duel"), greedy, greedy, 2)
    assert len(times_ms) > 6
    assert (times_ms > 0).all()


def test_a_search_that_sees_little_does_not_end_its_turn_on_what_it_has_not_done() -> None:
    agent, greedy = compiled_agent_named("turn:3"), compiled_agent_named("greedy")
    points = mirror_points(decks_of("saga"), agent, greedy, n_seeds=10, run_seed=1)
    assert points.mean() > 0.4  # once 0.19: a greedy turn stood for one that was ended at once

"""Searches: resuming changes nothing, generations share one batch, and results improve."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from balance import MatchupCounts, SearchState, run_search
from balance.search import evolutionary_search as search_module
from balance.search.optimisers import OPTIMISERS
from balance.settings.tables import Guards, Search
from balance.space.search_space import Steps
from balance.verdict.evaluation import Evaluator
from sim import generator
from tests.balance.contests import (
    THREE,
    coin_evaluator,
    evaluator_of,
    free_space,
    space_of,
)
from tests.balance.test_pipeline import assert_equal

N_GAMES = 20
SPACE = space_of(THREE, fields=["attack", "health"])
EVALUATOR = evaluator_of(THREE, SPACE, guards=Guards())
both_styles = pytest.mark.parametrize("style", ["sparse", "dense"])
all_methods = pytest.mark.parametrize("method", OPTIMISERS)


def settings_of(method: str = "nsga2", style: str = "sparse", **more) -> Search:
    return Search(**{"method": method, "start": style, "population": 6, "generations": 3, **more})


@dataclass(frozen=True)
class Recorder(Evaluator):
    """Evaluator that records every batch."""

    batches: list[tuple[str, Steps, MatchupCounts]] = field(default_factory=list)

    def play(self, genomes: Steps, *, n_games: int, purpose: str, **more: Any) -> MatchupCounts:
        counts = super().play(genomes, n_games=n_games, purpose=purpose, **more)
        self.batches.append((purpose, genomes, counts))
        return counts


@cache
def recorded(search: Search) -> tuple[list[SearchState], list[tuple[str, Steps, MatchupCounts]]]:
    """Return all states of a search and all of its batches, shared by tests that only read them."""
    recorder = Recorder(THREE, SPACE, EVALUATOR.demands, EVALUATOR.guards, run_seed=1)
    states: list[SearchState] = []
    run_search(recorder, search, n_games=N_GAMES, on_generation=states.append)
    return states, recorder.batches


@both_styles
@all_methods
def test_a_resumed_search_equals_an_uninterrupted_one(method: str, style: str) -> None:
    search = settings_of(method, style)
    states, _ = recorded(search)
    assert [state.generation for state in states] == [0, 1, 2, 3]
    for state in states:
        assert_equal(run_search(EVALUATOR, search, n_games=N_GAMES, state=state), states[-1])


@all_methods
def test_a_longer_search_begins_like_a_shorter_one(method: str) -> None:
    short, _ = recorded(settings_of(method, generations=2))
    long, _ = recorded(settings_of(method, generations=3))
    for one, other in zip(short, long, strict=False):
        assert_equal(one, other)


def test_every_generation_has_operators_and_games_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spy = Mock(wraps=generator)
    monkeypatch.setattr(search_module, "generator", spy)
    _, batches = recorded.__wrapped__(settings_of())
    assert [asked.args for asked in spy.call_args_list] == [(1, f"operators/{k}") for k in range(4)]
    assert [purpose for purpose, _, _ in batches] == [f"search/{k}" for k in range(4)]


@both_styles
@all_methods
def test_parents_are_played_again_in_one_batch_with_new_children(method: str, style: str) -> None:
    states, batches = recorded(settings_of(method, style))
    for state, (_, genomes, _) in zip(states, batches[1:], strict=False):
        n_parents = len(state.population)
        np.testing.assert_array_equal(genomes[:n_parents], state.population)
        assert len(genomes) == n_parents + 6
    for _, genomes, _ in batches:
        assert len(np.unique(genomes, axis=0)) == len(genomes)


@both_styles
@all_methods
def test_the_survivors_scores_are_those_of_the_last_batch(method: str, style: str) -> None:
    states, batches = recorded(settings_of(method, style))
    for state, (_, genomes, counts) in zip(states, batches, strict=True):
        place = {genome.tobytes(): k for k, genome in enumerate(genomes)}
        rows = [place[genome.tobytes()] for genome in state.population]
        np.testing.assert_array_equal(state.scores.win_rate, counts.win_rate().estimate[rows])
        np.testing.assert_array_equal(state.scores.change, SPACE.change(state.population))


@all_methods
def test_where_imbalance_is_all_that_counts_the_nearest_live_on(method: str) -> None:
    states, batches = recorded(settings_of(method, "dense", objective="imbalance", population=9))
    for state, (purpose, genomes, _) in zip(states, batches, strict=True):
        scores, _ = EVALUATOR.score(genomes, n_games=N_GAMES, purpose=purpose)
        order = np.lexsort([scores.imbalance_pp, scores.violation])[:9]
        np.testing.assert_array_equal(
            np.sort(state.scores.imbalance_pp), np.sort(scores.imbalance_pp[order])
        )
        np.testing.assert_array_equal(state.scores.change, SPACE.change(state.population))


@both_styles
@all_methods
def test_sums_of_evaluated_candidates_add_up_over_all_batches(method: str, style: str) -> None:
    states, batches = recorded(settings_of(method, style))
    points: dict[tuple[int, ...], list[np.ndarray]] = {}
    for state, (_, genomes, counts) in zip(states, batches, strict=True):
        for genome, won in zip(genomes.tolist(), counts.points, strict=False):
            points.setdefault(tuple(genome), []).append(won)
        assert sorted(state.seen.tolist()) == sorted(map(list, points))
        seen = [points[tuple(genome)] for genome in state.seen.tolist()]
        assert state.seen_times.tolist() == [*map(len, seen)]
        np.testing.assert_array_equal(state.seen_points, [sum(each) for each in seen])


@all_methods
def test_the_history_counts_games_and_follows_the_best(method: str) -> None:
    states, batches = recorded(settings_of(method))
    played = np.cumsum([counts.winners.size for _, _, counts in batches])
    assert states[-1].history[:, 0].tolist() == played.tolist()
    for generation, state in enumerate(states):
        scores = state.scores
        allowed = np.flatnonzero(scores.violation == scores.violation.min())
        best = min(allowed, key=lambda k: (scores.imbalance_pp[k], scores.change[k]))
        assert states[-1].history[generation, 1:].tolist() == [
            scores.imbalance_pp[best],
            scores.mean_imbalance_pp[best],
            scores.change[best],
            len(state.seen),
        ]


@both_styles
@all_methods
def test_a_space_smaller_than_the_population_is_searched_through(method: str, style: str) -> None:
    evaluator = coin_evaluator(free_space([0], [1]))
    state = run_search(evaluator, settings_of(method, style, generations=4), n_games=1000)
    assert sorted(state.seen.ravel().tolist()) == [0, 1]

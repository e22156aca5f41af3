"""Conformance suite of search methods.

Its tests check that a method plays no more games than permitted, is reproducible, and finds a
better patch. A subclass defines the fixture `method`, the name of the method in experiment files:

    class TestMine(MethodSuite):
        @pytest.fixture
        def method(self):
            return "mine"
"""

from __future__ import annotations

import random as global_random
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.random as global_numpy_random

from balance.cards.card_contest import load_contest
from balance.cards.card_space import build_space
from balance.search.evolutionary_search import SearchState
from balance.search.methods import method_named
from balance.settings.budget import games_to_spend
from balance.settings.tables import BalanceSettings
from balance.space.search_space import Steps
from balance.space.tune import Tune
from balance.verdict.evaluation import Evaluator
from sim.play import using_threads

_N_FRESH = 4_000  # games that measure the result, with a standard error of 0.8 points
# Points by which a search must improve a matchup that is 15 points from its target. Five points are
# six standard errors, and a third of the distance, which every useful method achieves.
_CLEARLY_PP = 5.0


class MethodSuite:
    """Tests of a search method; a subclass defines the fixture `method`, the name of the method.

    Attributes:
        assist: whether the searches of the tests set `[search] assist`, so that a surrogate model
            assists the method.
    """

    assist = False

    def test_it_keeps_to_its_games_and_counts_them(self, method: str) -> None:
        """Check that a method plays no more games than permitted, and records their number."""
        searched = _searched(method, self.assist)
        n_matchups = len(searched.evaluator.contest.matchups)
        assert searched.n_played <= games_to_spend(searched.settings, n_matchups)
        assert searched.state.history[-1, 0] == searched.n_played

    def test_it_repeats_whatever_threads_and_global_generators_do(self, method: str) -> None:
        """Check that only the run seed affects the result, not threads or global generators."""
        first = _searched(method, self.assist)
        global_random.random()
        global_numpy_random.random()  # noqa: NPY002 (as a library may do)
        with using_threads(3):
            again = _search(method, self.assist)
        np.testing.assert_array_equal(first.genomes, again.genomes)
        np.testing.assert_array_equal(first.state.seen_points, again.state.seen_points)

    def test_stopped_anywhere_it_continues_to_the_same(self, method: str) -> None:
        """Check that a search continued from a saved state ends like an uninterrupted search."""
        whole = _searched(method, self.assist)
        for state in (whole.states[len(whole.states) // 2], whole.states[-1]):
            resumed = _search(method, self.assist, state=state)
            np.testing.assert_array_equal(resumed.genomes, whole.genomes)
            np.testing.assert_array_equal(resumed.state.seen, whole.state.seen)
            np.testing.assert_array_equal(resumed.state.history, whole.state.history)

    def test_its_genomes_are_in_the_space_by_rising_size(self, method: str) -> None:
        """Check that the shortlist consists of different legal genomes, by rising size."""
        searched = _searched(method, self.assist)
        genomes = searched.genomes
        space = searched.evaluator.space
        assert len(np.unique(genomes, axis=0)) == len(genomes) > 0
        assert ((genomes >= space.low) & (genomes <= space.high)).all()
        assert space.allows(genomes).all()
        assert (np.diff(space.size(genomes)) >= 0).all()

    def test_it_brings_an_uneven_pair_nearer_to_its_target(self, method: str) -> None:
        """Check that a patch is better than the unchanged game by over 5 points, on fresh games."""
        searched = _searched(method, self.assist)
        evaluator = searched.evaluator
        genomes = np.concatenate([searched.genomes, np.zeros_like(searched.genomes[:1])])
        scores, _ = evaluator.score(genomes, n_games=_N_FRESH, purpose="fresh")
        *patched, today = scores.imbalance_pp
        assert min(patched) < today - _CLEARLY_PP


class _Searched(NamedTuple):
    """Finished search of a conformance test, and its results.

    Attributes:
        evaluator: evaluator of the search.
        settings: settings of the search.
        states: states after each round or generation.
        state: final state of the search.
        genomes: genomes of the shortlist, shape [S, K].
        n_played: number of games that were played.
    """

    evaluator: Evaluator
    settings: BalanceSettings
    states: list[SearchState]
    state: SearchState
    genomes: Steps
    n_played: int


def _search(
    method: str,
    assist: bool,  # noqa: FBT001
    state: SearchState | None = None,
) -> _Searched:
    """Search for a patch of two shipped decks, one of which wins two games of three.

    Args:
        method: name of the search method.
        assist: whether a surrogate model assists the method.
        state: state from which the search continues; by default it starts anew.
    """
    played = list[int]()
    shipped = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    contest = replace(shipped, on_games=played.append)
    settings = BalanceSettings.model_validate(
        {
            "seed": 3,
            "games": {"matchups": 2_000, "search": 200},
            "search": {
                "method": method,
                "assist": assist,
                "population": 20,
                "generations": 10,
                "rounds": 4,
            },
        }
    )
    tune = Tune(fields=("attack",), max_steps=3, max_card_change=2)
    space = build_space(contest, tune)
    evaluator = Evaluator.of(contest, space, settings)
    searching = method_named(method)(evaluator, settings)
    states: list[SearchState] = []
    final = searching.run(state, states.append)
    genomes = final.seen[searching.shortlist(final)]
    return _Searched(evaluator, settings, states, final, genomes, sum(played))


# Cached because a search takes seconds, and the tests of one method can share it.
_searched = cache(_search)

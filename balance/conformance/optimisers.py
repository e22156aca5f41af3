"""Conformance suite of optimisers.

Its tests check that the choices of an optimiser are valid, are reproducible, and prefer better
scores. A subclass defines the fixture `optimiser`:

    class TestMine(OptimiserSuite):
        @pytest.fixture
        def optimiser(self):
            return Mine()
"""

from __future__ import annotations

import random as global_random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.random as global_numpy_random
import numpy.typing as npt
from numpy.random import default_rng

from balance.contest.contest import Contest, Parameter
from balance.contest.demands import Demands
from balance.contest.readings import SeatReadings
from balance.search.evolutionary_search import run_search
from balance.search.optimisers import OPTIMISERS, Optimiser
from balance.settings.tables import Guards, Search
from balance.space.search_space import SearchSpace
from balance.verdict.evaluation import Evaluator, Scores
from sim.play.table import Gene

# Minimum difference of two imbalances that an optimiser must not ignore, in points: the step in
# which the shipped genetic algorithm compares imbalances.
_CLEAR_PP = 1.0


class OptimiserSuite:
    """Tests of an optimiser; a subclass defines the fixture `optimiser` that returns it."""

    def test_parents_are_n_positions(self, optimiser: Optimiser) -> None:
        """Check that the requested number of valid positions is returned; repeats are permitted."""
        for scores in _made_up_scores():
            for n in (2, 10, 50):
                parents = optimiser.parents(scores, n, default_rng(1))
                assert parents.shape == (n,)
                assert parents.dtype.kind == "i"
                assert set(parents.tolist()) <= set(range(len(scores.size)))

    def test_survivors_are_n_different_positions_or_everybody(self, optimiser: Optimiser) -> None:
        """Check that `n` different genomes survive, or all genomes if there are fewer."""
        for scores in _made_up_scores():
            for n in (1, 4, 30):
                survivors = optimiser.survivors(scores, n, default_rng(1))
                n_expected = min(n, len(scores.change))
                assert survivors.shape == (n_expected,)
                assert survivors.dtype.kind == "i"
                assert len(set(survivors.tolist())) == n_expected
                assert set(survivors.tolist()) <= set(range(len(scores.size)))

    def test_its_choices_repeat_whatever_the_global_generators_do(
        self, optimiser: Optimiser
    ) -> None:
        """Check that random choices depend on `rng`, not on the global generators."""
        for scores in _made_up_scores():
            for choose in (optimiser.parents, optimiser.survivors):
                first = choose(scores, 10, default_rng(7))
                global_random.random()
                global_numpy_random.random()  # noqa: NPY002 (as a library may do)
                np.testing.assert_array_equal(first, choose(scores, 10, default_rng(7)))

    def test_it_leaves_the_global_generators_as_they_are(self, optimiser: Optimiser) -> None:
        """Check that the states of the global generators are the same before and after."""
        scores = next(_made_up_scores(n_populations=1))
        before = global_random.getstate(), global_numpy_random.get_state(legacy=False)  # noqa: NPY002
        optimiser.parents(scores, 20, default_rng(1))
        optimiser.survivors(scores, 4, default_rng(1))
        after = global_random.getstate(), global_numpy_random.get_state(legacy=False)  # noqa: NPY002
        assert before[0] == after[0]
        np.testing.assert_equal(after[1], before[1])

    def test_it_leaves_the_scores_as_they_are(self, optimiser: Optimiser) -> None:
        """Check that the arrays of scores are not modified."""
        for scores in _made_up_scores():
            before = deepcopy(scores)
            optimiser.parents(scores, 6, default_rng(1))
            optimiser.survivors(scores, 3, default_rng(1))
            for field in fields(Scores):
                np.testing.assert_array_equal(
                    getattr(scores, field.name), getattr(before, field.name)
                )

    def test_no_genome_survives_before_a_clearly_better_one(self, optimiser: Optimiser) -> None:
        """Check that all clearly better genomes precede a survivor among the survivors."""
        for scores in _made_up_scores():
            survivors = optimiser.survivors(scores, 6, default_rng(1)).tolist()
            for place, survivor in enumerate(survivors):
                for other in range(len(scores.size)):
                    if _is_clearly_better(scores, other, survivor):
                        assert other in survivors[:place]

    def test_the_guards_come_first(self, optimiser: Optimiser) -> None:
        """Check that survivors are ordered by violation of guards before imbalance and size."""
        for scores in _made_up_scores():
            survivors = optimiser.survivors(scores, 6, default_rng(1))
            broken = scores.violation[survivors]
            assert (np.diff(broken) >= 0).all()
            left_out = np.setdiff1d(np.arange(len(scores.size)), survivors)
            assert (scores.violation[left_out] >= broken.max()).all()

    def test_the_better_breed_more(self, optimiser: Optimiser) -> None:
        """Check that genomes with lower violation, imbalance or size breed more often."""
        ladder = np.arange(6.0)
        worse_by_the_step = [
            _scores_of(5 * ladder, ladder),
            _scores_of(5 * ladder, 0.0),
            _scores_of(np.full(6, 5.0), ladder),
            _scores_of(5 * ladder[::-1], 0.0, violation=ladder),  # guards before all else
        ]
        for scores in worse_by_the_step:
            places = optimiser.parents(scores, 600, default_rng(1))
            assert places.mean() < 2.0  # 2.5 if all genomes breed equally often

    def test_equals_all_get_their_chance(self, optimiser: Optimiser) -> None:
        """Check that each of four genomes with equal scores provides over 10 % of the parents."""
        parents = optimiser.parents(_scores_of(np.full(4, 7.0), 2.0), 400, default_rng(1))
        assert np.bincount(parents, minlength=4).min() > 40

    def test_a_search_with_it_finds_a_small_patch(self, optimiser: Optimiser) -> None:
        """Check that an evolution with the optimiser solves a contest without noise."""
        space = SearchSpace(
            LUCKLESS_GENES, np.full(6, -2, np.int16), np.full(6, 2, np.int16), np.ones(6)
        )
        demands = Demands.around(np.array([0.5]), 5.0)
        guards = Guards(median_turns=100.0)
        evaluator = Evaluator(LucklessContest(), space, demands, guards, run_seed=1)
        name = "of the suite"
        OPTIMISERS[name] = lambda _: optimiser
        try:
            search = Search(method=name, population=12, generations=15)
            state = run_search(evaluator, search, n_games=4)
        finally:
            del OPTIMISERS[name]
        is_solved = (state.scores.imbalance_pp < _CLEAR_PP) & (state.scores.change <= 4)
        assert is_solved.any()  # 3 steps of one point each reach the target


LUCKLESS_GENES = tuple(Gene(owner, "strength") for owner in range(6))


class LucklessContest(Contest):
    """Contest without noise: the first player wins 47 %, and 1 point more for each step."""

    player_names: tuple[str, ...] = ("one", "other")
    matchups: tuple[tuple[int, ...], ...] = ((0, 1),)

    def parameter(self, gene: Gene) -> Parameter:
        """Return the parameter of a gene, named by the gene's owner, with the value 5."""
        return Parameter(str(gene.owner), str(gene.owner), gene.field, 5)

    def play(self, steps: npt.NDArray[np.integer], *_: Any, **__: Any) -> SeatReadings:
        """Return the exact win rate of each variant in both seatings of a single seed."""
        rates = 0.47 + steps.sum(axis=1) / 100
        return SeatReadings.of(np.broadcast_to(rates[:, None, None, None], (len(rates), 1, 2, 1)))


def _scores_of(
    imbalance_pp: npt.NDArray[Any], size: npt.ArrayLike, violation: npt.ArrayLike = 0.0
) -> Scores:
    """Return the scores of ``P`` genomes in one matchup, from their objectives.

    Args:
        imbalance_pp: imbalance in points, shape [P].
        size: change and size in steps, shape [P] or a single value.
        violation: violation of the guards, shape [P] or a single value.
    """
    imbalance = imbalance_pp.astype(float)
    sizes = np.full(imbalance.shape, size, dtype=float)
    broken = np.full(imbalance.shape, violation, dtype=float)
    win_rate = 0.5 + imbalance[:, np.newaxis] / 100
    touched = (sizes > 0).astype(np.int64)
    return Scores(win_rate, imbalance, imbalance, sizes, touched, sizes, broken)


def _made_up_scores(n_populations: int = 40) -> Iterator[Scores]:
    """Yield the scores of random populations with many ties.

    The first population has 4 genomes, all others have 1 to 16. No genome, some genomes or all
    genomes of a population violate the guards.

    Args:
        n_populations: number of populations.
    """
    rng = default_rng(11)
    for index in range(n_populations):
        n = 4 if index == 0 else int(rng.integers(1, 17))
        imbalance_pp = 1.5 * rng.integers(0, 6, n)
        size = rng.integers(0, 6, n)
        share_broken = [0.0, 0.4, 1.0][index % 3]
        violation = np.where(rng.random(n) < share_broken, rng.integers(1, 4, n) / 2, 0.0)
        yield _scores_of(imbalance_pp, size, violation)


def _is_clearly_better(scores: Scores, genome: int, rival: int) -> bool:
    """Return whether a genome clearly dominates a rival, and both satisfy the guards.

    It does if it has at least `_CLEAR_PP` less imbalance without more change, or less change
    without more imbalance.

    Args:
        scores: scores of a population.
        genome: position of the genome that may be better.
        rival: position of the genome with which it is compared.
    """
    if scores.violation[genome] or scores.violation[rival]:
        return False
    gain_pp = scores.imbalance_pp[rival] - scores.imbalance_pp[genome]
    saved = scores.size[rival] - scores.size[genome]
    return bool((gain_pp >= _CLEAR_PP and saved >= 0) or (gain_pp >= 0 and saved > 0))

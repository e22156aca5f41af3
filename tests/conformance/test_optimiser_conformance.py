"""Every registered optimiser passes the suite, and the suite catches optimisers that should not."""

from __future__ import annotations

import random as global_random

import numpy as np
import pytest

from balance.conformance import OptimiserSuite
from balance.evaluation import Scores
from balance.optimisers import OPTIMISERS, Optimiser, optimiser_named
from sim import InputError


@pytest.fixture(params=OPTIMISERS)
def optimiser(request: pytest.FixtureRequest) -> Optimiser:
    return optimiser_named(request.param)


class TestRegisteredOptimisers(OptimiserSuite):
    """Nothing to add: an optimiser that is registered is tested."""


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"search\.method: unknown optimiser 'nsga'; did you mean"):
        optimiser_named("nsga")


class Plain:
    """Keeps to the rules in the plainest way; the culprits break one each."""

    def order(self, scores: Scores) -> np.ndarray:
        return np.lexsort([scores.change, scores.imbalance_pp, scores.violation])

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> np.ndarray:
        rivals = rng.integers(len(scores.change), size=(n, 2))
        place = self.order(scores).argsort()
        lower = np.where(place[rivals[:, 0]] < place[rivals[:, 1]], rivals[:, 0], rivals[:, 1])
        return np.where(rng.random(n) < 0.8, lower, rivals[:, 0])

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> np.ndarray:
        return self.order(scores)[:n]


class _Greedy(Plain):
    def survivors(self, scores, n, rng):
        return np.repeat(self.order(scores)[:1], min(n, len(scores.change)))


class _Crowded(Plain):
    def survivors(self, scores, n, rng):
        return self.order(scores)


class _Short(Plain):
    def parents(self, scores, n, rng):
        return super().parents(scores, n - 1, rng)


class _Vague(Plain):
    def parents(self, scores, n, rng):
        return super().parents(scores, n, rng) / 1.0


class _Moody(Plain):
    def parents(self, scores, n, rng):
        return super().parents(scores, n, np.random.default_rng())


class _Careless(Plain):
    def parents(self, scores, n, rng):
        global_random.random()
        return super().parents(scores, n, rng)


class _Meddling(Plain):
    def survivors(self, scores, n, rng):
        scores.change[:] = np.sort(scores.change)
        return super().survivors(scores, n, rng)


class _Lavish(Plain):
    def order(self, scores):
        return np.lexsort([scores.imbalance_pp, -scores.change, scores.violation])


class _Reckless(Plain):
    def order(self, scores):
        return np.lexsort([scores.change, scores.imbalance_pp])


class _Indifferent(Plain):
    def parents(self, scores, n, rng):
        return rng.integers(len(scores.change), size=n)


class _Narrow(Plain):
    def parents(self, scores, n, rng):
        return np.repeat(self.order(scores)[:1], n)


class _Stubborn(Plain):
    def survivors(self, scores, n, rng):
        return np.arange(min(n, len(scores.change)))


CULPRITS = [
    ("test_survivors_are_n_different_positions_or_everybody", _Greedy),
    ("test_survivors_are_n_different_positions_or_everybody", _Crowded),
    ("test_parents_are_n_positions", _Short),
    ("test_parents_are_n_positions", _Vague),
    ("test_its_choices_repeat_whatever_the_global_generators_do", _Moody),
    ("test_it_leaves_the_global_generators_as_they_are", _Careless),
    ("test_it_leaves_the_scores_as_they_are", _Meddling),
    ("test_nobody_lives_on_without_or_before_a_clearly_better_one", _Lavish),
    ("test_the_guards_come_first", _Reckless),
    ("test_the_better_breed_more", _Indifferent),
    ("test_the_better_breed_more", _Reckless),
    ("test_equals_all_get_their_chance", _Narrow),
    ("test_a_search_with_it_finds_a_small_patch", _Stubborn),
]


@pytest.mark.parametrize(("test", "culprit"), CULPRITS)
def test_the_suite_catches(test: str, culprit: type[Plain]) -> None:
    getattr(OptimiserSuite(), test)(Plain())
    with pytest.raises(AssertionError):
        getattr(OptimiserSuite(), test)(culprit())

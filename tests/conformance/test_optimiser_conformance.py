"""Every registered optimiser passes the suite, and the suite catches those that break its rules."""

from __future__ import annotations

import random as global_random
from collections.abc import Callable

import numpy as np
import pytest

from balance.conformance import OptimiserSuite
from balance.search.optimisers import OPTIMISERS, Optimiser, optimiser_named
from balance.settings.breeding import Breeding
from balance.verdict.evaluation import Scores
from tests.refusals import refusal_of

EACH_OPTIMISER = {
    **{name: (name, Breeding()) for name in OPTIMISERS},
    "ga by roulette": ("ga", Breeding(selection="roulette")),
    "ga by pairs": ("ga", Breeding(tournament_size=2)),
    "ga by large tournaments": ("ga", Breeding(tournament_size=20)),
}


@pytest.fixture(params=EACH_OPTIMISER)
def optimiser(request: pytest.FixtureRequest) -> Optimiser:
    return optimiser_named(*EACH_OPTIMISER[request.param])


class TestRegisteredOptimisers(OptimiserSuite):
    """The suite, applied to all registered optimisers."""


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert refusal_of(optimiser_named, "nsga").value == "nsga"


class Plain:
    """A simple optimiser that follows all rules; each culprit breaks one of them."""

    def order(self, scores: Scores) -> np.ndarray:
        return np.lexsort([scores.change, scores.imbalance_pp, scores.violation])

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> np.ndarray:
        rivals = rng.integers(len(scores.change), size=(n, 2))
        place = self.order(scores).argsort()
        lower = np.where(place[rivals[:, 0]] < place[rivals[:, 1]], rivals[:, 0], rivals[:, 1])
        return np.where(rng.random(n) < 0.8, lower, rivals[:, 0])

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> np.ndarray:
        return self.order(scores)[:n]


PLAIN = Plain()


def the_best_again_and_again(scores, n, rng):
    return np.repeat(PLAIN.order(scores)[:1], min(n, len(scores.change)))


def all_positions(scores, n, rng):
    return PLAIN.order(scores)


def one_too_few(scores, n, rng):
    return PLAIN.parents(scores, n - 1, rng)


def in_floats(scores, n, rng):
    return PLAIN.parents(scores, n, rng) / 1.0


def by_unseeded_randomness(scores, n, rng):
    return PLAIN.parents(scores, n, np.random.default_rng())


def by_the_global_generator(scores, n, rng):
    global_random.random()
    return PLAIN.parents(scores, n, rng)


def by_scores_of_its_own(scores, n, rng):
    scores.change[:] = np.sort(scores.change)
    return PLAIN.survivors(scores, n, rng)


def by_more_change(scores):
    return np.lexsort([scores.imbalance_pp, -scores.change, scores.violation])


def without_guards(scores):
    return np.lexsort([scores.change, scores.imbalance_pp])


def random_positions(scores, n, rng):
    return rng.integers(len(scores.change), size=n)


def the_first(scores, n, rng):
    return np.arange(min(n, len(scores.change)))


CULPRITS = [
    ("survivors_are_n_different_positions_or_everybody", "survivors", the_best_again_and_again),
    ("survivors_are_n_different_positions_or_everybody", "survivors", all_positions),
    ("parents_are_n_positions", "parents", one_too_few),
    ("parents_are_n_positions", "parents", in_floats),
    ("its_choices_repeat_whatever_the_global_generators_do", "parents", by_unseeded_randomness),
    ("it_leaves_the_global_generators_as_they_are", "parents", by_the_global_generator),
    ("it_leaves_the_scores_as_they_are", "survivors", by_scores_of_its_own),
    ("no_genome_survives_before_a_clearly_better_one", "order", by_more_change),
    ("the_guards_come_first", "order", without_guards),
    ("the_better_breed_more", "parents", random_positions),
    ("the_better_breed_more", "order", without_guards),
    ("equals_all_get_their_chance", "parents", the_best_again_and_again),
    ("a_search_with_it_finds_a_small_patch", "survivors", the_first),
]


@pytest.mark.parametrize(("test", "choice", "wrong"), CULPRITS)
def test_the_suite_catches(
    test: str, choice: str, wrong: Callable[..., np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = getattr(OptimiserSuite(), f"test_{test}")
    culprit = Plain()
    check(PLAIN)
    monkeypatch.setattr(culprit, choice, wrong)
    with pytest.raises(AssertionError):
        check(culprit)

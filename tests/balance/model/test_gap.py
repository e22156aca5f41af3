"""Lower bounds of patches: the integer programs against all patches of a small space."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from balance.contest.demands import Demands
from balance.search.model.features import Features
from balance.search.model.reach import LeastPatch, least_patch
from balance.search.model.response import Played, Response
from balance.search.model.slopes import Slopes
from balance.space.search_space import Sums
from balance.statistics.arithmetic import rate
from tests.balance.contests import free_space
from tests.balance.model.test_response import baseline_of

LEVELS = np.array([0.9, 0.5])
HALF = Demands.around([0.5, 0.5], 5.0)


def known(slopes: np.ndarray, error: float) -> Response:
    """Return a model without results, with given slopes and a standard error of each."""
    n_features = len(slopes)
    nothing = np.zeros((0, n_features))
    spread = error * np.eye(n_features + 1)
    priors = [
        Slopes(np.append(level, column), spread, 1e-6)
        for level, column in zip([*LEVELS, 0.0], [*slopes.T, np.zeros(n_features)], strict=True)
    ]
    played = Played(nothing, nothing, np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))
    return Response.fit(baseline_of(*LEVELS, lead=0.0), tuple(priors), played)


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [1, 2, 1, 3]])
def test_bounds_are_the_least_of_all_patches_that_do(weights: list[int]) -> None:
    space = free_space([-2] * 4, [2] * 4, weights=np.array(weights, float), card_weight=2.0)
    features = Features.of(space)
    rng = np.random.default_rng(5)
    every = np.array([*product(range(3), repeat=len(features))], float)  # both ways at once, too
    touched = (every.reshape(-1, 4, 2) > 0).any(axis=2).sum(axis=1)
    change = every @ np.array(weights)[features.gene]
    for _ in range(4):
        slopes = rng.normal(0, 0.3, (len(features), 2))
        model = known(slopes, 1e-5)
        inside = (HALF.distance_pp(rate(LEVELS + every @ slopes)) <= 5).all(axis=1)
        least = LeastPatch(change[inside].min(), touched[inside].min())
        assert least_patch(model, features, space, HALF, every[:1]) == least > (0, 0)


def test_the_less_a_model_knows_the_lower_its_bound_is() -> None:
    space = free_space([-2] * 4, [2] * 4)
    features = Features.of(space)
    slopes = np.tile([[0.2, 0.1], [-0.2, -0.1]], (4, 1))
    as_large = np.eye(1, len(features)) * 2
    bounds = [
        least_patch(known(slopes, error), features, space, HALF, as_large).change
        for error in (1e-5, 0.05, 0.5)
    ]
    assert 4 == bounds[0] >= bounds[1] >= bounds[2] == 0


def test_few_cards_and_sums_are_kept() -> None:
    zero = Sums(np.array([[1.0, 1.0, 1.0, 2.0]]), -np.ones(1), np.ones(1))
    space = free_space([-2] * 4, [2] * 4, sums=zero, most_cards=2)
    features = Features.of(space)
    rng = np.random.default_rng(7)
    every = np.array([*product(range(3), repeat=len(features))], float)
    touched = (every.reshape(-1, 4, 2) > 0).any(axis=2).sum(axis=1)
    signed = every * features.direction @ zero.weights[0, features.gene]
    kept = (touched <= 2) & (abs(signed) <= 1)
    differs = 0
    for _ in range(6):
        slopes = rng.normal(0, 0.8, (len(features), 2))
        inside = (HALF.distance_pp(rate(LEVELS + every @ slopes)) <= 5).all(axis=1)
        least = every[inside & kept].sum(axis=1).min(initial=np.inf)
        found = least_patch(known(slopes, 1e-5), features, space, HALF, every[:1])
        assert found.change == (least if np.isfinite(least) else 0)
        differs += bool(least != every[inside].sum(axis=1).min(initial=np.inf))
    assert differs

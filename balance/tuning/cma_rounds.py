"""CMA-ES on paired games with halving: the worse half of a generation plays no further.

Reference: N. Hansen, "The CMA evolution strategy: a tutorial" (2016), through the package `cma`,
with a diagonal covariance (R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear
time and space complexity", PPSN X, 2008): some twenty thousand games tell no more.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from balance.statistics.intervals import Floats
from balance.tuning.settings import TurnSettings
from balance.tuning.trials import Round, Rounds


def cma_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Generations until the games are spent; the best is the mean of what the later ones held.

    Args:
        n_weights: ``K``.
        settings: how.
        rng: consumed; the package's own generator, numpy's global one, is not touched.
    """
    strategy, means = _strategy(n_weights, settings, rng), [np.zeros(n_weights)]
    left, first_pair = settings.games, 0
    while left >= settings.generation_games:
        points = np.array(strategy.ask())
        one = _round(points, first_pair, settings.first_games, _settled(means))
        rates = yield one
        chosen = _better_half(rates)
        other = _round(points[chosen], first_pair + one.n_pairs, settings.more_games, one.best)
        more = yield other
        share = one.n_pairs / (one.n_pairs + other.n_pairs)
        losses = 2.0 - rates  # those that are dropped rank behind the others
        losses[chosen] = 1.0 - (share * rates[chosen] + (1 - share) * more)
        strategy.tell(list(points), losses.tolist())
        means.append(np.array(strategy.mean))
        first_pair += one.n_pairs + other.n_pairs
        left -= one.n_games + other.n_games
    return _settled(means)


def _strategy(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Any:
    import cma  # noqa: PLC0415 (slow to load)

    options = {
        "popsize": settings.candidates,
        "randn": lambda *shape: rng.standard_normal(shape),
        "seed": np.nan,
        "CMA_diagonal": True,
        "verbose": -9,
        "verb_log": 0,
    }
    return cma.CMAEvolutionStrategy(np.zeros(n_weights), settings.spread, options)


def _round(points: Floats, first_pair: int, n_games: int, best: Floats) -> Round:
    """Candidates that all play the same pairs."""
    return Round(points, np.full(len(points), first_pair), n_games // 2, best)


def _better_half(rates: Floats) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The candidates that go on, in their order; of equals the first."""
    n = math.ceil(len(rates) / 2)
    return np.sort(np.argsort(-rates, kind="stable")[:n])


def _settled(means: list[Floats]) -> Floats:
    """The mean of the later half of a strategy's means: they wander about what they look for."""
    return np.asarray(np.mean(means[len(means) // 2 :], axis=0))

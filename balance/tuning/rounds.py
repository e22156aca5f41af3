"""What the two methods of tuning ask, round by round: CMA-ES, and a cuckoo search.

CMA-ES plays paired games with halving: the worse half of a generation plays no further. Reference:
N. Hansen, "The CMA evolution strategy: a tutorial" (2016), through the package `cma`, with a
diagonal covariance (R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and
space complexity", PPSN X, 2008): some twenty thousand games tell no more.

The cuckoo search is the one that tuned the ancestor's weights, step by step as its authors had it.
Reference: metastone's `CuckooLearner`, `CuckooAgent` and `WinRateFitness`. Here opponents come in
turn instead of by chance, each seed is played in both seatings, and a jump is in shares of each
weight, where theirs was the same for all; the law of a jump is the Levy distribution.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.statistics.intervals import Floats, Positions
from balance.tuning.settings import TurnSettings
from balance.tuning.trials import FARTHEST, Round, Rounds

N_NESTS = 15
N_DROPPED = 3  # a quarter of them, rounded down
FIRST_PAIRS = 5
MORE_PAIRS = 20  # 10 games, and 40 more
LEAST_RATE = 0.4  # with less after the first ones there are no more
_MEDIAN = 2.198109338  # of 1 / z**2, for z of the standard normal distribution


# --- CMA-ES ---


def cma_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Generations until the games are spent; the best is the mean of what the later ones held.

    Args:
        n_weights: ``K``.
        settings: how.
        rng: consumed; the package's own generator, numpy's global one, is not touched.
    """
    strategy = _strategy(n_weights, settings, rng)
    means = [np.zeros(n_weights)]
    left = settings.games
    first_pair = 0
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


def _better_half(rates: Floats) -> Positions:
    """The candidates that go on, in their order; of equals the first."""
    n = math.ceil(len(rates) / 2)
    return np.sort(np.argsort(-rates, kind="stable")[:n])


def _settled(means: list[Floats]) -> Floats:
    """The mean of the later half of a strategy's means: they wander about what they look for."""
    return np.asarray(np.mean(means[len(means) // 2 :], axis=0))


# --- the cuckoo search ---


@dataclass
class Nest:
    """A candidate and how well it did; each time counts as much as all before it.

    Attributes:
        point: ``[K]``.
        fitness: win rate, below 0 before the first games.
    """

    point: Floats
    fitness: float = -1.0

    def has_won(self, rate: float) -> None:
        """Count once more how well it did."""
        self.fitness = rate if self.fitness < 0 else (self.fitness + rate) / 2


class _OutOfGamesError(Exception):
    """The next candidate might need more games than are left."""


def levy_jump(point: Floats, spread: float, rng: np.random.Generator) -> Floats:
    """``[K]`` each coordinate moved by a Levy step whose median is `spread`, up or down.

    Reference: if z is standard normal, c / z**2 has the Levy distribution of scale c, whose
    share below x is erfc(sqrt(c / (2 x))).
    """
    sizes = spread / _MEDIAN / rng.standard_normal(len(point)) ** 2
    signs = np.where(rng.random(len(point)) < 0.5, -1.0, 1.0)
    return np.clip(point + signs * sizes, -FARTHEST, FARTHEST)


class _Cuckoo:
    """The search: its nests, its luck, and the games it has left."""

    def __init__(self, n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> None:
        self.default = np.zeros(n_weights)
        self.spread = settings.spread
        self.rng = rng
        self.left = settings.games
        self.next_pair = 0
        self.nests = [self.newcomer() for _ in range(N_NESTS)]
        self.best = self.default

    def newcomer(self) -> Nest:
        return Nest(levy_jump(self.default, self.spread, self.rng))

    def generation(self) -> Generator[Round, Floats, None]:
        """One: a cuckoo's egg, all nests anew, and others for the worst."""
        host = self.nests[int(self.rng.integers(N_NESTS))]
        egg = Nest(levy_jump(host.point, self.spread, self.rng))
        place = int(self.rng.integers(N_NESTS))
        laid, found = yield from self.played([egg, self.nests[place]])
        if laid > found:
            del self.nests[place]
            self.nests.append(egg)
        yield from self.played(self.nests)
        self.sort()
        del self.nests[-N_DROPPED:]
        newcomers = [self.newcomer() for _ in range(N_DROPPED)]
        self.nests += newcomers
        yield from self.played(newcomers)
        self.sort()
        self.best = self.nests[0].point

    def played(self, nests: list[Nest]) -> Generator[Round, Floats, Floats]:
        """Let nests play, each games of its own; returns what each came to this time."""
        if self.left < 2 * (FIRST_PAIRS + MORE_PAIRS) * len(nests):
            raise _OutOfGamesError
        first = self.round(nests, FIRST_PAIRS)
        rates = np.array((yield first))
        going_on = np.flatnonzero(rates >= LEAST_RATE)
        if len(going_on):
            more = yield self.round([nests[k] for k in going_on], MORE_PAIRS)
            share = FIRST_PAIRS / (FIRST_PAIRS + MORE_PAIRS)
            rates[going_on] = share * rates[going_on] + (1 - share) * more
        for nest, rate in zip(nests, rates.tolist(), strict=True):
            nest.has_won(rate)
        return rates

    def round(self, nests: list[Nest], n_pairs: int) -> Round:
        starts = self.next_pair + n_pairs * np.arange(len(nests))
        asked = Round(np.stack([nest.point for nest in nests]), starts, n_pairs, self.best)
        self.next_pair += n_pairs * len(nests)
        self.left -= asked.n_games
        return asked

    def sort(self) -> None:
        self.nests.sort(key=lambda nest: -nest.fitness)


def cuckoo_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Generations until the games are spent; the best is the nest of the highest fitness.

    Args:
        n_weights: ``K``.
        settings: how.
        rng: consumed.
    """
    search = _Cuckoo(n_weights, settings, rng)
    try:
        while True:
            yield from search.generation()
    except _OutOfGamesError:
        return search.best

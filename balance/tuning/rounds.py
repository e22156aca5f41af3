"""Two tuning methods, CMA-ES and a cuckoo search, as generators of rounds of games.

CMA-ES uses paired games and halving: the worse half of a generation plays no further games. The
implementation is that of the package `cma` (N. Hansen, "The CMA evolution strategy: a tutorial",
2016). Its covariance is diagonal (R. Ros, N. Hansen, "A simple modification in CMA-ES achieving
linear time and space complexity", PPSN X, 2008), since about twenty thousand games do not suffice
to estimate a full covariance.

The cuckoo search follows that of the ancestor project, metastone (`CuckooLearner`, `CuckooAgent`
and `WinRateFitness`), including the Levy distribution of jumps. It differs in three points.
Opponents alternate in a fixed order instead of being drawn. Each seed is played in both seatings.
The size of a jump is relative to each weight instead of equal for all weights.
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

# The following constants of the cuckoo search are those of metastone (see the module docstring).
N_NESTS = 15  # number of candidates that the search keeps
N_DROPPED = 3  # number of nests that newcomers replace: a quarter, rounded down
FIRST_PAIRS = 5  # each candidate first plays 10 games
MORE_PAIRS = 20  # a candidate that reached `LEAST_RATE` plays 40 more games
LEAST_RATE = 0.4  # minimum win rate in the first games
_MEDIAN = 2.198109338  # median of 1 / z**2, for z of the standard normal distribution


# --- CMA-ES ---


def cma_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Yield rounds of CMA-ES until the remaining games do not suffice for a generation.

    A generation has two rounds: one of all candidates, one of their better half. The win rates of a
    round must be sent to the generator.

    Args:
        n_weights: number of weights, ``K``.
        settings: settings of the tuning.
        rng: source of all randomness; numpy's global generator is not used.

    Returns:
        Mean of the later half of the strategy's means over all generations, shape ``[K]``.
    """
    strategy = _strategy(n_weights, settings, rng)
    means = [np.zeros(n_weights)]
    n_games_left = settings.games
    first_pair = 0
    while n_games_left >= settings.generation_games:
        points = np.array(strategy.ask())
        all_play = _round(points, first_pair, settings.first_games, _mean_of_later_half(means))
        rates = yield all_play
        chosen = _better_half(rates)
        next_pair = first_pair + all_play.n_pairs
        half_plays = _round(points[chosen], next_pair, settings.more_games, all_play.best)
        more = yield half_plays
        share = all_play.n_pairs / (all_play.n_pairs + half_plays.n_pairs)
        # Losses of dropped candidates lie in 1..2 and those of the others in 0..1, so that dropped
        # candidates rank last.
        losses = 2.0 - rates
        losses[chosen] = 1.0 - (share * rates[chosen] + (1 - share) * more)
        strategy.tell(list(points), losses.tolist())
        means.append(np.array(strategy.mean))
        first_pair += all_play.n_pairs + half_plays.n_pairs
        n_games_left -= all_play.n_games + half_plays.n_games
    return _mean_of_later_half(means)


def _strategy(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Any:
    """Return a new CMA-ES strategy of the package `cma`, started at point 0.

    Args:
        n_weights: number of weights, ``K``.
        settings: settings of the tuning.
        rng: source of the strategy's randomness.
    """
    import cma  # noqa: PLC0415 (slow to load)

    options = {
        "popsize": settings.candidates,
        "randn": lambda *shape: rng.standard_normal(shape),
        "seed": np.nan,  # do not seed numpy's global generator
        "CMA_diagonal": True,
        "verbose": -9,  # no output
        "verb_log": 0,  # no log files
    }
    return cma.CMAEvolutionStrategy(np.zeros(n_weights), settings.spread, options)


def _round(points: Floats, first_pair: int, n_games: int, best: Floats) -> Round:
    """Return a round in which all candidates play the same pairs of games.

    Args:
        points: candidates, shape ``[P, K]``.
        first_pair: number of the first pair of games.
        n_games: number of games of each candidate, even.
        best: best point so far, shape ``[K]``.
    """
    return Round(points, np.full(len(points), first_pair), n_games // 2, best)


def _better_half(rates: Floats) -> Positions:
    """Return the ascending indices of the half of the candidates with the highest win rates.

    Half of an odd number is rounded up. Of candidates with equal rates, the first are chosen.
    """
    n = math.ceil(len(rates) / 2)
    return np.sort(np.argsort(-rates, kind="stable")[:n])


def _mean_of_later_half(means: list[Floats]) -> Floats:
    """Return the mean of the later half of a strategy's means, which averages out their noise."""
    return np.asarray(np.mean(means[len(means) // 2 :], axis=0))


# --- the cuckoo search ---


@dataclass
class Nest:
    """Candidate of the cuckoo search, with its fitness.

    Attributes:
        point: point of the candidate in the space of weights, shape ``[K]``.
        fitness: weighted mean of the candidate's win rates, in which each win rate weighs as much
            as all earlier ones together; negative before the first win rate.
    """

    point: Floats
    fitness: float = -1.0

    def add_result(self, rate: float) -> None:
        """Set the fitness to the first win rate, or to the mean of fitness and new win rate."""
        self.fitness = rate if self.fitness < 0 else (self.fitness + rate) / 2


class _OutOfGamesError(Exception):
    """End of a cuckoo search: the next candidates might need more games than are left."""


def levy_jump(point: Floats, spread: float, rng: np.random.Generator) -> Floats:
    """Return a point moved up or down in each coordinate by a random step of median size `spread`.

    The sizes have the Levy distribution: if z is standard normal, c / z**2 has this distribution
    with scale c and the distribution function erfc(sqrt(c / (2 x))). The result is clipped to
    -`FARTHEST`..`FARTHEST`.

    Args:
        point: point in the space of weights, shape ``[K]``.
        spread: median size of the steps.
        rng: source of randomness.
    """
    sizes = spread / _MEDIAN / rng.standard_normal(len(point)) ** 2
    signs = np.where(rng.random(len(point)) < 0.5, -1.0, 1.0)
    return np.clip(point + signs * sizes, -FARTHEST, FARTHEST)


class _Cuckoo:
    """State of a cuckoo search.

    Attributes:
        default: point of the initial weights, shape ``[K]``.
        spread: median size of jumps.
        rng: source of all randomness.
        n_games_left: number of games that may still be played.
        next_pair: number of the next pair of games.
        nests: current candidates; sorted by fitness, the best first, after each generation.
        best: point of the best nest after the latest generation, shape ``[K]``.
    """

    def __init__(self, n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> None:
        self.default = np.zeros(n_weights)
        self.spread = settings.spread
        self.rng = rng
        self.n_games_left = settings.games
        self.next_pair = 0
        self.nests = [self.newcomer() for _ in range(N_NESTS)]
        self.best = self.default

    def newcomer(self) -> Nest:
        """Return a new nest at a random jump from the initial weights."""
        return Nest(levy_jump(self.default, self.spread, self.rng))

    def generation(self) -> Generator[Round, Floats, None]:
        """Yield the rounds of a generation, which updates the nests.

        First an egg, a jump from a random nest, plays as many games as another random nest, and
        replaces the nest if its win rate is higher. Then all nests play. Finally newcomers replace
        the `N_DROPPED` worst nests, and play.

        Raises:
            _OutOfGamesError: the next rounds might need more games than are left.
        """
        host = self.nests[int(self.rng.integers(N_NESTS))]
        egg = Nest(levy_jump(host.point, self.spread, self.rng))
        place = int(self.rng.integers(N_NESTS))
        egg_rate, nest_rate = yield from self.play_nests([egg, self.nests[place]])
        if egg_rate > nest_rate:
            del self.nests[place]
            self.nests.append(egg)
        yield from self.play_nests(self.nests)
        self.sort()
        del self.nests[-N_DROPPED:]
        newcomers = [self.newcomer() for _ in range(N_DROPPED)]
        self.nests += newcomers
        yield from self.play_nests(newcomers)
        self.sort()
        self.best = self.nests[0].point

    def play_nests(self, nests: list[Nest]) -> Generator[Round, Floats, Floats]:
        """Yield one or two rounds in which each nest plays games of its own; update the fitness.

        The second round is for nests with a win rate of at least `LEAST_RATE` in the first.

        Args:
            nests: nests that play.

        Returns:
            Win rate of each nest over its games in these rounds.

        Raises:
            _OutOfGamesError: both rounds together might need more games than are left.
        """
        if self.n_games_left < 2 * (FIRST_PAIRS + MORE_PAIRS) * len(nests):
            raise _OutOfGamesError
        first = self.round(nests, FIRST_PAIRS)
        rates = np.array((yield first))
        promising = np.flatnonzero(rates >= LEAST_RATE)
        if len(promising):
            more = yield self.round([nests[k] for k in promising], MORE_PAIRS)
            share = FIRST_PAIRS / (FIRST_PAIRS + MORE_PAIRS)
            rates[promising] = share * rates[promising] + (1 - share) * more
        for nest, rate in zip(nests, rates.tolist(), strict=True):
            nest.add_result(rate)
        return rates

    def round(self, nests: list[Nest], n_pairs: int) -> Round:
        """Return a round in which each nest plays the next `n_pairs` pairs, and count its games."""
        starts = self.next_pair + n_pairs * np.arange(len(nests))
        round_ = Round(np.stack([nest.point for nest in nests]), starts, n_pairs, self.best)
        self.next_pair += n_pairs * len(nests)
        self.n_games_left -= round_.n_games
        return round_

    def sort(self) -> None:
        """Sort the nests by fitness in place, the best nest first."""
        self.nests.sort(key=lambda nest: -nest.fitness)


def cuckoo_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Yield rounds of the cuckoo search until the remaining games might not suffice.

    The win rates of a round must be sent to the generator.

    Args:
        n_weights: number of weights, ``K``.
        settings: settings of the tuning.
        rng: source of all randomness.

    Returns:
        Point of the best nest after the last complete generation, shape ``[K]``.
    """
    search = _Cuckoo(n_weights, settings, rng)
    try:
        while True:
            yield from search.generation()
    except _OutOfGamesError:
        return search.best

"""The two tuning methods, CMA-ES and a cuckoo search, as generators of rounds of games.

CMA-ES plays paired games with halving: the worse half of a generation plays no further games.
Reference: N. Hansen, "The CMA evolution strategy: a tutorial" (2016), by the package `cma`, with a
diagonal covariance (R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and
space complexity", PPSN X, 2008), since some twenty thousand games cannot estimate a full one.

The cuckoo search follows, step by step, the one that tuned the weights of the ancestor project.
Reference: metastone's `CuckooLearner`, `CuckooAgent` and `WinRateFitness`. It differs in three
points: opponents come in turn instead of at random, each seed is played in both seatings, and a
jump is a share of each weight, where the original's had one size for all. Jumps have the Levy
distribution, as there.
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

# The constants of the cuckoo search are those of metastone (see above).
N_NESTS = 15
N_DROPPED = 3  # a quarter of the nests, rounded down
FIRST_PAIRS = 5  # 10 games at first
MORE_PAIRS = 20  # 40 more games, if the first ones went well enough
LEAST_RATE = 0.4  # win rate in the first games from which more are played
_MEDIAN = 2.198109338  # median of 1 / z**2, for z of the standard normal distribution


# --- CMA-ES ---


def cma_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Yield rounds of CMA-ES until the games are spent; return the mean of the later means.

    Args:
        n_weights: number of weights, ``K``.
        settings: settings of the tuning.
        rng: source of all randomness, advanced; numpy's global generator, which the package uses by
            default, is not touched.
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
        losses = 2.0 - rates  # in 1..2, so dropped candidates rank behind the others, in 0..1
        losses[chosen] = 1.0 - (share * rates[chosen] + (1 - share) * more)
        strategy.tell(list(points), losses.tolist())
        means.append(np.array(strategy.mean))
        first_pair += all_play.n_pairs + half_plays.n_pairs
        n_games_left -= all_play.n_games + half_plays.n_games
    return _mean_of_later_half(means)


def _strategy(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Any:
    """Return the CMA-ES of the package `cma` at its beginning."""
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
    """Return a round in which all candidates play the same pairs of games."""
    return Round(points, np.full(len(points), first_pair), n_games // 2, best)


def _better_half(rates: Floats) -> Positions:
    """Return the indices of the better half of the candidates, ascending; of equals the first."""
    n = math.ceil(len(rates) / 2)
    return np.sort(np.argsort(-rates, kind="stable")[:n])


def _mean_of_later_half(means: list[Floats]) -> Floats:
    """Return the mean of the later half of a strategy's means, since each wanders with noise."""
    return np.asarray(np.mean(means[len(means) // 2 :], axis=0))


# --- the cuckoo search ---


@dataclass
class Nest:
    """Candidate of the cuckoo search and its fitness.

    Attributes:
        point: the candidate, shape ``[K]``.
        fitness: win rate, in which each result counts as much as all before it; below 0 before the
            first result.
    """

    point: Floats
    fitness: float = -1.0

    def add_result(self, rate: float) -> None:
        """Update the fitness by a new win rate."""
        self.fitness = rate if self.fitness < 0 else (self.fitness + rate) / 2


class _OutOfGamesError(Exception):
    """Raised if the next candidates might need more games than are left."""


def levy_jump(point: Floats, spread: float, rng: np.random.Generator) -> Floats:
    """Return a point moved in each coordinate, up or down, by a Levy step with median `spread`.

    Reference: if z is standard normal, c / z**2 has the Levy distribution of scale c, with the
    distribution function erfc(sqrt(c / (2 x))).

    Args:
        point: shape ``[K]``.
        spread: median size of the steps.
        rng: source of randomness, advanced.
    """
    sizes = spread / _MEDIAN / rng.standard_normal(len(point)) ** 2
    signs = np.where(rng.random(len(point)) < 0.5, -1.0, 1.0)
    return np.clip(point + signs * sizes, -FARTHEST, FARTHEST)


class _Cuckoo:
    """State of the cuckoo search: its nests, its random generator, and the games that are left."""

    def __init__(self, n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> None:
        self.default = np.zeros(n_weights)
        self.spread = settings.spread
        self.rng = rng
        self.n_games_left = settings.games
        self.next_pair = 0
        self.nests = [self.newcomer() for _ in range(N_NESTS)]
        self.best = self.default

    def newcomer(self) -> Nest:
        """Return a new nest by a jump from the start."""
        return Nest(levy_jump(self.default, self.spread, self.rng))

    def generation(self) -> Generator[Round, Floats, None]:
        """Yield the rounds of a generation.

        First an egg competes with a nest, then all nests play again, and then new nests, which
        replace the worst.
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
        """Yield rounds in which each nest plays games of its own; return their win rates."""
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
        """Return a round of the next games, and count them as spent."""
        starts = self.next_pair + n_pairs * np.arange(len(nests))
        round_ = Round(np.stack([nest.point for nest in nests]), starts, n_pairs, self.best)
        self.next_pair += n_pairs * len(nests)
        self.n_games_left -= round_.n_games
        return round_

    def sort(self) -> None:
        """Sort the nests by fitness, the best first."""
        self.nests.sort(key=lambda nest: -nest.fitness)


def cuckoo_rounds(n_weights: int, settings: TurnSettings, rng: np.random.Generator) -> Rounds:
    """Yield rounds of the cuckoo search until the games are spent; return the best nest's point.

    Args:
        n_weights: number of weights, ``K``.
        settings: settings of the tuning.
        rng: source of all randomness, advanced.
    """
    search = _Cuckoo(n_weights, settings, rng)
    try:
        while True:
            yield from search.generation()
    except _OutOfGamesError:
        return search.best

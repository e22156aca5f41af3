"""Reach: how near to all aims numbers may come, by straight slopes and a linear program.

Slopes are fitted to random patches, twice, each time on games of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from balance.evaluation import Evaluator
from balance.model.baseline import Baseline
from balance.model.design import play_design
from balance.model.features import Features, with_level
from balance.model.limits import Limits
from balance.model.linear_algebra import product
from balance.model.logits import rate
from balance.model.slopes import Regression, growth_slopes, matchup_slopes
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.search_space import SearchSpace
from balance.statistics.intervals import Floats, Positions
from sim.play.table import Gene
from sim.seeds import stream_seed

N_FITS = 2
_LEAST_GAMES = 4_000  # per matchup of a fit
_SHARE = 0.25  # of the games of a score for each step of each number, in a fit
_N_LINEARISED = 4
_DIGITS = 6  # of what the program is told


def games_of_fit(n_features: int, n_search_games: int) -> int:
    """Games per matchup, of a score in a search so many."""
    return max(round(_SHARE * n_search_games * n_features), _LEAST_GAMES)


class SlopeFit(NamedTuple):
    """Straight slopes: ``[F + 1, M + 1]`` levels and what steps do, and what the ``F`` are."""

    features: Features
    means: Floats
    genes: tuple[Gene, ...]


def fit_slopes(
    evaluator: Evaluator, features: Features, baseline: Baseline, n_games: int
) -> tuple[SlopeFit, int]:
    """A fit, and how many games per matchup it took."""
    sample, n_played = play_design(evaluator, features, baseline, n_games=n_games)
    genes = evaluator.space.genes
    regression = Regression.of(evaluator.contest, genes, features, baseline)
    matchups = matchup_slopes(sample, regression)
    slopes = (*matchups, growth_slopes(sample, baseline, matchups))
    return SlopeFit(features, np.stack([one.mean for one in slopes], axis=1), genes), n_played


@dataclass(frozen=True)
class Reach:
    """How near to all aims the numbers of a space may come, by a fit's slopes.

    Attributes:
        features: ``F`` directions in which they may move.
        limits: what steps have to keep together.
        means: ``[F + 1, M + 1]`` levels and slopes.
        baseline: today's.
        wishes: what is demanded.
    """

    features: Features
    limits: Limits
    means: Floats
    baseline: Baseline
    wishes: Wishes

    @classmethod
    def of(cls, space: SearchSpace, fit: SlopeFit, baseline: Baseline, wishes: Wishes) -> Reach:
        """With the slopes that a fit of a wider space has told."""
        place = {
            (fit.genes[gene], direction): k
            for k, (gene, direction) in enumerate(
                zip(fit.features.gene.tolist(), fit.features.direction.tolist(), strict=True)
            )
        }
        features = Features.of(space)
        mine = zip(features.gene.tolist(), features.direction.tolist(), strict=True)
        rows = [0, *(1 + place[space.genes[gene], direction] for gene, direction in mine)]
        return cls(features, Limits.of(features, space), fit.means[rows], baseline, wishes)

    def least_pp(self, demands: Positions | None = None) -> float:
        """The least imbalance that is to be expected, of all demands or of some of them."""
        x, least = np.zeros(len(self.features)), np.inf
        some = np.arange(len(self.wishes.demands)) if demands is None else demands
        for _ in range(_N_LINEARISED):
            x = self._nearest(x, some)
            demanded = self.wishes.demands.of(self._rates(x))
            distance_pp = self.wishes.demands.distance_pp(demanded)[0, some]
            least = min(least, float(distance_pp.max()))
        return least

    def _rates(self, x: Floats) -> Floats:
        """``[1, R]`` what ``[F]`` steps are expected to bring."""
        means = product(with_level(x[np.newaxis]), self.means)
        means[:, -1] += self.baseline.growth_by_rates(rate(means[:, :-1]))
        return self.wishes.rates(means)

    def _nearest(self, x: Floats, some: Positions) -> Floats:
        """``[F]`` the steps whose demanded rates are nearest to their aims, as seen from others."""
        from scipy.optimize import linprog  # noqa: PLC0415 (a third of a second)

        demands, rates, n = self.wishes.demands, self._rates(x), len(x)
        steep = self.wishes.steepness(rates) * demands.weights[some]
        moves = product(steep, self.means[1:, : demands.n_rates].T)
        here = demands.of(rates)[0, some] - (moves * x).sum(axis=1)
        least, most = demands.aims[:, some]
        n_owners, kept = self.limits.n_owners, self.limits.rows
        moves = np.hstack([moves, np.zeros((len(some), n_owners))])
        signed = np.vstack([moves, -moves, kept, -kept])
        aside = np.repeat([-1.0, 0.0], [2 * len(moves), 2 * len(kept)])  # from the aims
        table = np.column_stack([signed, aside])
        ends = np.concatenate([most - here, here - least, self.limits.high, -self.limits.low])
        is_bound = np.isfinite(ends)
        found = linprog(
            np.append(np.zeros(n + n_owners), 1.0),
            A_ub=np.round(table[is_bound], _DIGITS),
            b_ub=np.round(ends[is_bound], _DIGITS),
            bounds=[*((0, most) for most in self.features.most), *[(0, 1)] * n_owners, (0, None)],
        )
        return x if found.x is None else np.asarray(found.x[:n])


class Prospects:
    """How near the numbers of spaces may come, by two fits of all that a wide one lets move.

    Attributes:
        n_games: that the fits took, all matchups together.
    """

    def __init__(
        self, evaluator: Evaluator, today: Readings, wide: SearchSpace, n_search_games: int
    ) -> None:
        """Play what it takes.

        Args:
            evaluator: knows contest and demands.
            today: readings of today's numbers.
            wide: numbers that may move, those of all spaces.
            n_search_games: games per matchup of a score.
        """
        baseline, features = Baseline.of(today), Features.of(wide)
        self._baseline, self._fits, self.n_games = baseline, list[SlopeFit](), 0
        self._wishes = Wishes(evaluator.demands, np.inf, 0.0, baseline.lead, baseline.side)
        n_games = games_of_fit(len(features), n_search_games)
        for k in range(N_FITS):
            seed = stream_seed(evaluator.run_seed, f"explain/{k}") >> 1
            there = replace(evaluator, space=wide, run_seed=seed)
            fit, n_played = fit_slopes(there, features, baseline, n_games)
            self._fits.append(fit)
            self.n_games += n_played * len(evaluator.contest.matchups)

    def of(self, space: SearchSpace) -> list[Reach]:
        """Those of a space, by each fit."""
        return [Reach.of(space, fit, self._baseline, self._wishes) for fit in self._fits]

    def least_pp(self, space: SearchSpace) -> float:
        """The least imbalance that is to be expected there, by the better of the fits."""
        return min(program.least_pp() for program in self.of(space))

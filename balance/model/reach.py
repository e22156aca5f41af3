"""Reach: how near to all aims numbers may come, by straight slopes and a linear program."""

from __future__ import annotations

from dataclasses import dataclass
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
from balance.search_space import SearchSpace
from balance.statistics.intervals import Floats, Positions
from sim.play.table import Gene

_N_LINEARISED = 4
_DIGITS = 6  # of what the program is told


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

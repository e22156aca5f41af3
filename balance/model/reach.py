"""Reach: how near to all aims numbers may come, and how small a patch could be, by programs.

Both are programs over the model's straight part: pairs of edits are left out, whose effects may go
either way, and so are guards and sense. They are told to people, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.model.design import Baseline, play_design
from balance.model.features import Features, with_level
from balance.model.linear_algebra import product
from balance.model.response import Response
from balance.model.slopes import Regression, slopes_of
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.search_space import SearchSpace
from balance.statistics.arithmetic import logit, rate
from balance.statistics.intervals import Floats, Positions
from sim.play.table import OF_RULES, Gene
from sim.seeds import stream_seed

Move = tuple[Gene, int]
"""A number and a direction, 1 or -1."""

N_FITS = 2
_LEAST_GAMES = 4_000  # per matchup of a fit
_SHARE = 0.25  # of the games of a score for each step of each number, in a fit
_N_LINEARISED = 4
_DIGITS = 6  # of what a program is told, lest it hang on a last bit
_ERRORS = 2.0  # standard errors by which a band is widened
_MOST_NODES = 2_000


class Limits(NamedTuple):
    """Rows over ``F`` features and then ``C`` owners of numbers, which are edited or not.

    Attributes:
        rows: ``[L, F + C]``.
        low: ``[L]`` the least that each may come to.
        high: ``[L]`` the most.
        counts: ``[F + C]`` what each counts in a patch's change.
        n_owners: ``C``.
    """

    rows: Floats
    low: Floats
    high: Floats
    counts: Floats
    n_owners: int

    @classmethod
    def of(cls, features: Features, space: SearchSpace) -> Limits:
        """Those of a space: most cards, most change, also of a card, and sums.

        A number moves only one way.
        """
        owner_of = space.owners[features.gene]
        owners, first, owner = np.unique(owner_of, return_index=True, return_inverse=True)
        n, is_card = len(features), np.asarray(owners != OF_RULES, dtype=np.float64)
        counts = np.append(space.weights[features.gene], space.card_weight * is_card)
        edited = np.zeros((n, len(owners)))
        edited[np.arange(n), owner] = -features.most
        one_way = (features.gene == np.unique(features.gene)[:, np.newaxis]) / features.most
        rows, low, high = [np.hstack([np.eye(n), edited])], [np.full(n, -np.inf)], [np.zeros(n)]

        def keep(table: Floats, least: npt.ArrayLike, most: npt.ArrayLike) -> None:
            rows.append(np.hstack([table, np.zeros((len(table), len(counts) - table.shape[1]))]))
            low.append(np.broadcast_to(least, len(table)))
            high.append(np.broadcast_to(most, len(table)))

        keep(one_way, -np.inf, 1.0)
        keep(np.append(np.zeros(n), is_card)[np.newaxis], -np.inf, space.most_cards)
        keep(counts[np.newaxis], -np.inf, space.most_change)
        if space.card_change is not None:
            most = np.where(is_card > 0, space.card_change.most[features.gene[first]], np.inf)
            steps = np.asarray(np.equal.outer(np.arange(len(owners)), owner), dtype=np.float64)
            keep(steps, -np.inf, most)
        if space.sums is not None:
            signed = space.sums.weights[:, features.gene] * features.direction
            keep(signed, space.sums.low, space.sums.high)
        return cls(
            np.concatenate(rows), np.concatenate(low), np.concatenate(high), counts, len(owners)
        )


def least_change(
    model: Response, features: Features, space: SearchSpace, demands: Demands, as_large: Floats
) -> float:
    """The change below which no patch can do it, as far as the model with its errors can tell.

    An integer program: the least change whose expected win rates lie in their bands, each band
    widened by what the model may err there, of few enough cards and with sums as they have to be.

    Args:
        model: predicts.
        features: directions of numbers.
        space: the numbers, and what their steps and cards count.
        demands: of which those on one matchup by itself count.
        as_large: ``[B, F]`` features of patches as large as needed: there its errors are taken.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 (a third of a second)

    limits = Limits.of(features, space)
    errors = model.error(as_large)[:, :-1].max(axis=0) * _ERRORS
    known = np.stack([fit.mean for fit in model.fits[:-1]], axis=1)
    rows, low, high = [], [], []
    for n, m in demands.on_matchups():
        least, most = demands.low[n], demands.high[n]
        rows.append(np.append(known[1:, m], np.zeros(limits.n_owners)))
        low.append(-np.inf if least <= 0 else logit(least) - errors[m] - known[0, m])
        high.append(np.inf if most >= 1 else logit(most) + errors[m] - known[0, m])
    if not rows:
        return 0.0
    found = milp(
        limits.counts,
        integrality=np.ones(len(limits.counts), dtype=np.int64),
        bounds=Bounds(0, np.append(features.most, np.ones(limits.n_owners))),
        constraints=[
            LinearConstraint(*(np.round(each, _DIGITS) for each in (rows, low, high))),
            LinearConstraint(limits.rows, limits.low, limits.high),
        ],
        options={"node_limit": _MOST_NODES, "mip_rel_gap": 0.0},
    )
    return _rounded_up(found.mip_dual_bound, space)


def _rounded_up(bound: float | None, space: SearchSpace) -> float:
    """The least change that is no less than a bound, where all changes are multiples of one."""
    if bound is None or not np.isfinite(bound):
        return 0.0
    counts = np.append(space.weights, space.card_weight)
    unit = space.weights.min()
    is_multiple = np.allclose(counts / unit, np.round(counts / unit))
    return float(unit * np.ceil(bound / unit - 1e-6)) if is_multiple else float(round(bound, 3))


def games_of_fit(n_features: int, n_search_games: int) -> int:
    """Games per matchup, of a score in a search so many."""
    return max(round(_SHARE * n_search_games * n_features), _LEAST_GAMES)


@dataclass(frozen=True)
class Reach:
    """How near to all aims the numbers of a space may come, by a fit's slopes.

    Attributes:
        features: ``F`` directions in which they may move.
        limits: what steps have to keep together.
        means: ``[F + 1, M + 1]`` levels and slopes.
        wishes: what is demanded.
    """

    features: Features
    limits: Limits
    means: Floats
    wishes: Wishes

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
        means[:, -1] += self.wishes.baseline.growth_by_rates(rate(means[:, :-1]))
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
    """How near the numbers of spaces may come, by slopes of all that a wide one lets move.

    Attributes:
        n_games: that the slopes took besides those of the search, all matchups together.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        baseline: Baseline,
        moves: Sequence[Move],
        means: Sequence[Floats],
        n_games: int = 0,
    ) -> None:
        """Know levels and slopes.

        Args:
            evaluator: knows the demands.
            baseline: today's rates.
            moves: ``[F]`` numbers and their directions.
            means: for each fit, ``[F + 1, M + 1]`` levels and slopes of the moves.
            n_games: that the fits took, all matchups together.
        """
        self._moves = {move: k for k, move in enumerate(moves)}
        self._wishes = Wishes(evaluator.demands, np.inf, 0.0, baseline)
        self._means = list(means)
        self.n_games = n_games

    @classmethod
    def fitted(
        cls, evaluator: Evaluator, today: Readings, wide: SearchSpace, n_search_games: int
    ) -> Prospects:
        """By slopes that are fitted to random patches, twice, each time on games of their own.

        Args:
            evaluator: knows contest and demands.
            today: readings of today's numbers.
            wide: numbers that may move, those of all spaces.
            n_search_games: games per matchup of a score.
        """
        baseline, features = Baseline.of(today), Features.of(wide)
        contest, n_games = evaluator.contest, games_of_fit(len(features), n_search_games)
        regression = Regression.of(contest, wide.genes, features, baseline)
        means = list[Floats]()
        n_all_played = 0
        for k in range(N_FITS):
            seed = stream_seed(evaluator.run_seed, f"explain/{k}") >> 1
            there = replace(evaluator, space=wide, run_seed=seed)
            sample, n_played = play_design(there, features, baseline, n_games=n_games)
            slopes = slopes_of(sample, regression)
            means.append(np.stack([one.mean for one in slopes], axis=1))
            n_all_played += n_played * len(contest.matchups)
        return cls(evaluator, baseline, _moves(wide, features), means, n_all_played)

    @classmethod
    def of_model(
        cls, evaluator: Evaluator, baseline: Baseline, features: Features, model: Response
    ) -> Prospects:
        """By the straight part of a model that a search has learned, with no further games.

        Args:
            evaluator: of the search.
            baseline: today's rates.
            features: of the search's space.
            model: what was learned.
        """
        means = np.stack([fit.mean for fit in model.fits], axis=1)
        return cls(evaluator, baseline, _moves(evaluator.space, features), [means])

    def cover(self, space: SearchSpace) -> bool:
        """Whether the slopes of all that a space lets move are known."""
        return set(_moves(space, Features.of(space))) <= self._moves.keys()

    def of(self, space: SearchSpace) -> list[Reach]:
        """Those of a space, by each fit."""
        features = Features.of(space)
        limits = Limits.of(features, space)
        rows = [0, *(1 + self._moves[move] for move in _moves(space, features))]
        return [Reach(features, limits, means[rows], self._wishes) for means in self._means]

    def least_pp(self, space: SearchSpace) -> float:
        """The least imbalance that is to be expected there, by the better of the fits."""
        return min(program.least_pp() for program in self.of(space))


def _moves(space: SearchSpace, features: Features) -> list[Move]:
    """``[F]`` the number of each feature, and its direction."""
    numbers = zip(features.gene.tolist(), features.direction.tolist(), strict=True)
    return [(space.genes[k], direction) for k, direction in numbers]

"""Prospects: how near to all aims the numbers of spaces may come, by straight slopes.

Linear programs over slopes of single steps: pairs of edits are left out, whose effects may go
either way, and so are guards and sense. They are told to people, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.evaluation import Evaluator
from balance.model.design import Baseline, play_design
from balance.model.features import Features, with_level
from balance.model.linear_algebra import product
from balance.model.played_slopes import played_slopes
from balance.model.reach import Limits
from balance.model.response import Response
from balance.model.slopes import Regression, slopes_of
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.search_space import SearchSpace, Steps
from balance.statistics.arithmetic import rate
from balance.statistics.intervals import Counts, Floats, Interval, Positions
from sim.play.table import Gene
from sim.seeds import stream_seed

Move = tuple[Gene, int]
"""A number and a direction, 1 or -1."""

ErrorOf = Callable[[Floats], Floats]
"""Of ``[B, F]`` steps, ``[B, M + 1]`` standard errors of the responses that are expected."""

N_FITS = 2
_LEAST_GAMES = 4_000  # per matchup of a fit
_SHARE = 0.25  # of the games of a score for each step of each number, in a fit
_N_LINEARISED = 4
_DIGITS = 6  # of what a program is told, lest it hang on a last bit
_ERRORS = 2.0  # standard errors of slopes, as of a 95 % interval


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
        error: of ``[B, F]`` steps, ``[B, M + 1]`` standard errors of their responses, if known.
    """

    features: Features
    limits: Limits
    means: Floats
    wishes: Wishes
    error: ErrorOf | None = None

    def least_pp(self, demands: Positions | None = None) -> float:
        """The least imbalance that is to be expected, of all demands or of some of them."""
        return float(self.expected_pp(demands).estimate)

    def expected_pp(self, demands: Positions | None = None) -> Interval:
        """The same, and between which it may be, by the errors of the slopes where it is least."""
        x = np.zeros(len(self.features))
        some = np.arange(len(self.wishes.demands)) if demands is None else demands
        found = list[Interval]()
        for _ in range(_N_LINEARISED):
            x = self._nearest(x, some)
            rates = self._rates(x)
            errors = np.zeros((1, self.means.shape[1]))
            if self.error is not None:
                errors = _ERRORS * self.error(x[np.newaxis])
            distances_pp = self.wishes.distances_of(rates, errors)
            found.append(Interval(*(one[0, some].max() for one in distances_pp)))
        return min(found, key=lambda one: float(one.estimate))

    def _rates(self, x: Floats) -> Floats:
        """``[1, R]`` what ``[F]`` steps are expected to bring."""
        means = product(with_level(x[np.newaxis]), self.means)
        means[:, -1] += self.wishes.baseline.growth_by_rates(rate(means[:, :-1]))
        return self.wishes.rates(means)

    def _nearest(self, x: Floats, some: Positions) -> Floats:
        """``[F]`` the steps whose demanded rates are nearest to their aims, as seen from others."""
        from scipy.optimize import linprog  # noqa: PLC0415 (a third of a second)

        demands = self.wishes.demands
        rates = self._rates(x)
        n = len(x)
        steep = self.wishes.steepness(rates) * demands.weights[some]
        moves = product(steep, self.means[1:, : demands.n_rates].T)
        here = demands.of(rates)[0, some] - (moves * x).sum(axis=1)
        least, most = demands.aims[:, some]
        n_owners = self.limits.n_owners
        kept = self.limits.rows
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
        error: ErrorOf | None = None,
    ) -> None:
        """Know levels and slopes.

        Args:
            evaluator: knows the demands.
            baseline: today's rates.
            moves: ``[F]`` numbers and their directions.
            means: for each fit, ``[F + 1, M + 1]`` levels and slopes of the moves.
            n_games: that the fits took, all matchups together.
            error: of ``[B, F]`` moves, how far their responses may be off, if there is one fit.
        """
        self._moves = {move: k for k, move in enumerate(moves)}
        self._wishes = Wishes(evaluator.demands, np.inf, 0.0, baseline)
        self._means = list(means)
        self._error = error
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
        baseline = Baseline.of(today)
        features = Features.of(wide)
        contest = evaluator.contest
        n_games = games_of_fit(len(features), n_search_games)
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
        moves = _moves(evaluator.space, features)
        return cls(evaluator, baseline, moves, [means], error=model.error)

    @classmethod
    def of_played(
        cls,
        evaluator: Evaluator,
        today: Readings,
        genomes: Steps,
        rates: Floats,
        n_games: Counts,
    ) -> Prospects:
        """By slopes of what a search without a model has played, with no further games.

        Args:
            evaluator: of the search.
            today: readings of today's numbers.
            genomes: ``[S, K]`` what was played.
            rates: ``[S, R]`` what that came to.
            n_games: ``[S]`` per matchup.
        """
        baseline = Baseline.of(today)
        features = Features.of(evaluator.space)
        of_matchups = rates[:, : len(evaluator.contest.matchups)]
        slopes = played_slopes(baseline, features.read(genomes), of_matchups, n_games)
        moves = _moves(evaluator.space, features)
        return cls(evaluator, baseline, moves, [slopes.means], error=slopes.error)

    def cover(self, space: SearchSpace) -> bool:
        """Whether the slopes of all that a space lets move are known."""
        return set(_moves(space, Features.of(space))) <= self._moves.keys()

    def of(self, space: SearchSpace) -> list[Reach]:
        """Those of a space, by each fit."""
        features = Features.of(space)
        limits = Limits.of(features, space)
        places = np.array([self._moves[move] for move in _moves(space, features)], dtype=np.intp)
        rows = [0, *(1 + places)]

        def error(steps: Floats) -> Floats:
            """Of ``[B, F]`` steps there, which are some of all the moves that are known."""
            moved = np.zeros((len(steps), len(self._moves)))
            moved[:, places] = steps
            return self._error(moved) if self._error is not None else np.zeros((len(steps), 0))

        known = None if self._error is None else error
        return [Reach(features, limits, means[rows], self._wishes, known) for means in self._means]

    def least_pp(self, space: SearchSpace) -> float:
        """The least imbalance that is to be expected there, by the better of the fits."""
        return float(self.expected_pp(space).estimate)

    def expected_pp(self, space: SearchSpace) -> Interval:
        """The same, and between which the fits have it."""
        each = [program.expected_pp() for program in self.of(space)]
        least, low, _ = (np.array([one[k] for one in each]) for k in range(3))
        highest = max(float(one.high) for one in each)
        return Interval(least.min(), low.min(), np.array(highest))


def _moves(space: SearchSpace, features: Features) -> list[Move]:
    """``[F]`` the number of each feature, and its direction."""
    numbers = zip(features.gene.tolist(), features.direction.tolist(), strict=True)
    return [(space.genes[k], direction) for k, direction in numbers]

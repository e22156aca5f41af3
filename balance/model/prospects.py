"""Prospects: how near to all targets the numbers of a search space may come, by linear slopes.

These are linear programs over the slopes of single steps. Effects of pairs of edits, which may go
either way, the guards and the design rules are left out. The results are reported to users and
decide nothing.
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
from balance.model.requirements import Requirements
from balance.model.response import Response
from balance.model.slopes import Regression, slopes_of
from balance.readings import Readings
from balance.search_space import SearchSpace, Steps
from balance.statistics.arithmetic import rate
from balance.statistics.intervals import Counts, Floats, Interval, Positions
from sim.play.table import Gene
from sim.seeds import stream_seed

Move = tuple[Gene, int]
"""A number and a direction, 1 or -1."""

ErrorOf = Callable[[Floats], Floats]
"""Function of patches that returns the standard errors of their predicted responses: features of
shape [B, F] to errors of shape [B, M + 1].
"""

# Independent fits, so that their difference shows how far the slopes may be off.
N_FITS = 2
# Least games of a fit per matchup: small spaces have few features but as much noise. By hand.
_LEAST_GAMES = 4_000
# Games of a fit per feature, as a share of an evaluation: half as many as a search's design has, so
# that the two fits together cost as much as one design.
_SHARE = 0.25
# Linear programs, each linearised around the solution of the one before. A fixed number instead of
# a test for convergence; the best solution counts, since they need not converge. Chosen by hand.
_N_LINEARISED = 4
_DIGITS = 6  # decimals of a program's coefficients, so that results are equal on all processors
_ERRORS = 2.0  # standard errors of the interval of an expected imbalance: about 95 %


def games_of_fit(n_features: int, n_search_games: int) -> int:
    """Return the games per matchup of one fit of `Prospects.fitted`.

    Args:
        n_features: number of features of the widest space.
        n_search_games: games per matchup of one evaluation.
    """
    return max(round(_SHARE * n_search_games * n_features), _LEAST_GAMES)


@dataclass(frozen=True)
class Reach:
    """Linear prediction of how near to all targets the numbers of one search space may come.

    Attributes:
        features: the ``F`` steps that patches of the space consist of.
        limits: linear constraints on patches.
        means: level and slopes of all responses, shape [F + 1, M + 1].
        requirements: the demands.
        error: function that returns the standard errors of the responses of patches; `None` if
            unknown.
    """

    features: Features
    limits: Limits
    means: Floats
    requirements: Requirements
    error: ErrorOf | None = None

    def least_pp(self, demands: Positions | None = None) -> float:
        """Return the least imbalance that any patch is predicted to have, in points.

        Args:
            demands: positions of the demands that count; default all.
        """
        return float(self.expected_pp(demands).estimate)

    def expected_pp(self, demands: Positions | None = None) -> Interval:
        """Return the least predicted imbalance of any patch, with an interval, in points.

        The interval is that of the best patch, by the errors of the slopes.

        Args:
            demands: positions of the demands that count; default all.
        """
        x = np.zeros(len(self.features))
        counted = np.arange(len(self.requirements.demands)) if demands is None else demands
        solutions = list[Interval]()
        for _ in range(_N_LINEARISED):
            x = self._solve_program(x, counted)
            rates = self._predict_rates(x)
            errors = np.zeros((1, self.means.shape[1]))
            if self.error is not None:
                errors = _ERRORS * self.error(x[np.newaxis])
            distances_pp = self.requirements.distances_of(rates, errors)
            solutions.append(Interval(*(bound[0, counted].max() for bound in distances_pp)))
        return min(solutions, key=lambda solution: float(solution.estimate))

    def _predict_rates(self, x: Floats) -> Floats:
        """Return the predicted rates of a patch, shape [1, R].

        Args:
            x: features of the patch, which need not be whole, shape [F].
        """
        means = product(with_level(x[np.newaxis]), self.means)
        means[:, -1] += self.requirements.baseline.growth_by_rates(rate(means[:, :-1]))
        return self.requirements.rates(means)

    def _solve_program(self, x: Floats, counted: Positions) -> Floats:
        """Return the patch with linearised rates nearest to the targets, shape [F].

        The linear program minimises the largest distance of a counted rate from its target. Its
        variables are the F features, then the owners that are edited, then the distance.

        Args:
            x: features of the patch around which rates are linearised, shape [F].
            counted: positions of the demands that count.
        """
        from scipy.optimize import linprog  # noqa: PLC0415 (a third of a second)

        demands = self.requirements.demands
        rates = self._predict_rates(x)
        n = len(x)
        weights = self.requirements.steepness(rates) * demands.weights[counted]
        moves = product(weights, self.means[1:, : demands.n_rates].T)
        constant = demands.of(rates)[0, counted] - (moves * x).sum(axis=1)
        least, most = demands.aims[:, counted]
        n_owners = self.limits.n_owners
        constraint_rows = self.limits.rows
        moves = np.hstack([moves, np.zeros((len(counted), n_owners))])
        signed = np.vstack([moves, -moves, constraint_rows, -constraint_rows])
        # The last variable relaxes the rows of rates, on both sides, but no constraint.
        distance = np.repeat([-1.0, 0.0], [2 * len(moves), 2 * len(constraint_rows)])
        table = np.column_stack([signed, distance])
        bounds = np.concatenate(
            [most - constant, constant - least, self.limits.high, -self.limits.low]
        )
        is_bound = np.isfinite(bounds)
        solution = linprog(
            np.append(np.zeros(n + n_owners), 1.0),
            A_ub=np.round(table[is_bound], _DIGITS),
            b_ub=np.round(bounds[is_bound], _DIGITS),
            bounds=[*((0, most) for most in self.features.most), *[(0, 1)] * n_owners, (0, None)],
        )
        return x if solution.x is None else np.asarray(solution.x[:n])


class Prospects:
    """Predictions of how near the numbers of search spaces may come to all targets.

    The slopes of the widest space also serve every space with fewer numbers.

    Attributes:
        n_games: games of the slopes beyond those of the search, over all matchups.
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
        """Prepare predictions from levels and slopes.

        Args:
            evaluator: the demands.
            baseline: readings of the unchanged game.
            moves: numbers and their directions, shape [F].
            means: levels and slopes of each fit, each of shape [F + 1, M + 1].
            n_games: games of the fits, over all matchups.
            error: function that returns the standard errors of the responses of patches; only with
                one fit.
        """
        self._moves = {move: k for k, move in enumerate(moves)}
        self._requirements = Requirements(evaluator.demands, np.inf, 0.0, baseline)
        self._means = list(means)
        self._error = error
        self.n_games = n_games

    @classmethod
    def fitted(
        cls, evaluator: Evaluator, today: Readings, wide: SearchSpace, n_search_games: int
    ) -> Prospects:
        """Fit slopes to random patches, twice, each time on games of their own.

        Args:
            evaluator: contest and demands.
            today: readings of the unchanged game.
            wide: space of the numbers of all spaces in question.
            n_search_games: games per matchup of one evaluation.
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
            wide_evaluator = replace(evaluator, space=wide, run_seed=seed)
            sample, n_played = play_design(wide_evaluator, features, baseline, n_games=n_games)
            slopes = slopes_of(sample, regression)
            means.append(np.stack([response.mean for response in slopes], axis=1))
            n_all_played += n_played * len(contest.matchups)
        return cls(evaluator, baseline, _moves_of(wide, features), means, n_all_played)

    @classmethod
    def of_model(
        cls, evaluator: Evaluator, baseline: Baseline, features: Features, model: Response
    ) -> Prospects:
        """Take the linear part of a search's surrogate; plays no further games.

        Args:
            evaluator: evaluator of the search.
            baseline: readings of the unchanged game.
            features: features of the search's space.
            model: the surrogate.
        """
        means = np.stack([fit.mean for fit in model.fits], axis=1)
        moves = _moves_of(evaluator.space, features)
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
        """Fit slopes to the genomes that a search without a surrogate has played; plays no games.

        Args:
            evaluator: evaluator of the search.
            today: readings of the unchanged game.
            genomes: evaluated genomes, shape [S, K].
            rates: their rates, of which the first M are those of the matchups, shape [S, R].
            n_games: games of each genome per matchup, shape [S].
        """
        baseline = Baseline.of(today)
        features = Features.of(evaluator.space)
        matchup_rates = rates[:, : len(evaluator.contest.matchups)]
        slopes = played_slopes(baseline, features.read(genomes), matchup_rates, n_games)
        moves = _moves_of(evaluator.space, features)
        return cls(evaluator, baseline, moves, [slopes.means], error=slopes.error)

    def cover(self, space: SearchSpace) -> bool:
        """Return whether the slopes of all numbers of a space are known.

        Args:
            space: the space in question.
        """
        return set(_moves_of(space, Features.of(space))) <= self._moves.keys()

    def of(self, space: SearchSpace) -> list[Reach]:
        """Return the predictions for a space, one for each fit.

        Args:
            space: a space that these slopes cover.
        """
        features = Features.of(space)
        limits = Limits.of(features, space)
        places = np.array([self._moves[move] for move in _moves_of(space, features)], dtype=np.intp)
        rows = [0, *(1 + places)]

        def error(steps: Floats) -> Floats:
            """Return the errors of patches of the space, by those of all known moves."""
            moved = np.zeros((len(steps), len(self._moves)))
            moved[:, places] = steps
            return self._error(moved) if self._error is not None else np.zeros((len(steps), 0))

        error_of_space = None if self._error is None else error
        return [
            Reach(features, limits, means[rows], self._requirements, error_of_space)
            for means in self._means
        ]

    def least_pp(self, space: SearchSpace) -> float:
        """Return the least imbalance predicted for a space, by the better of the fits, in points.

        Args:
            space: a space that these slopes cover.
        """
        return float(self.expected_pp(space).estimate)

    def expected_pp(self, space: SearchSpace) -> Interval:
        """Return the least imbalance predicted for a space, and its range over the fits.

        Args:
            space: a space that these slopes cover.

        Returns:
            Imbalance in points.
        """
        fits = [program.expected_pp() for program in self.of(space)]
        least = np.array([fit.estimate for fit in fits])
        low = np.array([fit.low for fit in fits])
        highest = max(float(fit.high) for fit in fits)
        return Interval(least.min(), low.min(), np.array(highest))


def _moves_of(space: SearchSpace, features: Features) -> list[Move]:
    """Return the number and the direction of each feature.

    Args:
        space: the search space.
        features: its features.
    """
    numbers = zip(features.gene.tolist(), features.direction.tolist(), strict=True)
    return [(space.genes[k], direction) for k, direction in numbers]

"""Prospects of search spaces: the least imbalance that patches may reach, by linear programs.

The programs use the slopes of single steps. They leave out the guards, the design rules and the
effects of pairs of edits, which may have either sign. The results are reported to users and decide
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.contest.readings import Readings
from balance.search.model.design import Baseline, play_design
from balance.search.model.features import Features, with_level
from balance.search.model.linear_algebra import product
from balance.search.model.played_slopes import played_slopes
from balance.search.model.reach import Limits
from balance.search.model.requirements import Requirements
from balance.search.model.response import Response
from balance.search.model.slopes import slopes_of, sums_of
from balance.search.model.strengths import Regression
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.arithmetic import rate
from balance.statistics.intervals import Counts, Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator
from sim.play.table import Gene
from sim.seeds import stream_seed

Move = tuple[Gene, int]
"""Number of a card or a rule, and the direction of its change: 1 is up, -1 is down."""

ErrorOf = Callable[[Floats], Floats]
"""Function from the features of patches, shape [B, F], to the standard errors of their predicted
responses, shape [B, M + 1].
"""

# Number of independent fits. There are two, so that their difference shows the error of the slopes.
N_FITS = 2
# Minimum number of games of a fit per matchup: a small space has few features, but its games are as
# noisy as those of a large one. Chosen by hand.
_LEAST_GAMES = 4_000
# Games of a fit per feature, as a share of an evaluation: half as many as a search's design has, so
# that the two fits together cost as much as one design.
_SHARE = 0.25
# Number of linear programs, each linearised around the solution of the previous one. A fixed number
# instead of a test for convergence; the best solution counts, since the solutions need not
# converge. Chosen by hand.
_N_LINEARISED = 4
_DIGITS = 6  # decimals of a program's coefficients, so that results are equal on all processors
_ERRORS = 2.0  # standard errors of the interval of an expected imbalance: about 95 %


def games_of_fit(n_features: int, n_search_games: int) -> int:
    """Return the number of games per matchup of one fit of `Prospects.fitted`, at least 4,000.

    Args:
        n_features: number of features of the widest space.
        n_search_games: number of games per matchup of one evaluation in a search.
    """
    return max(round(_SHARE * n_search_games * n_features), _LEAST_GAMES)


@dataclass(frozen=True)
class Reach:
    """Linear model of one search space that predicts the least imbalance of its patches.

    Attributes:
        features: the ``F`` steps that patches of the space consist of.
        limits: linear constraints on patches.
        means: level and slopes of all responses, shape [F + 1, M + 1].
        requirements: demands on the win rates, and the baseline from which the lead grows.
        error: function that returns the standard errors of predicted responses; `None` if the
            errors of the slopes are not known.
    """

    features: Features
    limits: Limits
    means: Floats
    requirements: Requirements
    error: ErrorOf | None = None

    def least_pp(self, demands: Positions | None = None) -> float:
        """Return the least imbalance that any patch is predicted to have, in points.

        Args:
            demands: positions of the demands that count; by default all demands.
        """
        return float(self.expected_pp(demands).estimate)

    def expected_pp(self, demands: Positions | None = None) -> Interval:
        """Return the least predicted imbalance of any patch, with an interval, in points.

        The interval has a half width of two standard errors of the best patch; its width is 0 if
        the errors are not known.

        Args:
            demands: positions of the demands that count; by default all demands.
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
        """Return the predicted demanded rates of a patch, shape [1, R].

        Args:
            x: features of the patch, which need not be whole numbers, shape [F].
        """
        means = product(with_level(x[np.newaxis]), self.means)
        means[:, -1] += self.requirements.baseline.growth_by_rates(rate(means[:, :-1]))
        return self.requirements.rates(means)

    def _solve_program(self, x: Floats, counted: Positions) -> Floats:
        """Return the features of the patch with linearised rates nearest to the targets, shape [F].

        The linear program minimises the largest distance of a counted rate from its target. Its
        variables are the F features, the owners that are edited, and the distance. If the solver
        finds no solution, `x` itself is returned.

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
        # The last variable, the distance, relaxes the bounds of rates on both sides, but not the
        # constraints of the space.
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
    """Predictor of the least imbalance of patches in different search spaces, by linear slopes.

    It serves every space with moves (numbers and directions) among those of the fitted space.

    Attributes:
        n_games: number of games played for the slopes beyond those of the search, over all
            matchups.
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
        """Prepare predictions from known levels and slopes.

        Args:
            evaluator: evaluator that has the demands.
            baseline: readings of the unchanged game.
            moves: numbers and directions that the slopes describe, length F.
            means: levels and slopes of each fit, each of shape [F + 1, M + 1].
            n_games: number of games played for the fits, over all matchups.
            error: function that returns the standard errors of predicted responses; pass it only
                if there is a single fit.
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
        """Fit slopes to random patches twice, with different patches and games each time.

        Args:
            evaluator: provider of the contest, the demands and the run seed.
            today: readings of the unchanged game.
            wide: search space that has the numbers of all spaces to predict.
            n_search_games: number of games per matchup of one evaluation in a search.
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
            means.append(sums_of([response.mean for response in slopes], slopes))
            n_all_played += n_played * len(contest.matchups)
        return cls(evaluator, baseline, _moves_of(wide, features), means, n_all_played)

    @classmethod
    def of_model(
        cls, evaluator: Evaluator, baseline: Baseline, features: Features, model: Response
    ) -> Prospects:
        """Return prospects by the linear part of a search's surrogate; no further games are played.

        Args:
            evaluator: evaluator of the search.
            baseline: readings of the unchanged game.
            features: features of the search space of the surrogate.
            model: surrogate from which slopes and errors are taken.
        """
        moves = _moves_of(evaluator.space, features)
        return cls(evaluator, baseline, moves, [model.linear], error=model.error)

    @classmethod
    def of_played(
        cls,
        evaluator: Evaluator,
        today: Readings,
        genomes: Steps,
        rates: Floats,
        n_games: Counts,
    ) -> Prospects:
        """Fit slopes to the genomes that a search without a surrogate evaluated.

        No further games are played.

        Args:
            evaluator: evaluator of the search.
            today: readings of the unchanged game.
            genomes: evaluated genomes, shape [S, K].
            rates: rates of the genomes, of which the first M are those of the matchups, shape
                [S, R].
            n_games: number of games of each genome per matchup, shape [S].
        """
        baseline = Baseline.of(today)
        features = Features.of(evaluator.space)
        matchup_rates = rates[:, : len(evaluator.contest.matchups)]
        slopes = played_slopes(baseline, features.read(genomes), matchup_rates, n_games)
        moves = _moves_of(evaluator.space, features)
        return cls(evaluator, baseline, moves, [slopes.means], error=slopes.error)

    def cover(self, space: SearchSpace) -> bool:
        """Return whether slopes are known for all numbers and directions of a search space.

        Args:
            space: search space to predict.
        """
        return set(_moves_of(space, Features.of(space))) <= self._moves.keys()

    def of(self, space: SearchSpace) -> list[Reach]:
        """Return the linear models of a search space, one for each fit of the slopes.

        Args:
            space: search space for which `cover` is true.
        """
        features = Features.of(space)
        limits = Limits.of(features, space)
        places = np.array([self._moves[move] for move in _moves_of(space, features)], dtype=np.intp)
        rows = [0, *(1 + places)]

        def error(steps: Floats) -> Floats:
            """Return the standard errors of patches of the space; a missing move has 0 steps."""
            moved = np.zeros((len(steps), len(self._moves)))
            moved[:, places] = steps
            return self._error(moved) if self._error is not None else np.zeros((len(steps), 0))

        error_of_space = None if self._error is None else error
        return [
            Reach(features, limits, means[rows], self._requirements, error_of_space)
            for means in self._means
        ]

    def least_pp(self, space: SearchSpace) -> float:
        """Return the least imbalance predicted for a space by any fit, in points.

        Args:
            space: search space for which `cover` is true.
        """
        return float(self.expected_pp(space).estimate)

    def expected_pp(self, space: SearchSpace) -> Interval:
        """Return the least imbalance predicted for a space by any fit, with an interval, in points.

        The interval covers the intervals of all fits.

        Args:
            space: search space for which `cover` is true.
        """
        fits = [program.expected_pp() for program in self.of(space)]
        least = np.array([fit.estimate for fit in fits])
        low = np.array([fit.low for fit in fits])
        highest = max(float(fit.high) for fit in fits)
        return Interval(least.min(), low.min(), np.array(highest))


def _moves_of(space: SearchSpace, features: Features) -> list[Move]:
    """Return the number and the direction of each feature, in the order of the features.

    Args:
        space: search space with the numbers.
        features: features of this space.
    """
    numbers = zip(features.gene.tolist(), features.direction.tolist(), strict=True)
    return [(space.genes[k], direction) for k, direction in numbers]

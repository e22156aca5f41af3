"""Sensitivities around a centre: the change of every win rate by one step of each number alone.

Each step is played on the seeds of the centre (paired). One step changes the result of 3 to 6 games
in 100, so the difference is known several times more precisely than the rate itself. Only matchups
that a number can affect are played.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.contest.readings import Readings
from balance.search.model.features import Features
from balance.search.model.response import Played
from balance.space.search_space import Steps
from balance.statistics.arithmetic import logit, steepness
from balance.statistics.intervals import Flags, Floats, Positions
from balance.verdict.evaluation import Evaluator

# Pseudo-count of half a changed game, added to a sum of squares: a step that changed no game would
# otherwise have a variance of 0 and count as exact. Chosen by hand.
_HALF_POINTS = 0.5


def measure_sensitivities(
    evaluator: Evaluator,
    features: Features,
    centre: Steps,
    *,
    n_games: int,
    purpose: str,
    side: int,
) -> tuple[Played, int]:
    """Play the genomes that are one step from a centre, and return their differences from it.

    Genomes with games that never end are left out.

    Args:
        evaluator: provider of the contest, the search space and the run seed.
        features: the steps that genomes consist of.
        centre: genome around which steps are taken, shape [K].
        n_games: games of each genome per matchup.
        purpose: name of the stream of game seeds.
        side: 1 if the first seat has the advantage in the baseline, else -1.

    Returns:
        The differences of the responses from the centre's, and the total number of games played,
        with those of the centre.
    """
    genomes, added = features.single_steps(centre)
    contest = evaluator.contest
    reach = contest.matchup_reach(evaluator.space.genes)[features.gene[added]]
    found = _Changes.none(len(genomes), reach.shape[1], n_games // contest.n_seatings)
    # Sensitivities of a matchup with a leader are nearly those of the leader, and are not played.
    is_played = [leader is None for leader in contest.leaders]
    of_first_seats = contest.first_seat_rates
    with_games = [m for m in np.flatnonzero(is_played).tolist() if m not in of_first_seats]
    shares = contest.game_shares
    n_played = 0.0
    # One matchup at a time, because only the genomes that can affect a matchup play it.
    for m in with_games:
        moved = np.flatnonzero(reach[:, m])
        readings = contest.play(
            np.concatenate([genomes[moved], centre[np.newaxis]]),
            evaluator.space.genes,
            n_games=n_games,
            run_seed=evaluator.run_seed,
            purpose=purpose,
            matchups=[contest.matchups[m]],
            faults="keep",
        )
        n_played += (len(moved) + 1) * n_games * float(shares[m])
        found.read(m, moved, readings)
    for m, matchups in of_first_seats.items():
        if is_played[m]:
            found.read_first_seat(m, list(matchups))
    change, variance = found.with_lead(side, len(with_games))
    centres = np.repeat(features.read(centre[np.newaxis]), len(genomes), axis=0)
    differences = Played(features.read(genomes), centres, np.zeros(len(genomes)), change, variance)
    return differences.take(~found.broken), round(n_played)


@dataclass(frozen=True)
class _Changes:
    """Changes of the responses from a centre to its ``L`` neighbours, filled matchup by matchup.

    Attributes:
        change: changes of the log-odds, shape [L, M].
        variance: variances of their errors, shape [L, M]; NaN for matchups that were not played.
        gained_first: first seat's rates by seed, less those of the centre, shape [M, L, S].
        centre_first: first seat's rates of the centre by seed, shape [M, S].
        broken: whether games of a neighbour never end, shape [L].
    """

    change: Floats
    variance: Floats
    gained_first: Floats
    centre_first: Floats
    broken: Flags

    @classmethod
    def none(cls, n_neighbours: int, n_matchups: int, n_seeds: int) -> _Changes:
        """Return changes of which none is known yet."""
        return cls(
            np.zeros((n_neighbours, n_matchups)),
            np.full((n_neighbours, n_matchups), np.nan),
            np.zeros((n_matchups, n_neighbours, n_seeds)),
            np.zeros((n_matchups, n_seeds)),
            np.zeros(n_neighbours, dtype=np.bool_),
        )

    def read(self, m: int, moved: Positions, readings: Readings) -> None:
        """Fill in the changes of a matchup.

        Args:
            m: position of the matchup.
            moved: positions of the neighbours that played it.
            readings: games of these neighbours, then of the centre, on the same seeds.
        """
        self.broken[moved[[v for v in readings.faults if v < len(moved)]]] = True
        # The centre is the last variant and has the same seeds, so differences are paired.
        by_seed = readings.rates_by_seed()[:, 0]
        gained = by_seed[:-1] - by_seed[-1]
        self.change[moved, m], self.variance[moved, m] = _logit_changes(
            gained, float(by_seed[-1].mean())
        )
        first = readings.first_seat_by_seed()
        if first is not None:
            self.gained_first[m, moved] = first[:-1, 0] - first[-1, 0]
            self.centre_first[m] = first[-1, 0]

    def read_first_seat(self, m: int, matchups: list[int]) -> None:
        """Fill in the changes of the first seat's rate over matchups that were read.

        Args:
            m: position of the first seat's rate.
            matchups: positions of the matchups.
        """
        gained = self.gained_first[matchups].mean(axis=0)
        before = float(self.centre_first[matchups].mean())
        self.change[:, m], self.variance[:, m] = _logit_changes(gained, before)

    def with_lead(self, side: int, n_matchups: int) -> tuple[Floats, Floats]:
        """Return changes and variances with those of the first seat's lead, each [L, M + 1].

        Args:
            side: 1 if the first seat has the advantage in the baseline, else -1.
            n_matchups: number of matchups that were read.
        """
        leads = side * self.gained_first.sum(axis=0) / n_matchups
        change = np.column_stack([self.change, leads.mean(axis=1)])
        return change, np.column_stack([self.variance, _variance_of_mean(leads)])


def _logit_changes(gained: Floats, before: float) -> tuple[Floats, Floats]:
    """Return the changes of the log-odds from a centre to its neighbours, and their variances.

    The variances are those of the mean of the paired differences d, scaled by the delta method:
    var(mean d) / (p (1 - p) q (1 - q)) with the rates p before and q after the step.

    Args:
        gained: rates by seed of L neighbours less those of the centre, shape [L, S].
        before: rate of the centre.

    Returns:
        Changes and variances, both of shape [L].
    """
    rate_before = np.array([before])
    after = rate_before + gained.mean(axis=1)
    scale = 1 / (steepness(rate_before) * steepness(after))
    return logit(after) - logit(rate_before), _variance_of_mean(gained) * scale


def _variance_of_mean(differences: Floats) -> Floats:
    """Return the variance of the mean over seeds of each row of differences, shape [L].

    Half a changed game is added to the sum of squares, so that no variance is 0.

    Args:
        differences: paired differences of each neighbour by seed, shape [L, S].
    """
    n = differences.shape[1]
    squares = (differences * differences).sum(axis=1) - n * differences.mean(axis=1) ** 2
    return np.asarray((squares + _HALF_POINTS) / n**2)

"""Margins (`room`): distances from its limits that a patch needs for a likely certificate.

The games of a selection and those of a certificate are both samples, so a patch that is measured
just inside its limits may fail the certificate. The margin covers the sampling errors of both.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.settings.tables import Games, Guards
from balance.space.search_space import Steps
from balance.statistics.intervals import Flags, Floats, z_score
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.guard import SelectionGames
from balance.verdict.guards import guard_values_with_room, worst_breach
from balance.verdict.risk import Look

# Required probability that a certificate succeeds. It is more than 0.95, since the estimate of the
# smallest sufficient patch is biased by its selection: its certified imbalance is about half a
# percentage point larger.
LIKELY = 0.99
# Required probability for the question whether a certificate should be tried at all.
EVEN = 0.5


class Margins(NamedTuple):
    """Scores and margins of ``P`` genomes, from games that did not select them.

    Attributes:
        scores: scores, ``[P]``; a guard that lacks its margin counts as violated.
        has_room: whether all rates and guards have the margin that a certificate needs, and all
            constraints are satisfied, ``[P]``.
        spare_pp: smallest distance of a rate from its bounds narrowed by its margin, in percentage
            points, ``[P]``; negative if a rate lacks its margin.
    """

    scores: Scores
    has_room: Flags
    spare_pp: Floats


def read_room(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games, likely: float = LIKELY
) -> Margins:
    """Return the scores of ``P`` genomes, and whether they have the margin for a certificate.

    Args:
        evaluator: evaluator with demands, guards and search space.
        genomes: genomes that were played, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage, of which `certify` determines the margins.
        likely: required probability that the certificate succeeds.
    """
    # The baseline was not selected by its results, so it needs no margin for the selection's bias.
    is_today = np.logical_not(genomes.any(axis=1))
    last = evaluator.looks(games.certify)[-1]
    violation = violation_with_room(evaluator.guards, played, is_today, look=last, likely=likely)
    scores = evaluator.scores_of(genomes, evaluator.demands.rates(played)[:-1], violation)
    room = rooms_pp(evaluator, genomes, played.n_games, games, likely)
    spare_pp = evaluator.demands.spare_pp(evaluator.demands.of(scores.win_rate), room)
    return Margins(scores, (spare_pp >= 0) & (scores.violation == 0), spare_pp)


def rooms_pp(
    evaluator: Evaluator, genomes: Steps, n_games: int, games: Games, likely: float = LIKELY
) -> Floats:
    """Return the margin that a matchup's rate needs for each genome, in percentage points, ``[P]``.

    A genome without edits was not selected by its results. It needs only the half-width of the
    certificate's interval.

    Args:
        evaluator: evaluator with the schedule of the certificate's looks.
        genomes: genomes as steps from the baseline, shape ``[P, K]``.
        n_games: games per matchup from which the genomes' rates are computed.
        games: games per matchup of each stage, of which `certify` determines the margins.
        likely: required probability that the certificate succeeds.
    """
    confidence = _last_confidence(evaluator, games.certify)
    needed_pp = room_pp(n_games, games.certify, confidence, likely)
    is_today = np.logical_not(genomes.any(axis=1))
    return np.where(is_today, _half_width_pp(games.certify, confidence), needed_pp)


def room_pp(n_select: int, n_certify: int, confidence: float, likely: float = LIKELY) -> float:
    """Return the distance from its bounds that a measured rate needs, in percentage points.

    With n games in the selection and n' in the certificate, a rate near 50 % needs the margin
    ``50 · (z_c / sqrt(n') + z_l · sqrt(1/n + 1/n'))``. The first term is the half-width of the
    certificate's interval at its confidence level c. The second covers the sampling error of the
    difference between both estimates, which exceeds it with probability 1 - l.

    Args:
        n_select: games per matchup of the selection, ``n``.
        n_certify: games per matchup of the certificate, ``n'``.
        confidence: confidence level of the certificate's intervals at the look with all games,
            ``c``.
        likely: required probability that the certificate succeeds, ``l``.
    """
    sampling_error = z_score(2 * likely - 1) * 50 * sqrt(1 / n_certify + 1 / n_select)
    return _half_width_pp(n_certify, confidence) + sampling_error


def _half_width_pp(n_games: int, confidence: float) -> float:
    """Return the half-width of the interval of a rate near 50 %, in percentage points.

    The half-width is ``50 z / sqrt(n)``, with the quantile ``z`` of the confidence level.
    """
    return z_score(confidence) * (50 / sqrt(n_games))


def needed_room_pp(evaluator: Evaluator, games: Games) -> float:
    """Return the margin in percentage points that a rate measured in the selection needs.

    Args:
        evaluator: evaluator with the schedule of the certificate's looks.
        games: games per matchup of each stage.
    """
    return room_pp(games.select, games.certify, _last_confidence(evaluator, games.certify))


def _last_confidence(evaluator: Evaluator, n_certify: int) -> float:
    """Return the confidence level of the demands' intervals at the look with all their games.

    Args:
        evaluator: evaluator with the schedule of the certificate's looks.
        n_certify: maximum number of games per matchup for the demands.
    """
    looks = evaluator.looks(n_certify)
    return next(look.confidence for look in looks if look.n_games == n_certify)


def violation_with_room(
    guards: Guards,
    played: Readings,
    is_today: Flags,
    *,
    look: Look,
    likely: float,
) -> Floats:
    """Return the largest excess over a guard's limit narrowed by its margin, ``[P]``.

    The unit is multiples of the limit. The excess is 0 for a genome with the margins of all guards.

    Args:
        guards: limits of the guards.
        played: games of ``P`` genomes and, as the last variant, of the baseline.
        is_today: whether a genome has no edits, ``[P]``.
        look: last look of the certificate.
        likely: required probability that a guard is verified.
    """
    games = SelectionGames(played, is_today, look, likely)
    return worst_breach(guards, guard_values_with_room(guards, games), len(is_today))

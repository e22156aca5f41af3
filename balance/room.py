"""Margins (`room`): how far inside its limits a patch must be measured for a likely certificate.

The games of a selection and those of a certificate are both samples, so a patch that is measured
just inside its limits is certified only by luck. The margin covers the sampling errors of both.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import NamedTuple

import numpy as np

from balance.evaluation import (
    Evaluator,
    GuardValues,
    Scores,
    first_seat_growth,
    read_guards,
    worst_breach,
)
from balance.game_length import most_length_change
from balance.readings import Readings
from balance.risk import Look
from balance.search_space import Steps
from balance.settings import Games, Guards
from balance.statistics.intervals import Flags, Floats, most_that_shows, z_score

# Wanted probability that a certificate succeeds. The smallest of many patches that pass here is a
# lucky one (its certified imbalance is about half a point larger), hence more than 0.95.
LIKELY = 0.99
EVEN = 0.5  # wanted probability if the question is only whether a certificate is worth trying
_FINE = 1_000_000  # resolution of the quantile in `guard_values_with_room`, finer than any sample


class Margins(NamedTuple):
    """Measured genomes with their margins, from games that did not select them.

    Attributes:
        scores: scores, ``[P]``; a guard without its margin counts as violated.
        has_room: whether all rates and guards have the margin that a certificate needs, ``[P]``.
        spare_pp: how far the worst rate is inside its bounds narrowed by its margin, in percentage
            points, ``[P]``.
    """

    scores: Scores
    has_room: Flags
    spare_pp: Floats


def read_room(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games, likely: float = LIKELY
) -> Margins:
    """Return the scores of ``P`` genomes, and whether they have the margin for a certificate.

    Args:
        evaluator: knows demands and guards.
        genomes: genomes that were played, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage; `certify` of them are to come.
        likely: wanted probability that the certificate succeeds.
    """
    # The baseline was not selected by its results, so it needs no margin for a selection's luck;
    # and if it suffices, no patch is the best patch.
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

    Args:
        evaluator: knows the looks of the certificate.
        genomes: genomes, shape ``[P, K]``; one without edits was not selected by its results, and
            needs less margin.
        n_games: games per matchup by which the genomes are measured.
        games: games per matchup of each stage; `certify` of them are to come.
        likely: wanted probability that the certificate succeeds.
    """
    confidence = _last_confidence(evaluator, games.certify)
    needed_pp = room_pp(n_games, games.certify, confidence, likely)
    is_today = np.logical_not(genomes.any(axis=1))
    return np.where(is_today, _half_width_pp(games.certify, confidence), needed_pp)


def room_pp(n_select: int, n_certify: int, confidence: float, likely: float = LIKELY) -> float:
    """Return how far inside its band a rate must be measured, in percentage points.

    With n games in the selection and n' in the certificate, a rate near 50 % needs the margin
    ``50 · (z_c / sqrt(n') + z_l · sqrt(1/n + 1/n'))``: the half-width of the certificate's interval
    at its confidence c, and the sampling error of the difference between both estimates, which is
    exceeded with probability 1 - l. It refers to the look with all games; earlier looks may verify
    a rate that has more than this.

    Args:
        n_select: games per matchup of the selection.
        n_certify: games per matchup of the certificate.
        confidence: confidence of the certificate's intervals.
        likely: wanted probability that the certificate succeeds, ``l``.
    """
    sampling_error = z_score(2 * likely - 1) * 50 * sqrt(1 / n_certify + 1 / n_select)
    return _half_width_pp(n_certify, confidence) + sampling_error


def _half_width_pp(n_games: int, confidence: float) -> float:
    """Return the half-width of the interval of a rate near 50 %: ``50 z / sqrt(n)``."""
    return z_score(confidence) * (50 / sqrt(n_games))


def needed_room_pp(evaluator: Evaluator, games: Games) -> float:
    """Return the margin that a genome of the selection needs; see `room_pp`."""
    return room_pp(games.select, games.certify, _last_confidence(evaluator, games.certify))


def _last_confidence(evaluator: Evaluator, n_certify: int) -> float:
    """Return the confidence of the certificate's last look at the demands."""
    looks = evaluator.looks(n_certify)
    return next(look.confidence for look in looks if look.n_games == n_certify)


def growth_errors(look: Look, n_games: int, likely: float = LIKELY) -> float:
    """Return the margin for growth of the first-turn advantage, in the selection's standard errors.

    Args:
        look: last look of the certificate.
        n_games: games per matchup of the selection.
        likely: wanted probability that the guard is verified.
    """
    # Standard error of the certificate, relative to that of the selection.
    ratio = sqrt(n_games / look.n_games)
    return z_score(1 - 2 * look.guards) * ratio + z_score(2 * likely - 1) * sqrt(1 + ratio * ratio)


def violation_with_room(
    guards: Guards,
    played: Readings,
    is_today: Flags,
    *,
    look: Look,
    likely: float,
) -> Floats:
    """Return the worst excess of the guards with their margins, in multiples of limits, ``[P]``.

    Args:
        guards: limits of the guards.
        played: games of ``P`` genomes and, as the last variant, of the baseline.
        is_today: whether a genome has no edits, ``[P]``.
        look: last look of the certificate.
        likely: wanted probability that a guard is verified.
    """
    values = guard_values_with_room(guards, played, is_today, look=look, likely=likely)
    return worst_breach(guards, values.draw_rate, values.growth_pp, values.shift)


def guard_values_with_room(
    guards: Guards,
    played: Readings,
    is_today: Flags,
    *,
    look: Look,
    likely: float,
) -> GuardValues:
    """Return the values that guards limit, increased by the margins that they need, ``[P]``.

    A margin covers the distance from the certificate's estimate to its upper bound at the last
    look, and the sampling errors of both estimates. Seeds are counted as in `balance.guards`.

    Args:
        guards: limits of the guards.
        played: games of ``P`` genomes and, as the last variant, of the baseline.
        is_today: whether a genome has no edits, ``[P]``; it was not selected by its results, and
            nothing grows or shifts.
        look: last look of the certificate.
        likely: wanted probability that a guard is verified.
    """
    n_selected = played.n_games // played.n_seatings
    n_certified = look.n_games // played.n_seatings
    # The spread of the difference of two estimates, relative to the deviation of one seed.
    per_trial = z_score(2 * likely - 1) * sqrt(1 / n_selected + 1 / n_certified)
    patched = read_guards(played.take(slice(-1)))
    today = read_guards(played.take(slice(-1, None)))

    limit = guards.max_draw_rate
    draws = patched.draw_rate
    if played.drawn_share() is not None:
        most = most_that_shows(limit, n_certified, look.guards) / n_certified
        spread = per_trial * sqrt(limit * (1 - limit))
        draws = draws + limit - most + np.where(is_today, 0.0, spread)

    growth_pp, error_pp = first_seat_growth(patched, today)
    errors = growth_errors(look, played.n_games, likely)
    growth_pp = np.where(is_today, 0.0, growth_pp + errors * error_pp)

    shift = np.zeros(len(is_today))
    if played.turns is not None:
        reach = 0.5 - most_that_shows(0.5, n_certified, look.guards) / n_certified + per_trial / 2
        n_shorter = floor(_FINE * (0.5 - reach))
        *patched_turns, before = played.turns
        moved = [most_length_change(turns, before, n_shorter, _FINE) for turns in patched_turns]
        shift = np.where(is_today, 0.0, moved)
    return GuardValues(draws, growth_pp, shift)

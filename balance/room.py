"""Room: how far inside its limits a patch must read for a certificate to be likely.

A selection's readings and the certificate's are both samples, so a patch that just reads well is
certified by luck only. What both may err is kept free.
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

# Wanted chance that a certificate succeeds. The smallest of many patches that pass here is a
# lucky one (its certified imbalance is about half a point larger), hence more than 0.95.
LIKELY = 0.99
EVEN = 0.5  # chance, where it is asked whether one is worth a try
_FINE = 1_000_000  # parts of all games in which a share is told


class Roomy(NamedTuple):
    """Genomes in games that did not find them.

    Attributes:
        scores: ``[P]``; guards are broken where they have no room to spare.
        has_room: ``[P]`` inside the bands and every guard's limit, with room to spare.
        spare_pp: ``[P]`` how far the worst rate is inside its bounds, less its room.
    """

    scores: Scores
    has_room: Flags
    spare_pp: Floats


def read_room(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games, likely: float = LIKELY
) -> Roomy:
    """What ``P`` genomes came to, and whether they have room.

    Args:
        evaluator: knows demands and guards.
        genomes: ``[P, K]`` what was played.
        played: of them and, as the last variant, of today's numbers.
        games: per matchup, of the certificate to come.
        likely: wanted chance that it succeeds.
    """
    # Today's cards were not chosen for their luck, and no patch is better than one.
    is_today = np.logical_not(genomes.any(axis=1))
    last = evaluator.looks(games.certify)[-1]
    violation = violation_with_room(evaluator.guards, played, is_today, look=last, likely=likely)
    scores = evaluator.scores_of(genomes, evaluator.demands.rates(played)[:-1], violation)
    room = rooms_pp(evaluator, genomes, played.n_games, games, likely)
    spare_pp = evaluator.demands.spare_pp(evaluator.demands.of(scores.win_rate), room)
    return Roomy(scores, (spare_pp >= 0) & (scores.violation == 0), spare_pp)


def rooms_pp(
    evaluator: Evaluator, genomes: Steps, n_games: int, games: Games, likely: float = LIKELY
) -> Floats:
    """``[P]`` the room that a matchup's rate of each genome needs, in percentage points.

    Args:
        evaluator: knows the certificate's looks.
        genomes: ``[P, K]``; one without edits was not chosen for its luck, and needs less.
        n_games: per matchup, by which they are read.
        games: per matchup, of the certificate to come.
        likely: wanted chance that it succeeds.
    """
    confidence = _last_confidence(evaluator, games.certify)
    needed_pp = room_pp(n_games, games.certify, confidence, likely)
    is_today = np.logical_not(genomes.any(axis=1))
    return np.where(is_today, _half_width_pp(games.certify, confidence), needed_pp)


def room_pp(n_select: int, n_certify: int, confidence: float, likely: float = LIKELY) -> float:
    """How far inside the band an estimate must lie for a certificate to be likely.

    That is for the look with all of its games; earlier ones may do with what luck leaves over.
    The certificate's interval reaches `z_score(confidence)` of its standard errors beyond its
    own estimate, which differs from the selection's by the luck of both.
    """
    luck = z_score(2 * likely - 1) * 50 * sqrt(1 / n_certify + 1 / n_select)
    return _half_width_pp(n_certify, confidence) + luck


def _half_width_pp(n_games: int, confidence: float) -> float:
    """How far the interval of a win rate near 50 % reaches."""
    return z_score(confidence) * (50 / sqrt(n_games))


def needed_room_pp(evaluator: Evaluator, games: Games) -> float:
    """The room that a genome of the selection needs for the certificate to come (`room_pp`)."""
    return room_pp(games.select, games.certify, _last_confidence(evaluator, games.certify))


def _last_confidence(evaluator: Evaluator, n_certify: int) -> float:
    """That of the certificate's last look at the demands."""
    return next(one.confidence for one in evaluator.looks(n_certify) if one.n_games == n_certify)


def growth_errors(look: Look, n_games: int, likely: float = LIKELY) -> float:
    """The room that growth of the first seat's lead needs, in standard errors of a selection.

    Args:
        look: the certificate's last.
        n_games: games per matchup of the selection.
        likely: wanted chance that it is shown.
    """
    then = sqrt(n_games / look.n_games)  # the certificate's error as a share of the selection's
    return z_score(1 - 2 * look.guards) * then + z_score(2 * likely - 1) * sqrt(1 + then * then)


def violation_with_room(
    guards: Guards,
    played: Readings,
    is_today: Flags,
    *,
    look: Look,
    likely: float,
) -> Floats:
    """``[P]`` the worst breach of a guard, less its room, in multiples of what it allows.

    What the certificate's last look leaves possible beyond its own estimate, and the luck of
    both samples, must fit below a limit. Seeds are counted as in `balance.guards`.

    Args:
        guards: the limits.
        played: the selection's games of ``P`` genomes and, as the last variant, today's cards.
        is_today: ``[P]`` genomes without edits: they were not chosen for their luck, and they
            let nothing grow or move.
        look: the certificate's last.
        likely: wanted chance that the guard is shown to hold.
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
    """``[P]`` what each guard limits, with the room that it needs added (`violation_with_room`)."""
    n_here, n_there = (n // played.n_seatings for n in (played.n_games, look.n_games))
    luck = z_score(2 * likely - 1)
    per_trial = luck * sqrt(1 / n_here + 1 / n_there)
    here, today = (read_guards(played.take(some)) for some in (slice(-1), slice(-1, None)))

    limit = guards.max_draw_rate
    draws = here.draw_rate
    if played.drawn_share() is not None:
        most = most_that_shows(limit, n_there, look.guards) / n_there
        spread = per_trial * sqrt(limit * (1 - limit))
        draws = draws + limit - most + np.where(is_today, 0.0, spread)

    growth_pp, error_pp = first_seat_growth(here, today)
    errors = growth_errors(look, played.n_games, likely)
    growth_pp = np.where(is_today, 0.0, growth_pp + errors * error_pp)

    shift = np.zeros(len(is_today))
    if played.turns is not None:
        reach = 0.5 - most_that_shows(0.5, n_there, look.guards) / n_there + per_trial / 2
        n_shorter = floor(_FINE * (0.5 - reach))
        *patched, before = played.turns
        moved = [most_length_change(turns, before, n_shorter, _FINE) for turns in patched]
        shift = np.where(is_today, 0.0, moved)
    return GuardValues(draws, growth_pp, shift)

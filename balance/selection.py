"""The selection: from a finished search to one recommended patch.

The search's own estimates are those of lucky games: choosing by them is the winner's curse. So
the most promising genomes are played again on seeds of their own, and the smallest patch that
is inside the band there, with room to spare for the certificate's own luck, is recommended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from math import floor, sqrt

import numpy as np

from balance.demands import Demands
from balance.evaluation import Evaluator, Scores, first_seat_growth, read_guards, worst_breach
from balance.game_length import most_length_change
from balance.readings import Readings
from balance.risk import Look
from balance.search import SearchState
from balance.search_space import SearchSpace, Steps
from balance.settings import Games, Guards
from balance.statistics.intervals import Counts, Flags, Floats, Positions, most_that_shows, z_score

N_CANDIDATES = 60
PROMISING = 1.5  # bands from the target within which a noisy estimate may yet be in the band
# Wanted chance that a certificate succeeds. The smallest of many patches that pass here is a
# lucky one (its certified imbalance is about half a point larger), hence more than 0.95.
LIKELY = 0.99
_FINE = 1_000_000  # parts of all games in which a share is told


@dataclass(frozen=True)
class Selection:
    """Genomes played again.

    Attributes:
        genomes: ``[S, K]`` candidates, by rising change; never the unmodified pool alone.
        claimed: ``[S, M]`` win rates in the games of the search.
        claimed_n: ``[S]`` games per matchup behind them.
        points: ``[S, M]`` points in the games of the selection.
        n_games: games per matchup of the selection.
        scores: the selection's scores; guards are broken where they have no room to spare.
        room_pp: how far inside the band an estimate must lie to have room.
        has_room: ``[S]`` inside the band and every guard's limit, with room to spare.
        recommended: position of the recommended genome.
    """

    genomes: Steps
    claimed: Floats
    claimed_n: Counts
    points: Floats
    n_games: int
    scores: Scores
    room_pp: float
    has_room: Flags
    recommended: int


def candidates(
    state: SearchState, space: SearchSpace, demands: Demands, *, n_search_games: int
) -> Positions:
    """Positions in `state.seen` of the genomes worth playing again, by rising change.

    The whole front over (change, imbalance), then front after front of the genomes that may
    be in the band, then of the rest. Imbalance is taken one standard error higher than its
    estimate, so that a genome seen once needs to look better than one that held its place.
    """
    n = n_search_games * state.seen_times
    rate = state.seen_points / n[:, np.newaxis]
    careful_pp = demands.distance_pp(demands.of(rate)).max(axis=1) + 50 / np.sqrt(n)
    careful_pp += 1e3 * state.seen_violation / state.seen_times
    change = space.change(state.seen)
    by_change = np.lexsort([careful_pp, change])
    promising = by_change[careful_pp[by_change] <= PROMISING * demands.widest_pp]
    ranked = dict.fromkeys(
        chain(
            next(_fronts(by_change, careful_pp)),
            *_fronts(promising, careful_pp),
            *_fronts(by_change, careful_pp, most=N_CANDIDATES),
        )
    )
    chosen = np.array(list(ranked)[:N_CANDIDATES], dtype=np.intp)
    return chosen[np.lexsort([careful_pp[chosen], change[chosen]])]


def _fronts(
    by_change: Positions, careful_pp: Floats, most: int | None = None
) -> Iterator[list[int]]:
    """Successive fronts of genomes sorted by change, until all or `most` have been given."""
    left = by_change
    fewest = 0 if most is None else len(left) - most  # that may be left over
    while len(left) > max(fewest, 0):
        best_before = np.minimum.accumulate([np.inf, *careful_pp[left]])[:-1]
        is_front = careful_pp[left] < best_before
        yield left[is_front].tolist()
        left = left[~is_front]


def room_pp(n_select: int, n_certify: int, confidence: float) -> float:
    """How far inside the band an estimate must lie for a certificate to be likely.

    That is for the look with all of its games; earlier ones may do with what luck leaves over.
    The certificate's interval reaches `z_score(confidence)` of its standard errors beyond its
    own estimate, which differs from the selection's by the luck of both.
    """
    luck = z_score(2 * LIKELY - 1) * 50 * sqrt(1 / n_certify + 1 / n_select)
    return _half_width_pp(n_certify, confidence) + luck


def _half_width_pp(n_games: int, confidence: float) -> float:
    """How far the interval of a win rate near 50 % reaches."""
    return z_score(confidence) * (50 / sqrt(n_games))


def needed_room_pp(evaluator: Evaluator, games: Games) -> float:
    """The room that a genome of the selection needs for the certificate to come (`room_pp`)."""
    return room_pp(games.select, games.certify, _last_confidence(evaluator, games.certify))


def _last_confidence(evaluator: Evaluator, n_certify: int) -> float:
    """That of the certificate's last look at the demands."""
    looks = evaluator.looks(n_certify)
    return next(look.confidence for look in looks if look.n_games == n_certify)


def select(evaluator: Evaluator, state: SearchState, chosen: Positions, games: Games) -> Selection:
    """Play a search's best genomes again and recommend one.

    Args:
        evaluator: plays and scores genomes; here with the purpose `select`.
        state: the finished search.
        chosen: ``[S]`` positions in `state.seen` of its best genomes, by rising change.
        games: games per matchup of an evaluation in the search, of the selection, and of the
            certificate to come.
    """
    demands, n_games, n_certify = evaluator.demands, games.select, games.certify
    played = evaluator.play(state.seen[chosen], n_games=n_games, purpose="select", faults="keep")
    # Some never end: in the search, or in more games than it had.
    ends = [k for k in range(len(chosen)) if k not in played.faults]
    chosen, played = chosen[ends], played.take(np.array([*ends, -1]))
    genomes = state.seen[chosen]
    claimed_n = games.search * state.seen_times[chosen]
    # Today's cards were not chosen for their luck, and no patch is better than one.
    is_today = np.logical_not(genomes.any(axis=1))
    looks = evaluator.looks(n_certify)
    confidence = _last_confidence(evaluator, n_certify)
    violation = violation_with_room(
        evaluator.guards, played, is_today, look=looks[-1], likely=LIKELY
    )
    scores = evaluator.scores_of(genomes, played.rates[:-1], violation)
    needed_pp = room_pp(n_games, n_certify, confidence)
    room = np.where(is_today, _half_width_pp(n_certify, confidence), needed_pp)
    spare_pp = demands.spare_pp(demands.of(scores.win_rate))
    has_room = (spare_pp >= room) & (scores.violation == 0)
    return Selection(
        genomes=genomes,
        claimed=state.seen_points[chosen] / claimed_n[:, np.newaxis],
        claimed_n=claimed_n,
        points=played.points[:-1],
        n_games=n_games,
        scores=scores,
        room_pp=needed_pp,
        has_room=has_room,
        recommended=_recommended(scores, has_room, evaluator.violation(played)),
    )


def _recommended(scores: Scores, has_room: Flags, broken: Floats) -> int:
    """The smallest change with room; without any, the nearest to target whose guards read well."""
    key = np.where(has_room, scores.change, np.inf)
    last_resort = np.where(has_room.any(), 0.0, scores.imbalance_pp + 1e3 * broken)
    return int(np.lexsort([scores.imbalance_pp, scores.cards_touched, key, last_resort])[0])


def growth_errors(look: Look, n_games: int) -> float:
    """The room that growth of the first seat's lead needs, in standard errors of a selection.

    Args:
        look: the certificate's last.
        n_games: games per matchup of the selection.
    """
    then = sqrt(n_games / look.n_games)  # the certificate's error as a share of the selection's
    return z_score(1 - 2 * look.guards) * then + z_score(2 * LIKELY - 1) * sqrt(1 + then * then)


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
    n_here, n_there = (n // played.n_seatings for n in (played.n_games, look.n_games))
    luck = z_score(2 * likely - 1)
    per_trial = luck * sqrt(1 / n_here + 1 / n_there)
    readings = read_guards(played)
    here, today = readings.take(slice(-1)), readings.take(slice(-1, None))

    limit, draws = guards.max_draw_rate, here.draw_rate
    if played.drawn_share() is not None:
        most = most_that_shows(limit, n_there, look.guards) / n_there
        spread = per_trial * sqrt(limit * (1 - limit))
        draws = draws + limit - most + np.where(is_today, 0.0, spread)

    growth_pp, error_pp = first_seat_growth(here, today)
    errors = growth_errors(look, played.n_games)
    growth_pp = np.where(is_today, 0.0, growth_pp + errors * error_pp)

    shift = np.zeros(len(is_today))
    if played.turns is not None:
        reach = 0.5 - most_that_shows(0.5, n_there, look.guards) / n_there + per_trial / 2
        n_shorter = floor(_FINE * (0.5 - reach))
        *patched, before = played.turns
        moved = [most_length_change(turns, before, n_shorter, _FINE) for turns in patched]
        shift = np.where(is_today, 0.0, moved)
    return worst_breach(guards, draws, growth_pp, shift)

"""From a finished search to one recommended patch.

The search's own estimates are those of lucky games: choosing by them is the winner's curse. So
the most promising genomes are played again on seeds of their own, and the smallest patch that
is inside the band there, with room to spare for the certificate's own luck, is recommended.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.evaluation import Evaluator, Scores, imbalance_pp
from balance.intervals import Floats, z_score
from balance.search import SearchState
from balance.search_space import SearchSpace, Steps

N_CANDIDATES = 60
LIKELY = 0.95  # wanted chance that a certificate of the recommended patch succeeds


@dataclass(frozen=True)
class Selection:
    """Genomes played again.

    Attributes:
        genomes: ``[S, K]`` candidates, by rising change; never the unmodified pool alone.
        claimed: ``[S, M]`` win rates in the games of the search.
        claimed_n: ``[S]`` games per matchup behind them.
        points: ``[S, M]`` points in the games of the selection.
        n_games: games per matchup of the selection.
        scores: the selection's scores.
        has_room: ``[S]`` inside the band with room to spare, and every guard holds.
        recommended: position of the recommended genome.
    """

    genomes: Steps
    claimed: Floats
    claimed_n: npt.NDArray[np.int64]
    points: Floats
    n_games: int
    scores: Scores
    has_room: npt.NDArray[np.bool_]
    recommended: int


def candidates(
    state: SearchState, space: SearchSpace, targets: Floats, n_search_games: int
) -> npt.NDArray[np.intp]:
    """Positions in `state.seen` of the genomes worth playing again, by rising change.

    Successive fronts over (change, imbalance), where imbalance is taken one standard error
    higher than its estimate, so that a genome seen once needs to look better than one that held
    its place for many generations.
    """
    n = n_search_games * state.seen_times
    rate = state.seen_points / n[:, np.newaxis]
    careful_pp = imbalance_pp(rate, targets).max(axis=1) + 50 / np.sqrt(n)
    careful_pp += 1e3 * state.seen_violation / state.seen_times
    change = space.change(state.seen)
    order = np.lexsort([careful_pp, change])
    chosen: list[int] = []
    while len(chosen) < min(N_CANDIDATES, len(order)):
        best = np.inf
        front = []
        for position in order:
            if careful_pp[position] < best and position not in chosen:
                best = careful_pp[position]
                front.append(int(position))
        if not front:
            break
        chosen += front
    return np.array(sorted(chosen[:N_CANDIDATES], key=lambda k: change[k]), dtype=np.intp)


def room_pp(n_select: int, n_certify: int, confidence: float) -> float:
    """How far inside the band an estimate must lie for a certificate to be likely.

    The certificate's interval reaches `z_score(confidence)` of its standard errors beyond its
    own estimate, which differs from the selection's by the luck of both.
    """
    certify_se, select_se = 50 / np.sqrt(n_certify), 50 / np.sqrt(n_select)
    luck = z_score(2 * LIKELY - 1) * np.hypot(certify_se, select_se)
    return float(z_score(confidence) * certify_se + luck)


def select(
    evaluator: Evaluator,
    state: SearchState,
    *,
    n_search_games: int,
    n_games: int,
    n_certify: int,
    band_pp: float,
    confidence: float,
) -> Selection:
    """Play the search's best genomes again and recommend one.

    Args:
        evaluator: plays and scores genomes; here with the purpose `select`.
        state: the finished search.
        n_search_games: games per matchup of one of its evaluations.
        n_games: games per matchup of the selection, even.
        n_certify: games per matchup of the certificate to come.
        band_pp: half-width of the band around the targets.
        confidence: of the certificate's interval for one matchup.
    """
    chosen = candidates(state, evaluator.space, evaluator.targets, n_search_games)
    genomes = state.seen[chosen]
    claimed_n = n_search_games * state.seen_times[chosen]
    scores, points = evaluator.score(genomes, n_games=n_games, purpose="select", forgiveness=-1.0)
    limit_pp = band_pp - room_pp(n_games, n_certify, confidence)
    has_room = (scores.imbalance_pp <= limit_pp) & (scores.violation == 0)
    # Smallest change with room; without any, the one nearest to the target.
    key = np.where(has_room, scores.change, np.inf)
    last_resort = np.where(has_room.any(), 0.0, scores.imbalance_pp + 1e3 * scores.violation)
    ranked = np.lexsort([scores.imbalance_pp, scores.cards_touched, key, last_resort])
    return Selection(
        genomes=genomes,
        claimed=state.seen_points[chosen] / claimed_n[:, np.newaxis],
        claimed_n=claimed_n,
        points=points,
        n_games=n_games,
        scores=scores,
        has_room=has_room,
        recommended=int(ranked[0]),
    )

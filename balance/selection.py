"""The selection: from a finished search to one recommended patch.

The search's own estimates of its best candidates are biased, since it selected them by these very
games (the winner's curse). The most promising candidates are therefore played again on fresh seeds.
The smallest patch that is measured inside its bands there, with enough margin for the sampling
error of the certificate, is recommended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from balance.demands import Demands
from balance.evaluation import Evaluator, Scores
from balance.readings import Readings
from balance.room import EVEN, needed_room_pp, read_room
from balance.search import SearchState
from balance.search_space import SearchSpace, Steps
from balance.settings import Games
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.errors import InputError

# Smallest probability of feasibility that is used to rank candidates. Below it, probabilities are
# model error; chosen by hand, not tuned.
NOT_RULED_OUT = 0.01
# Multiple of the band within which a noisy estimate may still belong to a candidate inside the
# band; chosen by hand, not tuned.
PROMISING = 1.5
_PENALTY_PP = 1e3
"""Percentage points per unit of violation: more than any imbalance, so violations decide first."""


@dataclass(frozen=True)
class Selection:
    """Candidates that were played again, and the recommended one.

    Attributes:
        genomes: candidates by rising change, ``[S, K]``; may include the baseline.
        claimed: rates in the games that selected each candidate, in the search or the clean-up,
            ``[S, R]``.
        claimed_n: games per matchup behind `claimed`, ``[S]``.
        points: points in the games of the selection, ``[S, R]``.
        n_games: games per matchup of the selection.
        scores: scores in the games of the selection; a guard without its margin counts as violated.
        room_pp: margin that a rate needs, in percentage points.
        has_room: whether all rates and guards have the margin that they need, ``[S]``.
        reads_inside: whether all bands, guards and constraints are satisfied, with or without
            margin, ``[S]``.
        is_feasible: whether a certificate of one of them has a probability of at least 1/2.
        recommended: position of the recommended candidate.
    """

    genomes: Steps
    claimed: Floats
    claimed_n: Counts
    points: Floats
    n_games: int
    scores: Scores
    room_pp: float
    has_room: Flags
    reads_inside: Flags
    is_feasible: bool
    recommended: int

    @property
    def genome(self) -> Steps:
        """Recommended genome, ``[K]``."""
        return np.asarray(self.genomes[self.recommended])

    def with_recommended(
        self, genome: Steps, claimed: Floats, claimed_n: int, points: Floats, scores: Scores
    ) -> Selection:
        """Return the selection with an additional genome, with enough margin, as recommended.

        Args:
            genome: the genome, shape ``[K]``.
            claimed: rates in the games that selected it, shape ``[R]``.
            claimed_n: games per matchup behind `claimed`.
            points: points in other games, as many as the selection's, shape ``[R]``.
            scores: scores in those games, shape ``[1]``.
        """
        position = int(np.searchsorted(self.scores.change, scores.change[0], side="right"))
        pairs = zip(vars(self.scores).items(), vars(scores).values(), strict=True)
        return replace(
            self,
            genomes=np.insert(self.genomes, position, genome, axis=0),
            claimed=np.insert(self.claimed, position, claimed, axis=0),
            claimed_n=np.insert(self.claimed_n, position, claimed_n),
            points=np.insert(self.points, position, points, axis=0),
            scores=Scores(
                **{
                    name: np.insert(values, position, additional[0], axis=0)
                    for (name, values), additional in pairs
                }
            ),
            has_room=np.insert(self.has_room, position, values=True),
            reads_inside=np.insert(self.reads_inside, position, values=True),
            recommended=position,
        )


def candidates(
    state: SearchState,
    space: SearchSpace,
    demands: Demands,
    *,
    n_search_games: int,
    most: int = 60,
) -> Positions:
    """Return the positions in `state.seen` of the candidates to play again, by rising change.

    The first ones are the Pareto front of change and imbalance, then further fronts of candidates
    that may be inside the band, then fronts of the rest. Each imbalance is increased by one
    standard error, so that a candidate evaluated once must look better than one evaluated often.

    Args:
        state: final state of the search.
        space: search space.
        demands: demanded rates and their bounds.
        n_search_games: games per matchup of one evaluation.
        most: most candidates to return.
    """
    n = n_search_games * state.seen_times
    rate = state.seen_points / n[:, np.newaxis]
    # 50 / sqrt(n) is the standard error of a rate near 50 %, in percentage points.
    upper_pp = demands.distance_pp(demands.of(rate)).max(axis=1) + 50 / np.sqrt(n)
    upper_pp += _PENALTY_PP * state.seen_violation / state.seen_times
    change = space.change(state.seen)
    by_change = np.lexsort([upper_pp, change])
    promising = by_change[upper_pp[by_change] <= PROMISING * demands.band_pp]
    ranked = dict.fromkeys(
        chain(
            next(_fronts(by_change, upper_pp)),
            *_fronts(promising, upper_pp),
            *_fronts(by_change, upper_pp, most=most),
        )
    )
    chosen = np.array(list(ranked)[:most], dtype=np.intp)
    return chosen[np.lexsort([upper_pp[chosen], change[chosen]])]


def _fronts(by_change: Positions, upper_pp: Floats, most: int | None = None) -> Iterator[list[int]]:
    """Yield successive Pareto fronts of genomes sorted by change.

    Args:
        by_change: positions of the genomes by rising change.
        upper_pp: imbalance of each genome, in percentage points.
        most: number of genomes after which to stop; default all.
    """
    left = by_change
    fewest = 0 if most is None else len(left) - most  # genomes that may remain
    while len(left) > max(fewest, 0):
        # By rising change, a genome is on the front if its imbalance is below all earlier ones.
        best_before = np.minimum.accumulate([np.inf, *upper_pp[left]])[:-1]
        is_front = upper_pp[left] < best_before
        yield left[is_front].tolist()
        left = left[~is_front]


def select(
    evaluator: Evaluator,
    state: SearchState,
    chosen: Positions,
    games: Games,
    likely: Callable[[Steps, Readings], Floats] | None = None,
) -> Selection:
    """Play a search's best candidates again, and recommend one.

    Args:
        evaluator: plays and scores genomes, here with the purpose `select`.
        state: final state of the search.
        chosen: positions of the candidates in `state.seen`, by rising change, ``[S]``.
        games: games per matchup of each stage.
        likely: returns the probability that each candidate suffices by everything known about it,
            ``[S]``, from genomes and their games; it decides if no candidate has enough margin.

    Raises:
        InputError: no candidate is chosen, or a position is invalid.
    """
    n_games = games.select
    n_seen = len(state.seen)
    if not len(chosen) or not ((np.asarray(chosen) >= 0) & (np.asarray(chosen) < n_seen)).all():
        raise InputError(
            f"{chosen!r} must be at least one position, 0 to {n_seen - 1}",
            place="chosen",
            value=chosen,
            limit=n_seen - 1,
            separator=" = ",
        )
    played = evaluator.play(state.seen[chosen], n_games=n_games, purpose="select", faults="keep")
    # Games of some candidates never end; more games may show this where the search's did not.
    ends = [k for k in range(len(chosen)) if k not in played.faults]
    chosen = chosen[ends]
    played = played.take(np.array([*ends, -1]))
    claimed_n = games.search * state.seen_times[chosen]
    scores, has_room, _ = read_room(evaluator, state.seen[chosen], played, games)
    is_feasible = read_room(evaluator, state.seen[chosen], played, games, EVEN).has_room.any()
    broken = evaluator.violation(played) + evaluator.space.breaches(state.seen[chosen])
    chance = likely(state.seen[chosen], played) if likely else np.zeros(len(chosen))
    return Selection(
        genomes=state.seen[chosen],
        claimed=state.seen_points[chosen] / claimed_n[:, np.newaxis],
        claimed_n=claimed_n,
        points=evaluator.demands.points(played)[:-1],
        n_games=n_games,
        scores=scores,
        room_pp=needed_room_pp(evaluator, games) * evaluator.demands.spread,
        has_room=has_room,
        reads_inside=(evaluator.demands.spare_pp(evaluator.demands.of(scores.win_rate)) >= 0)
        & (broken == 0),
        is_feasible=bool(is_feasible),
        recommended=_choose_recommended(scores, has_room, chance, broken),
    )


def _choose_recommended(scores: Scores, has_room: Flags, chance: Floats, broken: Floats) -> int:
    """Return the position of the candidate to recommend.

    With enough margin: the smallest change. Without any such candidate: the most probable one, then
    the one with the smallest imbalance and violation.
    """
    chance = chance if (chance >= NOT_RULED_OUT).any() else np.zeros_like(chance)
    if has_room.any():
        change = np.where(has_room, scores.change, np.inf)
        return int(np.lexsort([scores.imbalance_pp, scores.cards_touched, change])[0])
    return int(np.lexsort([scores.imbalance_pp + _PENALTY_PP * broken, -chance])[0])

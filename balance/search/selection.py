"""Selection of one recommended patch from the candidates of a finished search.

The search's own estimates of its best candidates are biased, since it selected them by the same
games (the winner's curse). Therefore the most promising candidates are played again on fresh seeds.
The smallest patch with measured rates inside their bands is recommended, if the rates have enough
margin for the sampling error of the certificate. Few edited cards count before few steps: the size
of a patch is its change plus a weight for each edited card (`SearchSpace.size`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.search.candidate_games import CandidateGames, CandidateReadings
from balance.search.evolutionary_search import SearchState
from balance.settings.tables import Games
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.room import EVEN, needed_room_pp, read_room
from sim.short_repr import short_repr
from sim.value_error import value_error

# Minimum probability of feasibility that is used to rank candidates, since smaller probabilities
# may be errors of the model. Chosen by hand, not tuned.
NOT_RULED_OUT = 0.01
# Maximum estimated imbalance of a promising candidate, in multiples of the band: more than 1, since
# the estimates of candidates inside the band are noisy. Chosen by hand, not tuned.
PROMISING = 1.5
# Percentage points per unit of violation: more than any imbalance, so violations decide first.
_PENALTY_PP = 1e3


@dataclass(frozen=True)
class Selection:
    """Candidates of a search that were played again, and the recommended one.

    Attributes:
        genomes: candidates sorted by increasing size, ``[S, K]``; may include the baseline.
        claimed: rates in the games that selected each candidate, in the search or the clean-up,
            ``[S, R]``.
        claimed_n: number of games per matchup from which `claimed` is computed, ``[S]``.
        points: points in the games of the selection, ``[S, R]``.
        n_games: number of games per matchup from which `points` are computed, ``[S]``.
        scores: scores in the games of the selection, ``[S]``; a guard that lacks its margin counts
            as violated.
        room_pp: margin that the rate of a matchup needs, in percentage points.
        has_room: whether all rates and guards have the margin that they need, ``[S]``.
        reads_inside: whether all bands, guards and constraints are satisfied, with or without
            margin, ``[S]``.
        is_feasible: whether the certificate of at least one candidate succeeds with a probability
            of 1/2 or more.
        recommended: position of the recommended candidate.
        n_played: number of games of the selection, over all matchups.
    """

    genomes: Steps
    claimed: Floats
    claimed_n: Counts
    points: Floats
    n_games: Counts
    scores: Scores
    room_pp: float
    has_room: Flags
    reads_inside: Flags
    is_feasible: bool
    recommended: int
    n_played: int

    def __repr__(self) -> str:
        return short_repr(self, "n_played", "is_feasible", candidates=len(self.genomes))

    @property
    def rates(self) -> Floats:
        """Rates in the games of the selection, ``[S, R]``."""
        return np.asarray(self.points / self.n_games[:, np.newaxis])

    @property
    def genome(self) -> Steps:
        """Genome of the recommended candidate, shape ``[K]``."""
        return np.asarray(self.genomes[self.recommended])

    def with_recommended(
        self,
        genome: Steps,
        claimed: Floats,
        claimed_n: int,
        points: Floats,
        n_games: int,
        scores: Scores,
    ) -> Selection:
        """Return the selection with an additional genome, which becomes the recommended one.

        Args:
            genome: genome with enough margin, shape ``[K]``.
            claimed: rates in the games that selected the genome, shape ``[R]``.
            claimed_n: number of games per matchup from which `claimed` is computed.
            points: points in other games, shape ``[R]``.
            n_games: number of games per matchup from which `points` are computed.
            scores: scores in these other games, shape ``[1]``.
        """
        position = int(np.searchsorted(self.scores.size, scores.size[0], side="right"))
        pairs = zip(vars(self.scores).items(), vars(scores).values(), strict=True)
        return replace(
            self,
            genomes=np.insert(self.genomes, position, genome, axis=0),
            claimed=np.insert(self.claimed, position, claimed, axis=0),
            claimed_n=np.insert(self.claimed_n, position, claimed_n),
            points=np.insert(self.points, position, points, axis=0),
            n_games=np.insert(self.n_games, position, n_games),
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
    """Return the positions in `state.seen` of the candidates to play again in the selection.

    Candidates are chosen in this order: the Pareto front of size and imbalance, further fronts of
    candidates that may be inside the band, further fronts of all candidates. Each imbalance is
    increased by one standard error, which favours candidates with many evaluations.

    Args:
        state: final state of the search.
        space: search space of the genomes.
        demands: demanded rates and their bounds.
        n_search_games: games per matchup of one evaluation.
        most: maximum number of candidates.

    Returns:
        Positions, sorted by increasing size, then imbalance.
    """
    n = n_search_games * state.seen_times
    rate = state.seen_points / n[:, np.newaxis]
    # 50 / sqrt(n) is the standard error of a rate near 50 %, in percentage points.
    upper_pp = demands.distance_pp(demands.of(rate)).max(axis=1) + 50 / np.sqrt(n)
    upper_pp += _PENALTY_PP * state.seen_violation / state.seen_times
    size = space.size(state.seen)
    by_size = np.lexsort([upper_pp, size])
    promising = by_size[upper_pp[by_size] <= PROMISING * demands.band_pp]
    ranked = dict.fromkeys(
        chain(
            next(_fronts(by_size, upper_pp)),
            *_fronts(promising, upper_pp),
            *_fronts(by_size, upper_pp, most=most),
        )
    )
    chosen = np.array(list(ranked)[:most], dtype=np.intp)
    return chosen[np.lexsort([upper_pp[chosen], size[chosen]])]


def _fronts(by_size: Positions, upper_pp: Floats, most: int | None = None) -> Iterator[list[int]]:
    """Yield successive Pareto fronts of size and imbalance, each without the earlier fronts.

    Args:
        by_size: positions of the genomes, sorted by increasing size.
        upper_pp: imbalance of each genome, in percentage points.
        most: number of yielded genomes from which on no further front is computed; `None` to yield
            all genomes.
    """
    left = by_size
    fewest = 0 if most is None else len(left) - most  # genomes that may remain
    while len(left) > max(fewest, 0):
        # Genomes are sorted by size, so one is on the front if its imbalance is below that of all
        # earlier genomes.
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
    contenders: Positions | None = None,
) -> Selection:
    """Play the best candidates of a search again, and recommend one of them.

    Only candidates that may be recommended play all games (`CandidateGames`). Candidates with games
    that never end are left out.

    Args:
        evaluator: evaluator that plays and scores genomes, on the stream of seeds `select`.
        state: final state of the search.
        chosen: positions of the candidates in `state.seen`, sorted by increasing size, ``[S]``.
        games: games per matchup of each stage.
        likely: function of genomes and their games that returns the probability that each candidate
            suffices, ``[S]``. It is used if no candidate has enough margin; `None` for equal
            probabilities.
        contenders: positions of further candidates, which are left out if few games rule them
            out; `None` for none.

    Raises:
        InputError: `chosen` is empty, or a position is invalid.
    """
    n_seen = len(state.seen)
    if not len(chosen) or not ((np.asarray(chosen) >= 0) & (np.asarray(chosen) < n_seen)).all():
        raise value_error(
            "chosen", chosen, f"must be at least one position, 0 to {n_seen - 1}", limit=n_seen - 1
        )
    added = np.setdiff1d([] if contenders is None else contenders, chosen).astype(np.intp)
    tried = np.concatenate([chosen, added])
    tried = tried[np.argsort(evaluator.space.size(state.seen[tried]), kind="stable")]
    tried_games = CandidateGames(evaluator, state.seen[tried], games)
    tried_games.play_until_one_has_room()
    played = tried_games.played
    genomes = tried_games.genomes[played]
    has_even = read_room(evaluator, genomes, tried_games.readings, games, EVEN).has_room.any()
    chance = np.zeros(len(tried))
    if likely and len(played):
        chance[played] = likely(genomes, tried_games.readings)
    # The number of games may show that games of a candidate never end, which the search did not
    # detect.
    is_kept = tried_games.ends & (tried_games.may_pass | np.isin(tried, chosen))
    read = tried_games.read.take(np.flatnonzero(is_kept))
    seen = tried[is_kept]
    claimed_n = games.search * state.seen_times[seen]
    is_short = read.n_games < games.select
    return Selection(
        genomes=state.seen[seen],
        claimed=state.seen_points[seen] / claimed_n[:, np.newaxis],
        claimed_n=claimed_n,
        points=read.points,
        n_games=read.n_games,
        scores=read.scores,
        room_pp=needed_room_pp(evaluator, games) * evaluator.demands.spread,
        has_room=read.has_room,
        reads_inside=read.reads_inside,
        is_feasible=bool(has_even or read.has_room.any()),
        recommended=_choose_recommended(read, chance[is_kept], is_short),
        n_played=tried_games.n_played,
    )


def _choose_recommended(read: CandidateReadings, chance: Floats, is_short: Flags) -> int:
    """Return the position of the candidate to recommend.

    Among candidates with enough margin, the one of the smallest size is recommended; ties are
    broken by the number of edited cards, then by the imbalance. Without such a candidate, it is the
    one most likely to suffice, or, if all are unlikely, the one with the smallest violation, then
    the smallest imbalance.

    Args:
        read: readings of the candidates, ``[S]``.
        chance: probability that each candidate suffices, ``[S]``.
        is_short: whether a candidate has fewer games than those of a selection, ``[S]``; without
            enough margin such a candidate is not recommended.
    """
    chance = chance if (chance >= NOT_RULED_OUT).any() else np.zeros_like(chance)
    scores = read.scores
    if read.has_room.any():
        size = np.where(read.has_room, scores.size, np.inf)
        return int(np.lexsort([scores.imbalance_pp, scores.cards_touched, size])[0])
    distance_pp = scores.imbalance_pp + _PENALTY_PP * read.broken
    return int(np.lexsort([distance_pp, -chance, is_short])[0])

"""The selection: from a finished search to one recommended patch.

The search's own estimates are those of lucky games: choosing by them is the winner's curse. So
the most promising genomes are played again on seeds of their own, and the smallest patch that
is inside the band there, with room to spare for the certificate's own luck, is recommended.
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

NOT_RULED_OUT = 0.01  # the least chance that still tells genomes apart
PROMISING = 1.5  # bands from the target within which a noisy estimate may yet be in the band


@dataclass(frozen=True)
class Selection:
    """Genomes played again.

    Attributes:
        genomes: ``[S, K]`` candidates, by rising change; never the unmodified pool alone.
        claimed: ``[S, R]`` rates in the games that found them: of the search, or the clean-up.
        claimed_n: ``[S]`` games per matchup behind them.
        points: ``[S, R]`` points in the games of the selection.
        n_games: games per matchup of the selection.
        scores: the selection's scores; guards are broken where they have no room to spare.
        room_pp: how far inside the band an estimate must lie to have room.
        has_room: ``[S]`` inside the band and every guard's limit, with room to spare.
        reads_inside: ``[S]`` inside the band, every guard's limit and every rule, room or not.
        may_do: whether a certificate of one of them has at least an even chance.
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
    reads_inside: Flags
    may_do: bool
    recommended: int

    @property
    def genome(self) -> Steps:
        """``[K]`` the recommended one."""
        return np.asarray(self.genomes[self.recommended])

    def recommending(
        self, genome: Steps, claimed: Floats, claimed_n: int, points: Floats, scores: Scores
    ) -> Selection:
        """With one genome more, which has room and is recommended.

        Args:
            genome: ``[K]``.
            claimed: ``[R]`` rates in games that found it.
            claimed_n: these games per matchup.
            points: ``[R]`` in others, as many as the selection's.
            scores: ``[1]`` of those.
        """
        place = int(np.searchsorted(self.scores.change, scores.change[0], side="right"))
        pairs = zip(vars(self.scores).items(), vars(scores).values(), strict=True)
        return replace(
            self,
            genomes=np.insert(self.genomes, place, genome, axis=0),
            claimed=np.insert(self.claimed, place, claimed, axis=0),
            claimed_n=np.insert(self.claimed_n, place, claimed_n),
            points=np.insert(self.points, place, points, axis=0),
            scores=Scores(
                **{name: np.insert(mine, place, its[0], axis=0) for (name, mine), its in pairs}
            ),
            has_room=np.insert(self.has_room, place, values=True),
            reads_inside=np.insert(self.reads_inside, place, values=True),
            recommended=place,
        )


def candidates(
    state: SearchState,
    space: SearchSpace,
    demands: Demands,
    *,
    n_search_games: int,
    most: int = 60,
) -> Positions:
    """Positions in `state.seen` of the `most` genomes worth playing again, by rising change.

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
    promising = by_change[careful_pp[by_change] <= PROMISING * demands.band_pp]
    ranked = dict.fromkeys(
        chain(
            next(_fronts(by_change, careful_pp)),
            *_fronts(promising, careful_pp),
            *_fronts(by_change, careful_pp, most=most),
        )
    )
    chosen = np.array(list(ranked)[:most], dtype=np.intp)
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


def select(
    evaluator: Evaluator,
    state: SearchState,
    chosen: Positions,
    games: Games,
    likely: Callable[[Steps, Readings], Floats] | None = None,
) -> Selection:
    """Play a search's best genomes again and recommend one.

    Args:
        evaluator: plays and scores genomes; here with the purpose `select`.
        state: the finished search.
        chosen: ``[S]`` positions in `state.seen` of its best genomes, by rising change.
        games: games per matchup of an evaluation in the search, of the selection, and of the
            certificate to come.
        likely: of ``[S, K]`` genomes that came to this, ``[S]`` how likely they are to do by all
            that is known of them; where none has room, it decides.

    Raises:
        InputError: no genome is chosen, or one that the search has not seen.
    """
    n_games = games.select
    n_seen = len(state.seen)
    if not len(chosen) or not ((np.asarray(chosen) >= 0) & (np.asarray(chosen) < n_seen)).all():
        raise InputError(f"chosen = {chosen!r} must be at least one position, 0 to {n_seen - 1}")
    played = evaluator.play(state.seen[chosen], n_games=n_games, purpose="select", faults="keep")
    # Some never end: in the search, or in more games than it had.
    ends = [k for k in range(len(chosen)) if k not in played.faults]
    chosen = chosen[ends]
    played = played.take(np.array([*ends, -1]))
    claimed_n = games.search * state.seen_times[chosen]
    scores, has_room, _ = read_room(evaluator, state.seen[chosen], played, games)
    may_do = read_room(evaluator, state.seen[chosen], played, games, EVEN).has_room.any()
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
        may_do=bool(may_do),
        recommended=_recommended(scores, has_room, chance, broken),
    )


def _recommended(scores: Scores, has_room: Flags, chance: Floats, broken: Floats) -> int:
    """The smallest change with room; else the likeliest, then the nearest that breaks least."""
    chance = chance if (chance >= NOT_RULED_OUT).any() else np.zeros_like(chance)
    if has_room.any():
        change = np.where(has_room, scores.change, np.inf)
        return int(np.lexsort([scores.imbalance_pp, scores.cards_touched, change])[0])
    return int(np.lexsort([scores.imbalance_pp + 1e3 * broken, -chance])[0])

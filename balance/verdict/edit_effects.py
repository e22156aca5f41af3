"""Contribution of each edit of a patch to every demanded rate.

The patch and copies of it, each without one edit, are played on equal seeds that no earlier
decision used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import CONFIDENCE, Flags, Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator
from balance.verdict.room import LIKELY, read_room, violation_with_room
from balance.verdict.shortfall import Shortfall, shortfalls_of

MOST_EDITS = 20
"""Maximum number of edits of a patch that are measured, which limits the number of games.

The first edits in the order of the search space are measured. Chosen by hand, not tuned.
"""

LEAST_GAMES = 40
"""Minimum number of games per matchup and variant for which effects are measured.

Chosen by hand: with fewer games the interval of an effect spans tens of percentage points.
"""

# Ratio of the selection's games to the games of each variant. Chosen by hand: no decision depends
# on the effects, so half the games are precise enough.
_LESS = 2


@dataclass(frozen=True)
class EditEffects:
    """Effects of ``E`` edits of a patch on ``N`` demanded rates.

    Attributes:
        genes: positions of the edited numbers in the search space, ``[E]``.
        n_games: games per matchup of the patch, of each patch without one edit, and of the
            baseline.
        n_played: total number of games, over all variants and matchups.
        gain: rate with the patch minus the rate without the edit, with paired 95 % intervals,
            ``[E, N]``.
        without: rates without the edit, with 95 % intervals, ``[E, N]``.
        fails: whether a rate is measured outside its bounds without the edit, and inside with the
            whole patch, shape ``[E, N]``.
        imbalance_pp: imbalance of the patch, in percentage points.
        imbalance_without_pp: imbalance without the edit, in percentage points, ``[E]``.
        breaks_guard: whether a guard is measured beyond its limit without the edit, shape ``[E]``.
        breaks_rule: whether the search space forbids the patch without the edit, shape ``[E]``.
        rates_lack_room: whether without the edit the rates are too close to their bounds for a
            certificate to be likely (`balance.verdict.room`), shape ``[E]``.
        guards_lack_room: whether without the edit the guards are too close to their limits for a
            certificate to be likely, shape ``[E]``.
        shortfalls: limits that the patch without the edit breaks or satisfies without margin,
            ``[E]``.
        own_shortfalls: limits that the whole patch breaks or satisfies without margin.
    """

    genes: Positions
    n_games: int
    n_played: int
    gain: Interval
    without: Interval
    fails: Flags
    imbalance_pp: float
    imbalance_without_pp: Floats
    breaks_guard: Flags
    breaks_rule: Flags
    rates_lack_room: Flags
    guards_lack_room: Flags
    shortfalls: tuple[tuple[Shortfall, ...], ...]
    own_shortfalls: tuple[Shortfall, ...]


def games_of_effects(n_edits: int, games: Games, n_matchups: int) -> int:
    """Return the number of games that `measure_edits` plays if the settings have no total.

    Args:
        n_edits: number of edits of the patch.
        games: games per matchup of each stage.
        n_matchups: number of matchups of the contest.

    Returns:
        Number of games over all matchups, for the patch, the patch without each edit, and the
        baseline; at most `MOST_EDITS` edits are measured.
    """
    return (min(n_edits, MOST_EDITS) + 2) * (games.select // _LESS) * n_matchups


def measure_edits(
    evaluator: Evaluator, genome: Steps, games: Games, *, n_spent: int = 0
) -> EditEffects | None:
    """Measure the effects of the first `MOST_EDITS` edits of a patch.

    Args:
        evaluator: evaluator that plays the patches, on the stream of seeds `edits`.
        genome: patch as steps from the baseline, shape ``[K]``.
        games: games per matchup of each stage; each variant plays half of the selection's games, or
            fewer if the total leaves fewer.
        n_spent: games of the total that all other stages have played, over all matchups.

    Returns:
        Effects, except of edits without which games never end. `None` if the patch has no edit, or
        if fewer than `LEAST_GAMES` games per matchup and variant are left.
    """
    edited = np.flatnonzero(genome)[:MOST_EDITS]
    n_rows = (len(edited) + 2) * len(evaluator.contest.matchups)
    n_games = games.select // _LESS
    if games.total is not None:
        n_games = min(n_games, max(games.total - n_spent, 0) // n_rows)
    n_games -= n_games % evaluator.contest.n_seatings
    if not len(edited) or n_games < LEAST_GAMES:
        return None
    less = np.tile(genome, (len(edited), 1))
    less[np.arange(len(edited)), edited] = 0
    played = evaluator.play(
        np.concatenate([genome[np.newaxis], less]), n_games=n_games, purpose="edits", faults="keep"
    )
    # Variant 0 is the whole patch, so the patch without edit k is variant k + 1. The effect of an
    # edit cannot be measured if games never end without it.
    ends = np.array([k for k in range(len(less)) if k + 1 not in played.faults], dtype=np.intp)
    edited = edited[ends]
    less = less[ends]
    played = played.take(np.array([0, *(ends + 1), -1]))
    demands = evaluator.demands
    contest = evaluator.contest
    rates = demands.of(demands.rates(played))
    can_differ = contest.matchup_reach([evaluator.space.genes[k] for k in edited])
    inside = demands.hold(Interval(rates, rates, rates))
    imbalance_pp = demands.distance_pp(rates).max(axis=1)
    without = played.take(slice(1, None))
    all_genomes = np.concatenate([genome[np.newaxis], less])
    own, *short = shortfalls_of(evaluator, all_genomes, played, games)
    return EditEffects(
        genes=edited,
        n_games=n_games,
        n_played=n_rows * n_games,
        gain=demands.change(played.take(slice(1)), played.take(slice(1, -1)), can_differ),
        without=demands.read(played, CONFIDENCE).at(np.arange(1, len(edited) + 1)),
        fails=inside[0] & ~inside[1:-1],
        imbalance_pp=float(imbalance_pp[0]),
        imbalance_without_pp=imbalance_pp[1:-1],
        breaks_guard=evaluator.violation(played)[1:] > 0,
        breaks_rule=~evaluator.space.allows(less),
        rates_lack_room=read_room(evaluator, less, without, games).spare_pp < 0,
        guards_lack_room=violation_with_room(
            evaluator.guards,
            without,
            np.logical_not(less.any(axis=1)),
            look=evaluator.looks(games.certify)[-1],
            likely=LIKELY,
        )
        > 0,
        shortfalls=tuple(short),
        own_shortfalls=own,
    )

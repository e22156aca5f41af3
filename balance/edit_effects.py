"""Effects of edits: what each edit of a patch does to every demand, and what would be without it.

The patch is played against itself less one edit, on equal seeds, which nothing was chosen by.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.evaluation import Evaluator
from balance.room import LIKELY, read_room, violation_with_room
from balance.search_space import Steps
from balance.settings import Games
from balance.shortfall import Shortfall, shortfalls_of
from balance.statistics.intervals import CONFIDENCE, Flags, Floats, Interval, Positions

MOST_EDITS = 20
"""Of a patch with more edits the first so many are told."""

LEAST_GAMES = 40
"""Per matchup of each; fewer tell nothing of an edit, and are not played."""

_LESS = 2  # the selection's games are so many times these


@dataclass(frozen=True)
class EditEffects:
    """What ``E`` edits of a patch do to ``N`` demanded rates.

    Attributes:
        genes: ``[E]`` the edited numbers, by their positions in the space.
        n_games: games per matchup of the patch, of the patch without each edit, and of today.
        n_played: all of them.
        gain: ``[E, N]`` rate with the patch, less that without the edit, with the paired interval.
        without: ``[E, N]`` rate without it.
        fails: ``[E, N]`` whether that reads outside its bounds, and with the patch inside.
        imbalance_pp: of the patch.
        imbalance_without_pp: ``[E]``.
        breaks_guard: ``[E]`` whether a guard reads broken without it.
        breaks_rule: ``[E]`` whether the patch without it is one that the space does not allow.
        rates_lack_room: ``[E]`` whether without it rates are too near their bounds for a
            certificate to be likely (`balance.room`).
        guards_lack_room: ``[E]`` likewise guards their limits.
        shortfalls: ``[E]`` what keeps the patch without each from a certificate in these games.
        own_shortfalls: what keeps the patch itself from one.
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
    """How many games the effects of so many edits take where no total limits them."""
    return (min(n_edits, MOST_EDITS) + 2) * (games.select // _LESS) * n_matchups


def measure_edits(
    evaluator: Evaluator, genome: Steps, games: Games, *, n_spent: int = 0
) -> EditEffects | None:
    """Play a patch, and the patch without each of its edits.

    Args:
        evaluator: plays genomes; here with the purpose `edits`.
        genome: ``[K]`` the patch.
        games: each is played half as often as in the selection, or as a total allows.
        n_spent: of that total, by all other stages.

    Returns:
        The effects, but of edits without which games never end; `None` where there is no edit, or
        too few games are left.
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

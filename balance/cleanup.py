"""The clean-up: whatever a recommended patch can do without is taken back, on fresh games.

Every edit is taken back by itself, by a step and as a whole. A few games tell which of these
smaller patches may have room for a certificate, and others, as many as the selection's, whether
they have. The smallest that has takes the place of the recommended one, and loses edits in its
turn. What is left is locally minimal: in games of its own no edit could be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from balance.evaluation import Evaluator
from balance.room import needed_room_pp, read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection
from balance.settings import Games

_FEW = 5  # the selection's games are so many times the few
_ERRORS = 3.0  # standard errors by which a patch may look too far off in few games, and go on


@dataclass(frozen=True)
class CleanUp:
    """What it took to take back what could be.

    Attributes:
        n_replaced: how many smaller patches took the recommended one's place, one by one.
        n_smaller: patches with an edit less than what is left.
        n_games: all games, of all matchups together.
        n_few: games per matchup of each smaller patch, at least.
        n_many: games per matchup of each that might have room.
        is_minimal: none of those has room; else the games ended before that was told.
    """

    n_replaced: int
    n_smaller: int
    n_games: int
    n_few: int
    n_many: int
    is_minimal: bool = False


def clean_up(
    evaluator: Evaluator, selection: Selection, games: Games, *, most_games: int
) -> tuple[Selection, CleanUp]:
    """Take back what a recommended patch can do without; one that has no room is left alone.

    Args:
        evaluator: plays and scores genomes; here with the purposes `cleanup/<round>/few` and
            `cleanup/<round>`.
        selection: recommends a genome.
        games: per matchup: `select` play each patch that may do, and `certify` are to come.
        most_games: that it may take, all matchups together; it ends short of them.

    Returns:
        The selection, which recommends the smallest that did; a smaller patch claims what it came
        to in few games. And what that took.
    """
    n_seatings = evaluator.contest.n_seatings
    n_few = max(games.select // _FEW // n_seatings, 2) * n_seatings
    found = CleanUp(n_replaced=0, n_smaller=0, n_games=0, n_few=n_few, n_many=games.select)
    if not selection.has_room[selection.recommended]:
        return selection, found
    demands, n_matchups = evaluator.demands, len(evaluator.contest.matchups)
    least_pp = needed_room_pp(evaluator, games) - _ERRORS * 50 / sqrt(n_few)
    while len(smaller := _smaller(selection.genomes[selection.recommended], evaluator.space)):
        purpose = f"cleanup/{found.n_replaced}"
        found = replace(found, n_smaller=len(smaller))
        n_games = found.n_games + (len(smaller) + 1) * n_few * n_matchups
        if n_games > most_games:
            return selection, found
        few = evaluator.play(smaller, n_games=n_few, purpose=f"{purpose}/few", faults="keep")
        found = replace(found, n_games=n_games)
        may_do = demands.spare_pp(demands.of(few.rates[:-1])) >= least_pp
        may_do |= ~smaller.any(axis=1)  # today's numbers need less room
        may_do[list(few.faults)] = False
        genomes, claims = smaller[may_do], few.rates[:-1][may_do]
        n_games += (len(genomes) + 1) * games.select * n_matchups
        if not len(genomes):
            break
        if n_games > most_games:
            return selection, found
        played = evaluator.play(genomes, n_games=games.select, purpose=purpose, faults="keep")
        found = replace(found, n_games=n_games)
        scores, has_room, spare_pp = read_room(evaluator, genomes, played, games)
        has_room[list(played.faults)] = False
        if not has_room.any():
            break
        best = np.lexsort([-spare_pp, scores.change, ~has_room])[0]
        selection = selection.recommending(
            genomes[best], claims[best], n_few, played.points[best], scores.take(best[np.newaxis])
        )
        found = replace(found, n_replaced=found.n_replaced + 1)
    return selection, replace(found, is_minimal=True)


def _smaller(genome: Steps, space: SearchSpace) -> Steps:
    """``[..., K]`` what is left of a ``[K]`` genome as one edit is taken back, a step or whole."""
    edited = np.flatnonzero(genome)
    rows, (step, whole) = np.arange(len(edited)), np.tile(genome, (2, len(edited), 1))
    step[rows, edited] -= np.sign(genome[edited])
    whole[rows, edited] = 0
    smaller = np.unique(np.concatenate([step, whole]), axis=0)
    return smaller[space.allows(smaller)]

"""The clean-up: whatever a recommended patch can do without is taken back, on fresh games.

Every edit is taken back by itself, by a step and as a whole. If one of these smaller patches still
has room for a certificate, the smallest that has goes on: it is played anew, for the games that
chose it were kind to it, beside the patches that are smaller still. What is left is locally
minimal: in games of its own no edit could be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from balance.evaluation import Evaluator
from balance.room import read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection
from balance.settings import Games


@dataclass(frozen=True)
class CleanUp:
    """What it took to take back what could be.

    Attributes:
        n_replaced: how many smaller patches took the recommended one's place, one by one.
        n_tried: smaller patches that were played.
        n_played: patches that were played, all in all, and today's numbers beside them.
        n_games: per matchup of each.
        is_minimal: no patch with an edit less has room; else the games ended before that was told.
    """

    n_replaced: int
    n_tried: int
    n_played: int
    n_games: int
    is_minimal: bool = False

    @property
    def n_worse(self) -> int:
        """Smaller patches that turned out to have no room."""
        return self.n_tried - self.n_replaced


def clean_up(
    evaluator: Evaluator, selection: Selection, games: Games, *, most_games: int
) -> tuple[Selection, CleanUp]:
    """Take back what a recommended patch can do without; one that has no room is left alone.

    Args:
        evaluator: plays and scores genomes; here with the purposes `cleanup/<round>`.
        selection: recommends a genome.
        games: per matchup: each patch plays `select`, and `certify` are to come.
        most_games: that it may take, all matchups together; it ends short of them.

    Returns:
        The selection, which recommends the smallest that did; the claims of a smaller patch are
        the games that chose it. And what that took.
    """
    found = CleanUp(n_replaced=0, n_tried=0, n_played=0, n_games=games.select)
    genome, claim = selection.genomes[selection.recommended], np.zeros(0)
    if not selection.has_room[selection.recommended]:
        return selection, found
    n_of_each = games.select * len(evaluator.contest.matchups)
    for k in count():
        genomes = np.concatenate([genome[np.newaxis], smaller := _smaller(genome, evaluator.space)])
        n_played, n_tried = found.n_played + len(genomes) + 1, found.n_tried + len(smaller)
        if n_played * n_of_each > most_games:
            return selection, found
        played = evaluator.play(
            genomes, n_games=games.select, purpose=f"cleanup/{k}", faults="keep"
        )
        scores, has_room, spare_pp = read_room(evaluator, genomes, played, games)
        found = replace(found, n_played=n_played, n_tried=n_tried)
        if k and not has_room[0]:
            break  # it had been lucky
        if k:
            selection = selection.recommending(genome, claim, played.points[0], scores)
            found = replace(found, n_replaced=found.n_replaced + 1)
        has_room[[0, *(v for v in played.faults if v < len(genomes))]] = False
        if not has_room.any():
            break
        best = np.lexsort([-spare_pp, scores.change, ~has_room])[0]
        genome, claim = genomes[best], played.rates[best]
    return selection, replace(found, is_minimal=True)


def _smaller(genome: Steps, space: SearchSpace) -> Steps:
    """``[..., K]`` what is left of a ``[K]`` genome as one edit is taken back, a step or whole."""
    edited = np.flatnonzero(genome)
    rows, (step, whole) = np.arange(len(edited)), np.tile(genome, (2, len(edited), 1))
    step[rows, edited] -= np.sign(genome[edited])
    whole[rows, edited] = 0
    smaller = np.unique(np.concatenate([step, whole]), axis=0)
    return smaller[space.allows(smaller)]

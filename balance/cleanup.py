"""The clean-up: whatever a recommended patch can do without is taken back, on fresh games.

Every edit is taken back by itself, by a step and as a whole. A few games tell which of these
smaller patches may have room for a certificate, and others, as many as the selection's, whether
they have, the likeliest first. One that has takes the place of the recommended one, and loses edits
in its turn. What is left is locally minimal: in games of its own no edit could be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from balance.evaluation import Evaluator
from balance.room import needed_room_pp, read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection
from balance.settings import Games

FEW = 5  # the selection's games are so many times the few
AT_ONCE = 3  # smaller patches that are played for long
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
    is_minimal: bool


@dataclass
class _Purse:
    """Games that may be played.

    Attributes:
        most: all of them, of all matchups together.
        spent: of those, so far.
        is_empty: what came last was too dear.
    """

    most: int
    spent: int = 0
    is_empty: bool = False

    def pays(self, n_games: int) -> bool:
        """Whether so many can be played; pays them."""
        self.is_empty = self.spent + n_games > self.most
        if not self.is_empty:
            self.spent += n_games
        return not self.is_empty


def few_games(evaluator: Evaluator, games: Games) -> int:
    """Games per matchup that tell which of some patches may have room, before more are played."""
    n_seatings = evaluator.contest.n_seatings
    return max(games.select // FEW // n_seatings, 2) * n_seatings


def clean_up(
    evaluator: Evaluator, selection: Selection, games: Games, *, most_games: int
) -> tuple[Selection, CleanUp]:
    """Take back what a recommended patch can do without; one that has no room is left alone.

    Args:
        evaluator: plays and scores genomes; here with the purposes `cleanup/<round>/few` and
            `cleanup/<round>/<place>`.
        selection: recommends a genome.
        games: per matchup: `select` play each patch that may do, and `certify` are to come.
        most_games: that it may take, all matchups together; it ends short of them.

    Returns:
        The selection, which recommends the smallest that did; a smaller patch claims what it came
        to in few games. And what that took.
    """
    n_few = few_games(evaluator, games)
    purse, n_replaced, n_smaller = _Purse(most_games), 0, 0
    begins = bool(selection.has_room[selection.recommended])
    while begins and len(smaller := _smaller(selection.genome, evaluator.space)):
        n_smaller, purpose = len(smaller), f"cleanup/{n_replaced}"
        instead = _with_room(evaluator, selection, smaller, games, purpose, n_few, purse)
        if instead is None:
            break
        selection, n_replaced = instead, n_replaced + 1
    is_minimal = begins and not purse.is_empty
    return selection, CleanUp(n_replaced, n_smaller, purse.spent, n_few, games.select, is_minimal)


def _with_room(
    evaluator: Evaluator,
    selection: Selection,
    smaller: Steps,
    games: Games,
    purpose: str,
    n_few: int,
    purse: _Purse,
) -> Selection | None:
    """One that recommends a smaller of ``[P, K]`` patches, if any has room, and the purse tells."""
    if not purse.pays(evaluator.games_of(len(smaller), n_few)):
        return None
    few = evaluator.play(smaller, n_games=n_few, purpose=f"{purpose}/few", faults="keep")
    demands = evaluator.demands
    room_pp = needed_room_pp(evaluator, games)
    few_rates = demands.rates(few)
    few_spare_pp = demands.spare_pp(demands.of(few_rates[:-1]), room_pp)
    may_do = few_spare_pp >= -_ERRORS * 50 / sqrt(n_few)
    may_do |= ~smaller.any(axis=1)  # today's numbers need less room
    may_do[list(few.faults)] = False
    likeliest = np.argsort(-few_spare_pp, kind="stable")
    likeliest = likeliest[may_do[likeliest]]
    for place in range(0, len(likeliest), AT_ONCE):
        some = likeliest[place : place + AT_ONCE]
        if not purse.pays(evaluator.games_of(len(some), games.select)):
            return None
        name = f"{purpose}/{place}"
        played = evaluator.play(smaller[some], n_games=games.select, purpose=name, faults="keep")
        scores, has_room, spare_pp = read_room(evaluator, smaller[some], played, games)
        has_room[list(played.faults)] = False
        if has_room.any():
            best = np.lexsort([-spare_pp, scores.change, ~has_room])[0]
            genome, claimed = smaller[some[best]], few_rates[some[best]]
            points, its_scores = demands.points(played)[best], scores.take(best[np.newaxis])
            return selection.recommending(genome, claimed, n_few, points, its_scores)
    return None


def _taken_back(genome: Steps, *, wholly: bool) -> Steps:
    """``[..., K]`` genomes with one edit less, a step of it or, if asked for, the whole."""
    edited = np.flatnonzero(genome)
    rows, step = np.arange(len(edited)), np.tile(genome, (len(edited), 1))
    whole = step.copy()
    step[rows, edited] -= np.sign(genome[edited])
    whole[rows, edited] = 0
    return np.concatenate([step, whole]) if wholly else step


def _smaller(genome: Steps, space: SearchSpace) -> Steps:
    """``[..., K]`` what is left of a ``[K]`` genome as one edit is taken back, a step or whole.

    Where that breaks a sum by no more than a step, a step of another edit is taken back besides.
    """
    smaller = np.unique(_taken_back(genome, wholly=True), axis=0)
    is_near = space.leads_on(smaller) & ~space.allows(smaller)
    twice = [_taken_back(each, wholly=False) for each in smaller[is_near]]
    smaller = np.unique(np.concatenate([smaller, *twice]), axis=0)
    return smaller[space.allows(smaller)]

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

from balance.clean_up_result import CleanUp, Outcome, SmallerPatch, State
from balance.evaluation import Evaluator
from balance.readings import Readings
from balance.room import needed_room_pp, read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection
from balance.settings import Games
from balance.shortfall import shortfalls_of
from balance.statistics.intervals import Flags, Floats, Interval, Positions

FEW = 5  # the selection's games are so many times the few
AT_ONCE = 3  # smaller patches that are played for long
_ERRORS = 3.0  # standard errors by which a patch may look too far off in few games, and go on


@dataclass
class _Purse:
    """Games that may be played.

    Attributes:
        most: all of them, of all matchups together.
        spent: of those, so far.
    """

    most: int
    spent: int = 0

    def pays(self, n_games: int) -> bool:
        """Whether so many can be played; pays them."""
        is_enough = self.spent + n_games <= self.most
        if is_enough:
            self.spent += n_games
        return is_enough


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
        to in few games. And what that took, and how far it came.
    """
    n_few = few_games(evaluator, games)
    purse = _Purse(most_games)
    n_replaced = 0
    found: tuple[SmallerPatch, ...] = ()
    is_begun = selection.has_room[selection.recommended] or not selection.genome.any()
    state: State = "complete" if is_begun else "not begun"
    while state == "complete" and len(smaller := _smaller(selection.genome, evaluator.space)):
        round_ = _Round(evaluator, games, purse, n_few, f"cleanup/{n_replaced}", smaller)
        instead = round_.with_room(selection)
        found = tuple(round_.found)
        if instead is None:
            state = "complete" if round_.is_decided else "out of games"
            break
        selection = instead
        n_replaced = n_replaced + 1
        found = ()
    done = CleanUp(state, n_replaced, found, purse.spent, most_games, n_few, games.select)
    return selection, done


class _Round:
    """The patches with an edit less than the recommended one, tried as far as games go.

    Attributes:
        found: what is known of each, in the order of `smaller`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        games: Games,
        purse: _Purse,
        n_few: int,
        purpose: str,
        smaller: Steps,
    ) -> None:
        """Nothing is tried yet.

        Args:
            evaluator: plays and scores them.
            games: per matchup.
            purse: pays.
            n_few: games per matchup that each is played at first.
            purpose: names the streams of game seeds.
            smaller: ``[P, K]`` the patches.
        """
        self._evaluator = evaluator
        self._games = games
        self._purse = purse
        self._n_few = n_few
        self._purpose = purpose
        self._smaller = smaller
        self.found = [SmallerPatch(genome, "not tried") for genome in smaller]

    @property
    def is_decided(self) -> bool:
        """Whether all were tried."""
        return all(one.outcome != "not tried" for one in self.found)

    def with_room(self, selection: Selection) -> Selection | None:
        """One that recommends a smaller patch, if any is found to have room."""
        evaluator = self._evaluator
        games = self._games
        n_few = self._n_few
        if not self._purse.pays(evaluator.games_of(len(self._smaller), n_few)):
            return None
        few = evaluator.play(
            self._smaller, n_games=n_few, purpose=f"{self._purpose}/few", faults="keep"
        )
        likeliest, few_rates = self._likeliest(few)
        for place in range(0, len(likeliest), AT_ONCE):
            some = likeliest[place : place + AT_ONCE]
            if not self._purse.pays(evaluator.games_of(len(some), games.select)):
                return None
            played = evaluator.play(
                self._smaller[some],
                n_games=games.select,
                purpose=f"{self._purpose}/{place}",
                faults="keep",
            )
            scores, has_room, spare_pp = read_room(evaluator, self._smaller[some], played, games)
            has_room[list(played.faults)] = False
            self._decide(some, played, has_room)
            if has_room.any():
                best = np.lexsort([-spare_pp, scores.change, ~has_room])[0]
                points = evaluator.demands.points(played)[best]
                return selection.recommending(
                    self._smaller[some[best]],
                    few_rates[some[best]],
                    n_few,
                    points,
                    scores.take(best[np.newaxis]),
                )
        return None

    def _likeliest(self, few: Readings) -> tuple[Positions, Floats]:
        """Those that may have room by few games, the likeliest first, and all ``[P, R]`` rates."""
        demands = self._evaluator.demands
        room_pp = needed_room_pp(self._evaluator, self._games)
        few_rates = demands.rates(few)
        few_spare_pp = demands.spare_pp(demands.of(few_rates[:-1]), room_pp)
        may_do = few_spare_pp >= -_ERRORS * 50 / sqrt(self._n_few)
        may_do |= ~self._smaller.any(axis=1)  # today's numbers need less room
        may_do[list(few.faults)] = False
        self._decide(np.flatnonzero(~may_do), few, np.zeros(len(self._smaller), dtype=np.bool_))
        self._note_unfinished(np.flatnonzero(may_do), few)
        likeliest = np.argsort(-few_spare_pp, kind="stable")
        return likeliest[may_do[likeliest]], few_rates

    def _decide(self, some: Positions, played: Readings, has_room: Flags) -> None:
        """Take down what games show of some of the patches.

        Args:
            some: ``[S]`` their places.
            played: of these patches, or of all of them, then of today's numbers.
            has_room: which of what was played has room.
        """
        is_all = len(played.points) == len(self._smaller) + 1
        variants = some if is_all else np.arange(len(some))
        for place, variant in zip(some.tolist(), variants.tolist(), strict=True):
            genome = self._smaller[place]
            if variant in played.faults:
                self.found[place] = SmallerPatch(genome, "never ends", played.n_games)
                continue
            one = played.take(np.array([variant, -1]))
            (shortfalls,) = shortfalls_of(self._evaluator, genome[np.newaxis], one, self._games)
            outcome: Outcome = "has room"
            if not has_room[variant]:
                is_broken = any(short.is_broken for short in shortfalls)
                outcome = "broken" if is_broken else "too near"
            self.found[place] = SmallerPatch(
                genome, outcome, played.n_games, *self._read(one), shortfalls
            )

    def _note_unfinished(self, some: Positions, few: Readings) -> None:
        """Take down what few games show of patches that they leave open."""
        for place in some.tolist():
            one = few.take(np.array([place, -1]))
            self.found[place] = SmallerPatch(
                self._smaller[place], "not tried", few.n_games, *self._read(one)
            )

    def _read(self, played: Readings) -> tuple[Interval, Floats]:
        """The imbalance of the first variant with its interval, and the ``[N]`` demanded rates."""
        demands = self._evaluator.demands
        rates = demands.rates(played)[0]
        told = demands.estimate(rates, played.n_games, demands.joint_confidence)
        return demands.imbalance_pp(told), demands.of(rates)


def _taken_back(genome: Steps, *, wholly: bool) -> Steps:
    """``[..., K]`` genomes with one edit less, a step of it or, if asked for, the whole."""
    edited = np.flatnonzero(genome)
    rows = np.arange(len(edited))
    step = np.tile(genome, (len(edited), 1))
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

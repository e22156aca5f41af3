"""The model search: measure what edits do, believe it with care, and play what may do.

A design tells what every number does (`design`, `slopes`). From then on, round by round, a model
(`response`) proposes genomes by rising change (`beam`), and games decide: some thirty are played on
seeds of their own, and the model learns from them. Where none will do, levers around the best tell
what its neighbours would come to. It ends when no smaller change has a chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from balance.budget import games_to_spend
from balance.evaluation import UNPLAYABLE, Evaluator
from balance.evolution import places_in
from balance.method import Method
from balance.model.beam import MOST_STEPS, promising
from balance.model.design import play_apart
from balance.model.groundwork import Groundwork
from balance.model.prospects import Prospects
from balance.model.reach import least_change
from balance.model.response import Response
from balance.model.state import ModelState
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.search import SearchState
from balance.search_space import Steps
from balance.selection import NOT_RULED_OUT
from balance.settings import BalanceSettings
from balance.statistics.intervals import Floats, Interval, Positions

_RACED = 32  # genomes of a round
_AGAIN = 6  # that look good already, besides
ABOUT_RACED = 36
MOST_RACED = _RACED + _AGAIN  # of both
SURE = 8  # evaluations after which a genome is known well enough
_LIKELY = 0.5
_MAY_DO = 0.3
_POSSIBLE = 0.03  # chances
_AS_MUCH = 0.25
_BEYOND = 0.1  # steps that another one of as much change, or of more, is worth
TIMES_WITHOUT = 2  # as many rounds, while nothing is likely to do
_GOOD_ENOUGH = 3  # genomes that are likely to do, before the search may end
N_CENTRES = 2
_EARLY = 5
_IDLE = 2  # rounds: from when on a search may be stuck with what does, and for how many
_SHARE_OF_LEVERS = 0.3  # of the games that are left, where there is a total
_ROOM_OF_A_CERTIFICATE = 0.3  # of the room that it and a selection need
_POPULATION = 20  # told of each round
_SHORTLIST = 8
_OF_A_CHANGE = 2  # of the shortlist, besides the likeliest
_FRONT = 8  # of less change, which are played again besides
_LIKELIEST = 2  # of the shortlist, whatever their change
_NEAREST = 200  # genomes whose errors tell how near any may come: others are expected farther off
_ERRORS = 2.0  # standard errors, as of a 95 % interval


class _Found(NamedTuple):
    """What the model thinks promising: ``B`` genomes, their change and worst predicted miss."""

    features: Floats
    genomes: Steps
    change: Floats
    worst: Floats


class _Judged(NamedTuple):
    """A state, the model of all that was played, and what it thinks of the genomes seen.

    Attributes:
        chance: ``[S]`` how likely each genome seen is to do; 0 for what broke a guard itself.
    """

    state: ModelState
    model: Response
    chance: Floats


class ModelSearch(Method):
    """A search for the smallest change that meets all demands and guards.

    Attributes:
        games: the settings' games per matchup.
    """

    kind: ClassVar[type[SearchState]] = ModelState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Play and score by an evaluator."""
        super().__init__(evaluator, settings)
        self.games = settings.games
        self._ground = Groundwork(evaluator, settings.games)
        self._last: _Judged | None = None

    def run(
        self,
        state: ModelState | None = None,
        on_round: Callable[[ModelState], None] = lambda _: None,
    ) -> ModelState:
        """Search to the last round, or until no smaller change has a chance.

        Args:
            state: where to continue; default the beginning.
            on_round: called with the state after every round (progress, checkpoints).
        """
        judged = self._judge(ModelState.beginning(self.evaluator) if state is None else state)
        while not judged.state.is_done:
            judged = self._centred(self._raced(judged))
            judged = self._last = judged._replace(state=self._told(judged))
            on_round(judged.state)
        self._last = judged
        return judged.state

    def shortlist(self, state: ModelState) -> Positions:
        """Positions in `state.seen` of the few genomes worth playing again, by rising change.

        The smallest of those that may do, a few of each change, the likeliest, those of the last
        round (what less change comes to), and today's if that was played.
        """
        _, model, chance = self._judge(state)
        change = self._seen_change(state)
        by_change = np.lexsort([-chance, change])
        may_do = by_change[chance[by_change] >= _MAY_DO]
        small = may_do[_nth_of_its_kind(change[may_do]) < _OF_A_CHANGE][: _SHORTLIST - _LIKELIEST]
        likeliest = self._likeliest(state, chance)
        if chance.max() < NOT_RULED_OUT:
            likeliest = self._nearest(state, model)
        both = [*dict.fromkeys([*small.tolist(), *likeliest.tolist()])][:_SHORTLIST]
        n_before = int(state.history[-2, 4]) if len(state.history) > 1 else 0
        today = np.flatnonzero(~state.seen.any(axis=1))  # which may have room where no edit has
        others = [*today.tolist(), *range(n_before, len(state.seen))]
        chosen = np.array([*dict.fromkeys([*both, *others])])
        playable = chosen[state.seen_violation[chosen] < UNPLAYABLE]
        chosen = playable[: self.settings.search.candidates]
        order = np.lexsort([-chance[chosen], change[chosen]])
        return np.asarray(chosen[order])

    def chances(self, state: ModelState) -> Floats:
        """``[S]`` how likely each genome seen is to do; 0 for what broke a guard itself."""
        return self._judge(state).chance

    def likely(self, genomes: Steps, played: Readings) -> Floats:
        """``[S]`` how likely ``[S, K]`` genomes are to do, given more games of theirs."""
        if self._last is None:
            return np.zeros(len(genomes))
        model = self._ground.model_with(self._last.model, genomes, played)
        wishes = self._ground.wishes(_ROOM_OF_A_CERTIFICATE)
        return wishes.chance(model, self._ground.features.read(genomes))

    def least_change(self, genome: Steps) -> float | None:
        """By an integer program over the model (`balance.model.reach`), if that is no more."""
        if self._last is None:
            return None
        features = self._ground.features
        space = self.evaluator.space
        as_large = features.read(genome[np.newaxis])
        model = self._last.model
        demands = self.evaluator.demands
        least = least_change(model, features, space, demands, as_large)
        return least if least <= space.change(genome[np.newaxis])[0] else None

    def promise_pp(self, state: ModelState, demands: Positions | None = None) -> float | None:
        """By the beam, with all that the model has learned; `None` where that ends too soon."""
        expected_pp = self._expected_pp(state, demands, n_errors=0.0)
        return None if expected_pp is None else float(expected_pp.estimate)

    def expected_pp(self, state: ModelState) -> Interval | None:
        """By the model's own errors; its lower end is the nearest that any patch may come."""
        return self._expected_pp(state, None, n_errors=_ERRORS)

    def _expected_pp(
        self, state: ModelState, demands: Positions | None, *, n_errors: float
    ) -> Interval | None:
        """By the beam, with all that the model has learned; `None` where that ends too soon.

        Args:
            state: where the search ended.
            demands: those that count; default all.
            n_errors: standard errors of the model that the interval reaches; 0 for none.
        """
        wishes = replace(self._ground.wishes(0.0), most_growth=np.inf)
        if demands is not None:
            wishes = replace(wishes, demands=wishes.demands.take(demands))
        features = self._ground.features
        space = self.evaluator.space
        model = self._judge(state).model
        seen = features.read(state.seen)
        found = promising(model, features, space, wishes)
        both = np.concatenate([found, seen])
        misses, _ = wishes.misses(model.mean(both))
        least_pp = 100 * float(misses.min())
        if least_pp > wishes.demands.band_pp and found.sum(axis=1).max() >= MOST_STEPS:
            return None
        if not n_errors:
            return Interval(*[np.array(least_pp)] * 3)
        nearest = np.argsort(misses, kind="stable")[:_NEAREST]
        told = wishes.distances_pp(model, both[nearest], n_errors)
        return Interval(np.array(least_pp), told.low.min(), told.high[0])

    def prospects(self, state: ModelState) -> Prospects:
        """By the straight part of all that the model has learned."""
        ground = self._ground
        model = self._judge(state).model
        return Prospects.of_model(self.evaluator, ground.baseline, ground.features, model)

    def _judge(self, state: ModelState) -> _Judged:
        """With a model of all that was played."""
        if self._last is not None and self._last.state is state:
            return self._last
        model = self._ground.model(state)
        chance = self._wishes.chance(model, self._ground.features.read(state.seen))
        return _Judged(state, model, np.where(state.seen_violation > 0, 0.0, chance))

    @cached_property
    def _wishes(self) -> Wishes:
        return self._ground.wishes()

    def _played(
        self, state: ModelState, genomes: Steps, purpose: str, times: int = 1
    ) -> ModelState:
        n_games = times * self.games.search
        readings = play_apart(self.evaluator, genomes, n_games=n_games, purpose=f"search/{purpose}")
        return state.with_played(self.evaluator, self._ground.baseline, genomes, readings, times)

    def _raced(self, judged: _Judged) -> _Judged:
        """After a round of races; the last one is of smaller changes than do."""
        state = judged.state
        found = self._found(judged.model)
        genomes = self._proposed(judged, found)
        n_affordable = self._n_affordable(state)
        is_last = state.generation - state.begun >= self._n_rounds(judged) - 2
        if is_last or not len(genomes) or n_affordable < len(genomes) + _FRONT:
            genomes = self._front(judged, found)[:n_affordable]
            state = replace(state, is_done=1)
        return self._judge(self._played(state, genomes, f"race/{state.generation + 1}"))

    def _n_rounds(self, judged: _Judged) -> int:
        """The most rounds: twice as many where nothing was likely to do when the last one came."""
        rounds = self.settings.search.rounds
        does = bool((judged.chance >= _LIKELY).any())
        is_longer = judged.state.generation - judged.state.begun > rounds - 2
        return rounds * (1 if does and not is_longer else TIMES_WITHOUT)

    def _n_affordable(self, state: ModelState) -> int:
        """How many more genomes may be scored; without a total, as many as one likes.

        The first may always be: a design of few games can take more than its share.
        """
        if self.games.total is None:
            return 2**31
        n_matchups = len(self.evaluator.contest.matchups)
        n_left = games_to_spend(self.settings, n_matchups) - self._ground.n_games(state)
        return max(n_left // (self.games.search * n_matchups), 0 if len(state.seen) else 1)

    def _centred(self, judged: _Judged) -> _Judged:
        """With levers around the best genome, in every other round of a search that is stuck."""
        state = judged.state
        best = state.seen[self._best(judged)[:1]]
        is_time = state.generation % 2 == 0 and len(state.centres) < N_CENTRES
        is_new = not (state.centres == best).all(axis=1).any()
        n_genomes = self._ground.n_in_levers + SURE
        is_time &= n_genomes <= _SHARE_OF_LEVERS * self._n_affordable(state)
        if state.is_done or not (is_time and is_new and self._is_stuck(judged)):
            return judged
        state = self._played(state, best, f"centre/{len(state.centres)}", times=SURE)
        return self._judge(replace(state, centres=np.concatenate([state.centres, best])))

    def _is_stuck(self, judged: _Judged) -> bool:
        """Whether the last rounds found nothing smaller that is likely to do, or nothing does."""
        state = judged.state
        does = judged.chance >= _LIKELY
        if len(state.history) < _EARLY:
            return not does.any()
        n_before = int(state.history[-_IDLE, 4])
        change = self._seen_change(state)
        least, before = (change[:n][does[:n]].min(initial=np.inf) for n in (len(does), n_before))
        return bool(before <= least)

    def _best(self, judged: _Judged) -> Positions:
        """``[S]`` genomes seen: what is likely to do by rising change, then the likeliest."""
        likeliest = self._likeliest(judged.state, judged.chance)
        does = judged.chance[likeliest] >= _LIKELY
        change = np.where(does, self._seen_change(judged.state)[likeliest], np.inf)
        return likeliest[np.argsort(change, kind="stable")]

    def _likeliest(self, state: ModelState, chance: Floats) -> Positions:
        """``[S]`` genomes seen by falling chance; where none has any, those nearest to target."""
        imbalance_pp = state.seen_scores(self.evaluator, self.games.search).imbalance_pp
        return np.lexsort([imbalance_pp, state.seen_violation, -chance])

    def _nearest(self, state: ModelState, model: Response) -> Positions:
        """``[S]`` genomes seen by how near the model thinks them to their targets."""
        worst, _ = self._wishes.misses(model.mean(self._ground.features.read(state.seen)))
        return np.lexsort([worst, state.seen_violation])

    def _found(self, model: Response) -> _Found:
        """What the model thinks promising."""
        features = promising(model, self._ground.features, self.evaluator.space, self._wishes)
        genomes = self._ground.features.genomes(features)
        worst, _ = self._wishes.misses(model.mean(features))
        return _Found(features, genomes, self.evaluator.space.change(genomes), worst)

    def _proposed(self, judged: _Judged, found: _Found) -> Steps:
        """``[..., K]`` what to play next; nothing once no smaller change has a chance."""
        state = judged.state
        chance = self._wishes.chance(judged.model, found.features)
        seen_change = self._seen_change(state)
        genomes = found.genomes
        change = found.change
        good = np.flatnonzero(judged.chance >= _LIKELY)
        least = seen_change[good].min() if len(good) else np.inf
        if len(good) >= _GOOD_ENOUGH and not (chance[change < least] >= _POSSIBLE).any():
            return genomes[:0]
        times = np.append(state.seen_times, 0)[places_in(state.seen, genomes)]
        unit = self.evaluator.space.weights.min()
        is_open = (times < SURE) & (change <= least + unit)
        worth = np.sqrt(chance) / (change + 1)
        if len(good):
            gain = np.maximum((least - change) / unit, 0.0)
            worth = chance * (gain + np.where(change > least, _BEYOND, _AS_MUCH))
        by_worth = np.lexsort([change, -worth])
        chosen = by_worth[(is_open & (chance >= NOT_RULED_OUT))[by_worth]][:_RACED]
        if len(chosen) < _RACED // 4:
            nearest = np.argsort(found.worst, kind="stable")
            chosen = np.union1d(chosen, nearest[is_open[nearest]][: _RACED - len(chosen)])
        again = good[np.lexsort([-judged.chance[good], seen_change[good]])][:_AGAIN]
        both = np.concatenate([genomes[chosen], state.seen[again]])
        return both[np.sort(np.unique(both, axis=0, return_index=True)[1])]

    def _front(self, judged: _Judged, found: _Found) -> Steps:
        """``[..., K]`` what less change comes to: the best genome of every change that does not do.

        The last round plays these, at most `_FRONT` of them, so that there is something to choose.
        Where nothing comes near to doing, it plays as many of the nearest.
        """
        change = found.change
        does = judged.chance >= _LIKELY
        if judged.chance.max(initial=0.0) < NOT_RULED_OUT:
            return found.genomes[np.argsort(found.worst, kind="stable")[:_FRONT]]
        least = self._seen_change(judged.state)[does].min() if does.any() else np.inf
        order = np.lexsort([found.worst, change])
        order = order[(change[order] < least) & (change[order] > 0)]
        _, first = np.unique(change[order], return_index=True)
        spaced = np.unique(np.linspace(0, len(first) - 1, _FRONT).round().astype(np.intp))
        return found.genomes[order[first[spaced]]] if len(first) else judged.state.population[:1]

    def _seen_change(self, state: ModelState) -> Floats:
        return self.evaluator.space.change(state.seen)

    def _told(self, judged: _Judged) -> ModelState:
        """The state with its best genomes, and a line of history."""
        state = judged.state
        scores = state.seen_scores(self.evaluator, self.games.search)
        order = self._best(judged)[:_POPULATION]
        n_games = self._ground.n_games(state)
        return state.next_generation(state.seen[order], scores.take(order), best=0, n_games=n_games)


def _nth_of_its_kind(values: Floats) -> Positions:
    """``[...]`` how many equal ones come before each of some values in rising order."""
    return np.arange(len(values)) - np.searchsorted(values, values)

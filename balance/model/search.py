"""The model search: measure what edits do, believe it with care, and play what may do.

A design tells what every number does (`design`, `slopes`). From then on, round by round, a model
(`response`) proposes genomes by rising change (`beam`), and games decide: some thirty are played on
seeds of their own, and the model learns from them. Where none will do, levers around the best tell
what its neighbours would come to. It ends when no smaller change has a chance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import sqrt
from typing import ClassVar

import numpy as np

from balance.evaluation import UNPLAYABLE, Evaluator
from balance.model.baseline import Baseline
from balance.model.beam import promising
from balance.model.design import Sample, play_apart, play_design
from balance.model.features import Features
from balance.model.levers import measure_levers
from balance.model.response import Played, Response
from balance.model.slopes import Regression, Slopes, growth_slopes, matchup_slopes
from balance.model.state import ModelState
from balance.model.wishes import Wishes
from balance.search import SearchState
from balance.search_space import Steps
from balance.selection import growth_errors, needed_room_pp
from balance.settings import BalanceSettings
from balance.statistics.intervals import Floats, Positions

_RACED = 32  # genomes of a round
_AGAIN = 6  # of them that look good already
_SURE = 8  # evaluations after which a genome is known well enough
_LIKELY, _MAY_DO, _POSSIBLE, _NOT_RULED_OUT = 0.5, 0.3, 0.03, 0.01  # chances
_GOOD_ENOUGH = 3  # genomes that are likely to do, before the search may end
_ROOM_IN_RACES = 0.75  # of the room that a certificate needs
_LEAST_LEFT = 0.25  # of a band or a limit, however few games a certificate has
_N_CENTRES = 3
_LEVER_TIMES = 2  # games of a lever, in evaluations
_POPULATION = 20  # told of each round
_SHORTLIST = 8
_FRONT = 8  # of less change, which are played again besides
_LIKELIEST = 2  # of the shortlist, whatever their change


class ModelSearch:
    """A search for the smallest change that meets all demands and guards.

    Attributes:
        evaluator: knows contest, numbers and demands.
        games: games per matchup: `matchups` measure today, `search` is one evaluation.
        most_rounds: of races.
    """

    kind: ClassVar[type[SearchState]] = ModelState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Play and score by an evaluator; of the settings, `search` and `games` count."""
        self.evaluator, self.games = evaluator, settings.games
        self.most_rounds = settings.search.rounds
        self._measured: dict[bytes, tuple[Played, int]] = {}

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
        state = ModelState.beginning(self.evaluator) if state is None else state
        levers = [self._levers(centre, k) for k, centre in enumerate(state.centres)]
        model = self._model(state, levers)
        while not state.is_done:
            genomes = self._proposed(model, state)
            if state.generation >= self.most_rounds - 2 or not len(genomes):
                genomes, state = self._front(model, state), state.replaced(is_done=1)
            state = self._played(state, genomes, f"race/{state.generation + 1}")
            model = self._model(state, levers)
            centre = self._next_centre(model, state)
            if len(centre):
                levers.append(self._levers(centre[0], len(levers)))
                state = self._played(state, centre, f"centre/{len(state.centres)}", times=_SURE)
                state = state.replaced(centres=np.concatenate([state.centres, centre]))
                model = self._model(state, levers)
            state = self._told(model, state, sum(n for _, n in levers))
            on_round(state)
        return state

    def shortlist(self, state: ModelState) -> Positions:
        """Positions in `state.seen` of the few genomes worth playing again, by rising change.

        The smallest of those that may do with all the room that a certificate needs, the likeliest,
        those of the last round (what less change comes to), and today's if that was played.
        """
        levers = [self._levers(centre, k) for k, centre in enumerate(state.centres)]
        wishes = self._wishes_with(1.0)
        chance = self._chance(self._model(state, levers), state, wishes)
        change = self.evaluator.space.change(state.seen)
        by_change = np.lexsort([-chance, change])
        small = by_change[chance[by_change] >= _MAY_DO][: _SHORTLIST - _LIKELIEST]
        likeliest = self._likeliest(state, chance)
        both = [*dict.fromkeys([*small.tolist(), *likeliest.tolist()])][:_SHORTLIST]
        n_before = int(state.history[-2, 4]) if len(state.history) > 1 else 0
        today = np.flatnonzero(~state.seen.any(axis=1))  # which may have room where no edit has
        others = [*today.tolist(), *range(n_before, len(state.seen))]
        chosen = np.array([*dict.fromkeys([*both, *others])])
        chosen = chosen[state.seen_violation[chosen] < UNPLAYABLE]
        order = np.lexsort([-chance[chosen], change[chosen]])
        return np.asarray(chosen[order])

    @cached_property
    def _features(self) -> Features:
        return Features.of(self.evaluator.space)

    @cached_property
    def _baseline(self) -> Baseline:
        today = np.zeros((1, len(self.evaluator.space.genes)), dtype=np.int16)
        n_games = self.games.matchups
        return Baseline.of(
            play_apart(self.evaluator, today, n_games=n_games, purpose="search/today")
        )

    @cached_property
    def _design(self) -> tuple[Sample, int]:
        """A design of as many games as one step of each feature would take."""
        n_games = self.games.search * len(self._features) // 2
        return play_design(self.evaluator, self._features, self._baseline, n_games=n_games)

    @cached_property
    def _slopes(self) -> tuple[Slopes, ...]:
        contest, genes = self.evaluator.contest, self.evaluator.space.genes
        regression = Regression.of(contest, genes, self._features, self._baseline)
        sample, _ = self._design
        return (*matchup_slopes(sample, regression), growth_slopes(sample, self._baseline))

    @cached_property
    def _wishes(self) -> Wishes:
        return self._wishes_with(_ROOM_IN_RACES)

    def _wishes_with(self, share: float) -> Wishes:
        """What is demanded, with a share of the room that a certificate needs."""
        evaluator, n_games = self.evaluator, self.games.select
        lead_error = sqrt(self._baseline.lead_luck / n_games)
        errors = growth_errors(evaluator.looks(self.games.certify)[-1], n_games)
        limit = evaluator.guards.max_first_seat_pp / 100
        growth = max(limit - share * errors * lead_error, _LEAST_LEFT * limit)
        room_pp = share * needed_room_pp(evaluator, self.games)
        room_pp = min(room_pp, (1 - _LEAST_LEFT) * evaluator.demands.widest_pp)
        return Wishes(evaluator.demands, growth, room_pp / 100)

    def _levers(self, centre: Steps, k: int) -> tuple[Played, int]:
        """Those around the k-th centre, and how many games they took."""
        if centre.tobytes() not in self._measured:
            self._measured[centre.tobytes()] = measure_levers(
                self.evaluator,
                self._features,
                centre,
                n_games=_LEVER_TIMES * self.games.search,
                purpose=f"search/lever/{k}",
                side=self._baseline.side,
            )
        return self._measured[centre.tobytes()]

    def _model(self, state: ModelState, levers: list[tuple[Played, int]]) -> Response:
        played = state.played(self._features, self._baseline, self.games.search)
        for more, _ in levers:
            played = played.joined(more)
        return Response.fit(self._slopes, played)

    def _played(
        self, state: ModelState, genomes: Steps, purpose: str, times: int = 1
    ) -> ModelState:
        n_games = times * self.games.search
        readings = play_apart(self.evaluator, genomes, n_games=n_games, purpose=f"search/{purpose}")
        return state.with_played(self.evaluator, self._baseline, genomes, readings, times)

    def _chance(self, model: Response, state: ModelState, wishes: Wishes | None = None) -> Floats:
        """``[S]`` how likely each genome seen is to do; 0 for what broke a guard itself."""
        chance = (wishes or self._wishes).chance(model, self._features.read(state.seen))
        return np.where(state.seen_violation > 0, 0.0, chance)

    def _likeliest(self, state: ModelState, chance: Floats) -> Positions:
        """``[S]`` genomes seen by falling chance; where none has any, those nearest to target."""
        imbalance_pp = state.seen_scores(self.evaluator, self.games.search).imbalance_pp
        return np.lexsort([imbalance_pp, state.seen_violation, -chance])

    def _next_centre(self, model: Response, state: ModelState) -> Steps:
        """``[1 or 0, K]`` the best genome, every other round in which none is likely to do."""
        chance = self._chance(model, state)
        best = state.seen[self._likeliest(state, chance)[:1]]
        is_time = state.generation % 2 == 0 and len(state.centres) < _N_CENTRES
        is_time &= not state.is_done
        is_new = not (state.centres == best).all(axis=1).any()
        return best if is_time and is_new and chance.max() < _LIKELY else best[:0]

    def _proposed(self, model: Response, state: ModelState) -> Steps:
        """``[..., K]`` what to play next; nothing once no smaller change has a chance."""
        found = promising(model, self._features, self._wishes)
        genomes = self._features.genomes(found)
        change, chance = self.evaluator.space.change(genomes), self._wishes.chance(model, found)
        seen_change = self.evaluator.space.change(state.seen)
        seen_chance = self._chance(model, state)
        good = np.flatnonzero(seen_chance >= _LIKELY)
        least = seen_change[good].min() if len(good) else np.inf
        if len(good) >= _GOOD_ENOUGH and not (chance[change < least] >= _POSSIBLE).any():
            return genomes[:0]
        times = dict(zip(map(bytes, state.seen), state.seen_times.tolist(), strict=True))
        is_open = np.array([times.get(bytes(genome), 0) < _SURE for genome in genomes])
        is_open &= change <= least + 1
        worth = np.sqrt(chance) / (change + 1)
        by_worth = np.lexsort([change, -worth])
        chosen = by_worth[(is_open & (chance >= _NOT_RULED_OUT))[by_worth]][:_RACED]
        if len(chosen) < _RACED // 4:
            worst, _ = self._wishes.misses(model.mean(found))
            nearest = np.argsort(worst, kind="stable")
            chosen = np.union1d(chosen, nearest[is_open[nearest]][: _RACED - len(chosen)])
        again = good[np.lexsort([-seen_chance[good], seen_change[good]])][:_AGAIN]
        both = np.concatenate([genomes[chosen], state.seen[again]])
        return both[np.sort(np.unique(both, axis=0, return_index=True)[1])]

    def _front(self, model: Response, state: ModelState) -> Steps:
        """``[..., K]`` what less change comes to: the best genome of every change that does not do.

        The last round plays these, at most `_FRONT` of them, so that there is something to choose.
        """
        found = promising(model, self._features, self._wishes)
        genomes = self._features.genomes(found)
        change = self.evaluator.space.change(genomes)
        worst, _ = self._wishes.misses(model.mean(found))
        does = self._chance(model, state) >= _LIKELY
        seen_change = self.evaluator.space.change(state.seen)
        least = seen_change[does].min() if does.any() else np.inf
        order = np.lexsort([worst, change])
        order = order[(change[order] < least) & (change[order] > 0)]
        _, first = np.unique(change[order], return_index=True)
        spaced = np.unique(np.linspace(0, len(first) - 1, _FRONT).round().astype(np.intp))
        return genomes[order[first[spaced]]] if len(first) else state.population[:1]

    def _told(self, model: Response, state: ModelState, n_lever_games: int) -> ModelState:
        """The state with its best genomes, and a line of history."""
        n_games, n_matchups = self.games.search, len(self.evaluator.contest.matchups)
        chance = self._chance(model, state)
        scores = state.seen_scores(self.evaluator, n_games)
        does = chance >= _LIKELY
        likeliest = self._likeliest(state, chance)
        change = np.where(does, scores.change, np.inf)[likeliest]
        order = likeliest[np.argsort(change, kind="stable")][:_POPULATION]
        best = scores.take(order[:1])
        n_played = self.games.matchups + self._design[1] + n_games * int(state.seen_times.sum())
        record = [
            n_played * n_matchups + n_lever_games,
            best.imbalance_pp[0],
            best.mean_imbalance_pp[0],
            best.change[0],
            len(state.seen),
        ]
        return state.replaced(
            generation=state.generation + 1,
            population=state.seen[order],
            scores=scores.take(order),
            history=np.vstack([state.history, record]),
        )

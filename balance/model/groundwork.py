"""Groundwork: what is measured before genomes race, and the model that it makes of all games."""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np

from balance.evaluation import UNPLAYABLE, Evaluator
from balance.model.baseline import Baseline
from balance.model.design import Sample, games_of_design, play_design
from balance.model.features import Features
from balance.model.levers import levers_around
from balance.model.response import Played, Response
from balance.model.slopes import Regression, Slopes, slopes_of
from balance.model.state import ModelState
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.room import growth_errors, needed_room_pp
from balance.search import SearchState
from balance.search_space import Steps
from balance.settings import Games
from balance.statistics.intervals import Floats, Positions

LEVER_TIMES = 2  # games of a lever, in evaluations
_LEAST_LEFT = 0.25  # of a band, however few games a certificate has


class Groundwork:
    """Today's games, a design and what they tell of every number; levers where they are wanted.

    All of it is a function of the evaluator and the games, so none is kept in a search's state.

    Attributes:
        evaluator: knows contest, numbers and demands.
        games: games per matchup: `matchups` measure today, `search` is one evaluation.
        features: directions of the numbers.
    """

    def __init__(self, evaluator: Evaluator, games: Games) -> None:
        """Nothing is played yet."""
        self.evaluator, self.games = evaluator, games
        self.features = Features.of(evaluator.space)
        self._levers: dict[bytes, tuple[Played, int]] = {}

    @cached_property
    def baseline(self) -> Baseline:
        """Today's."""
        nothing = np.zeros((0, len(self.evaluator.space.genes)), dtype=np.int16)
        n_games, played = self.games.matchups, self.evaluator.today
        return Baseline.of(
            played or self.evaluator.play(nothing, n_games=n_games, purpose="matchups")
        )

    @cached_property
    def _design(self) -> tuple[Sample, int]:
        n_games = games_of_design(self.games, len(self.features))
        return play_design(self.evaluator, self.features, self.baseline, n_games=n_games)

    @cached_property
    def slopes(self) -> tuple[Slopes, ...]:
        """``[M + 1]`` of all responses, by the design."""
        contest, genes = self.evaluator.contest, self.evaluator.space.genes
        regression = Regression.of(contest, genes, self.features, self.baseline)
        return slopes_of(self._design[0], regression)

    def wishes(self, share: float = 1.0) -> Wishes:
        """What is demanded, with a share of the room that a certificate needs."""
        evaluator, n_games = self.evaluator, self.games.select
        lead_error = sqrt(self.baseline.lead_luck / n_games)
        errors = growth_errors(evaluator.looks(self.games.certify)[-1], n_games)
        limit = evaluator.guards.max_first_seat_pp / 100
        growth = max(limit - share * errors * lead_error, 0.0)
        room_pp = share * needed_room_pp(evaluator, self.games)
        room_pp = min(room_pp, (1 - _LEAST_LEFT) * evaluator.demands.band_pp)
        return Wishes(evaluator.demands, growth, room_pp / 100, self.baseline)

    @property
    def n_in_levers(self) -> int:
        """How many genomes' scores the levers around a centre take, at most."""
        return LEVER_TIMES * (len(self.features) + len(self.evaluator.contest.matchups))

    def levers(self, centres: Steps) -> list[tuple[Played, int]]:
        """Those around ``[L, K]`` centres, and how many games each took."""
        return [self._around(centre, k) for k, centre in enumerate(centres)]

    def _around(self, centre: Steps, k: int) -> tuple[Played, int]:
        if centre.tobytes() not in self._levers:
            self._levers[centre.tobytes()] = levers_around(
                self.evaluator,
                self.features,
                centre,
                n_games=LEVER_TIMES * self.games.search,
                purpose=f"search/lever/{k}",
                side=self.baseline.side,
            )
        return self._levers[centre.tobytes()]

    def model(self, state: ModelState) -> Response:
        """The model of all that was played, but for genomes with which games never end."""
        some = np.flatnonzero(state.seen_violation < UNPLAYABLE)
        played = self.played(state, some, state.seen_growth[some] / state.seen_times[some])
        for more, _ in self.levers(state.centres):
            played = played.joined(more)
        return Response.fit(self.baseline, self.slopes, played)

    def played(self, state: SearchState, some: Positions, growth: Floats) -> Played:
        """Responses of some of the genomes seen.

        Args:
            state: of the search.
            some: ``[n]`` positions in what it has seen.
            growth: ``[n]`` of the first seat's lead.
        """
        n_games = self.games.search * state.seen_times[some]
        points = state.seen_points[some, : len(self.baseline.logits)]
        rates, features = points / n_games[:, np.newaxis], self.features.read(state.seen[some])
        return Played.of(self.baseline, features, rates, growth, n_games)

    def model_with(self, model: Response, genomes: Steps, played: Readings) -> Response:
        """A model that has learned from further games of ``[S, K]`` genomes."""
        growth = self.baseline.growth(played)[: len(genomes)]
        features, rates = self.features.read(genomes), played.rates[: len(genomes)]
        n_games = np.full(len(genomes), played.n_games)
        more = Played.of(self.baseline, features, rates, growth, n_games)
        return Response.fit(self.baseline, self.slopes, model.played.joined(more))

    @property
    def n_games_before(self) -> int:
        """Games of the design, and of today if they are not known already, in all matchups."""
        of_each = self._design[1] + (0 if self.evaluator.today else self.games.matchups)
        return of_each * len(self.evaluator.contest.matchups)

    def n_games(self, state: ModelState) -> int:
        """How many games all of it and a search's rounds took."""
        n_raced = self.games.search * (int(state.seen_times.sum()) - state.scores_before)
        n_levers = sum(n for _, n in self.levers(state.centres))
        n_raced *= len(self.evaluator.contest.matchups)
        return state.games_before + self.n_games_before + n_raced + n_levers

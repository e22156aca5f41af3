"""Groundwork: what is measured before genomes race, and the model that it makes of all games.

Levers around a centre tell what one step of each number, alone, does there to every win rate. Steps
are played on the centre's own seeds. One step flips 3 to 6 games in 100, so the change is known
several times better than the rate; and only matchups that a number can reach are played.
"""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np

from balance.evaluation import UNPLAYABLE, Evaluator
from balance.model.design import Baseline, Sample, games_of_design, play_design
from balance.model.features import Features
from balance.model.response import Played, Response
from balance.model.slopes import Regression, Slopes, slopes_of
from balance.model.state import ModelState
from balance.model.wishes import Wishes
from balance.readings import Readings
from balance.room import growth_errors, needed_room_pp
from balance.search import SearchState
from balance.search_space import Steps
from balance.settings import Games
from balance.statistics.arithmetic import logit, steepness
from balance.statistics.intervals import Floats, Positions

LEVER_TIMES = 2  # games of a lever, in evaluations
_LEAST_LEFT = 0.25  # of a band, however few games a certificate has
_HALF_POINTS = 0.5  # added to a sum of squares: a step that flips no game may yet flip some


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
        self.evaluator = evaluator
        self.games = games
        self.features = Features.of(evaluator.space)
        self._levers: dict[bytes, tuple[Played, int]] = {}

    @cached_property
    def baseline(self) -> Baseline:
        """Today's."""
        nothing = np.zeros((0, len(self.evaluator.space.genes)), dtype=np.int16)
        n_games = self.games.matchups
        played = self.evaluator.today
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
        contest = self.evaluator.contest
        genes = self.evaluator.space.genes
        regression = Regression.of(contest, genes, self.features, self.baseline)
        return slopes_of(self._design[0], regression)

    def wishes(self, share: float = 1.0) -> Wishes:
        """What is demanded, with a share of the room that a certificate needs."""
        evaluator = self.evaluator
        n_games = self.games.select
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
        for k, centre in enumerate(centres):
            if centre.tobytes() not in self._levers:
                self._levers[centre.tobytes()] = levers_around(
                    self.evaluator,
                    self.features,
                    centre,
                    n_games=LEVER_TIMES * self.games.search,
                    purpose=f"search/lever/{k}",
                    side=self.baseline.side,
                )
        return [self._levers[centre.tobytes()] for centre in centres]

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
        rates = points / n_games[:, np.newaxis]
        features = self.features.read(state.seen[some])
        return Played.of(self.baseline, features, rates, growth, n_games)

    def model_with(self, model: Response, genomes: Steps, played: Readings) -> Response:
        """A model that has learned from further games of ``[S, K]`` genomes."""
        growth = self.baseline.growth(played)[: len(genomes)]
        features = self.features.read(genomes)
        rates = played.rates[: len(genomes)]
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


def levers_around(
    evaluator: Evaluator,
    features: Features,
    centre: Steps,
    *,
    n_games: int,
    purpose: str,
    side: int,
) -> tuple[Played, int]:
    """Differences of the genomes one step from a centre, and how many games they took in all.

    Args:
        evaluator: knows contest and numbers.
        features: directions of the numbers.
        centre: ``[K]`` a genome.
        n_games: games per matchup of each.
        purpose: names the stream of game seeds.
        side: 1 if the lead whose growth counts is the first seat's, else -1.
    """
    genomes, feature = features.single_steps(centre)
    contest = evaluator.contest
    genes = evaluator.space.genes
    reach = contest.matchup_reach(genes)[features.gene[feature]]
    n_matchups = reach.shape[1]
    change, variance = np.zeros((2, len(genomes), n_matchups + 1))
    variance[:] = np.nan
    leads = np.zeros((len(genomes), n_games // 2))
    broken = np.zeros(len(genomes), dtype=np.bool_)
    played = 0
    for m, matchup in enumerate(contest.matchups):
        moved = np.flatnonzero(reach[:, m])
        readings = contest.play(
            np.concatenate([genomes[moved], centre[np.newaxis]]),
            genes,
            n_games=n_games,
            run_seed=evaluator.run_seed,
            purpose=purpose,
            matchups=[matchup],
            threads=evaluator.threads,
            faults="keep",
        )
        played += (len(moved) + 1) * n_games
        broken[moved[[v for v in readings.faults if v < len(moved)]]] = True
        change[moved, m], variance[moved, m] = _logit_change(readings.rates_by_seed()[:, 0])
        first = readings.first_seat_by_seed()
        if first is not None:
            leads[moved] += side * (first[:-1, 0] - first[-1, 0]) / n_matchups
    change[:, -1] = leads.mean(axis=1)
    variance[:, -1] = _variance_of_mean(leads)
    centres = np.repeat(features.read(centre[np.newaxis]), len(genomes), axis=0)
    found = Played(features.read(genomes), centres, np.zeros(len(genomes)), change, variance)
    return found.take(~broken), played


def _logit_change(by_seed: Floats) -> tuple[Floats, Floats]:
    """``[L]`` changes and variances, from ``[L + 1, S]`` rates of each step and of the centre."""
    gained = by_seed[:-1] - by_seed[-1]
    before = by_seed[-1:].mean(axis=1)
    after = before + gained.mean(axis=1)
    scale = 1 / (steepness(before) * steepness(after))
    return logit(after) - logit(before), _variance_of_mean(gained) * scale


def _variance_of_mean(differences: Floats) -> Floats:
    """``[L]`` variances of means of ``[L, S]`` differences."""
    n = differences.shape[1]
    squares = (differences * differences).sum(axis=1) - n * differences.mean(axis=1) ** 2
    return np.asarray((squares + _HALF_POINTS) / n**2)

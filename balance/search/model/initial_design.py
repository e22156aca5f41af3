"""Initial design of a search: the games before its first round, and the fitted surrogate."""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np

from balance.contest.readings import Readings
from balance.search.evolutionary_search import SearchState
from balance.search.model.design import Baseline, Sample, games_of_design, play_design
from balance.search.model.features import Features
from balance.search.model.requirements import Requirements
from balance.search.model.response import Played, Response
from balance.search.model.sensitivities import measure_sensitivities
from balance.search.model.slopes import Slopes, slopes_of
from balance.search.model.state import ModelState
from balance.search.model.strengths import Regression
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Positions
from balance.verdict.evaluation import UNPLAYABLE, Evaluator
from balance.verdict.first_seat_guard import growth_errors
from balance.verdict.room import LIKELY, needed_room_pp

# Games of a sensitivity, in evaluations. Half as many gave worse patches (ten seeds, docs/log.md).
SENSITIVITY_EVALUATIONS = 2
# Minimum share of a band that the margin leaves. With few games the margin of a certificate may
# exceed the band, and every genome would then have a probability of feasibility of 0. Chosen by
# hand.
_LEAST_LEFT = 0.25


class InitialDesign:
    """The initial design of a search: baseline, random genomes, slopes, and sensitivities.

    All results are functions of the evaluator and the games, so a search's state stores none of
    them. Each is computed when it is first used, and kept.

    Attributes:
        evaluator: evaluator of the search, which has the contest, the search space and the demands.
        games: games per matchup of each stage: `matchups` for the baseline, `search` for an
            evaluation.
        features: the steps that genomes consist of.
    """

    def __init__(self, evaluator: Evaluator, games: Games) -> None:
        """Prepare the design without playing any games.

        Args:
            evaluator: evaluator of the search, which has the contest, the search space and the
                demands.
            games: games per matchup of each stage.
        """
        self.evaluator = evaluator
        self.games = games
        self.features: Features = Features.of(evaluator.space)
        self._levers: dict[bytes, tuple[Played, int]] = {}

    @cached_property
    def baseline(self) -> Baseline:
        """Readings of the unchanged game, which is played if the evaluator has no readings."""
        nothing = np.zeros((0, len(self.evaluator.space.genes)), dtype=np.int16)
        n_games = self.games.matchups
        played = self.evaluator.today
        return Baseline.of(
            played or self.evaluator.play(nothing, n_games=n_games, purpose="matchups")
        )

    @cached_property
    def _design(self) -> tuple[Sample, int]:
        """Results of the random genomes, and the number of games played per matchup."""
        n_games = games_of_design(self.games, len(self.features))
        return play_design(self.evaluator, self.features, self.baseline, n_games=n_games)

    @cached_property
    def slopes(self) -> tuple[Slopes, ...]:
        """Slopes of all ``M + 1`` responses, fitted to the design."""
        contest = self.evaluator.contest
        genes = self.evaluator.space.genes
        regression = Regression.of(contest, genes, self.features, self.baseline)
        return slopes_of(self._design[0], regression)

    def requirements(self, share: float = 1.0) -> Requirements:
        """Return the requirements on a genome: demands, limit on the lead, and margins.

        The margin of the demands is limited to three quarters of the band.

        Args:
            share: share of the certificate's margin that is applied; 0 applies no margin.
        """
        evaluator = self.evaluator
        n_games = self.games.select
        lead_error = sqrt(self.baseline.lead_luck / n_games)
        errors = growth_errors(evaluator.looks(self.games.certify)[-1], n_games, LIKELY)
        limit = evaluator.guards.max_first_seat_pp / 100
        # Not below 0, which would demand that the lead shrinks.
        growth = max(limit - share * errors * lead_error, 0.0)
        room_pp = share * needed_room_pp(evaluator, self.games)
        room_pp = min(room_pp, (1 - _LEAST_LEFT) * evaluator.demands.band_pp)
        return Requirements(evaluator.demands, growth, room_pp / 100, self.baseline)

    @property
    def n_sensitivity_evaluations(self) -> int:
        """Maximum cost of the sensitivities around one centre, in evaluations of one genome."""
        return SENSITIVITY_EVALUATIONS * (len(self.features) + len(self.evaluator.contest.matchups))

    def levers(self, centres: Steps) -> list[tuple[Played, int]]:
        """Return the sensitivities around centres, and the number of games played for each centre.

        Centres that were not measured before are played now.

        Args:
            centres: genomes in the order in which they were chosen, which sets their seeds, shape
                [L, K].
        """
        for k, centre in enumerate(centres):
            if centre.tobytes() not in self._levers:
                self._levers[centre.tobytes()] = measure_sensitivities(
                    self.evaluator,
                    self.features,
                    centre,
                    n_games=SENSITIVITY_EVALUATIONS * self.games.search,
                    purpose=f"search/lever/{k}",
                    side=self.baseline.side,
                )
        return [self._levers[centre.tobytes()] for centre in centres]

    def model(self, state: ModelState) -> Response:
        """Return the surrogate fitted to the evaluated genomes and the sensitivities of a state.

        Genomes with games that never end are left out.

        Args:
            state: state of a model search.
        """
        playable = np.flatnonzero(state.seen_violation < UNPLAYABLE)
        played = self.played(
            state, playable, state.seen_growth[playable] / state.seen_times[playable]
        )
        for differences, _ in self.levers(state.centres):
            played = played.append(differences)
        return Response.fit(self.baseline, self.slopes, played)

    def played(self, state: SearchState, selected: Positions, growth: Floats) -> Played:
        """Return the results of selected evaluated genomes, as data of the surrogate.

        Args:
            state: state of a search.
            selected: positions in `state.seen`, shape [n].
            growth: growth of the first seat's lead with each selected genome, shape [n].
        """
        n_games = self.games.search * state.seen_times[selected]
        points = state.seen_points[selected, : len(self.baseline.logits)]
        rates = points / n_games[:, np.newaxis]
        features = self.features.read(state.seen[selected])
        return Played.of(self.baseline, features, rates, growth, n_games)

    def model_with(self, model: Response, genomes: Steps, played: Readings) -> Response:
        """Return a new surrogate, fitted to the data of another one and to further games.

        Args:
            model: surrogate with the data so far; it is not changed.
            genomes: genomes of the further games, shape [S, K].
            played: readings of the further games; the first S rows are those of the genomes.
        """
        growth = self.baseline.growth(played)[: len(genomes)]
        features = self.features.read(genomes)
        rates = played.rates[: len(genomes)]
        n_games = np.full(len(genomes), played.n_games)
        added = Played.of(self.baseline, features, rates, growth, n_games)
        return Response.fit(self.baseline, self.slopes, model.played.append(added))

    @property
    def n_games_before(self) -> int:
        """Number of games of the design, over all matchups.

        It includes the games of the baseline unless the evaluator already had its readings.
        """
        per_matchup = self._design[1] + (0 if self.evaluator.today else self.games.matchups)
        return per_matchup * len(self.evaluator.contest.matchups)

    def n_games(self, state: ModelState) -> int:
        """Return the number of games of a search so far, over all matchups and stages.

        Args:
            state: state of the search.
        """
        n_raced = self.games.search * (int(state.seen_times.sum()) - state.scores_before)
        n_levers = sum(n for _, n in self.levers(state.centres))
        n_raced *= len(self.evaluator.contest.matchups)
        return state.games_before + self.n_games_before + n_raced + n_levers

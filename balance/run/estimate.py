"""Estimate of the games and the duration of a balancing run before it starts.

The games of most stages follow from the settings. Those of a model-based search and of a clean-up
depend on the number of edits that are needed, which a probe (`balance.run.probe`) predicts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest
from balance.run.card_question import CardQuestion
from balance.run.explanation import games_of_explanation
from balance.run.probe import Probe, probe_run
from balance.run.stages import LEAST_FOR_CLEANUP
from balance.search.candidate_games import AT_ONCE as AT_ONCE_SELECTED
from balance.search.candidate_games import MOST_CONTESTED, TIMES
from balance.search.cleanup import AT_ONCE
from balance.search.methods import most_rounds
from balance.search.model.candidates import (
    ENOUGH_EVALUATIONS,
    LARGEST_ROUND,
    USUAL_ROUND,
)
from balance.search.model.design import games_of_design
from balance.search.model.features import Features
from balance.search.model.initial_design import SENSITIVITY_EVALUATIONS
from balance.search.model.model_search import EXTENDED_ROUNDS_FACTOR, N_CENTRES
from balance.search.model.shortlist import MOST_CONTENDERS
from balance.search.short_trial import FEW
from balance.settings.budget import games_to_spend
from balance.settings.tables import BalanceSettings, Widening
from balance.verdict.edit_effects import MOST_EDITS, games_of_effects

# The constants below were fitted by hand to finished runs; docs/log.md ("The estimate") compares
# the resulting estimates with 27 further questions that had no part in the fit.

_GENERATIONS_OF_STEP = 1.7  # generations that an evolution needs per step of the patch
# Generations per step of the patch below which even twice the generations do not suffice.
_TWICE_AS_MANY = 1.1
_EDITS_OF_STEP = 0.85  # edits in the final patch per step that a probe expects
# A model-based search takes 1 + (n / 2.1)² rounds if the patch needs n steps that the first games
# do not determine.
_STEPS_OF_ROUND = 2.1
_ROUNDS_OF_CENTRE = 2.0  # rounds, from the fourth on, per local refinement with measured slopes
_ROUNDS_OF_DESIGN = 2.0  # rounds that take as long as fitting the model to its initial design
_ROWS = 300.0  # number of evaluated candidates that doubles the time of fitting the model
_SELECTED = 11  # candidates that a model passes to the selection
_CONTENDERS = 12  # contenders of a model in the selection; 0 with a total
_BATCHES = 2  # batches of candidates in a selection until one has enough margin
# Shares of a certificate's games that are played before the verdict is settled, without and with a
# total number of games, which spends the risk later.
_LOOKED_AT = 0.2
_LOOKED_AT_WITH_TOTAL = 0.35
# Maximum games of a certificate, relative to those for the demands, if more games may be played for
# the guards: the last of `balance.verdict.risk.GUARD_MULTIPLES`.
_GUARDS_MOST = 4


class StageEstimate(NamedTuple):
    """Estimated number of games of one stage of a balancing run.

    Attributes:
        stage: name of the stage, such as `search`.
        n_games: expected number of games, over all matchups.
        most: maximum number of games that the stage can take, over all matchups.
    """

    stage: str
    n_games: int
    most: int


@dataclass(frozen=True)
class RunEstimate:
    """Estimated cost of a balancing run.

    Attributes:
        stages: estimates of the stages, in the order in which they are played.
        game_s: duration of a game in seconds.
        seconds: expected duration of the run in seconds, without drawing figures.
        total: total number of games (`games.total`); `None` if the settings give none.
        widened: relaxations of the search that are expected (`balance.run.escalation`).
    """

    stages: tuple[StageEstimate, ...]
    game_s: float
    seconds: float
    total: int | None
    widened: tuple[Widening, ...]

    @property
    def n_games(self) -> int:
        """Expected number of games of all stages together."""
        return sum(stage.n_games for stage in self.stages)

    @property
    def most(self) -> int:
        """Maximum number of games of all stages together, at most `total`."""
        most = sum(stage.most for stage in self.stages)
        return most if self.total is None else min(most, self.total)


def estimate_run(
    question: CardQuestion, *, clock: Callable[[], float] = time.perf_counter
) -> RunEstimate:
    """Estimate the games and seconds of `run_balance` and of measuring the effects of edits.

    Games of the baseline are played and timed, on a stream of seeds that no run uses.

    Args:
        question: question of the run.
        clock: function that returns the current time in seconds.
    """
    return guess_run(question, probe_run(question, clock=clock))


def guess_run(question: CardQuestion, probe: Probe) -> RunEstimate:
    """Estimate the cost of a run from a finished probe.

    Args:
        question: question of the run.
        probe: result of `probe_run` for this question.
    """
    forecast = _Forecast.of(question, probe)
    stages = tuple(forecast.stages())
    n_games = sum(stage.n_games for stage in stages)
    seconds = n_games * probe.game_s + forecast.model_s()
    total = question.settings.games.total
    return RunEstimate(stages, probe.game_s, seconds, total, forecast.widened)


@dataclass(frozen=True)
class _Forecast:
    """Formulas for the cost of a run, and their inputs.

    Attributes:
        question: question of the run, with the games of all stages.
        probe: result of a probe of the run.
        n_features: expected number of model features of the numbers that may move after narrowing.
        n_reached: expected number of pairs of such a feature and a matchup that it can affect.
    """

    question: CardQuestion
    probe: Probe
    n_features: int
    n_reached: int

    @classmethod
    def of(cls, question: CardQuestion, probe: Probe) -> _Forecast:
        """Return the forecast of a run.

        Narrowing is assumed to keep the same share of the features as of the cards.

        Args:
            question: question of the run, with the games of all stages.
            probe: result of a probe of the run.
        """
        contest = question.contest
        settings = question.settings
        space = question.space
        narrow = settings.narrow
        features = Features.of(space)
        share = 1.0
        if narrow.by != "none":
            n_decks = len(settings.tune.decks or contest.players)
            share = min(1.0, narrow.keep * n_decks / max(len(space.cards), 1))
        reached = contest.matchup_reach(space.genes)[features.gene].sum()
        n_features = max(1, round(share * len(features)))
        return cls(question, probe, n_features, round(share * float(reached)))

    @property
    def contest(self) -> CardContest:
        """Cards and players of the run."""
        return self.question.contest

    @property
    def settings(self) -> BalanceSettings:
        """Settings of the run, with the games of all stages."""
        return self.question.settings

    @property
    def n_matchups(self) -> int:
        """Number of matchups of the contest."""
        return len(self.contest.matchups)

    @property
    def is_model(self) -> bool:
        """Whether the search of the run is model-based."""
        return self.settings.search.method == "model"

    @property
    def n_edits(self) -> float:
        """Expected number of edits of the final patch."""
        return _EDITS_OF_STEP * self.probe.n_steps

    @property
    def n_rounds(self) -> float:
        """Expected number of rounds of a model-based search.

        If the probe expects no sufficient patch, the search is expected to take all permitted
        rounds. A total number of games also limits the rounds.
        """
        settings = self.settings
        n = self.n_matchups
        most: float = settings.search.rounds * (1 if self.probe.does else EXTENDED_ROUNDS_FACTOR)
        if settings.games.total is not None:
            designed = games_of_design(settings.games, self.n_features)
            left = games_to_spend(settings, n) / n - designed
            most = min(most, left / (USUAL_ROUND * settings.games.search))
        n_open = self.probe.n_steps * (1 - self.probe.chance)
        likely = 1 + (n_open / _STEPS_OF_ROUND) ** 2
        return min(likely, most) if self.probe.does else most

    @property
    def widened(self) -> tuple[Widening, ...]:
        """Kinds of relaxations that the search is expected to make.

        All cards are released if the narrowed ones do not suffice; rounds or steps are added to an
        evolution with too few generations. No relaxation is expected with a total number of games,
        or if the probe expects no sufficient patch.
        """
        search = self.settings.search
        if self.settings.games.total is not None or not self.probe.does:
            return ()
        of_step = np.inf if self.is_model else search.generations / max(self.probe.n_steps, 1)
        needed = {
            "cards": not self.probe.does_narrowed,
            "rounds": of_step < _GENERATIONS_OF_STEP,
            "steps": of_step < _TWICE_AS_MANY,
        }
        return tuple(kind for kind in search.widen if needed.get(kind))

    @property
    def n_centres(self) -> float:
        """Expected number of local refinements with measured slopes in a model-based search."""
        return min(max((self.n_rounds - 3) / _ROUNDS_OF_CENTRE, 0.0), N_CENTRES)

    def stages(self) -> list[StageEstimate]:
        """Return the estimates of all stages, in the order in which they are played.

        The stage `explain` is left out if no games are expected for it.
        """
        games = self.settings.games
        n = self.n_matchups
        measure = games.matchups * n
        narrow = self.question.games_of_narrowing()
        search, search_most = self._search()
        most_selected = self.settings.search.candidates
        n_selected = min(_SELECTED, most_selected) if self.is_model else most_selected
        select, select_most = self._selection(n_selected, most_selected)
        # Each relaxation repeats the search, and candidates of earlier selections are played again.
        if n_again := len(self.widened):
            search, search_most = (
                (1 + n_again) * all_games + (2 * n_again - 1) * selected
                for all_games, selected in ((search, select), (search_most, select_most))
            )
            select = 2 * select
            select_most = 2 * select_most
        n_reduced = (self.n_edits + 1) / FEW + AT_ONCE * (self.n_edits > 1)
        clean_up = round(n_reduced * games.select * n) * self.probe.does
        clean_up_most = max(search_most, select_most, LEAST_FOR_CLEANUP)
        certify = 2 * games.certify * n
        looked_at = _LOOKED_AT if games.total is None else _LOOKED_AT_WITH_TOTAL
        certified = round(looked_at * certify)
        edits, edits_most = (
            games_of_effects(k, games, n) for k in (round(self.n_edits), MOST_EDITS)
        )
        if games.total is not None:
            left = max(games.total - measure - narrow - search - select - certify, 0)
            clean_up = min(clean_up, left)
            clean_up_most = left
            left += certify - certified - clean_up
            edits = min(edits, left)
            edits_most = min(edits_most, left)
        explain = self._explanation_games()
        times = 1 if games.total is not None else _GUARDS_MOST
        return [
            StageEstimate("measure", measure, measure),
            StageEstimate("narrow", narrow, narrow),
            StageEstimate("search", search, search_most),
            StageEstimate("select", select, select_most),
            StageEstimate("clean up", clean_up, clean_up_most),
            StageEstimate("certify", certified, times * certify),
            *([StageEstimate("explain", explain, explain)] if explain else []),
            StageEstimate("edits", edits, edits_most),
        ]

    def _selection(self, n_expected: int, n_most: int) -> tuple[int, int]:
        """Return the expected and the maximum number of games of a selection, over all matchups.

        All candidates and the baseline play few games, and some of them play on.

        Args:
            n_expected: expected number of candidates, without contenders.
            n_most: maximum number of candidates, without contenders.
        """
        games = self.settings.games
        has_contenders = self.is_model and games.total is None
        n_tried = n_expected + _CONTENDERS * has_contenders + 1
        n_played = min(n_tried, _BATCHES * AT_ONCE_SELECTED + 1)
        share = 1 / FEW
        most = n_most + MOST_CONTENDERS * has_contenders + 1
        if games.total is None:
            most += (TIMES - 1) * (MOST_CONTESTED + 1)
        n_games = games.select * self.n_matchups
        return round((share * n_tried + (1 - share) * n_played) * n_games), most * n_games

    def _explanation_games(self) -> int:
        """Return the expected number of games of the explanation of a failure, over all matchups.

        The number is 0 if the probe expects a sufficient patch, or with a total number of games.
        """
        settings = self.settings
        if self.probe.does or settings.games.total is not None:
            return 0
        _, wide = self.question.relaxed_spaces(settings, self.question.space)
        return games_of_explanation(len(Features.of(wide)), settings.games) * self.n_matchups

    def _search(self) -> tuple[int, int]:
        """Return the expected and the maximum number of games of the search, over all matchups."""
        settings = self.settings
        games = self.settings.games
        n = self.n_matchups
        designed = games_of_design(games, self.n_features) * n
        spend = games_to_spend(settings, n)
        if not self.is_model:
            assisted = designed if settings.search.assist and games.total is None else 0
            return spend + assisted, spend + assisted
        centre = (
            SENSITIVITY_EVALUATIONS * games.search * (self.n_reached + n)
            + ENOUGH_EVALUATIONS * games.search * n
        )
        expected = (
            designed + self.n_rounds * USUAL_ROUND * games.search * n + self.n_centres * centre
        )
        most = designed + most_rounds(settings.search) * LARGEST_ROUND * games.search * n
        most += N_CENTRES * centre
        if games.total is not None:
            most = min(most, spend)
        return min(round(expected), most), most

    def model_s(self) -> float:
        """Return the expected seconds that a search takes in addition to its games.

        A model-based search fits its model in every round; the time of other searches is 0.
        """
        if not self.is_model:
            return 0.0
        n_rows = self.n_rounds * USUAL_ROUND + self.n_centres * self.n_features
        n_times = (self.n_rounds + _ROUNDS_OF_DESIGN) * (1 + n_rows / 2 / _ROWS)
        return n_times * self.probe.round_s

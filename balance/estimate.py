"""Estimate of a balancing run before it starts: the games of each stage, and the seconds.

The games of most stages follow from the settings. A model-based search and a clean-up end when they
are done; a probe (`balance.probe`) predicts how far they have to go.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.budget import games_to_spend
from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.cleanup import AT_ONCE, FEW
from balance.edit_effects import MOST_EDITS, games_of_effects
from balance.explanation import games_of_explanation
from balance.found_patch import LEAST_FOR_CLEANUP
from balance.methods import most_rounds
from balance.model.design import games_of_design
from balance.model.features import Features
from balance.model.initial_design import SENSITIVITY_EVALUATIONS
from balance.model.search import (
    ENOUGH_EVALUATIONS,
    EXTENDED_ROUNDS_FACTOR,
    LARGEST_ROUND,
    N_CENTRES,
    USUAL_ROUND,
)
from balance.pipeline import games_of_narrowing, within_total
from balance.probe import Probe, probe_run
from balance.relaxations import relaxed_spaces
from balance.settings import BalanceSettings, Widening

# The constants below were fitted by hand to finished runs; docs/log.md ("The estimate") compares
# the resulting estimates with 27 further questions that had no part in the fit.

_GENERATIONS_OF_STEP = 1.7  # generations that an evolution needs per step of the patch
_TWICE_AS_MANY = 1.1  # generations per step below which doubling the generations does not suffice
_EDITS_OF_STEP = 0.85  # edits in the final patch per step that a probe expects
# Rounds of a model-based search: 1 + (n / 2.1)², for n steps of which none is likely to do yet.
_STEPS_OF_ROUND = 2.1
_ROUNDS_OF_CENTRE = 2.0  # rounds, from the fourth on, per local refinement with measured slopes
_ROUNDS_OF_DESIGN = 2.0  # rounds that take as long as fitting the model to its initial design
_ROWS = 300.0  # evaluated candidates at which fitting the model takes twice as long
_SELECTED = 11  # candidates that a model passes to the selection
_LOOKED_AT = 0.35  # share of a certificate's games played before the verdict is settled
# Most games of a certificate, relative to those for the demands, if guards may play on: the last
# of `balance.risk.GUARD_MULTIPLES`.
_GUARDS_MOST = 4


class StageEstimate(NamedTuple):
    """Estimated games of a stage.

    Attributes:
        stage: name of the stage.
        n_games: expected games, over all matchups.
        most: most games that the stage can take, over all matchups.
    """

    stage: str
    n_games: int
    most: int


@dataclass(frozen=True)
class RunEstimate:
    """Estimated cost of a run.

    Attributes:
        stages: estimates of the stages, in their order.
        game_s: seconds per game.
        seconds: expected seconds of the run, without drawing figures.
        total: total number of games, if the settings give one.
        widened: relaxations that are expected (`balance.escalation`).
    """

    stages: tuple[StageEstimate, ...]
    game_s: float
    seconds: float
    total: int | None
    widened: tuple[Widening, ...]

    @property
    def n_games(self) -> int:
        """Expected games of all stages."""
        return sum(stage.n_games for stage in self.stages)

    @property
    def most(self) -> int:
        """Most games that all stages together can take."""
        most = sum(stage.most for stage in self.stages)
        return most if self.total is None else min(most, self.total)


def estimate_run(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> RunEstimate:
    """Estimate the games and seconds of `run_balance` and of measuring the effects of edits.

    Args:
        contest: cards and players; a few games are played, with the purpose `estimate`.
        settings: settings of the run.
        threads: number of threads; default all cores.
        clock: returns the current time in seconds.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    return guess_run(contest, settings, probe_run(contest, settings, threads=threads, clock=clock))


def guess_run(contest: CardContest, settings: BalanceSettings, probe: Probe) -> RunEstimate:
    """Estimate the cost of a run from a finished probe.

    Args:
        contest: cards and players.
        settings: settings of the run.
        probe: result of `probe_run` for them.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    forecast = _Forecast.of(contest, within_total(contest, settings), probe)
    stages = tuple(forecast.stages())
    n_games = sum(stage.n_games for stage in stages)
    seconds = n_games * probe.game_s + forecast.model_s()
    return RunEstimate(stages, probe.game_s, seconds, settings.games.total, forecast.widened)


@dataclass(frozen=True)
class _Forecast:
    """Formulas for the cost of a run, and their inputs.

    Attributes:
        contest: cards and players.
        settings: settings of the run, with the games of all stages.
        probe: result of a probe of the run.
        n_features: number of model features of the numbers that may move after narrowing.
        n_reached: number of pairs of such a feature and a matchup that it can affect.
    """

    contest: CardContest
    settings: BalanceSettings
    probe: Probe
    n_features: int
    n_reached: int

    @classmethod
    def of(cls, contest: CardContest, settings: BalanceSettings, probe: Probe) -> _Forecast:
        """Return the forecast for a run; narrowing is assumed to keep a like share of features."""
        space = build_space(contest, settings.tune)
        narrow = settings.narrow
        features = Features.of(space)
        share = 1.0
        if narrow.by != "none":
            n_decks = len(settings.tune.decks or contest.players)
            share = min(1.0, narrow.keep * n_decks / max(len(space.cards), 1))
        reached = contest.matchup_reach(space.genes)[features.gene].sum()
        n_features = max(1, round(share * len(features)))
        return cls(contest, settings, probe, n_features, round(share * float(reached)))

    @property
    def n_matchups(self) -> int:
        """Number of matchups of the contest."""
        return len(self.contest.matchups)

    @property
    def is_model(self) -> bool:
        """Whether the search is model-based."""
        return self.settings.search.method == "model"

    @property
    def n_edits(self) -> float:
        """Expected edits of the final patch."""
        return _EDITS_OF_STEP * self.probe.n_steps

    @property
    def n_rounds(self) -> float:
        """Expected rounds of a model-based search."""
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
        """Expected relaxations: cards that do not suffice, evolutions with too few generations."""
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
        """Expected local refinements of a model-based search that measure slopes."""
        return min(max((self.n_rounds - 3) / _ROUNDS_OF_CENTRE, 0.0), N_CENTRES)

    def stages(self) -> list[StageEstimate]:
        """Return the estimates of all stages, in order."""
        games = self.settings.games
        n = self.n_matchups
        measure = games.matchups * n
        space = build_space(self.contest, self.settings.tune)
        narrow = games_of_narrowing(self.contest, self.settings, space)
        search, search_most = self._search()
        most_selected = self.settings.search.candidates
        n_selected = min(_SELECTED, most_selected) if self.is_model else most_selected
        select, select_most = ((k + 1) * games.select * n for k in (n_selected, most_selected))
        # Each relaxation repeats the search, and the candidates selected before are played again.
        if n_again := len(self.widened):
            search, search_most = (
                (1 + n_again) * all_games + (2 * n_again - 1) * selected
                for all_games, selected in ((search, select), (search_most, select_most))
            )
            select = 2 * select
            select_most = 2 * select_most
        looked_at = (self.n_edits + 1) / FEW + AT_ONCE * (self.n_edits > 1)
        clean_up = round(looked_at * games.select * n) * self.probe.does
        clean_up_most = max(search_most, LEAST_FOR_CLEANUP)
        certify = 2 * games.certify * n
        certified = round(_LOOKED_AT * certify)
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

    def _explanation_games(self) -> int:
        """Return the games of the explanation, which is needed only if no patch suffices."""
        settings = self.settings
        contest = self.contest
        if self.probe.does or settings.games.total is not None:
            return 0
        _, wide = relaxed_spaces(contest, settings, build_space(contest, settings.tune))
        return games_of_explanation(len(Features.of(wide)), settings.games) * self.n_matchups

    def _search(self) -> tuple[int, int]:
        """Return the expected games of the search, and the most."""
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
        """Return the seconds of a search in addition to its games."""
        if not self.is_model:
            return 0.0
        n_rows = self.n_rounds * USUAL_ROUND + self.n_centres * self.n_features
        n_times = (self.n_rounds + _ROUNDS_OF_DESIGN) * (1 + n_rows / 2 / _ROWS)
        return n_times * self.probe.round_s

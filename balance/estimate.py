"""An estimate of a balance run before it: the games of each stage, and seconds.

Where settings say how many games a stage plays, they are counted. A model's search and a clean-up
end once they are done; how far they have to go is told by a probe (`balance.probe`).
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
from balance.model.groundwork import LEVER_TIMES
from balance.model.search import ABOUT_RACED, MOST_RACED, N_CENTRES, SURE, TIMES_WITHOUT
from balance.pipeline import games_of_narrowing, within_total
from balance.probe import Probe, probe_run
from balance.relaxations import relaxed_spaces
from balance.settings import BalanceSettings, Widening

_GENERATIONS_OF_STEP = 1.7  # that an evolution needs
_TWICE_AS_MANY = 1.1  # of a step, with fewer of which twice as many do not suffice
_EDITS_OF_STEP = 0.85  # of those that a probe expects
_STEPS_OF_ROUND = 2.1  # whose square tells rounds, where nothing is likely to do yet
_ROUNDS_OF_CENTRE = 2.0  # rounds after the third, of which one begins with levers
_ROUNDS_OF_DESIGN = 2.0  # that take as long as it takes a model to learn from the design
_ROWS = 300.0  # genomes that a model has learned from when it takes twice as long
_SELECTED = 11  # genomes that a model has selected
_LOOKED_AT = 0.35  # of a certificate's games, before all is told
_GUARDS_MOST = 4  # times a certificate's games, where guards may play on


class StageEstimate(NamedTuple):
    """A stage, the games that it may well take, and the most that it can."""

    stage: str
    n_games: int
    most: int


@dataclass(frozen=True)
class RunEstimate:
    """What a run may take.

    Attributes:
        stages: in their order.
        game_s: seconds of a game.
        seconds: all of it, without figures.
        total: of all games, if the settings tell one.
        widened: what is expected to be widened (`balance.escalation`).
    """

    stages: tuple[StageEstimate, ...]
    game_s: float
    seconds: float
    total: int | None
    widened: tuple[Widening, ...]

    @property
    def n_games(self) -> int:
        """Of all stages."""
        return sum(stage.n_games for stage in self.stages)

    @property
    def most(self) -> int:
        """That all stages can take."""
        most = sum(stage.most for stage in self.stages)
        return most if self.total is None else min(most, self.total)


def estimate_run(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> RunEstimate:
    """What `run_balance` and the effects of edits may take.

    Args:
        contest: cards and players; some games are played, with the purpose `estimate`.
        settings: what to do.
        threads: threads to use; default all cores.
        clock: tells seconds.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    return guess_run(contest, settings, probe_run(contest, settings, threads=threads, clock=clock))


def guess_run(contest: CardContest, settings: BalanceSettings, probe: Probe) -> RunEstimate:
    """What a run may take by a probe of it.

    Raises:
        InputError: as `estimate_run`.
    """
    guess = _Guess.of(contest, within_total(contest, settings), probe)
    stages = tuple(guess.stages())
    n_games = sum(stage.n_games for stage in stages)
    seconds = n_games * probe.game_s + guess.model_s()
    return RunEstimate(stages, probe.game_s, seconds, settings.games.total, guess.widened)


@dataclass(frozen=True)
class _Guess:
    """What is known of a run before it.

    Attributes:
        contest: cards and players.
        settings: what to do, with the games of all stages.
        probe: what a look ahead told.
        n_features: of the numbers that may move once the cards are narrowed.
        n_reached: of them, in all matchups together.
    """

    contest: CardContest
    settings: BalanceSettings
    probe: Probe
    n_features: int
    n_reached: int

    @classmethod
    def of(cls, contest: CardContest, settings: BalanceSettings, probe: Probe) -> _Guess:
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
        return len(self.contest.matchups)

    @property
    def is_model(self) -> bool:
        return self.settings.search.method == "model"

    @property
    def n_edits(self) -> float:
        return _EDITS_OF_STEP * self.probe.n_steps

    @property
    def n_rounds(self) -> float:
        settings = self.settings
        n = self.n_matchups
        most: float = settings.search.rounds * (1 if self.probe.does else TIMES_WITHOUT)
        if settings.games.total is not None:
            designed = games_of_design(settings.games, self.n_features)
            left = games_to_spend(settings, n) / n - designed
            most = min(most, left / (ABOUT_RACED * settings.games.search))
        n_open = self.probe.n_steps * (1 - self.probe.chance)
        likely = 1 + (n_open / _STEPS_OF_ROUND) ** 2
        return min(likely, most) if self.probe.does else most

    @property
    def widened(self) -> tuple[Widening, ...]:
        """What is expected to be widened: cards that cannot do, and evolutions that end early."""
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
        return min(max((self.n_rounds - 3) / _ROUNDS_OF_CENTRE, 0.0), N_CENTRES)

    def stages(self) -> list[StageEstimate]:
        """The games of each stage, in order."""
        games = self.settings.games
        n = self.n_matchups
        measure = games.matchups * n
        space = build_space(self.contest, self.settings.tune)
        narrow = games_of_narrowing(self.contest, self.settings, space)
        search, search_most = self._search()
        most_selected = self.settings.search.candidates
        n_selected = min(_SELECTED, most_selected) if self.is_model else most_selected
        select, select_most = ((k + 1) * games.select * n for k in (n_selected, most_selected))
        if n_again := len(self.widened):  # a search once more, and what had been selected before
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
        times = 1 if games.total is not None else _GUARDS_MOST
        return [
            StageEstimate("measure", measure, measure),
            StageEstimate("narrow", narrow, narrow),
            StageEstimate("search", search, search_most),
            StageEstimate("select", select, select_most),
            StageEstimate("clean up", clean_up, clean_up_most),
            StageEstimate("certify", certified, times * certify),
            *([StageEstimate("explain", why, why)] if (why := self._why()) else []),
            StageEstimate("edits", edits, edits_most),
        ]

    def _why(self) -> int:
        """Games of the explanation, which nobody needs where something is found."""
        settings = self.settings
        contest = self.contest
        if self.probe.does or settings.games.total is not None:
            return 0
        _, wide = relaxed_spaces(contest, settings, build_space(contest, settings.tune))
        return games_of_explanation(len(Features.of(wide)), settings.games) * self.n_matchups

    def _search(self) -> tuple[int, int]:
        """Games of the search, and the most."""
        settings = self.settings
        games = self.settings.games
        n = self.n_matchups
        designed = games_of_design(games, self.n_features) * n
        spend = games_to_spend(settings, n)
        if not self.is_model:
            assisted = designed if settings.search.assist and games.total is None else 0
            return spend + assisted, spend + assisted
        centre = LEVER_TIMES * games.search * (self.n_reached + n) + SURE * games.search * n
        expected = (
            designed + self.n_rounds * ABOUT_RACED * games.search * n + self.n_centres * centre
        )
        most = designed + most_rounds(settings.search) * MOST_RACED * games.search * n
        most += N_CENTRES * centre
        if games.total is not None:
            most = min(most, spend)
        return min(round(expected), most), most

    def model_s(self) -> float:
        """Seconds of a search beside its games."""
        if not self.is_model:
            return 0.0
        n_rows = self.n_rounds * ABOUT_RACED + self.n_centres * self.n_features
        n_times = (self.n_rounds + _ROUNDS_OF_DESIGN) * (1 + n_rows / 2 / _ROWS)
        return n_times * self.probe.round_s

"""Question of a balancing run: a contest, its settings, and the numbers that may move."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from balance.contest.contest import Contest
from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.run.explanation import RelaxedSpaces
from balance.run.found_patch import FoundPatch
from balance.settings.contest_budget import split_total
from balance.settings.tables import BalanceSettings, Widening
from balance.space.search_space import SearchSpace
from balance.space.tune import Tune
from balance.verdict.evaluation import Evaluator

ResultT = TypeVar("ResultT", bound=FoundPatch)


class Measured(Protocol):
    """Games of the baseline before the search, and the search space that follows from them."""

    @property
    def today(self) -> Readings:
        """Games of the baseline, `games.matchups` per matchup."""

    @property
    def space(self) -> SearchSpace:
        """Search space of the patch."""

    @property
    def n_narrowed(self) -> int:
        """Number of games that narrowing the space has played, over all matchups."""

    @property
    def first_side(self) -> int:
        """1 if these games show an advantage of the first seat, otherwise -1."""


class BaselineGames(NamedTuple):
    """Games of the baseline of any contest, without narrowing; see `Measured`."""

    today: Readings
    space: SearchSpace
    n_narrowed: int = 0
    first_side: int = 1


@dataclass(frozen=True)
class Question(Generic[ResultT]):
    """What a balancing run is to find: a patch of any contest within a search space.

    Subclasses narrow the space before the search, and relax settings, as contests of cards do.

    Attributes:
        contest: players and matchups.
        settings: settings of the run, with the games of all stages.
        space: search space of the patch, before narrowing.
        demands: demanded rates and their bounds.
    """

    contest: Contest
    settings: BalanceSettings
    space: SearchSpace
    demands: Demands

    @property
    def total_games(self) -> int | None:
        """Total number of games of the run; `None` if each stage has its own number."""
        return self.settings.games.total

    def evaluator(self, measured: Measured, try_number: int | None) -> Evaluator:
        """Return the evaluator with which the search begins.

        Args:
            measured: result of `measure`.
            try_number: number of this certification attempt; `None` if attempts are not counted.
        """
        return Evaluator.of(
            self.contest,
            measured.space,
            self.settings,
            demands=self.demands,
            try_number=try_number,
            today=measured.today,
        )

    def measure(self) -> Measured:
        """Play the games of the baseline with which the run begins, and narrow the space."""
        return BaselineGames(self.play_today(), self.space)

    def play_today(self) -> Readings:
        """Play the games of the baseline with which a run begins, `games.matchups` per matchup."""
        return play_today(self.contest, self.settings)

    def wider_space(
        self, narrowed: SearchSpace, tune: Tune, widened: Collection[Widening]
    ) -> SearchSpace:
        """Return the search space of a run after relaxations; here always the narrowed space.

        Args:
            narrowed: search space after narrowing.
            tune: settings `[tune]` after the relaxations.
            widened: kinds of relaxations that were made.
        """
        del tune, widened  # a contest without cards has no settings that could be relaxed
        return narrowed

    def relaxed_spaces(self, settings: BalanceSettings, space: SearchSpace) -> RelaxedSpaces:
        """Return search spaces with one relaxed setting each, for an explanation; here none.

        Args:
            settings: settings of the search after relaxations.
            space: search space of the search.
        """
        del settings
        return {}, space

    def spaces_without_rules(
        self, settings: BalanceSettings, space: SearchSpace
    ) -> dict[str, SearchSpace]:
        """Return search spaces without one design rule each, for a price list; here none.

        Args:
            settings: settings of the search after relaxations.
            space: search space of the search.
        """
        del settings, space
        return {}

    def result(self, found: FoundPatch, measured: Measured) -> ResultT:
        """Return the result of the run as the class that belongs to the question.

        Args:
            found: result of the stages that are the same for any contest.
            measured: result of `measure`.
        """
        del measured
        return found  # type: ignore[return-value]  # subclasses return more


def play_today(contest: Contest, settings: BalanceSettings, purpose: str = "matchups") -> Readings:
    """Play the games of the baseline, `games.matchups` per matchup.

    Args:
        contest: players and matchups.
        settings: settings of the run, with its seed and its numbers of games.
        purpose: name of the stream of game seeds; see `sim.seeds`.
    """
    return contest.play(
        np.zeros((1, 0), dtype=np.int16),
        (),
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose=purpose,
    )


def question_of(
    contest: Contest, settings: BalanceSettings, space: SearchSpace
) -> Question[FoundPatch]:
    """Return the question of balancing any contest within a search space.

    Args:
        contest: players and matchups.
        settings: settings of the run; only `seed`, `target`, `guards`, `search` and `games` are
            used. A total number of games is split among the stages.
        space: search space of the patch.

    Raises:
        InputError: the target does not fit the contest, or the total number of games is too small.
    """
    whole = split_total(contest, settings)
    return Question(contest, whole, space, settings.demands_in(contest))

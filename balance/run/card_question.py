"""Question of balancing a card contest: narrowing of its cards, and relaxations of its settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import cast

from balance.cards.card_contest import CardContest, play_matchups
from balance.cards.card_space import build_space
from balance.cards.narrowing import (
    Narrowing,
    lever_intervals,
    measure_levers,
    narrow,
    no_scores,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.cards.power import (
    CardPower,
    games_of_power,
    measure_power,
    n_powers_of,
    piloted_for_power,
)
from balance.cards.relaxations import relaxed_spaces, spaces_without_rules
from balance.cards.total_games import within_total
from balance.contest.readings import MatchupCounts
from balance.run.balance_run import BalanceRun, Measurement
from balance.run.context import RunContext
from balance.run.explanation import RelaxedSpaces
from balance.run.found_patch import FoundPatch
from balance.run.question import Measured, Question
from balance.run.stages import run_stages
from balance.search.methods import check_search
from balance.settings.tables import BalanceSettings, Widening
from balance.space.search_space import SearchSpace
from balance.space.tune import Tune
from balance.statistics.intervals import Interval
from sim.files.validation import revalidated


@dataclass(frozen=True)
class CardQuestion(Question[BalanceRun]):
    """Question of balancing a card contest; `prepare` makes it.

    Attributes:
        contest: cards and players.
        power_contest: contest with the agents for power measurements; `None` for the result of
            `piloted_for_power`.
    """

    contest: CardContest
    power_contest: CardContest | None

    def measure(self) -> Measurement:
        """Play the baseline's matchups, and narrow the cards."""
        contest = self.contest
        settings = self.settings
        matchups = self.play_today()
        measuring = contest
        powers = list[CardPower]()
        intervals = dict[int, Interval]()
        if settings.narrow.by == "power":
            measuring = self.power_contest or piloted_for_power(contest, settings)
            powers = measure_power(
                measuring,
                n_games=settings.games.power,
                run_seed=settings.seed,
                baseline=settings.narrow.baseline,
            )
            intervals = power_intervals(powers)
        elif settings.narrow.by == "lever":
            levers = measure_levers(
                contest, self.space, n_games=settings.games.lever, run_seed=settings.seed
            )
            intervals = lever_intervals(levers, self.space)
        narrowing = self.narrowed(intervals)
        return Measurement(matchups, powers, narrowing, measuring)

    def play_today(self) -> MatchupCounts:
        """Play the baseline's matchups with which a run begins, `games.matchups` of each."""
        return play_matchups(
            self.contest,
            self.contest.table,
            n_games=self.settings.games.matchups,
            run_seed=self.settings.seed,
            purpose="matchups",
        )

    def narrowed(self, intervals: dict[int, Interval]) -> Narrowing:
        """Return the search space restricted to the cards with the highest scores.

        Args:
            intervals: measured score of each card with its interval; empty if cards are narrowed by
                chance or not at all.
        """
        settings = self.settings
        is_random = settings.narrow.by == "random"
        default = random_scores(self.space, settings.seed) if is_random else no_scores(self.space)
        return narrow(
            self.contest,
            self.space,
            scores_of(intervals) or default,
            by=settings.narrow.by,
            keep=settings.narrow.keep,
            decks=settings.tune.decks,
            intervals=intervals,
            n_games=self.games_of_narrowing(),
        )

    def games_of_narrowing(self) -> int:
        """Return the number of games for scoring the cards, over all matchups.

        The number is 0 if scores are not measured.
        """
        settings = self.settings
        if settings.narrow.by == "power":
            return games_of_power(self.contest, n_powers_of(self.contest), settings.games.power)
        if settings.narrow.by == "lever":
            n_matchups = len(self.contest.matchups)
            return 2 * len(self.space.genes) * n_matchups * settings.games.lever
        return 0

    def wider_space(
        self, narrowed: SearchSpace, tune: Tune, widened: Collection[Widening]
    ) -> SearchSpace:
        """Return the search space of a run after given kinds of relaxations.

        The space is restricted to the narrowed cards unless the relaxation `cards` was made.

        Args:
            narrowed: search space after narrowing.
            tune: settings `[tune]` after the relaxations.
            widened: kinds of relaxations that were made.
        """
        space = build_space(self.contest, tune)
        if "cards" in widened or self.settings.narrow.by == "none":
            return space
        # Relaxations other than `cards` must not undo the narrowing.
        return space.restricted_to(narrowed.cards)

    def relaxed_spaces(self, settings: BalanceSettings, space: SearchSpace) -> RelaxedSpaces:
        """Return search spaces with one relaxed setting each, for an explanation."""
        return relaxed_spaces(self.contest, settings, space)

    def spaces_without_rules(
        self, settings: BalanceSettings, space: SearchSpace
    ) -> dict[str, SearchSpace]:
        """Return search spaces without one design rule each, for a price list."""
        return spaces_without_rules(self.contest, settings.tune, space)

    def result(self, found: FoundPatch, measured: Measured) -> BalanceRun:
        """Return the result of the run, with the contest and its measurement."""
        measurement = cast("Measurement", measured)
        parts = {part.name: getattr(found, part.name) for part in fields(found)}
        return BalanceRun(**parts, contest=self.contest, measurement=measurement)


def prepare(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    power_contest: CardContest | None = None,
) -> CardQuestion:
    """Return the question of balancing a card contest, checked for all stages; plays no game.

    Args:
        contest: cards and players.
        settings: settings of the run; a total number of games is split among the stages.
        power_contest: contest with the agents for power measurements; by default the result of
            `piloted_for_power`.

    Raises:
        InputError: a setting is invalid or does not fit the contest, the contest has fewer than two
            players, no number may move, or the total number of games is too small.
    """
    # The result is not used, since in it all defaults would count as set explicitly.
    revalidated(settings, source="settings")
    contest.require_opponents()
    demands = settings.demands_in(contest)
    check_search(settings.search)
    space = build_space(contest, settings.tune)
    resolved = within_total(contest, settings, space)
    return CardQuestion(contest, resolved, space, demands, power_contest)


def run_balance(
    contest: CardContest, settings: BalanceSettings, context: RunContext | None = None
) -> BalanceRun:
    """Balance a card contest: run all stages from the measurement to the certificate.

    Args:
        contest: cards and players.
        settings: settings of the run.
        context: state to continue from, attempt number, and callbacks; by default none.

    Raises:
        InputError: the contest cannot be balanced with these settings; see `prepare`.

    Example:
        >>> from balance import BalanceSettings, Games, Search, load_contest
        >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        >>> games = Games(matchups=400, search=40, select=400, certify=4_000)
        >>> search = Search(method="ga", population=20, generations=15)
        >>> run = run_balance(contest, BalanceSettings(seed=3, games=games, search=search))
        >>> run
        BalanceRun(certified=True, change=7, cards=7, games=4,000)
        >>> edit = run.patch[0]
        >>> print(edit.card, edit.field, edit.before, edit.after)
        cinder_imp health 1 2
    """
    return run_stages(prepare(contest, settings), context)

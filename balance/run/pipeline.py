"""Stages of balancing a card contest: measure the baseline, narrow the cards, find a patch.

The stages after narrowing are the same for any contest (`balance.run.found_patch`). If a selection
finds no sufficient patch, the search continues with relaxed settings (`balance.run.escalation`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import cast

from agents.registry import agent_named
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
from balance.cards.power import CardPower, games_of_power, measure_power, n_powers_of
from balance.cards.relaxations import relaxed_spaces
from balance.contest.readings import MatchupCounts
from balance.run.found_patch import FoundPatch, balance_contest
from balance.search.evolutionary_search import SearchState
from balance.search.methods import check_search
from balance.settings.budget import split_games
from balance.settings.tables import OWN, BalanceSettings, Widening
from balance.space.search_space import SearchSpace
from balance.space.tune import Tune
from balance.statistics.intervals import Interval
from sim.arguments import AtLeastOne, checked
from sim.files.validation import revalidated


@dataclass(frozen=True)
class Measurement:
    """Measurements of the baseline before the search.

    Attributes:
        matchups: results of the baseline's matchups.
        powers: card powers in the baseline; empty unless cards are narrowed by power.
        narrowing: result of narrowing, with the search space.
        power_contest: contest with the agents for power measurements.
    """

    matchups: MatchupCounts
    powers: list[CardPower]
    narrowing: Narrowing
    power_contest: CardContest


@dataclass(frozen=True)
class BalanceRun(FoundPatch):
    """Complete result of a balancing run of a card contest.

    Attributes:
        contest: contest with the baseline cards.
        measurement: measurements of the baseline, including narrowing.
    """

    contest: CardContest
    measurement: Measurement

    @property
    def certified_counts(self) -> MatchupCounts:
        """Results of the certificate's games, with the patch first and the baseline last."""
        return cast("MatchupCounts", self.certified)


def check_balance(contest: CardContest, settings: BalanceSettings) -> None:
    """Refuse a contest and settings that a stage of the run would refuse; no game is played.

    Raises:
        InputError: a setting is invalid or does not fit the contest, the contest has fewer than two
            players, no number may move, or the total number of games is too small.
    """
    # The result is not used, since in it all defaults would count as set explicitly.
    revalidated(settings, source="settings")
    contest.require_opponents()
    settings.demands_in(contest)
    check_search(settings.search)
    build_space(contest, settings.tune)
    within_total(contest, settings)


def within_total(contest: CardContest, settings: BalanceSettings) -> BalanceSettings:
    """Return the settings with `games.total` split among the stages.

    Settings without a total, or for a contest without matchups, are returned unchanged.

    Raises:
        InputError: the total is too small.
    """
    if settings.games.total is None or not contest.matchups:
        return settings
    return split_games(
        settings,
        n_matchups=len(contest.matchups),
        n_numbers=len(build_space(contest, settings.tune).genes),
        n_powers=n_powers_of(contest) + len(contest.players),
    )


def pilots(contest: CardContest, settings: BalanceSettings) -> CardContest:
    """Return the contest with the agents for power measurements, from `narrow.agent`.

    With `own` the contest is returned unchanged.
    """
    name = settings.narrow.agent
    return contest if name == OWN else contest.piloted_by(agent_named(name))


def measure(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    power_contest: CardContest | None = None,
) -> Measurement:
    """Play the baseline's matchups, and narrow the cards.

    Args:
        contest: cards and players.
        settings: settings of the run.
        power_contest: contest with the agents for power measurements; default the result of
            `pilots`.
    """
    settings = within_total(contest, settings)
    matchups = play_matchups(
        contest,
        contest.table,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
    )
    narrow_settings = settings.narrow
    games = settings.games
    seed = settings.seed
    space = build_space(contest, settings.tune)
    measuring = contest
    powers = list[CardPower]()
    intervals = dict[int, Interval]()
    if narrow_settings.by == "power":
        measuring = power_contest or pilots(contest, settings)
        powers = measure_power(
            measuring,
            n_games=games.power,
            run_seed=seed,
            baseline=narrow_settings.baseline,
        )
        intervals = power_intervals(powers)
    elif narrow_settings.by == "lever":
        levers = measure_levers(contest, space, n_games=games.lever, run_seed=seed)
        intervals = lever_intervals(levers, space)
    default_scores = (
        random_scores(space, seed) if narrow_settings.by == "random" else no_scores(space)
    )
    narrowing = narrow(
        contest,
        space,
        scores_of(intervals) or default_scores,
        by=narrow_settings.by,
        keep=narrow_settings.keep,
        decks=settings.tune.decks,
        intervals=intervals,
        n_games=games_of_narrowing(contest, settings, space),
    )
    return Measurement(matchups, powers, narrowing, measuring)


def games_of_narrowing(contest: CardContest, settings: BalanceSettings, space: SearchSpace) -> int:
    """Return the number of games for scoring the cards of a search space, over all matchups.

    The number is 0 if scores are not measured.

    Args:
        contest: cards and players.
        settings: settings of the run, with the games of all stages.
        space: search space before narrowing.
    """
    if settings.narrow.by == "power":
        return games_of_power(contest, n_powers_of(contest), settings.games.power)
    if settings.narrow.by == "lever":
        return 2 * len(space.genes) * len(contest.matchups) * settings.games.lever
    return 0


@checked(try_number=AtLeastOne | None)
def run_balance(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    power_contest: CardContest | None = None,
    measurement: Measurement | None = None,
    explains: bool = True,
    state: SearchState | None = None,
    try_number: int | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> BalanceRun:
    """Balance a card contest: run all stages from the measurement to the certificate.

    Args:
        contest: cards and players.
        settings: settings of the run.
        power_contest: contest with the agents for power measurements; default the result of
            `pilots`.
        measurement: result of `measure` with the same seed, games, `tune` and `narrow`; `None` to
            measure.
        explains: whether to explain a failure, which may take longer than the search.
        state: state from which the search continues; `None` to begin a search.
        try_number: number of this certification attempt for its question, from 1
            (`balance.verdict.risk`); `None` if attempts are not counted. An uncounted attempt gets
            the whole risk and needs less margin, so it may recommend a different patch than the
            first counted attempt.
        on_stage: callback, called with the name of each stage when it begins.
        on_generation: callback, called with the state of the search after every generation.

    Raises:
        InputError: the contest cannot be balanced with these settings; see `check_balance`.
    """
    check_balance(contest, settings)
    settings = within_total(contest, settings)
    if measurement is None:
        on_stage("measure")
        measurement = measure(contest, settings, power_contest=power_contest)
    narrowing = measurement.narrowing
    result = balance_contest(
        contest,
        narrowing.space,
        settings,
        today=measurement.matchups,
        wider=partial(wider_space, contest, narrowing),
        relaxed=partial(relaxed_spaces, contest),
        explains=explains,
        first_side=measurement.matchups.first_side,
        n_narrowed=narrowing.n_games,
        state=state,
        try_number=try_number,
        on_stage=on_stage,
        on_generation=on_generation,
    )
    return BalanceRun(**vars(result), contest=contest, measurement=measurement)


def wider_space(
    contest: CardContest, narrowing: Narrowing, tune: Tune, widened: Collection[Widening]
) -> SearchSpace:
    """Return the search space of a run after given kinds of relaxations.

    The space is restricted to the narrowed cards unless the relaxation `cards` was made.

    Args:
        contest: cards and players.
        narrowing: result of the run's narrowing.
        tune: settings `[tune]` after the relaxations.
        widened: kinds of relaxations that were made.
    """
    space = build_space(contest, tune)
    if "cards" in widened or narrowing.by == "none":
        return space
    # Relaxations other than `cards` must not undo the narrowing.
    return space.restricted_to(narrowing.space.cards)

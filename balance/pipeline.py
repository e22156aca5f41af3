"""The main job for cards, stage by stage: measure, narrow, and find a patch that is certified.

What comes after narrowing is the same for any contest (`balance.found_patch`). Where a selection
finds nothing, the search goes on with something widened (`balance.escalation`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import cast

from agents.registry import agent_named
from balance.budget import split_games
from balance.card_contest import CardContest, play_matchups
from balance.card_space import build_space
from balance.found_patch import FoundPatch, balance_contest
from balance.methods import check_search
from balance.narrowing import (
    Narrowing,
    lever_intervals,
    measure_levers,
    narrow,
    no_scores,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.power import CardPower, games_of_power, measure_power, n_powers_of
from balance.readings import MatchupCounts
from balance.relaxations import relaxed_spaces
from balance.search import SearchState
from balance.search_space import SearchSpace
from balance.settings import OWN, BalanceSettings, Widening
from balance.statistics.intervals import Interval
from balance.tune import Tune
from sim.arguments import AtLeastOne, Threads, checked
from sim.files.validation import revalidated


@dataclass(frozen=True)
class Measurement:
    """What is known of today's cards before anything is searched.

    Attributes:
        matchups: today's win rates.
        powers: today's card power; empty if narrowing does not need it.
        narrowing: cards kept and dropped.
        power_contest: the decks in the hands of those who measured power.
    """

    matchups: MatchupCounts
    powers: list[CardPower]
    narrowing: Narrowing
    power_contest: CardContest


@dataclass(frozen=True)
class BalanceRun(FoundPatch):
    """Everything that a balance run found.

    Attributes:
        contest: cards and players.
        measurement: today's cards.
    """

    contest: CardContest
    measurement: Measurement

    @property
    def certified_counts(self) -> MatchupCounts:
        """The certificate's games, as a contest of cards plays them: the patch, then today."""
        return cast("MatchupCounts", self.certified)


def check_balance(contest: CardContest, settings: BalanceSettings) -> None:
    """Refuse what the stages would refuse, before anything is played.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    # Only looked at: what it makes of the settings would take every default for what was said.
    revalidated(settings, source="settings")
    contest.require_opponents()
    settings.demands_in(contest)
    check_search(settings.search)
    build_space(contest, settings.tune)
    within_total(contest, settings)


def within_total(contest: CardContest, settings: BalanceSettings) -> BalanceSettings:
    """The settings, with the games of all stages split from `games.total` if there is one.

    Raises:
        InputError: there are too few.
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
    """The contest with the agents that measure power (`narrow.agent`), by their registered name."""
    name = settings.narrow.agent
    return contest if name == OWN else contest.piloted_by(agent_named(name))


def measure(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    power_contest: CardContest | None = None,
    threads: int | None = None,
) -> Measurement:
    """Play today's matchups and narrow the cards down.

    Args:
        contest: cards and players.
        settings: what to do.
        power_contest: the same decks in the hands of those who measure power; default `pilots`.
        threads: threads to use; default all cores.
    """
    settings = within_total(contest, settings)
    matchups = play_matchups(
        contest,
        contest.table,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
        threads=threads,
    )
    told = settings.narrow
    games = settings.games
    seed = settings.seed
    space = build_space(contest, settings.tune)
    measuring = contest
    powers = list[CardPower]()
    intervals = dict[int, Interval]()
    if told.by == "power":
        measuring = power_contest or pilots(contest, settings)
        powers = measure_power(
            measuring,
            n_games=games.power,
            run_seed=seed,
            baseline=told.baseline,
            threads=threads,
        )
        intervals = power_intervals(powers)
    elif told.by == "lever":
        levers = measure_levers(contest, space, n_games=games.lever, run_seed=seed, threads=threads)
        intervals = lever_intervals(levers, space)
    by_chance = random_scores(space, seed) if told.by == "random" else no_scores(space)
    narrowing = narrow(
        contest,
        space,
        scores_of(intervals) or by_chance,
        by=told.by,
        keep=told.keep,
        decks=settings.tune.decks,
        intervals=intervals,
        n_games=games_of_narrowing(contest, settings, space),
    )
    return Measurement(matchups, powers, narrowing, measuring)


def games_of_narrowing(contest: CardContest, settings: BalanceSettings, space: SearchSpace) -> int:
    """How many games it takes to score the cards of a space."""
    if settings.narrow.by == "power":
        return games_of_power(contest, n_powers_of(contest), settings.games.power)
    if settings.narrow.by == "lever":
        return 2 * len(space.genes) * len(contest.matchups) * settings.games.lever
    return 0


@checked(threads=Threads, try_number=AtLeastOne | None)
def run_balance(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    power_contest: CardContest | None = None,
    measurement: Measurement | None = None,
    explains: bool = True,
    state: SearchState | None = None,
    try_number: int | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> BalanceRun:
    """Run all stages.

    Args:
        contest: cards and players.
        settings: what to do.
        threads: threads to use; default all cores.
        power_contest: see `measure`.
        measurement: what `measure` found with the same seed, games, `tune` and `narrow`;
            default it is called.
        explains: see `balance.found_patch.find_patch`.
        state: where the search continues; default its beginning.
        try_number: which try of its question this is, if tries are counted (`balance.risk`); 1 is
            a first run of `evenhand balance`. Uncounted, a try has all the risk, so needs less
            room, and may come to another patch.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    check_balance(contest, settings)
    settings = within_total(contest, settings)
    if measurement is None:
        on_stage("measure")
        measurement = measure(contest, settings, power_contest=power_contest, threads=threads)
    narrowing = measurement.narrowing
    found = balance_contest(
        contest,
        narrowing.space,
        settings,
        today=measurement.matchups,
        wider=partial(wider_space, contest, narrowing),
        relaxed=partial(relaxed_spaces, contest),
        explains=explains,
        first_side=measurement.matchups.first_side,
        n_narrowed=narrowing.n_games,
        threads=threads,
        state=state,
        try_number=try_number,
        on_stage=on_stage,
        on_generation=on_generation,
    )
    return BalanceRun(**vars(found), contest=contest, measurement=measurement)


def wider_space(
    contest: CardContest, narrowing: Narrowing, tune: Tune, widened: Collection[Widening]
) -> SearchSpace:
    """What may move once so much is widened.

    Args:
        contest: cards and players.
        narrowing: how the cards were narrowed before.
        tune: what may move then.
        widened: in which ways.
    """
    space = build_space(contest, tune)
    if "cards" in widened or narrowing.by == "none":
        return space
    return space.restricted_to(narrowing.space.cards)

"""The main job, stage by stage: measure, narrow, search, select, clean up, certify, explain.

Only the search is long, so only the search hands out states to be kept; the other stages are
functions of cards, players and settings, and are simply done again when a run is resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from agents.registry import agent_named
from balance.budget import left_for_cleanup, split_games
from balance.card_contest import CardContest, play_matchups
from balance.card_space import build_space
from balance.certificate import Certificate, certify
from balance.cleanup import CleanUp, clean_up
from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.explanation import Explanation, explain
from balance.methods import method_named
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
from balance.optimisers import OPTIMISERS
from balance.patch import Edit, patch_of
from balance.power import CardPower, games_of_power, measure_power, n_powers_of
from balance.readings import MatchupCounts, Readings
from balance.search import SearchState
from balance.selection import Selection, select
from balance.settings import OWN, BalanceSettings
from balance.statistics.intervals import Interval
from sim.errors import InputError

LEAST_FOR_CLEANUP = 1_000_000  # games; else it may take as many as the search


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

    @property
    def first_side(self) -> int:
        """1 if today's advantage is the first seat's, -1 if it is the second's."""
        winners = self.matchups.winners[0]
        return 1 if int((winners == 0).sum()) >= int((winners == 1).sum()) else -1


@dataclass(frozen=True)
class FoundPatch:
    """What a search, a selection and a certificate came to.

    Attributes:
        evaluator: what played and scored the candidates.
        state: the finished search.
        selection: its best genomes, played again.
        cleanup: what it took to take back what the best could do without.
        certificate: the verdict on the recommended one.
        certified: the certificate's games: the patch, then today.
        patch: the recommended edits.
        least_change: that below which no patch can do it, as far as the method can tell.
    """

    evaluator: Evaluator
    state: SearchState
    selection: Selection
    cleanup: CleanUp
    certificate: Certificate
    certified: Readings
    patch: tuple[Edit, ...]
    least_change: float | None


@dataclass(frozen=True)
class BalanceRun(FoundPatch):
    """Everything that a balance run found.

    Attributes:
        contest: cards and players.
        measurement: today's cards.
        explanation: why demands are not shown to hold, if a model was asked.
    """

    contest: CardContest
    measurement: Measurement
    explanation: Explanation | None

    @property
    def told(self) -> Demands:
        """What reports tell of: every matchup, whatever is demanded of it, then other demands."""
        return self.certificate.demands.with_matchups(self.contest.matchup_names)

    @property
    def certified_counts(self) -> MatchupCounts:
        """The certificate's games, as a contest of cards plays them: the patch, then today."""
        return cast("MatchupCounts", self.certified)


def check_balance(contest: CardContest, settings: BalanceSettings) -> None:
    """Refuse what the stages would refuse, before anything is played.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    contest.require_opponents()
    settings.demands_in(contest)
    method = settings.search.method
    method_named(method)
    if settings.search.assist and method not in OPTIMISERS:
        raise InputError(
            f"search.assist: {method!r} is no optimiser that could be assisted; known: "
            + ", ".join(OPTIMISERS)
        )
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
    told, games, seed = settings.narrow, settings.games, settings.seed
    space = build_space(contest, settings.tune)
    measuring, powers, intervals, n_games = contest, list[CardPower](), dict[int, Interval](), 0
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
        n_games = games_of_power(measuring, len(powers), games.power)
    elif told.by == "lever":
        levers = measure_levers(contest, space, n_games=games.lever, run_seed=seed, threads=threads)
        intervals = lever_intervals(levers, space)
        n_games = 2 * len(space.genes) * len(contest.matchups) * games.lever
    by_chance = random_scores(space, seed) if told.by == "random" else no_scores(space)
    narrowing = narrow(
        contest,
        space,
        scores_of(intervals) or by_chance,
        by=told.by,
        keep=told.keep,
        decks=settings.tune.decks,
        intervals=intervals,
        n_games=n_games,
    )
    return Measurement(matchups, powers, narrowing, measuring)


def run_balance(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    power_contest: CardContest | None = None,
    measurement: Measurement | None = None,
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
        state: where the search continues; default its beginning.
        try_number: which try of its question this is, if tries are counted (`balance.risk`).
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
    evaluator = Evaluator(
        contest,
        measurement.narrowing.space,
        settings.demands_in(contest),
        settings.guards,
        settings.seed,
        threads,
        try_number,
        measurement.matchups,
        guards_may_play_on=settings.games.total is None,
    )
    n_measured = measurement.matchups.n_games * len(contest.matchups)
    found = find_patch(
        evaluator,
        settings,
        first_side=measurement.first_side,
        n_spent=n_measured + measurement.narrowing.n_games,
        state=state,
        on_stage=on_stage,
        on_generation=on_generation,
    )
    explanation = None
    if not found.certificate.inside.all() and settings.games.total is None:
        on_stage("explain")
        played = found.selection.points / found.selection.n_games
        explanation = explain(contest, evaluator, settings, played)
    return BalanceRun(
        **vars(found), contest=contest, measurement=measurement, explanation=explanation
    )


def find_patch(
    evaluator: Evaluator,
    settings: BalanceSettings,
    *,
    first_side: int = 1,
    n_spent: int = 0,
    state: SearchState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> FoundPatch:
    """Search, select, clean up and certify, for any contest.

    Args:
        evaluator: plays and scores genomes.
        settings: of which `search` and `games` count here.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        n_spent: games that measuring and narrowing took, of a total (`balance.budget`).
        state: where the search continues; default its beginning.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.
    """
    games, n_matchups = settings.games, len(evaluator.contest.matchups)
    on_stage("search")
    method = method_named(settings.search.method)(evaluator, settings)
    state = method.run(state, on_generation)
    on_stage("select")
    selection = select(evaluator, state, method.shortlist(state), games, method.likely)
    on_stage("clean up")
    n_played = int(state.history[-1, 0]) + (len(selection.genomes) + 1) * games.select * n_matchups
    left = left_for_cleanup(settings, n_spent + n_played, n_matchups)
    most_games = max(int(state.history[-1, 0]), LEAST_FOR_CLEANUP) if left is None else left
    selection, cleanup = clean_up(evaluator, selection, games, most_games=most_games)
    on_stage("certify")
    genome = selection.genomes[selection.recommended]
    certificate, readings = certify(evaluator, genome, n_games=games.certify, first_side=first_side)
    patch = patch_of(genome, evaluator.space, evaluator.contest)
    least = method.least_change(genome)
    return FoundPatch(evaluator, state, selection, cleanup, certificate, readings, patch, least)

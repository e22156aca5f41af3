"""The main job, stage by stage: measure, narrow, search, select, certify.

Only the search is long, so only the search hands out states to be kept; the other stages are
functions of cards, players and settings, and are simply done again when a run is resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from agents.registry import agent_named
from balance.card_contest import CardContest, play_matchups
from balance.card_space import build_space
from balance.certificate import Certificate, certify
from balance.evaluation import Evaluator
from balance.levers import measure_levers
from balance.matchups import MatchupCounts
from balance.narrowing import (
    Narrowing,
    lever_intervals,
    narrow,
    no_scores,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.optimisers import optimiser_named
from balance.patch import Edit, patch_of
from balance.power import CardPower, games_of_power, measure_power
from balance.readings import Readings
from balance.search import SearchState, run_search
from balance.selection import Selection, select
from balance.settings import OWN, BalanceSettings
from balance.statistics.intervals import Interval


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
class BalanceRun:
    """Everything that a balance run found.

    Attributes:
        contest: cards and players.
        evaluator: what played and scored the candidates.
        measurement: today's cards.
        state: the finished search.
        selection: its best genomes, played again.
        certificate: the verdict on the recommended one.
        certified_counts: the certificate's games: the patch, then today.
        patch: the recommended edits.
    """

    contest: CardContest
    evaluator: Evaluator
    measurement: Measurement
    state: SearchState
    selection: Selection
    certificate: Certificate
    certified_counts: MatchupCounts
    patch: tuple[Edit, ...]


def check_balance(contest: CardContest, settings: BalanceSettings) -> None:
    """Refuse what the stages would refuse, before anything is played.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    contest.require_opponents()
    contest.targets(settings.target.win_rate)
    optimiser_named(settings.search.method)
    build_space(contest, settings.tune)


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
    matchups = play_matchups(
        contest,
        contest.table,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
        threads=threads,
    )
    if settings.narrow.by == "power":
        measuring = power_contest or pilots(contest, settings)
        scoring = _by_power(measuring, settings, threads)
    else:
        measuring, scoring = contest, _SCORERS[settings.narrow.by](contest, settings, threads)
    narrowing = _narrow(contest, settings, scoring)
    return Measurement(matchups, scoring.powers, narrowing, measuring)


def run_balance(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    power_contest: CardContest | None = None,
    measurement: Measurement | None = None,
    state: SearchState | None = None,
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
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    check_balance(contest, settings)
    if measurement is None:
        on_stage("measure")
        measurement = measure(contest, settings, power_contest=power_contest, threads=threads)
    target = settings.target
    evaluator = Evaluator(
        contest,
        measurement.narrowing.space,
        contest.demands(target.win_rate, target.band_pp),
        settings.guards,
        settings.seed,
        threads,
    )
    found = find_patch(
        evaluator,
        settings,
        first_side=measurement.first_side,
        state=state,
        on_stage=on_stage,
        on_generation=on_generation,
    )
    counts = cast("MatchupCounts", found.readings)  # as a contest of cards plays them
    return BalanceRun(
        contest,
        evaluator,
        measurement,
        found.state,
        found.selection,
        found.certificate,
        counts,
        found.patch,
    )


class FoundPatch(NamedTuple):
    """What a search came to: its end, its best genomes played again, the verdict on one."""

    state: SearchState
    selection: Selection
    certificate: Certificate
    readings: Readings  # the certificate's games: the patch, then today
    patch: tuple[Edit, ...]


def find_patch(
    evaluator: Evaluator,
    settings: BalanceSettings,
    *,
    first_side: int = 1,
    state: SearchState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> FoundPatch:
    """Search, select and certify, for any contest.

    Args:
        evaluator: plays and scores genomes.
        settings: of which `search` and `games` count here.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        state: where the search continues; default its beginning.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.
    """
    games = settings.games
    on_stage("search")
    state = run_search(
        evaluator, settings.search, n_games=games.search, state=state, on_generation=on_generation
    )
    on_stage("select")
    selection = select(
        evaluator,
        state,
        n_search_games=games.search,
        n_games=games.select,
        n_certify=games.certify,
    )
    on_stage("certify")
    genome = selection.genomes[selection.recommended]
    certificate, readings = certify(evaluator, genome, n_games=games.certify, first_side=first_side)
    patch = patch_of(genome, evaluator.space, evaluator.contest)
    return FoundPatch(state, selection, certificate, readings, patch)


class _Scoring(NamedTuple):
    """Card scores, and what is known about how they came about."""

    scores: Mapping[int, float]
    intervals: Mapping[int, Interval]
    powers: list[CardPower]
    n_games: int


def _narrow(contest: CardContest, settings: BalanceSettings, scoring: _Scoring) -> Narrowing:
    return narrow(
        contest,
        build_space(contest, settings.tune),
        scoring.scores,
        by=settings.narrow.by,
        keep=settings.narrow.keep,
        decks=settings.tune.decks,
        intervals=scoring.intervals,
        n_games=scoring.n_games,
    )


def _by_power(contest: CardContest, settings: BalanceSettings, threads: int | None) -> _Scoring:
    n_games = settings.games.power
    powers = measure_power(
        contest,
        n_games=n_games,
        run_seed=settings.seed,
        baseline=settings.narrow.baseline,
        threads=threads,
    )
    intervals = power_intervals(powers)
    n_all = games_of_power(contest, len(powers), n_games)
    return _Scoring(scores_of(intervals), intervals, powers, n_all)


def _by_lever(contest: CardContest, settings: BalanceSettings, threads: int | None) -> _Scoring:
    space = build_space(contest, settings.tune)
    n_games = settings.games.lever
    levers = measure_levers(
        contest, space, n_games=n_games, run_seed=settings.seed, threads=threads
    )
    intervals = lever_intervals(levers, space)
    n_all = 2 * len(space.genes) * len(contest.matchups) * n_games
    return _Scoring(scores_of(intervals), intervals, [], n_all)


def _by_chance(contest: CardContest, settings: BalanceSettings, _: int | None) -> _Scoring:
    space = build_space(contest, settings.tune)
    return _Scoring(random_scores(space, settings.seed), {}, [], 0)


def _keep_all(contest: CardContest, settings: BalanceSettings, _: int | None) -> _Scoring:
    return _Scoring(no_scores(build_space(contest, settings.tune)), {}, [], 0)


_SCORERS: dict[str, Callable[[CardContest, BalanceSettings, int | None], _Scoring]] = {
    "lever": _by_lever,
    "random": _by_chance,
    "none": _keep_all,
}

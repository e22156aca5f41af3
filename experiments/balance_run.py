"""The main job, stage by stage: measure, power, narrow, search, select, certify.

Only the search is long, so only the search leaves checkpoints; the other stages are functions
of the experiment and are simply done again when a run is resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from balance.certificate import Certificate, certify, matchup_confidence
from balance.contest import Contest
from balance.evaluation import Evaluator
from balance.intervals import Interval
from balance.levers import measure_levers
from balance.matchups import MatchupCounts, play_matchups
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
from balance.power import CardPower, measure_power
from balance.search import SearchState, run_search
from balance.search_space import SearchSpace, build_space
from balance.selection import Selection, select
from experiments.experiment import Experiment, check_contest
from experiments.power_command import pilots


@dataclass(frozen=True)
class BalanceRun:
    """Everything that a balance run found.

    Attributes:
        contest: cards and players.
        evaluator: what played and scored the candidates.
        measured: today's matchups.
        powers: today's card power; empty if narrowing did not need it.
        narrowing: cards kept and dropped.
        state: the finished search.
        selection: its best genomes, played again.
        certificate: the verdict on the recommended one.
        certified_counts: the certificate's games: the patch, then today.
        patch: the recommended edits.
    """

    contest: Contest
    evaluator: Evaluator
    measured: MatchupCounts
    powers: list[CardPower]
    narrowing: Narrowing
    state: SearchState
    selection: Selection
    certificate: Certificate
    certified_counts: MatchupCounts
    patch: tuple[Edit, ...]


def check_stages(experiment: Experiment) -> None:
    """Refuse what `run_stages` would refuse, before anything is written.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    check_contest(experiment)
    optimiser_named(experiment.settings.search.method)
    build_space(experiment.contest(), experiment.settings.tune)


def run_stages(
    experiment: Experiment,
    *,
    threads: int | None = None,
    state: SearchState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> BalanceRun:
    """Run all stages.

    Args:
        experiment: what to balance.
        threads: threads to use; default all cores.
        state: where the search continues; default its beginning.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    settings = experiment.settings
    contest = experiment.contest()
    targets = contest.targets(settings.target.win_rate)
    space = build_space(contest, settings.tune)

    on_stage("measure")
    measured = play_matchups(
        contest,
        contest.table,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
        threads=threads,
    )
    on_stage("narrow")
    narrowing, powers = _narrow(experiment, contest, space, threads)
    evaluator = Evaluator(
        contest, narrowing.space, targets, settings.guards, settings.seed, threads
    )
    on_stage("search")
    state = run_search(
        evaluator,
        settings.search,
        n_games=settings.games.search,
        state=state,
        on_generation=on_generation,
    )
    on_stage("select")
    selection = select(
        evaluator,
        state,
        n_search_games=settings.games.search,
        n_games=settings.games.select,
        n_certify=settings.games.certify,
        band_pp=settings.target.band_pp,
        confidence=matchup_confidence(len(targets)),
    )
    on_stage("certify")
    genome = selection.genomes[selection.recommended]
    certificate, counts = certify(
        evaluator, genome, n_games=settings.games.certify, band_pp=settings.target.band_pp
    )
    patch = patch_of(genome, narrowing.space, experiment.pool)
    return BalanceRun(
        contest,
        evaluator,
        measured,
        powers,
        narrowing,
        state,
        selection,
        certificate,
        counts,
        patch,
    )


def _narrow(
    experiment: Experiment, contest: Contest, space: SearchSpace, threads: int | None
) -> tuple[Narrowing, list[CardPower]]:
    """Score the cards as the experiment asks and keep the best."""
    settings = experiment.settings
    by = settings.narrow.by
    powers: list[CardPower] = []
    intervals: dict[int, Interval] = {}
    if by == "power":
        powers = measure_power(
            pilots(experiment, contest),
            n_games=settings.games.power,
            run_seed=settings.seed,
            baseline=settings.narrow.baseline,
            threads=threads,
        )
        intervals = power_intervals(powers)
    elif by == "lever":
        levers = measure_levers(
            contest, space, n_games=settings.games.lever, run_seed=settings.seed, threads=threads
        )
        intervals = lever_intervals(levers, space)
    scores = scores_of(intervals)
    if not intervals:
        scores = random_scores(space, settings.seed) if by == "random" else no_scores(space)
    keep = settings.narrow.keep
    decks = settings.tune.decks
    narrowed = narrow(contest, space, scores, by=by, keep=keep, decks=decks, intervals=intervals)
    return narrowed, powers

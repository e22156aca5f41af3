"""Runs of studies and suites as rows, and the summary of each method over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval, wilson
from experiments.results.stages import spread


class RunRow(NamedTuple):
    """A run of a study.

    The true values come from many more games of a certified patch; they are `None` if the patch is
    not certified or the study does not ask for them.

    Attributes:
        narrow: score by which the search space was narrowed.
        method: search method.
        run_seed: seed of the run.
        settings: digest of the method's settings.
        certified: whether the recommended patch is certified.
        imbalance_pp: imbalance of the patch in the games of the certificate, in points.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        genes: number of genes in the search space.
        log10_size: decimal logarithm of the number of possible patches.
        rounds: rounds or generations of the search.
        narrow_games: games of the narrowing.
        search_games: games of the search.
        games: games of all stages.
        truth_pp: true imbalance in points.
        truth_violation: true violation of the guards.
        holds: whether all demands and guards truly hold.
    """

    narrow: str
    method: str
    run_seed: int
    settings: str
    certified: bool
    imbalance_pp: float
    change: float
    cards_touched: int
    genes: int
    log10_size: float
    rounds: int
    narrow_games: int
    search_games: int
    games: int
    truth_pp: float | None = None
    truth_violation: float | None = None
    holds: bool | None = None


class GroupRow(NamedTuple):
    """All runs of a narrowing and a method; each interval is the median, minimum and maximum.

    Attributes:
        narrow: score by which the search space was narrowed.
        method: search method.
        certified: number of certified runs.
        runs: number of runs.
        imbalance_pp: imbalance in the games of the certificate, in points.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        games: games of all stages.
        false: number of certified runs with a patch that does not truly hold.
        judged: number of certified runs with known true values.
        truth_pp: true imbalance of the judged runs, in points; `None` without one.
    """

    narrow: str
    method: str
    certified: int
    runs: int
    imbalance_pp: Annotated[
        Interval, ("imbalance_pp_median", "imbalance_pp_low", "imbalance_pp_high")
    ]
    change: Annotated[Interval, ("change_median", "change_low", "change_high")]
    cards_touched: Annotated[
        Interval, ("cards_touched_median", "cards_touched_low", "cards_touched_high")
    ]
    games: Annotated[Interval, ("games_median", "games_low", "games_high")]
    false: int
    judged: int
    truth_pp: Annotated[Interval, ("truth_pp_median", "truth_pp_low", "truth_pp_high")] | None = (
        None
    )


def group_rows(runs: Iterable[RunRow]) -> list[GroupRow]:
    """Return one row per narrowing and method, in the order of the runs."""
    groups: dict[tuple[str, str], list[RunRow]] = {}
    for run in runs:
        groups.setdefault((run.narrow, run.method), []).append(run)
    return [_group_row(*key, group) for key, group in groups.items()]


def _group_row(narrow: str, method: str, runs: Sequence[RunRow]) -> GroupRow:
    """Return the summary of all runs of a narrowing and a method."""
    judged = [run for run in runs if run.holds is not None]
    return GroupRow(
        narrow,
        method,
        certified=sum(run.certified for run in runs),
        runs=len(runs),
        imbalance_pp=spread([run.imbalance_pp for run in runs]),
        change=spread([run.change for run in runs]),
        cards_touched=spread([run.cards_touched for run in runs]),
        games=spread([run.games for run in runs]),
        false=sum(not run.holds for run in judged),
        judged=len(judged),
        truth_pp=spread([run.truth_pp for run in judged]) if judged else None,
    )


class SuiteRow(NamedTuple):
    """A run of a method on an instance of a suite.

    The true values come from `truth_games` games per matchup of a certified patch; they are `None`
    if it is not certified.

    Attributes:
        instance: position of the instance in the suite's file, from 1.
        method: search method.
        run_seed: seed of the run.
        settings: digest of the method's settings.
        truth_games: games per matchup behind the true values.
        kind: kind of the instance.
        half: half of the suite that the instance belongs to.
        known: change of a patch that is known to be feasible.
        certified: whether the recommended patch is certified.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        imbalance_pp: imbalance in the games of the certificate, in points.
        games: games of all stages.
        cpu_s: processor time of all stages, in seconds.
        truth_pp: true imbalance in points.
        truth_violation: true violation of the guards.
        holds: whether all demands and guards truly hold.
    """

    instance: int
    method: str
    run_seed: int
    settings: str
    truth_games: int
    kind: str
    half: str
    known: float
    certified: bool
    change: float
    cards_touched: int
    imbalance_pp: float
    games: int
    cpu_s: float
    truth_pp: float | None = None
    truth_violation: float | None = None
    holds: bool | None = None


class ScoreRow(NamedTuple):
    """Summary of a method on the instances of a kind in one half of a suite.

    Attributes:
        method: search method.
        kind: kind of the instances.
        half: half of the suite.
        runs: number of runs.
        certified: share of certified runs, with its 95 % Wilson interval.
        small: share of runs that are certified with no more change than the known feasible patch,
            which for controls is no change at all.
        excess: median change of certified patches beyond the known one; `None` without any.
        games: median number of games of a run.
        cpu_s: median processor time of a run, in seconds.
        judged: number of certified patches with known true values.
        false: share of the judged patches with a demand or guard that does not truly hold.
        truth_pp: true imbalance of the judged patches in points: median, minimum, maximum.
    """

    method: str
    kind: str
    half: str
    runs: int
    certified: Annotated[Interval, ("certified", "certified_low", "certified_high")]
    small: Annotated[Interval, ("small", "small_low", "small_high")]
    excess: float | None
    games: float
    cpu_s: float
    judged: int
    false: Annotated[Interval, ("false", "false_low", "false_high")] | None
    truth_pp: Annotated[Interval, ("truth_pp", "truth_pp_least", "truth_pp_most")] | None


def score_rows(runs: Iterable[SuiteRow]) -> list[ScoreRow]:
    """Return one row per method, kind and half, in the order of the runs."""
    groups: dict[tuple[str, str, str], list[SuiteRow]] = {}
    for run in runs:
        groups.setdefault((run.method, run.kind, run.half), []).append(run)
    return [_score_row(key, group) for key, group in groups.items()]


def _score_row(key: tuple[str, str, str], runs: Sequence[SuiteRow]) -> ScoreRow:
    """Return the summary of all runs of a method, a kind and a half."""
    certified = [run for run in runs if run.certified]
    judged = [run for run in certified if run.holds is not None]
    truths = [run.truth_pp for run in judged if run.truth_pp is not None]
    return ScoreRow(
        *key,
        runs=len(runs),
        certified=wilson(len(certified), len(runs)),
        small=wilson(sum(run.change <= run.known for run in certified), len(runs)),
        excess=float(np.median([run.change - run.known for run in certified]))
        if certified
        else None,
        games=float(np.median([run.games for run in runs])),
        cpu_s=float(np.median([run.cpu_s for run in runs])),
        judged=len(judged),
        false=wilson(sum(not run.holds for run in judged), len(judged)) if judged else None,
        truth_pp=spread(truths) if truths else None,
    )

"""Rows for the runs of studies and suites, and summaries of the runs of each method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import FoundPatch, Interval, wilson
from balance.verdict.certificate import truth_of


class RunRow(NamedTuple):
    """A balance run of a study.

    True values are measured with many more games of a certified patch. They are `None` if the patch
    is not certified or the study does not measure them.

    Attributes:
        narrow: name of the score by which the search space was narrowed.
        method: name of the search method.
        run_seed: seed of the run.
        settings: digest of the settings of the method.
        certified: whether the recommended patch is certified.
        imbalance_pp: imbalance of the patch in the games of the certificate, in percentage points.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        genes: number of genes in the search space.
        log10_size: decimal logarithm of the number of possible patches.
        rounds: number of rounds or generations of the search.
        narrow_games: number of games of the narrowing.
        search_games: number of games of the search.
        games: number of games of all stages.
        truth_pp: true imbalance, in percentage points.
        truth_violation: true violation of the guards; 0 if all guards hold.
        holds: whether all demands and guards hold by the true values.
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
    """Summary of all runs of a study with the same narrowing and method.

    An `Interval` in this row holds the median, the minimum and the maximum of the runs.

    Attributes:
        narrow: name of the score by which the search space was narrowed.
        method: name of the search method.
        certified: number of certified runs.
        runs: number of runs.
        imbalance_pp: imbalance in the games of the certificate, in percentage points.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        games: number of games of all stages.
        false: number of judged runs in which a demand or guard does not hold by the true values.
        judged: number of certified runs with known true values.
        truth_pp: true imbalance of the judged runs, in percentage points; `None` if no run is
            judged.
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
    """Return one row per narrowing and method, in the order of their first runs."""
    groups: dict[tuple[str, str], list[RunRow]] = {}
    for run in runs:
        groups.setdefault((run.narrow, run.method), []).append(run)
    return [_group_row(*key, group) for key, group in groups.items()]


def _group_row(narrow: str, method: str, runs: Sequence[RunRow]) -> GroupRow:
    """Return the summary of at least one run with the same narrowing and method."""
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
    """A balance run of a method on an instance of a suite.

    True values are measured with `truth_games` games per matchup of a certified patch. They are
    `None` if the patch is not certified.

    Attributes:
        instance: position of the instance in the suite's file, from 1.
        method: name of the search method.
        run_seed: seed of the run.
        settings: digest of the settings of the method.
        truth_games: number of games per matchup behind the true values.
        kind: kind of the instance.
        half: half of the suite to which the instance belongs.
        known: size of a patch that is known to be feasible, in weighted steps.
        certified: whether the recommended patch is certified.
        change: change of the recommended patch in weighted steps.
        cards_touched: number of edited cards.
        size: size of the recommended patch: its change plus the weight of its cards.
        imbalance_pp: imbalance in the games of the certificate, in percentage points.
        games: number of games of all stages.
        cpu_s: processor time of all stages, in seconds.
        truth_pp: true imbalance, in percentage points.
        truth_violation: true violation of the guards; 0 if all guards hold.
        holds: whether all demands and guards hold by the true values.
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
    size: float
    imbalance_pp: float
    games: int
    cpu_s: float
    truth_pp: float | None = None
    truth_violation: float | None = None
    holds: bool | None = None


class ScoreRow(NamedTuple):
    """Summary of a method on the instances of one kind in one half of a suite.

    Shares are fractions of runs with 95 % Wilson intervals.

    Attributes:
        method: name of the search method.
        kind: kind of the instances.
        half: half of the suite that contains the instances.
        runs: number of runs.
        certified: share of runs with a certified patch.
        small: share of runs with a certified patch that is not larger than the known feasible
            patch, which is empty for controls.
        excess: median difference in size between certified patch and known feasible patch, in
            weighted steps; `None` if no patch is certified.
        games: median number of games of a run.
        cpu_s: median processor time of a run, in seconds.
        judged: number of certified patches with known true values.
        false: share of judged patches for which a demand or guard does not hold by the true
            values; `None` if no patch is judged.
        truth_pp: median, minimum and maximum of the true imbalance of judged patches, in
            percentage points; `None` if no patch is judged.
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
    """Return one row per method, kind and half of the suite, in the order of their first runs."""
    groups: dict[tuple[str, str, str], list[SuiteRow]] = {}
    for run in runs:
        groups.setdefault((run.method, run.kind, run.half), []).append(run)
    return [_score_row(key, group) for key, group in groups.items()]


def _score_row(key: tuple[str, str, str], runs: Sequence[SuiteRow]) -> ScoreRow:
    """Return the summary of at least one run with the same method, kind and half of the suite.

    Args:
        key: method, kind and half of all runs.
        runs: runs to summarise.
    """
    certified = [run for run in runs if run.certified]
    judged = [run for run in certified if run.holds is not None]
    truths = [run.truth_pp for run in judged if run.truth_pp is not None]
    return ScoreRow(
        *key,
        runs=len(runs),
        certified=wilson(len(certified), len(runs)),
        small=wilson(sum(run.size <= run.known for run in certified), len(runs)),
        excess=float(np.median([run.size - run.known for run in certified])) if certified else None,
        games=float(np.median([run.games for run in runs])),
        cpu_s=float(np.median([run.cpu_s for run in runs])),
        judged=len(judged),
        false=wilson(sum(not run.holds for run in judged), len(judged)) if judged else None,
        truth_pp=spread(truths) if truths else None,
    )


def outcome(run: FoundPatch, truth_games: int) -> dict[str, Any]:
    """Return the columns that studies and suites share, by name.

    The columns are the verdict, size of the patch, number of games, and true values. If the patch
    is certified, the true values are measured now.

    Args:
        run: finished balance run.
        truth_games: number of games per matchup for the true values; 0 to measure none.

    Returns:
        Values by column; the true values are `None` if they were not measured.
    """
    certified = run.certificate.certified
    truth = None
    if certified and truth_games:
        truth = truth_of(run.evaluator, run.selection.genome, truth_games)
    return {
        "certified": certified,
        "imbalance_pp": run.certificate.imbalance_pp,
        "change": run.change,
        "cards_touched": run.cards_touched,
        "games": sum(run.games.values()),
        "truth_pp": truth.imbalance_pp if truth else None,
        "truth_violation": truth.violation if truth else None,
        "holds": truth.holds if truth else None,
    }


def spread(values: Sequence[float | None]) -> Interval:
    """Return an `Interval` with the median, the minimum and the maximum of at least one value."""
    known = np.array(values, float)
    return Interval(*(np.array(measure(known)) for measure in (np.median, np.min, np.max)))

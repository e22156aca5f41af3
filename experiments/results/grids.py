"""The runs of grids as rows, studies and suites, and what each way of balancing came to in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval, wilson
from experiments.results.stages import spread


class RunRow(NamedTuple):
    """One run of the grid.

    Attributes:
        narrow: how its numbers were narrowed.
        method: what searched.
        run_seed: the run's.
        settings: digest of what the method was told.
        certified: whether the recommended patch is.
        imbalance_pp: in the games of the certificate.
        change: that patch's.
        cards_touched: likewise.
        genes: numbers that the search might move.
        log10_size: how many patches they make.
        rounds: of the search, or generations.
        narrow_games: of the narrowing.
        search_games: of the search.
        games: of all stages.
        truth_pp: imbalance in the games of the truth, if certified and asked for.
        truth_violation: how far the guards are broken there.
        holds: whether all demands and guards hold there.
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
    """All runs of one way of balancing: the median run, between the least and the most.

    Attributes:
        false: certified runs whose patch does not hold in the games of the truth.
        judged: certified runs whose truth was asked for.
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
    """One row per narrowing and method, in the order of the runs."""
    groups: dict[tuple[str, str], list[RunRow]] = {}
    for run in runs:
        groups.setdefault((run.narrow, run.method), []).append(run)
    return [_group(*way, group) for way, group in groups.items()]


def _group(narrow: str, method: str, runs: Sequence[RunRow]) -> GroupRow:
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
    """A method's run on an instance.

    Attributes:
        instance: its place in the suite's file, from 1.
        method: what searched.
        run_seed: the run's.
        settings: digest of what the method was told.
        truth_games: games per matchup that tell the truth of a certified patch.
        kind: of the instance.
        half: likewise.
        known: change of a patch that is known to do.
        certified: whether the recommended patch is.
        change: that patch's.
        cards_touched: likewise.
        imbalance_pp: in the games of the certificate.
        games: of all stages.
        cpu_s: likewise.
        truth_pp: imbalance in the games of the truth, if certified.
        truth_violation: how far the guards are broken there.
        holds: whether all demands and guards hold there.
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
    """What a method came to on the instances of a kind, in one half.

    Attributes:
        method: what searched.
        kind: of the instances.
        half: likewise.
        runs: how many.
        certified: share of the runs, with its 95 % Wilson interval.
        small: share that is certified with no more change than is known to do; of controls, those
            that were left alone.
        excess: median change beyond what is known to do, of certified patches.
        games: of a run, in the median.
        cpu_s: likewise.
        judged: certified patches whose truth is told.
        false: share of those with which a demand or a guard does not hold.
        truth_pp: their imbalance: median, least, most.
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
    """One row per kind, half and method, each in the order of the runs."""
    groups: dict[tuple[str, str, str], list[SuiteRow]] = {}
    for run in runs:
        groups.setdefault((run.method, run.kind, run.half), []).append(run)
    return [_score(key, group) for key, group in groups.items()]


def _score(key: tuple[str, str, str], runs: Sequence[SuiteRow]) -> ScoreRow:
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

"""The runs of a study as rows, and what each way of balancing came to over its run seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

from balance.statistics.intervals import Interval
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


MEASURES = ("imbalance_pp", "change", "cards_touched", "games", "truth_pp")


def group_rows(runs: Iterable[RunRow]) -> list[GroupRow]:
    """One row per narrowing and method, in the order of the runs."""
    groups: dict[tuple[str, str], list[RunRow]] = {}
    for run in runs:
        groups.setdefault((run.narrow, run.method), []).append(run)
    return [_group(*way, group) for way, group in groups.items()]


def _group(narrow: str, method: str, runs: Sequence[RunRow]) -> GroupRow:
    judged = [run for run in runs if run.holds is not None]
    spreads: dict[str, Any] = {
        name: spread([getattr(run, name) for run in runs]) for name in MEASURES[:-1]
    }
    return GroupRow(
        narrow,
        method,
        certified=sum(run.certified for run in runs),
        runs=len(runs),
        false=sum(not run.holds for run in judged),
        judged=len(judged),
        truth_pp=spread([run.truth_pp for run in judged]) if judged else None,
        **spreads,
    )

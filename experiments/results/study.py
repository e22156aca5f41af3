"""The runs of a study as rows, and what each way of balancing came to over its run seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from balance.statistics.intervals import Interval


class RunRow(NamedTuple):
    """One run of the grid."""

    narrow: str
    start: str
    method: str
    run_seed: int
    generations: int
    certified: bool
    imbalance_pp: float
    change: float
    cards_touched: int
    genes: int
    log10_size: float
    narrow_games: int
    search_games: int
    games: int


class GroupRow(NamedTuple):
    """All runs of one way of balancing: the median run, between the least and the most."""

    narrow: str
    start: str
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


MEASURES = GroupRow._fields[5:]


def group_rows(runs: Iterable[RunRow]) -> list[GroupRow]:
    """One row per narrowing, start and method, in the order of the runs."""
    groups: dict[tuple[str, str, str], list[RunRow]] = {}
    for run in runs:
        groups.setdefault((run.narrow, run.start, run.method), []).append(run)
    return [
        GroupRow(
            *key,
            sum(run.certified for run in group),
            len(group),
            _spread([run.imbalance_pp for run in group]),
            _spread([run.change for run in group]),
            _spread([run.cards_touched for run in group]),
        )
        for key, group in groups.items()
    ]


def _spread(values: Sequence[float]) -> Interval:
    """The median, the least and the most."""
    return Interval(*(measure(np.array(values, float)) for measure in (np.median, np.min, np.max)))

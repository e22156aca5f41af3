"""The course of a search as rows, and what the patches that it saw proved to be worth."""

from __future__ import annotations

from typing import NamedTuple

from balance.pipeline import BalanceRun
from balance.statistics.hypervolume import hypervolume_of
from balance.statistics.intervals import Interval


class ConvergenceRow(NamedTuple):
    """A generation: its best patch as the search saw it; tables of old lack the hypervolume."""

    generation: int
    games: float
    imbalance_pp: float
    mean_imbalance_pp: float
    change: float
    genomes_seen: float
    hypervolume: Interval | None = None


def convergence_rows(run: BalanceRun) -> list[ConvergenceRow]:
    """One row per generation."""
    share = hypervolume_of(run)
    return [
        ConvergenceRow(k, *record)._replace(hypervolume=share.at(k))
        for k, record in enumerate(run.state.history.tolist())
    ]

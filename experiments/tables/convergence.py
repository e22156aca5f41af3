"""How a search went, as a table, and what its genomes proved to be worth."""

from __future__ import annotations

import numpy as np

from balance.pipeline import BalanceRun
from balance.statistics.hypervolume import hypervolume_of
from experiments.runs.run_folder import RunFolder

_HEADER = (
    "generation", "games", "imbalance_pp", "mean_imbalance_pp", "change", "genomes_seen",
    "hypervolume", "hypervolume_low", "hypervolume_high",
)  # fmt: skip


def write_convergence(run: BalanceRun, folder: RunFolder) -> None:
    """Write `convergence.csv`, one row per generation."""
    course = np.column_stack([run.state.history, *hypervolume_of(run)])
    rows = [[generation, *record] for generation, record in enumerate(course.tolist())]
    folder.write_csv("convergence.csv", _HEADER, rows)

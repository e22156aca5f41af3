"""`evenhand balance --estimate`: how many games a run may take, and how long, before any of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from balance.estimate import RunEstimate, estimate_run
from experiments.commands.balance import check_stages
from experiments.experiment import load_experiment
from experiments.files.option_errors import blaming
from experiments.runs.run import Findings
from experiments.screen.console import Screen, Table
from experiments.screen.wording import estimate_words


def estimate_balance(
    screen: Screen,
    *,
    name: str,
    results: Path,
    seed: int | None,
    preset: str | None,
    threads: int | None,
) -> Findings:
    """What a balance run of an experiment may take; leaves nothing in `results`."""
    experiment = load_experiment(name, results, preset=preset).with_seed(seed)
    with blaming(experiment.path):
        experiment = check_stages(experiment, results)
    screen.stage("playing a few games to tell how long they take")
    found = estimate_run(experiment.contest(), experiment.settings, threads=threads)
    return Findings(
        summary=_summary(found), shown=[f"Expected: {estimate_words(found)}", _table(found)]
    )


def _summary(found: RunEstimate) -> dict[str, Any]:
    return {
        "command": "estimate",
        "stages": [stage._asdict() for stage in found.stages],
        "n_games": found.n_games,
        "most": found.most,
        "seconds": round(found.seconds, 1),
        "game_s": found.game_s,
    }


def _table(found: RunEstimate) -> Table:
    rows = [(stage.stage, f"{stage.n_games:,}", f"{stage.most:,}") for stage in found.stages]
    return Table(
        "Games of each stage, all matchups together",
        ("stage", "games", "at most"),
        [*rows, ("all", f"{found.n_games:,}", f"{found.most:,}")],
    )

"""Commands that change cards, compare such changes, and show them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.options import (
    DEFAULT_RESULTS,
    ExperimentName,
    Json,
    Plots,
    Results,
    Resume,
    Seed,
    Threads,
)
from experiments.cli.session import EXIT_NOT_CERTIFIED, new_screen, run_command, uninterrupted

if TYPE_CHECKING:
    from experiments.experiment import Experiment


def balance(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Search for a small patch, and certify it.

    It brings every matchup into its band.
    """
    with uninterrupted():
        from experiments.commands.balance import check_stages, run_balance  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return check_stages(loaded, results)

    work = partial(run_balance, resume=resume, plots=plots, threads=threads)
    summary = run_command(
        "balance", experiment, check, work, results=results, seed=seed, resume=resume, json=json
    )
    if not summary["certified"]:
        raise typer.Exit(EXIT_NOT_CERTIFIED)


def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run folder of balance, or an experiment.")
    ],
    results: Results = DEFAULT_RESULTS,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Default: report.html in the run folder.")
    ] = None,
    *,
    open_page: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
) -> None:
    """Make one HTML page of a finished balance run.

    It opens without a network.
    """
    with uninterrupted():
        from experiments.commands.report import run_report  # noqa: PLC0415

    run_report(run, results, new_screen(json=False), output=output, open_page=open_page)


def study(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Run and compare every combination of a [study] table."""
    with uninterrupted():
        from experiments.commands.study import check_study, run_study  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return check_study(loaded, results)

    work = partial(run_study, resume=resume, plots=plots, threads=threads)
    run_command(
        "study", experiment, check, work, results=results, seed=None, resume=resume, json=json
    )

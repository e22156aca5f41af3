"""Commands for agents that learn."""

from __future__ import annotations

from functools import partial
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
from experiments.cli.session import run_command, uninterrupted

if TYPE_CHECKING:
    from experiments.experiment import Experiment


def train(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write event files for TensorBoard.")
    ] = False,
) -> None:
    """Train an agent for each [[learner]], several at once."""
    with uninterrupted():
        from experiments.commands.train import check_train, run_train  # noqa: PLC0415

    def check(loaded: Experiment) -> None:
        check_train(loaded, tensorboard=tensorboard)

    work = partial(run_train, resume=resume, plots=plots, threads=threads, tensorboard=tensorboard)
    run_command(
        "train", experiment, check, work, results=results, seed=seed, resume=resume, json=json
    )


def evaluate(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Measure what `train` made, and tell how it plays.

    Its play is compared with that of scripts in the same place.
    """
    with uninterrupted():
        from experiments.commands.evaluate import find_trained, run_evaluate  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return find_trained(loaded, results)

    work = partial(run_evaluate, plots=plots, threads=threads)
    run_command("evaluate", experiment, check, work, results=results, seed=seed, json=json)

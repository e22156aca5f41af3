"""What running a command is, whatever it does: open, check, work, report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.option_errors import OptionError
from sim.errors import InputError
from sim.interruption import uninterrupted as uninterrupted  # noqa: PLC0414 (for commands)

if TYPE_CHECKING:
    from experiments.console import Screen
    from experiments.experiment import Experiment
    from experiments.runs.run_folder import RunFolder

EXIT_NOT_CERTIFIED = 1

Summary = dict[str, Any]


def run_command(
    command: str,
    name: str,
    check: Callable[[Experiment], Experiment | None],
    work: Callable[[Experiment, RunFolder, Screen], Summary],
    *,
    results: Path,
    seed: int | None,
    json: bool,
    resume: bool = False,
) -> Summary:
    """Load an experiment, do a command's work in a run folder, and say where it is.

    Args:
        command: its name, which goes into the folder's.
        name: the experiment's file, or a shipped name.
        check: refuses the experiment while the results are still as they were; where it finds
            out more about the experiment, it returns it anew.
        work: fills the folder and returns the summary.
        results: parent of the run folders.
        seed: run seed instead of the file's.
        json: whether to print the summary on standard output.
        resume: whether to continue the run that was stopped.
    """
    with ExitStack() as held:
        with uninterrupted():  # compiles agents
            experiment, folder = _open(
                command, name, check, results=results, seed=seed, resume=resume
            )
            held.enter_context(folder)
        screen = new_screen(json=json)
        summary = work(experiment, folder, screen)
        finish(screen, folder, summary, json=json)
    return summary


def _open(
    command: str,
    name: str,
    check: Callable[[Experiment], Experiment | None],
    *,
    results: Path,
    seed: int | None,
    resume: bool,
) -> tuple[Experiment, RunFolder]:
    from experiments.experiment import load_experiment  # noqa: PLC0415
    from experiments.runs.run_folder import open_run_folder  # noqa: PLC0415

    experiment = load_experiment(name, results).with_seed(seed)
    try:
        experiment = check(experiment) or experiment
    except OptionError:
        raise
    except InputError as error:
        raise InputError(f"{experiment.path}: {error}") from None
    folder = open_run_folder(results, experiment, command, resume=resume)
    folder.log(f"{command}, seed {experiment.settings.seed}")
    for agent, pilot in experiment.pilots.items():
        folder.log(f"{agent} is {pilot.path} (sha256 {pilot.content[:12]})")
    return experiment, folder


def new_screen(*, json: bool) -> Screen:
    """Where to report; silent while the summary goes to standard output."""
    from experiments.console import Screen  # noqa: PLC0415

    return Screen(json=json)


def finish(screen: Screen, folder: RunFolder, summary: Summary, *, json: bool) -> None:
    """Say where a command's results are, and print the summary if it is wanted."""
    from experiments.runs.run_folder import to_json  # noqa: PLC0415

    folder.log("done")
    if json:
        sys.stdout.write(to_json(summary))
    screen.say(f"Tables and plots: {folder.path}")
    if folder.earlier is not None:
        screen.say(f"The run that was there before is now {folder.earlier}")


def refuse_beside(option: str, others: dict[str, Any]) -> None:
    """Refuse what a command is told beside an option that leaves it no meaning."""
    for name, value in others.items():
        if value is not None:
            said = f"{value!r}" if name.isupper() else f"--{name} {value}"
            raise InputError(f"{said}: has no meaning beside --{option}; leave it out")

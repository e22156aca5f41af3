"""`evenhand suite`: instances with known answers, and how methods do on them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.session import GAME_MAX, Session, Work, integer, offering
from experiments.files.option_errors import option_place
from sim.errors import InputError
from sim.names import named_word

suite_app = typer.Typer(
    no_args_is_help=True, help="Try methods of searching where the answer is known."
)

SuiteName = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite file, or a shipped name, such as duel-3.")
]


@offering("threads", "workers")
def make(
    session: Session,
    suite: SuiteName,
    *,
    out: Annotated[
        Path | None, typer.Option(help="File; default the suite's name, in the current folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite it if it is there.")] = False,
) -> Work:
    """Make the instances of a suite anew, from its seed."""
    from experiments.commands.suite import make_suite  # noqa: PLC0415
    from experiments.suite import load_suite  # noqa: PLC0415

    found = load_suite(suite)
    target = out or Path(f"{found.settings.name}.toml")
    return partial(make_suite, found, target, session.screen, force=force, threads=session.threads)


@offering("results", "threads", "workers", "resume", "json", "plots")
def run(
    session: Session,
    suite: SuiteName,
    *,
    methods: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Which to try; default all that are known.")
    ] = "",
    methods_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What they set; default the shipped ones.")
    ] = None,
    half: Annotated[
        str | None, typer.Option(help="development or reported; default both halves.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="planted, target or control; default all.")
    ] = None,
    most: Annotated[
        int | None, integer(1, GAME_MAX, "Instances of each kind and half; default all.")
    ] = None,
    games: Annotated[
        int | None,
        integer(1, GAME_MAX, "Of a run, all stages together; default as the experiment says."),
    ] = None,
    seeds: Annotated[int, integer(1, 1000, "Runs on each instance.")] = 1,
    truth: Annotated[
        int, integer(4, GAME_MAX, "Games per matchup that tell the truth; even.")
    ] = 400_000,
) -> Work:
    """Try methods on the instances, and judge the certified patches by many games."""
    from experiments.commands.suite import Trial, check_trial, run_suite  # noqa: PLC0415
    from experiments.methods import METHODS_FILE  # noqa: PLC0415
    from experiments.suite import (  # noqa: PLC0415
        HALVES,
        KINDS,
        load_suite,
    )

    if half is not None:
        with option_place("half"):
            half = named_word("word", half, HALVES)
    if kind is not None:
        with option_place("kind"):
            kind = named_word("word", kind, KINDS)
    if truth % 2:
        raise InputError(f"--truth {truth}: must be even, for both seatings")
    names = tuple(filter(None, methods.split(",")))
    trial = Trial(names, methods_file or METHODS_FILE, half, kind, most, games, seeds, truth)
    return partial(
        session.run,
        "suite",
        suite,
        partial(check_trial, trial=trial),
        partial(run_suite, trial=trial),
        load_suite,
    )


@offering("json")
def score(
    session: Session,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder of `suite run`.")],
) -> Work:
    """Score finished runs, one line per method and kind of instance."""
    from experiments.commands.suite import score_suite  # noqa: PLC0415

    return partial(session.measure, partial(score_suite, folder=folder))


for command in (make, run, score):
    suite_app.command()(command)

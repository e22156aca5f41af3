"""`evenhand suite`: command-line options to create, run and score instances with known answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.session import (
    GAME_MAX,
    Session,
    Work,
    integer,
    session_command,
    uneven_games_error,
)
from experiments.files.option_errors import option_place
from sim.names import named_word

suite_app = typer.Typer(
    no_args_is_help=True, help="Test search methods on instances with known answers."
)

SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE", help="A suite file, or the name of a shipped suite, such as duel-3."
    ),
]


@session_command("threads", "workers")
def make(
    session: Session,
    suite: SuiteName,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file to write; default the suite's name ending in .toml, in the current "
            "folder."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> Work:
    """Create the instances of a suite from its seed, and write them to a file."""
    from experiments.commands.suite import make_suite  # noqa: PLC0415
    from experiments.suite import load_suite  # noqa: PLC0415

    loaded = load_suite(suite)
    target = out or Path(f"{loaded.settings.name}.toml")
    return partial(make_suite, loaded, target, session.screen, force=force)


@session_command("results", "threads", "workers", "resume", "json", "plots")
def run(
    session: Session,
    suite: SuiteName,
    *,
    methods: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME", help="The methods to test; default all methods of the file."
        ),
    ] = "",
    methods_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File with the settings of each method; default the shipped file."
        ),
    ] = None,
    half: Annotated[
        str | None,
        typer.Option(help="Half of the instances to run: development or reported; default both."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(help="Kind of instances to run: planted, target or control; default all."),
    ] = None,
    most: Annotated[
        int | None,
        integer(1, GAME_MAX, "Largest number of instances of each kind and half; default all."),
    ] = None,
    games: Annotated[
        int | None,
        integer(
            1, GAME_MAX, "Games of a run, all stages together; default the experiment's setting."
        ),
    ] = None,
    seeds: Annotated[int, integer(1, 1000, "Number of runs on each instance.")] = 1,
    truth: Annotated[
        int,
        integer(
            4,
            GAME_MAX,
            "Games per matchup of the high-precision reference estimate that judges each "
            "certified patch; an even number.",
        ),
    ] = 400_000,
) -> Work:
    """Test methods on the instances of a suite.

    Certified patches are judged by a reference estimate from many more games.
    """
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
        raise uneven_games_error("truth", truth)
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


@session_command("json")
def score(
    session: Session,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder of suite run.")],
) -> Work:
    """Score the finished runs of a folder.

    The output has one line per method and kind of instance.
    """
    from experiments.commands.suite import score_suite  # noqa: PLC0415

    return partial(session.measure, partial(score_suite, folder=folder))


for command in (make, run, score):
    suite_app.command()(command)

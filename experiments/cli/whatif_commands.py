"""Commands that put other cards beside today's: `whatif`, `compare` and `workbench`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.session import (
    MEASURING,
    ExperimentName,
    Session,
    Work,
    integer,
    offering,
)

if TYPE_CHECKING:
    from experiments.comparison import Comparison

_PORT_MAX = 65_535
_OPTIONS = (*MEASURING, "agent", "games")


@offering(*_OPTIONS)
def whatif(
    session: Session,
    experiment: ExperimentName,
    edits: Annotated[
        list[str] | None,
        typer.Argument(metavar="EDIT", help="Such as whelp.attack=1, whelp.cost+1, rules.life=25."),
    ] = None,
    *,
    pool: Annotated[
        str | None, typer.Option(help="A whole other pool instead: a name, or a file.")
    ] = None,
) -> Work:
    """What edits of numbers change, on the same games.

    Per matchup and per deck; nothing is certified by it.
    """
    from experiments.commands.compare import run_whatif  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415
    from experiments.comparison import ask_whatif  # noqa: PLC0415

    check = partial(ask_whatif, edits=edits or (), pool=pool)
    work = with_pilots_named(run_whatif)
    return partial(session.run, "whatif", experiment, check, work)


@offering(*_OPTIONS)
def compare(
    session: Session,
    compared: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN_OR_POOL",
            help="Run folders or experiments of balance, folders of whatif, files of pools.",
        ),
    ],
    *,
    experiment: Annotated[
        str | None, typer.Option(help="Whose decks play; default the first run's.")
    ] = None,
) -> Work:
    """Several patches beside today, on the same games.

    One table, one figure, and their edits side by side.
    """
    from experiments.commands.compare import run_compare  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415
    from experiments.comparison import load_comparison  # noqa: PLC0415

    def load(_: str, results: Path) -> Comparison:
        return load_comparison(
            compared, results, of=experiment, games=session.games, agent=session.agent
        )

    work = with_pilots_named(run_compare)
    return partial(session.run, "compare", "", lambda _: None, work, load)


@offering("results", "seed", "agent", "threads", "resume")
def workbench(
    session: Session,
    experiment: ExperimentName,
    *,
    port: Annotated[int, integer(0, 65_535, "Port on this machine; default any that is free.")] = 0,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Show the page in the browser.")
    ] = True,
) -> Work:
    """Try edits on a page in the browser, and see at once what they change.

    Ctrl-C ends it; --resume goes on with it.
    """
    from experiments.commands.workbench import open_workbench, require_extra  # noqa: PLC0415

    require_extra()
    opened = open_workbench(
        experiment,
        session.results,
        session.screen,
        seed=session.seed,
        agent=session.agent,
        resume=session.resume,
        port=port,
        threads=session.threads,
    )
    return partial(opened.serve, open_page=open_page)

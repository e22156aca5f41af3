"""`evenhand workbench`: a page on which numbers are stepped and win rates answer at once."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from experiments.cli.session import ExperimentName, Session, Work, integer, offering

_PORT_MAX = 65_535


@offering("results", "seed", "threads", "resume")
def workbench(
    session: Session,
    experiment: ExperimentName,
    *,
    port: Annotated[
        int, integer(0, _PORT_MAX, "Port on this machine; default any that is free.")
    ] = 0,
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
        resume=session.resume,
        port=port,
        threads=session.threads,
    )
    return partial(opened.serve, open_page=open_page)

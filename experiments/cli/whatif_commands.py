"""Commands that compare edited cards with the baseline: `whatif`, `compare` and `workbench`."""

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
    session_command,
)

if TYPE_CHECKING:
    from experiments.comparison import Comparison

_PORT_MAX = 65_535  # largest port number, which has 16 bits
_OPTIONS = (*MEASURING, "agent", "games")


@session_command(*_OPTIONS)
def whatif(
    session: Session,
    experiment: ExperimentName,
    edits: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="EDIT",
            help="An edit of a number, such as whelp.attack=1, whelp.cost+1 or rules.life=25.",
        ),
    ] = None,
    *,
    pool: Annotated[
        str | None,
        typer.Option(help="Compare with another card pool instead: its name, or its file."),
    ] = None,
) -> Work:
    """Show how edits of numbers change the win rates.

    All versions play on equal game seeds. The changes are listed per matchup and per deck. Nothing
    is certified.
    """
    from experiments.commands.compare import run_whatif  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415
    from experiments.comparison import ask_whatif  # noqa: PLC0415

    check = partial(ask_whatif, edits=edits or (), pool=pool)
    work = with_pilots_named(run_whatif)
    return partial(session.run, "whatif", experiment, check, work)


@session_command(*_OPTIONS)
def compare(
    session: Session,
    compared: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN_OR_POOL",
            help="The patches: run folders of balance or whatif, balanced experiments, or pool "
            "files.",
        ),
    ],
    *,
    experiment: Annotated[
        str | None,
        typer.Option(
            help="The experiment with the decks that play; default that of the first run."
        ),
    ] = None,
) -> Work:
    """Compare several patches with the current cards.

    All versions play on equal game seeds. Their rates are shown in one table and one figure, and
    their edits side by side.
    """
    from experiments.commands.compare import run_compare  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415
    from experiments.comparison import load_comparison  # noqa: PLC0415

    def load(_: str, results: Path) -> Comparison:
        # `session.run` passes the name of an experiment, which a comparison need not have.
        return load_comparison(
            compared, results, of=experiment, games=session.games, agent=session.agent
        )

    work = with_pilots_named(run_compare)
    return partial(session.run, "compare", "", lambda _: None, work, load)


@session_command("results", "seed", "agent", "threads", "resume")
def workbench(
    session: Session,
    experiment: ExperimentName,
    *,
    port: Annotated[int, integer(0, _PORT_MAX, "Port of this machine; default any free port.")] = 0,
    open_page: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Whether to open the browser; default yes."),
    ] = True,
) -> Work:
    """Try edits on a page in the browser, with results at once.

    Ctrl-C ends the workbench; --resume continues its session.
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
    )
    return partial(opened.serve, open_page=open_page)

"""`evenhand whatif`: win rates with edited numbers, next to the baseline."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.compare import (
    AnyComparison,
    base_entries,
    findings_of,
    play_versions,
    rates_of_patch,
)
from experiments.commands.pilots import with_pilots_named
from experiments.comparison import ask_whatif
from experiments.runs.run import Findings, RunOf


@session_command(*MEASURING, "agent", "games")
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
    check = partial(ask_whatif, edits=edits or (), pool=pool)
    work = with_pilots_named(run_whatif)
    return partial(session.run, "whatif", experiment, check, work)


def run_whatif(run: RunOf[Any]) -> Findings:
    """Compare one set of edits with the baseline; return tables, a figure and lines.

    If only numbers differ, the edited cards are written into the run folder as a pool file.
    """
    comparison: AnyComparison = run.experiment
    rows = play_versions(run, comparison)
    (edited,) = comparison.compared
    if edited.edits is not None:
        comparison.write_patched(edited.patch.edits if edited.patch else (), run.folder.path)
    summary = base_entries("whatif", comparison) | rates_of_patch(edited, rows[0])
    return findings_of(comparison, rows, [edited.name], summary)

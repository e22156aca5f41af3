"""`evenhand cards import`: make a pool file, and deck files, of a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Columns, ForceOption, Kinds, Notes, SheetTitle
from experiments.cli.session import Session, Work, session_command
from experiments.files.output_file import check_output
from experiments.files.sheets import SheetImport, SheetOptions, import_sheet


@session_command()
def import_cards(
    _: Session,
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET", help="The spreadsheet: .csv, .xlsx, .ods or .json, one card per row."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The pool file to write; default the sheet's name ending in .toml."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="Name of the pool; default the name in the file that it replaces, else the "
            "sheet's name."
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="POOL",
            help="The pool to take tokens and heroes from, and the coin if the sheet has none; "
            "default the pool file that is replaced.",
        ),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(
            help="Ruleset of the decks; default the one named in their files, else the one that "
            "most decks in the folder name, else duel."
        ),
    ] = None,
    page: SheetTitle = None,
    note: Notes = None,
    column: Columns = None,
    kind: Kinds = None,
    *,
    force: ForceOption = False,
) -> Work:
    """Make a pool file of the cards in a spreadsheet, and deck files of its decks.

    A spreadsheet cannot contain heroes, nor tokens other than the coin. These are kept from the
    pool that is replaced.
    """
    target = sheet.parent / f"{sheet.stem}.toml" if out is None else out
    options = SheetOptions(page, note or (), column or (), kind or ())
    read = partial(
        import_sheet, sheet, target, name=name, over=over, ruleset=ruleset, options=options
    )
    return partial(_write, read, target, force=force)


def _write(read: Callable[[], SheetImport], target: Path, *, force: bool) -> None:
    """Read a sheet, and write the pool file and the deck files, if they may be overwritten."""
    imported = read()
    for path in (target, *imported.changed_decks):
        check_output(path, ".toml", force=force)
    imported.write()
    typer.echo("\n".join(imported.lines()))

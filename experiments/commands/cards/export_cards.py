"""`evenhand cards export`: write the cards and decks of a pool as a spreadsheet."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.cli.options import ForceOption, PoolArgument
from experiments.cli.session import Session, Work, session_command
from experiments.files.output_file import check_output
from experiments.files.sheets import decks_for_sheet
from experiments.screen import counted
from experiments.spreadsheet.coin_row import coin_of
from experiments.spreadsheet.pool_sheet import write_pool_sheet


@session_command()
def export_cards(
    _: Session,
    pool: PoolArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The .csv, .xlsx, .ods or .json file to write; default the pool's name ending in "
            ".csv, in the current folder."
        ),
    ] = None,
    decks: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the decks to include; default the folder of the pool file.",
        ),
    ] = None,
    *,
    force: ForceOption = False,
) -> Work:
    """Write the cards of a pool, and the decks in its folder, as a spreadsheet."""
    return partial(_export, pool, out, decks, force=force)


def _export(pool: str, out: Path | None, decks: Path | None, *, force: bool) -> None:
    """Write a spreadsheet, and print what it contains; the arguments are those of the command."""
    cards = sim.load_pool(pool)
    target = Path(f"{Path(pool).stem}.csv") if out is None else out
    check_output(target, ".csv", ".xlsx", ".ods", ".json", force=force)
    if decks is None and pool.endswith(".toml"):
        decks = Path(pool).parent
    if decks is not None and not decks.is_dir():
        raise sim.InputError(
            "no such folder", place=decks, value=decks, remedy="give --decks an existing folder"
        )
    exported, faults = ([], []) if decks is None else decks_for_sheet(cards, decks)
    write_pool_sheet(cards, target, exported)
    decks_part = f", and decks {', '.join(deck.name for deck in exported)}" if exported else ""
    coin_part = "" if coin_of(cards) is None else " and the coin"
    n_cards = counted(len(cards.cards), "card")
    report = f"{target}: wrote {n_cards}{coin_part} of pool {cards.name!r}{decks_part}"
    typer.echo("\n".join([report, *(f"left out: {fault}" for fault in faults)]))

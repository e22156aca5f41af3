"""`evenhand cards`: cards from a spreadsheet, to a spreadsheet, and on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.files.output_file import check_output
from experiments.runs.json_file import to_json

app = typer.Typer(no_args_is_help=True, help="Cards from and to a spreadsheet, and in a table.")

PoolArgument = Annotated[
    str, typer.Argument(metavar="POOL", help="a pool's name, or the path of its .toml file")
]
ForceOption = Annotated[bool, typer.Option("--force", help="overwrite the output if it is there")]


RulesetOption = Annotated[
    str | None,
    typer.Option(help="rules of the decks; default those of the files they replace, else duel"),
]


@app.command("import")
def import_cards(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help=".csv or .xlsx, one card a row")],
    out: Annotated[
        Path | None, typer.Option(help="pool file; default the sheet's name ending in .toml")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="the pool's name; default that of the file it replaces, else the sheet's"
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="POOL",
            help="pool whose tokens, heroes and coin are taken; default the file it replaces",
        ),
    ] = None,
    ruleset: RulesetOption = None,
    page: Annotated[
        str | None,
        typer.Option("--sheet", metavar="TITLE", help="of a workbook, the sheet with the cards"),
    ] = None,
    note: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="keep this column as a note, whatever it resembles"),
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Make a pool file of the cards in a spreadsheet, and deck files of its decks.

    A spreadsheet holds no tokens, heroes and coin: those of the pool that it replaces stay.
    """
    from experiments.files.sheet_import import import_sheet  # noqa: PLC0415 - `--help` at once

    target = sheet.parent / f"{sheet.stem}.toml" if out is None else out
    imported = import_sheet(
        sheet, target, name=name, over=over, ruleset=ruleset, page=page, notes=note or ()
    )
    check_output(target, ".toml", force=force)
    for path in imported.changed_decks:
        check_output(path, ".toml", force=force)
    imported.write()
    for line in imported.lines():
        typer.echo(line)


@app.command("export")
def export_cards(
    pool: PoolArgument,
    out: Annotated[
        Path | None,
        typer.Option(help=".csv or .xlsx; default the pool's name.csv, in the current folder"),
    ] = None,
    decks: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="of the decks that go along; default the pool file's"),
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Write the cards of a pool, and the decks beside it, as a spreadsheet."""
    from experiments.files.deck_files import decks_for_sheet  # noqa: PLC0415 - likewise
    from sim.cards.spreadsheet.pool_sheet import write_pool_sheet  # noqa: PLC0415 - likewise

    cards = sim.load_pool(pool)
    target = Path(f"{Path(pool).stem}.csv") if out is None else out
    check_output(target, ".csv", ".xlsx", force=force)
    if decks is None and pool.endswith(".toml"):
        decks = Path(pool).parent
    if decks is not None and not decks.is_dir():
        raise sim.InputError(f"{decks}: no such folder")
    exported, faults = ([], []) if decks is None else decks_for_sheet(cards, decks)
    write_pool_sheet(cards, target, exported)
    of_decks = f", and decks {', '.join(deck.name for deck in exported)}" if exported else ""
    typer.echo(f"{target}: wrote {_count(len(cards.cards))} of pool {cards.name!r}{of_decks}")
    for fault in faults:
        typer.echo(f"left out: {fault}")


@app.command("list")
def list_cards(
    pool: PoolArgument,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print every field, for scripts")] = False,
) -> None:
    """Show the cards of a pool."""
    cards = sim.load_pool(pool)
    if as_json:
        told = cards.model_dump(mode="json", by_alias=True)
        for table, card in zip((*told["card"], *told["token"]), cards.everything, strict=True):
            table["notes"] = card.notes  # which no dump has
        typer.echo(to_json(told), nl=False)
        return
    from experiments.commands.card_tables import print_cards  # noqa: PLC0415 - only this needs it

    print_cards(cards, f"{cards.name}: {_count(len(cards.cards))}")


@app.command("show")
def show_card(
    card: Annotated[str, typer.Argument(metavar="ID", help="a card's id")],
    pool: Annotated[
        str, typer.Option(help="a pool's name, or the path of its .toml file")
    ] = "hearthstone",
) -> None:
    """Say what one card does, in plain words."""
    from experiments.commands.card_tables import card_page  # noqa: PLC0415 - `--help` at once

    typer.echo(card_page(sim.load_pool(pool), card), nl=False)


@app.command("coverage")
def show_coverage(
    scenarios: Annotated[
        Path | None,
        typer.Option(help="scenario file; cards that it mentions count as checked"),
    ] = None,
    *,
    missing: Annotated[bool, typer.Option("--missing", help="list the cards left out")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print it all, for scripts")] = False,
) -> None:
    """Count the real cards that can be played, by set and by class."""
    from experiments.commands.card_tables import coverage, print_coverage  # noqa: PLC0415

    found = coverage(scenarios)
    if as_json:
        typer.echo(to_json(found), nl=False)
    else:
        print_coverage(found, missing=missing)


def _count(n_cards: int) -> str:
    return f"{n_cards} card" + ("" if n_cards == 1 else "s")

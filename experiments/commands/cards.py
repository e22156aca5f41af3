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


@app.command("import")
def import_cards(
    sheet: Annotated[Path, typer.Argument(metavar="CSV", help="one card per line")],
    out: Annotated[
        Path | None, typer.Option(help="pool file; default the CSV's name ending in .toml")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="the pool's name; default that of the file it replaces, else the CSV's"),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="POOL",
            help="pool whose tokens, heroes and coin are taken; default the file it replaces",
        ),
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Make a pool file of the cards in a spreadsheet.

    A spreadsheet holds no tokens, heroes and coin: those of the pool that it replaces stay.
    """
    from sim.cards.pool_file import write_pool  # noqa: PLC0415 - `--help` must answer at once
    from sim.cards.spreadsheet import read_csv  # noqa: PLC0415 - likewise

    target = sheet.parent / f"{sheet.stem}.toml" if out is None else out
    earlier = _pool_at(target)
    kept = earlier if over is None else sim.load_pool(over)
    pool = read_csv(sheet, sheet.stem if name is None else name, kept)
    check_output(target, ".toml", force=force)
    if name is None and earlier is not None:  # decks refer to it
        pool = pool.model_copy(update={"name": earlier.name})
    write_pool(pool, target)
    typer.echo(f"{target}: wrote pool {pool.name!r}, {_count(len(pool.cards))}")


def _pool_at(path: Path) -> sim.Pool | None:
    """The pool that is about to be replaced, if there is one."""
    try:
        return sim.load_pool(str(path.absolute()))
    except sim.InputError:
        return None


@app.command("export")
def export_cards(
    pool: PoolArgument,
    out: Annotated[
        Path | None, typer.Option(help="CSV file; default the pool's, in the current folder")
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Write the cards of a pool as a spreadsheet."""
    from sim.cards.spreadsheet import write_csv  # noqa: PLC0415 - likewise

    cards = sim.load_pool(pool)
    target = Path(f"{Path(pool).stem}.csv") if out is None else out
    check_output(target, ".csv", force=force)
    write_csv(cards, target)
    typer.echo(f"{target}: wrote {_count(len(cards.cards))} of pool {cards.name!r}")


@app.command("list")
def list_cards(
    pool: PoolArgument,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print every field, for scripts")] = False,
) -> None:
    """Show the cards of a pool."""
    cards = sim.load_pool(pool)
    if as_json:
        typer.echo(cards.model_dump_json(indent=2, by_alias=True))
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

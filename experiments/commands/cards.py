"""`evenhand cards`: cards from a spreadsheet, to a spreadsheet, and on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from sim.effect import Effect
    from sim.pool import Pool

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
    *,
    force: ForceOption = False,
) -> None:
    """Make a pool file of the cards in a spreadsheet."""
    from sim.pool_file import write_pool  # noqa: PLC0415 - `--help` must answer at once
    from sim.spreadsheet import read_csv  # noqa: PLC0415 - likewise

    pool = read_csv(sheet, sheet.stem if name is None else name)
    target = sheet.with_suffix(".toml") if out is None else out
    _check_output(target, ".toml", force=force)
    if name is None and (earlier := _name_of_pool_at(target)):
        pool = pool.model_copy(update={"name": earlier})
    write_pool(pool, target)
    typer.echo(f"{target}: wrote pool {pool.name!r}, {_count(len(pool.cards))}")


def _name_of_pool_at(path: Path) -> str | None:
    """The name of the pool that is about to be replaced: decks refer to it."""
    from sim.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once

    try:
        return load_pool(str(path.absolute())).name
    except InputError:
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
    from sim.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once
    from sim.spreadsheet import write_csv  # noqa: PLC0415 - likewise

    cards = load_pool(pool)
    target = Path(f"{Path(pool).stem}.csv") if out is None else out
    _check_output(target, ".csv", force=force)
    write_csv(cards, target)
    typer.echo(f"{target}: wrote {_count(len(cards.cards))} of pool {cards.name!r}")


@app.command("list")
def list_cards(
    pool: PoolArgument,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print every field, for scripts")] = False,
) -> None:
    """Show the cards of a pool."""
    from sim.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once

    cards = load_pool(pool)
    if as_json:
        typer.echo(cards.model_dump_json(indent=2, by_alias=True))
        return
    from rich.console import Console  # noqa: PLC0415 - only this needs it

    Console().print(_card_table(cards))


def _check_output(path: Path, ending: str, *, force: bool) -> None:
    """Refuse an output of the wrong kind, which may be somebody's input, or one that is there."""
    if path.suffix.lower() != ending:
        raise InputError(f"{path}: must end in {ending}")
    if _is_there(path) and not force:
        raise InputError(f"{path}: is already there; use --force to overwrite it")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; writing will say so
        return False


def _count(n_cards: int) -> str:
    return f"{n_cards} card" + ("" if n_cards == 1 else "s")


def _card_table(pool: Pool) -> Table:
    from rich.table import Table  # noqa: PLC0415 - only this needs it
    from rich.text import Text  # noqa: PLC0415 - names may hold what rich takes for markup

    table = Table(title=Text(f"{pool.name}: {_count(len(pool.cards))}"))
    table.add_column("id", no_wrap=True)
    table.add_column("name")
    for title in ("cost", "attack", "health"):
        table.add_column(title, justify="right")
    table.add_column("keywords")
    table.add_column("effects")
    for card in pool.cards:
        numbers = (card.cost, card.attack, card.health)
        effects = "; ".join(_in_words(effect) for effect in card.effects)
        cells = (card.id, card.name, *map(str, numbers), " ".join(card.keywords), effects)
        table.add_row(*map(Text, cells))
    return table


def _in_words(effect: Effect) -> str:
    """A row as a phrase: `play: damage 2 to enemy player`."""
    from sim.spreadsheet import effect_text  # noqa: PLC0415 - the callers have loaded it

    return effect_text(effect).replace("_", " ")

"""`evenhand cards`: cards from a spreadsheet, to a spreadsheet, and on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.files.output_file import check_output
from sim.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from sim.cards.pool import Pool

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
    from sim.cards.pool_source import load_pool  # noqa: PLC0415 - likewise
    from sim.cards.spreadsheet import read_csv  # noqa: PLC0415 - likewise

    target = sheet.parent / f"{sheet.stem}.toml" if out is None else out
    earlier = _pool_at(target)
    kept = earlier if over is None else load_pool(over)
    pool = read_csv(sheet, sheet.stem if name is None else name, kept)
    check_output(target, ".toml", force=force)
    if name is None and earlier is not None:  # decks refer to it
        pool = pool.model_copy(update={"name": earlier.name})
    write_pool(pool, target)
    typer.echo(f"{target}: wrote pool {pool.name!r}, {_count(len(pool.cards))}")


def _pool_at(path: Path) -> Pool | None:
    """The pool that is about to be replaced, if there is one."""
    from sim.cards.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once

    try:
        return load_pool(str(path.absolute()))
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
    from sim.cards.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once
    from sim.cards.spreadsheet import write_csv  # noqa: PLC0415 - likewise

    cards = load_pool(pool)
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
    from sim.cards.pool_source import load_pool  # noqa: PLC0415 - `--help` must answer at once

    cards = load_pool(pool)
    if as_json:
        typer.echo(cards.model_dump_json(indent=2, by_alias=True))
        return
    from rich.console import Console  # noqa: PLC0415 - only this needs it

    Console().print(_card_table(cards))


@app.command("show")
def show_card(
    card: Annotated[str, typer.Argument(metavar="ID", help="a card's id")],
    pool: Annotated[
        str, typer.Option(help="a pool's name, or the path of its .toml file")
    ] = "hearthstone",
) -> None:
    """Say what one card does, in plain words."""
    from experiments.commands.card_page import card_page  # noqa: PLC0415 - `--help` at once
    from sim.cards.pool_source import load_pool  # noqa: PLC0415 - likewise

    typer.echo(card_page(load_pool(pool), card), nl=False)


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
    from experiments.commands.card_coverage import coverage  # noqa: PLC0415 - `--help` at once

    found = coverage(scenarios)
    if as_json:
        from experiments.runs.json_file import to_json  # noqa: PLC0415 - only this needs it

        typer.echo(to_json(found), nl=False)
        return
    from rich.console import Console  # noqa: PLC0415 - only this needs it

    console = Console()
    console.print(_coverage_table(found))
    if missing:
        for card in found["missing"]:
            place = f"{card['set'].replace('_', ' ')}, {card['class']}"
            console.print(f"{card['id']}  {card['name']} ({place})", markup=False, highlight=False)


def _coverage_table(found: dict[str, Any]) -> Table:
    from rich.table import Table  # noqa: PLC0415 - only this needs it

    from experiments.commands.card_coverage import COLUMNS  # noqa: PLC0415 - the callers have it

    columns = [column for column in COLUMNS if found["all"][column] is not None]
    table = Table(title="Real cards")
    table.add_column("set or class")
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for part in ("by_set", "by_class"):
        for group, counts in found[part].items():
            table.add_row(group.replace("_", " "), *(str(counts[column]) for column in columns))
        table.add_section()
    table.add_row("all", *(str(found["all"][column]) for column in columns))
    return table


def _count(n_cards: int) -> str:
    return f"{n_cards} card" + ("" if n_cards == 1 else "s")


def _card_table(pool: Pool) -> Table:
    from rich.table import Table  # noqa: PLC0415 - only this needs it
    from rich.text import Text  # noqa: PLC0415 - names may hold what rich takes for markup

    from sim.cards.text.card_text import effects_in_words  # noqa: PLC0415 - likewise

    names = {card.id: card.name for card in pool.everything}
    is_mixed = any(card.kind != "minion" for card in pool.cards)
    table = Table(title=Text(f"{pool.name}: {_count(len(pool.cards))}"))
    table.add_column("id", no_wrap=True)
    table.add_column("name", overflow="fold")
    if is_mixed:
        table.add_column("kind", no_wrap=True)
    for title in ("cost", "body") if is_mixed else ("cost", "attack", "health"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("keywords", overflow="fold")
    table.add_column("effects", overflow="fold")
    for card in pool.cards:
        numbers = [str(card.number(field)) for field in card.printed]
        kind_and_body = [card.kind, numbers[0], "/".join(numbers[1:])]
        cells = [card.id, card.name, *(kind_and_body if is_mixed else numbers)]
        table.add_row(*map(Text, [*cells, " ".join(card.keywords), effects_in_words(card, names)]))
    return table

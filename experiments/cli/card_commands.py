"""`evenhand cards` and `evenhand deck`: from and to spreadsheets and deck codes, and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.files.output_file import check_output, counted, deck_text
from experiments.runs.json_file import to_json

cards_app = typer.Typer(
    no_args_is_help=True, help="Cards from and to a spreadsheet, and in a table."
)

_POOL = "a pool's name, or the path of its .toml file"
PoolArgument = Annotated[str, typer.Argument(metavar="POOL", help=_POOL)]
PoolOption = Annotated[str, typer.Option(help=_POOL)]
ForceOption = Annotated[bool, typer.Option("--force", help="overwrite the output if it is there")]


@cards_app.command("import")
def import_cards(
    sheet: Annotated[
        Path, typer.Argument(metavar="SHEET", help=".csv, .xlsx or .json, one card a row")
    ],
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
            help="pool whose tokens and heroes are taken, and whose coin if the sheet has none; "
            "default the file it replaces",
        ),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(
            help="rules of the decks; default as their files, or most decks there, say, else duel"
        ),
    ] = None,
    page: Annotated[
        str | None,
        typer.Option("--sheet", metavar="TITLE", help="of a workbook, the sheet with the cards"),
    ] = None,
    note: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="keep this column as a note, whatever it resembles"),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TITLE=MEANING",
            help='what a column is, such as "Mana_Cost=cost", "Power=attack+health" or '
            '"Force=attack/100"',
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="WORD=KIND", help='what a kind is, such as "Rite=spell"'),
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Make a pool file of the cards in a spreadsheet, and deck files of its decks.

    A spreadsheet holds no tokens but the coin, and no heroes: those of the pool that it replaces
    stay.
    """
    from experiments.files.sheets import (  # noqa: PLC0415 - `--help` at once
        SheetOptions,
        import_sheet,
    )

    target = sheet.parent / f"{sheet.stem}.toml" if out is None else out
    options = SheetOptions(page, note or (), column or (), kind or ())
    imported = import_sheet(sheet, target, name=name, over=over, ruleset=ruleset, options=options)
    for path in (target, *imported.changed_decks):
        check_output(path, ".toml", force=force)
    imported.write()
    typer.echo("\n".join(imported.lines()))


@cards_app.command("export")
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
    from experiments.files.sheets import decks_for_sheet  # noqa: PLC0415 - likewise
    from sim.cards.spreadsheet.coin_row import coin_of  # noqa: PLC0415 - likewise
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
    of_coin = "" if coin_of(cards) is None else " and the coin"
    n_cards = counted(len(cards.cards), "card")
    wrote = f"{target}: wrote {n_cards}{of_coin} of pool {cards.name!r}{of_decks}"
    typer.echo("\n".join([wrote, *(f"left out: {fault}" for fault in faults)]))


@cards_app.command("list")
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

    print_cards(cards, f"{cards.name}: {counted(len(cards.cards), 'card')}")


@cards_app.command("show")
def show_card(
    card: Annotated[str, typer.Argument(metavar="ID", help="a card's id or name")],
    pool: PoolOption = "hearthstone",
) -> None:
    """Say what one card does, in plain words."""
    from experiments.commands.card_tables import card_page  # noqa: PLC0415 - `--help` at once

    typer.echo(card_page(sim.load_pool(pool), card), nl=False)


@cards_app.command("coverage")
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


deck_app = typer.Typer(no_args_is_help=True, help="Decks from and to deck codes.")


@deck_app.command("import")
def import_deck(
    code: Annotated[str, typer.Argument(metavar="CODE", help="a deck code, AAE...")],
    out: Annotated[
        Path | None, typer.Option(help="deck file to write; default none, only show the deck")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="the deck's name; default that of the file, else pasted")
    ] = None,
    pool: PoolOption = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="a ruleset's name, or the path of its .toml file")
    ] = "legacy",
    *,
    force: ForceOption = False,
) -> None:
    """Show the deck of a code, and make a deck file of it."""
    from sim.real_cards.deck_code import DEFAULT_NAME, read_deck_code  # noqa: PLC0415 - likewise

    cards = sim.load_pool(pool)
    rules = sim.load_ruleset(ruleset)
    if name is None:
        name = DEFAULT_NAME if out is None else out.stem
    deck = read_deck_code(code, cards, name=name, ruleset=rules.name)
    sim.check_deck(deck, cards, rules)
    if out is not None:
        check_output(out, ".toml", force=force)
        sim.write_atomically(out, deck_text(deck))
    typer.echo(_listed(deck, cards))
    if out is not None:
        typer.echo(f"{out}: wrote deck {deck.name!r}")


@deck_app.command("export")
def export_deck(
    deck: Annotated[
        str, typer.Argument(metavar="DECK", help="a deck's name, or the path of its .toml file")
    ],
    pool: Annotated[
        str | None, typer.Option(help="a pool's name, or its .toml file; default the deck's own")
    ] = None,
) -> None:
    """Print the code of a deck."""
    from sim.real_cards.deck_code import write_deck_code  # noqa: PLC0415 - `--help` at once

    near = sim.find_data_file("decks", deck)
    own_pool = None if pool is None else sim.load_pool(pool)
    loaded = sim.load_deck(str(near), pool=own_pool)
    cards = own_pool or sim.load_pool(loaded.pool, near=near)
    played = loaded.model_copy(update={"pool": cards.name})
    sim.check_deck(played, cards, sim.load_ruleset(loaded.ruleset, near=near))
    typer.echo(write_deck_code(played, cards))


def _listed(deck: sim.Deck, pool: sim.Pool) -> str:
    """A deck as lines: its name, hero and size, then its cards, the cheapest first."""
    count = counted(deck.n_cards, "card")
    head = f"{deck.name}: {count} of {pool.hero(deck.hero).name} ({deck.hero})"
    cards = sorted((pool.card(card_id) for card_id in deck.cards), key=lambda card: card.cost)
    lines = [f"{card.cost:>4}  {deck.cards[card.id]:>6}  {card.name} ({card.id})" for card in cards]
    return "\n".join([head, "cost  copies  card", *lines])

"""`evenhand cards` and `evenhand deck`: convert and show cards and decks.

Cards are read from and written to spreadsheets, decks from and to deck codes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.files.output_file import check_output, counted, deck_text
from experiments.runs.json_file import to_json

cards_app = typer.Typer(
    no_args_is_help=True, help="Convert cards from and to spreadsheets, and show them."
)

_POOL = "The card pool: its name, or the path of its .toml file."
PoolArgument = Annotated[str, typer.Argument(metavar="POOL", help=_POOL)]
PoolOption = Annotated[str, typer.Option(help=_POOL)]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Overwrite the output file if it exists.")
]
SHEET_HELP = "Title of the workbook's sheet that holds the cards."
NOTE_HELP = "Title of a column to keep as a note, even if it looks like a known one."
COLUMN_HELP = (
    'Meaning of a column, such as "Mana_Cost=cost", "Power=attack+health" or "Force=attack/100".'
)
KIND_HELP = 'Kind of card that a word of the sheet stands for, such as "Rite=spell".'


@cards_app.command("import")
def import_cards(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET", help="The spreadsheet: .csv, .xlsx or .json, one card per row."
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
    page: Annotated[
        str | None,
        typer.Option("--sheet", metavar="TITLE", help=SHEET_HELP),
    ] = None,
    note: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help=NOTE_HELP)] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="TITLE=MEANING", help=COLUMN_HELP)
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--type", metavar="WORD=KIND", help=KIND_HELP)
    ] = None,
    *,
    force: ForceOption = False,
) -> None:
    """Make a pool file of the cards in a spreadsheet, and deck files of its decks.

    A spreadsheet cannot contain heroes, nor tokens other than the coin. These are kept from the
    pool that is replaced.
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
        typer.Option(
            help="The .csv or .xlsx file to write; default the pool's name ending in .csv, in the "
            "current folder."
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
) -> None:
    """Write the cards of a pool, and the decks in its folder, as a spreadsheet."""
    from experiments.files.sheets import decks_for_sheet  # noqa: PLC0415 - `--help` at once
    from experiments.spreadsheet.coin_row import coin_of  # noqa: PLC0415 - the same
    from experiments.spreadsheet.pool_sheet import write_pool_sheet  # noqa: PLC0415 - the same

    cards = sim.load_pool(pool)
    target = Path(f"{Path(pool).stem}.csv") if out is None else out
    check_output(target, ".csv", ".xlsx", force=force)
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


@cards_app.command("list")
def list_cards(
    pool: PoolArgument,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every field as JSON, for scripts.")
    ] = False,
) -> None:
    """Show the cards of a pool in a table."""
    cards = sim.load_pool(pool)
    if as_json:
        dump = cards.model_dump(mode="json", by_alias=True)
        for table, card in zip((*dump["card"], *dump["token"]), cards.everything, strict=True):
            table["notes"] = card.notes  # the model leaves notes out of its dump
        typer.echo(to_json(dump), nl=False)
        return
    from experiments.commands.card_tables import print_cards  # noqa: PLC0415 - only this needs it

    print_cards(cards, f"{cards.name}: {counted(len(cards.cards), 'card')}")


@cards_app.command("show")
def show_card(
    card: Annotated[str, typer.Argument(metavar="ID", help="Id or name of the card.")],
    pool: PoolOption = "hearthstone",
) -> None:
    """Describe one card in plain words."""
    from experiments.commands.card_tables import card_page  # noqa: PLC0415 - `--help` at once

    typer.echo(card_page(sim.load_pool(pool), card), nl=False)


@cards_app.command("coverage")
def show_coverage(
    scenarios: Annotated[
        Path | None,
        typer.Option(help="A scenario file; the cards that it mentions count as checked."),
    ] = None,
    *,
    missing: Annotated[
        bool, typer.Option("--missing", help="Also list the cards that cannot be played yet.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all counts and cards as JSON, for scripts.")
    ] = False,
) -> None:
    """Count the real cards that can be played, by set and by class."""
    from experiments.commands.card_tables import coverage, print_coverage  # noqa: PLC0415

    counts = coverage(scenarios)
    if as_json:
        typer.echo(to_json(counts), nl=False)
    else:
        print_coverage(counts, missing=missing)


deck_app = typer.Typer(no_args_is_help=True, help="Convert decks from and to deck codes.")


@deck_app.command("import")
def import_deck(
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A deck code, as games print it: AAE...")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The deck file to write; default none: the deck is only shown."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Name of the deck; default the name of the deck file, else pasted."),
    ] = None,
    pool: PoolOption = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="The ruleset: its name, or the path of its .toml file.")
    ] = "legacy",
    *,
    force: ForceOption = False,
) -> None:
    """Show the deck of a deck code; with --out, also write it to a file."""
    from sim.real_cards.deck_code import DEFAULT_NAME, read_deck_code  # noqa: PLC0415 - the same

    cards = sim.load_pool(pool)
    rules = sim.load_ruleset(ruleset)
    if name is None:
        name = DEFAULT_NAME if out is None else out.stem
    deck = read_deck_code(code, cards, name=name, ruleset=rules.name)
    sim.check_deck(deck, cards, rules)
    if out is not None:
        check_output(out, ".toml", force=force)
        sim.write_atomically(out, deck_text(deck))
    typer.echo(_deck_lines(deck, cards))
    if out is not None:
        typer.echo(f"{out}: wrote deck {deck.name!r}")


@deck_app.command("export")
def export_deck(
    deck: Annotated[
        str,
        typer.Argument(metavar="DECK", help="The deck: its name, or the path of its .toml file."),
    ],
    pool: Annotated[
        str | None,
        typer.Option(
            help="The card pool: its name, or its .toml file; default the pool that the deck names."
        ),
    ] = None,
) -> None:
    """Print the deck code of a deck."""
    from sim.real_cards.deck_code import write_deck_code  # noqa: PLC0415 - `--help` at once

    near = sim.find_data_file("decks", deck)
    own_pool = None if pool is None else sim.load_pool(pool)
    loaded = sim.load_deck(str(near), pool=own_pool)
    cards = own_pool or sim.load_pool(loaded.pool, near=near)
    played = loaded.model_copy(update={"pool": cards.name})
    sim.check_deck(played, cards, sim.load_ruleset(loaded.ruleset, near=near))
    typer.echo(write_deck_code(played, cards))


def _deck_lines(deck: sim.Deck, pool: sim.Pool) -> str:
    """Return a deck as text: a line with name, hero and size, then its cards by increasing cost."""
    count = counted(deck.n_cards, "card")
    head = f"{deck.name}: {count} of {pool.hero(deck.hero).name} ({deck.hero})"
    cards = sorted((pool.card(card_id) for card_id in deck.cards), key=lambda card: card.cost)
    lines = [f"{card.cost:>4}  {deck.cards[card.id]:>6}  {card.name} ({card.id})" for card in cards]
    return "\n".join([head, "cost  copies  card", *lines])

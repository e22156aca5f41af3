"""`evenhand deck import`: show the deck of a deck code or list, or write it to a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

import sim
from experiments.cli.options import ForceOption, PoolOption
from experiments.cli.session import Session, Work, session_command
from experiments.deck_files.deck_reading import deck_of, name_in, written_deck
from experiments.deck_files.deck_source import read_source
from experiments.files.output_file import check_output, deck_text
from experiments.screen import counted
from sim.real_cards.deck_code import DEFAULT_NAME


@session_command()
def import_deck(
    _: Session,
    deck: Annotated[
        str,
        typer.Argument(
            metavar="LIST",
            help="A deck code (AAE...), the path of a file with a deck code or a deck list (plain "
            "text, .cod or .dck), its text, or - for standard input.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The deck file to write; default none: the deck is only shown."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="Name of the deck; default the name in the list, else that of the deck file, of "
            "the list's file, or pasted."
        ),
    ] = None,
    pool: PoolOption = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="The ruleset: its name, or the path of its .toml file.")
    ] = "legacy",
    hero: Annotated[
        str | None,
        typer.Option(
            help="Hero of the deck; default the hero in the list, else the only hero of its cards."
        ),
    ] = None,
    *,
    force: ForceOption = False,
) -> Work:
    """Show the deck of a deck code or deck list; with --out, also write it to a file."""
    stem = "" if out is None else out.stem
    read = partial(_read, deck, name, stem, pool, ruleset, hero)
    return partial(_import, read, out, force=force)


class _Imported(NamedTuple):
    """Deck of a list, with its pool and remarks on the list."""

    deck: sim.Deck
    pool: sim.Pool
    remarks: tuple[str, ...]


def _read(
    argument: str, name: str | None, stem: str, pool: str, ruleset: str, hero: str | None
) -> _Imported:
    """Read a deck, and check it against its ruleset.

    Args:
        argument: file, text or `-`, as in `read_source`.
        name: name of the deck; `None` for the first known name in the list and of the files.
        stem: name of the output file without its ending; `""` for no file.
        pool: name or path of the pool.
        ruleset: name or path of the ruleset.
        hero: hero of the deck; `None` for that of the list or of its cards.
    """
    source = read_source(argument)
    written = written_deck(source)
    cards = sim.load_pool(pool)
    rules = sim.load_ruleset(ruleset)
    known = filter(None, (name_in(written), stem, source.stem, DEFAULT_NAME))
    deck = deck_of(
        written,
        cards,
        name=next(known) if name is None else name,
        ruleset=rules.name,
        place=source.place,
        hero=hero,
    )
    sim.check_deck(deck, cards, rules)
    return _Imported(deck, cards, tuple(filter(None, (source.remark, *written.left_out))))


def _import(read: Callable[[], _Imported], out: Path | None, *, force: bool) -> None:
    """Show a deck, and write it if `out` is a file."""
    imported = read()
    deck = imported.deck
    if out is not None:
        check_output(out, ".toml", force=force)
        sim.write_atomically(out, deck_text(deck))
    typer.echo("\n".join([_deck_lines(deck, imported.pool), *imported.remarks]))
    if out is not None:
        typer.echo(f"{out}: wrote deck {deck.name!r}")


def _deck_lines(deck: sim.Deck, pool: sim.Pool) -> str:
    """Return the deck as text: a line with name, hero and size, then its cards by cost."""
    count = counted(deck.n_cards, "card")
    of_hero = f" of {pool.hero(deck.hero).name} ({deck.hero})" if deck.hero else ""
    cards = sorted((pool.card(card_id) for card_id in deck.cards), key=lambda card: card.cost)
    lines = [f"{card.cost:>4}  {deck.cards[card.id]:>6}  {card.name} ({card.id})" for card in cards]
    return "\n".join([f"{deck.name}: {count}{of_hero}", "cost  copies  card", *lines])

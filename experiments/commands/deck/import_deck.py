"""`evenhand deck import`: show the deck of a deck code, or write it to a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.cli.options import ForceOption, PoolOption
from experiments.cli.session import Session, Work, session_command
from experiments.files.output_file import check_output, deck_text
from experiments.screen import counted
from sim.real_cards.deck_code import DEFAULT_NAME, read_deck_code


@session_command()
def import_deck(
    _: Session,
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
) -> Work:
    """Show the deck of a deck code; with --out, also write it to a file."""
    return partial(_import, code, out, name, pool, ruleset, force=force)


def _import(
    code: str, out: Path | None, name: str | None, pool: str, ruleset: str, *, force: bool
) -> None:
    """Show a deck, and write it if `out` is a file; the arguments are those of the command."""
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


def _deck_lines(deck: sim.Deck, pool: sim.Pool) -> str:
    """Return a deck as text: a line with name, hero and size, then its cards by increasing cost."""
    count = counted(deck.n_cards, "card")
    head = f"{deck.name}: {count} of {pool.hero(deck.hero).name} ({deck.hero})"
    cards = sorted((pool.card(card_id) for card_id in deck.cards), key=lambda card: card.cost)
    lines = [f"{card.cost:>4}  {deck.cards[card.id]:>6}  {card.name} ({card.id})" for card in cards]
    return "\n".join([head, "cost  copies  card", *lines])

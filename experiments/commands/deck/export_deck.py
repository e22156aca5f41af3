"""`evenhand deck export`: print a deck as a deck code or as a list for other programs."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import sim
from experiments.cli.session import Session, Work, session_command
from experiments.deck_files.deck_writing import CODE, FORMATS, write_deck
from experiments.files.option_errors import option_place
from sim.names import named_word


@session_command()
def export_deck(
    _: Session,
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
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="code (of real cards only), text (a plain list), cod (Cockatrice) or dck (Forge).",
        ),
    ] = CODE,
) -> Work:
    """Print a deck as a deck code, or as a list for other programs."""
    with option_place("format"):
        known = named_word("format", form, FORMATS)
    return partial(_export, deck, pool, known)


def _export(deck: str, pool: str | None, form: str) -> None:
    """Print a deck in a format; the arguments are those of the command."""
    near = sim.find_data_file("decks", deck)
    own_pool = None if pool is None else sim.load_pool(pool)
    loaded = sim.load_deck(str(near), pool=own_pool)
    cards = own_pool or sim.load_pool(loaded.pool, near=near)
    played = loaded.model_copy(update={"pool": cards.name})
    sim.check_deck(played, cards, sim.load_ruleset(loaded.ruleset, near=near))
    typer.echo(write_deck(played, cards, form), nl=False)

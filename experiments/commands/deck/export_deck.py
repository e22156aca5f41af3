"""`evenhand deck export`: print the deck code of a deck."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import sim
from experiments.cli.session import Session, Work, session_command
from sim.real_cards.deck_code import write_deck_code


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
) -> Work:
    """Print the deck code of a deck."""
    return partial(_export, deck, pool)


def _export(deck: str, pool: str | None) -> None:
    """Print the code of a deck; the arguments are those of the command."""
    near = sim.find_data_file("decks", deck)
    own_pool = None if pool is None else sim.load_pool(pool)
    loaded = sim.load_deck(str(near), pool=own_pool)
    cards = own_pool or sim.load_pool(loaded.pool, near=near)
    played = loaded.model_copy(update={"pool": cards.name})
    sim.check_deck(played, cards, sim.load_ruleset(loaded.ruleset, near=near))
    typer.echo(write_deck_code(played, cards))

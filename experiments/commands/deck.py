"""`evenhand deck`: decks from the codes that players pass on, and to such codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.files.output_file import check_output, deck_text
from sim.files.atomic_file import write_atomically

app = typer.Typer(no_args_is_help=True, help="Decks from and to deck codes.")


@app.command("import")
def import_deck(
    code: Annotated[str, typer.Argument(metavar="CODE", help="a deck code, AAE...")],
    out: Annotated[
        Path | None, typer.Option(help="deck file to write; default none, only show the deck")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="the deck's name; default that of the file, else pasted")
    ] = None,
    pool: Annotated[
        str, typer.Option(help="a pool's name, or the path of its .toml file")
    ] = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="a ruleset's name, or the path of its .toml file")
    ] = "legacy",
    *,
    force: Annotated[
        bool, typer.Option("--force", help="overwrite the output if it is there")
    ] = False,
) -> None:
    """Show the deck of a code, and make a deck file of it."""
    from sim.cards.deck import check_deck  # noqa: PLC0415 - `--help` must answer at once
    from sim.real_cards.deck_code import DEFAULT_NAME, read_deck_code  # noqa: PLC0415 - `--help` must answer at once

    cards, rules = sim.load_pool(pool), sim.load_ruleset(ruleset)
    default_name = DEFAULT_NAME if out is None else out.stem
    deck = read_deck_code(
        code, cards, name=default_name if name is None else name, ruleset=rules.name
    )
    check_deck(deck, cards, rules)
    if out is not None:
        check_output(out, ".toml", force=force)
        write_atomically(out, deck_text(deck))
    typer.echo(_listed(deck, cards))
    if out is not None:
        typer.echo(f"{out}: wrote deck {deck.name!r}")


@app.command("export")
def export_deck(
    deck: Annotated[
        str, typer.Argument(metavar="DECK", help="a deck's name, or the path of its .toml file")
    ],
    pool: Annotated[
        str | None, typer.Option(help="a pool's name, or its .toml file; default the deck's own")
    ] = None,
) -> None:
    """Print the code of a deck."""
    from sim import check_deck, find_data_file  # noqa: PLC0415 - `--help` must answer at once
    from sim.real_cards.deck_code import write_deck_code  # noqa: PLC0415 - `--help` must answer at once

    loaded = sim.load_deck(deck)
    near = find_data_file("decks", deck)
    cards = sim.load_pool(loaded.pool, near=near) if pool is None else sim.load_pool(pool)
    played = loaded.model_copy(update={"pool": cards.name})
    check_deck(played, cards, sim.load_ruleset(loaded.ruleset, near=near))
    typer.echo(write_deck_code(played, cards))


def _listed(deck: sim.Deck, pool: sim.Pool) -> str:
    """A deck as lines: its name, hero and size, then its cards, the cheapest first."""
    count = f"{deck.n_cards} card" + ("" if deck.n_cards == 1 else "s")
    head = f"{deck.name}: {count} of {pool.hero(deck.hero).name} ({deck.hero})"
    cards = sorted((pool.card(card_id) for card_id in deck.cards), key=lambda card: card.cost)
    lines = [f"{card.cost:>4}  {deck.cards[card.id]:>6}  {card.name} ({card.id})" for card in cards]
    return "\n".join([head, "cost  copies  card", *lines])

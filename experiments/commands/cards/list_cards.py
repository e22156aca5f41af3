"""`evenhand cards list`: show the cards of a pool."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

import sim
from experiments.cli.options import PoolArgument
from experiments.cli.session import Session, Work, session_command
from experiments.runs.json_file import to_json
from experiments.screen import counted
from sim import Pool
from sim.cards.text.card_text import effects_in_words


@session_command()
def list_cards(
    _: Session,
    pool: PoolArgument,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every field as JSON, for scripts.")
    ] = False,
) -> Work:
    """Show the cards of a pool in a table."""
    return partial(_list, pool, as_json=as_json)


def _list(name: str, *, as_json: bool) -> None:
    """Print the cards of the pool of a name, in a table or as JSON."""
    pool = sim.load_pool(name)
    if as_json:
        dump = pool.model_dump(mode="json", by_alias=True)
        for table, card in zip((*dump["card"], *dump["token"]), pool.everything, strict=True):
            table["notes"] = card.notes  # the model leaves notes out of its dump
        typer.echo(to_json(dump), nl=False)
    else:
        _print_table(pool, f"{pool.name}: {counted(len(pool.cards), 'card')}")


def _print_table(pool: Pool, title: str) -> None:
    """Print a table of the cards of a pool, without its tokens."""
    names = {card.id: card.name for card in pool.everything}
    # Pools of minions alone have columns for attack and health; other kinds have other numbers.
    is_mixed = any(card.kind != "minion" for card in pool.cards)
    kind = [Column("kind", no_wrap=True)] if is_mixed else []
    printed = ("cost", "body") if is_mixed else ("cost", "attack", "health")
    table = Table(
        Column("id", no_wrap=True),
        Column("name", overflow="fold"),
        *kind,
        *(Column(number, justify="right", no_wrap=True) for number in printed),
        Column("keywords", overflow="fold"),
        Column("effects", overflow="fold"),
        title=Text(title),
    )
    for card in pool.cards:
        numbers = [str(card.number(field)) for field in card.printed]
        kind_and_body = [card.kind, numbers[0], "/".join(numbers[1:])]
        cells = [card.id, card.name, *(kind_and_body if is_mixed else numbers)]
        # Cells are `Text`, because a name such as `[red]` would be interpreted as markup.
        table.add_row(*map(Text, [*cells, " ".join(card.keywords), effects_in_words(card, names)]))
    Console().print(table)

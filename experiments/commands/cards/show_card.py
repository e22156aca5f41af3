"""`evenhand cards show`: describe one card, and the cards that it creates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import sim
from experiments.cli.options import PoolOption
from experiments.cli.session import Session, Work, session_command
from sim import AMOUNTS, REAL_POOL, Card, InputError, Pool
from sim.cards.names import card_names
from sim.cards.text.card_text import card_lines
from sim.errors import listed
from sim.real_cards.hearthstone import real_card_name

_POOL_HEAD = 10_000  # bytes; in a pool file, the text before the first card is far shorter


@session_command()
def show_card(
    _: Session,
    card: Annotated[str, typer.Argument(metavar="ID", help="Id or name of the card.")],
    pool: PoolOption = "hearthstone",
) -> Work:
    """Describe one card in plain words."""
    return lambda: typer.echo(card_page(sim.load_pool(pool), card), nl=False)


def card_page(pool: Pool, card_id: str) -> str:
    """Return a text on a card's numbers and effects, followed by the cards that it creates.

    Args:
        pool: the card pool.
        card_id: id or name of a card or token of the pool, in any spelling.

    Raises:
        InputError: the pool has no such card. The message suggests the nearest spelling, or says
            that the real card has no effects yet.
    """
    card = _find(pool, card_id)
    names = {known.id: known.name for known in pool.everything}
    lines = [f"{card.name} ({card.id})", *_card_lines(card, names)]
    for other in _created_cards(pool, card):
        lines += ["", f"{other.name} ({other.id})", *_card_lines(other, names)]
    return "\n".join(lines) + "\n"


def _find(pool: Pool, card_id: str) -> Card:
    """Return the card or token with an id or name; cards that decks may hold have precedence.

    Raises:
        InputError: the pool has no card or token of this id or name.
    """
    names = card_names(pool, with_tokens=True)
    known_id = card_names(pool).get(card_id) or names.get(card_id)
    if known_id is not None:
        return pool.everything[pool.number(known_id)]
    name = real_card_name(card_id.lower()) if pool.name == REAL_POOL else None
    if name is not None:
        raise InputError(
            f"card {card_id.lower()!r} ({name}) cannot be played yet: it has no effects",
            value=card_id,
            remedy="to count the cards that can be played, run: evenhand cards coverage",
        )
    if pool.name == REAL_POOL:
        raise InputError(f"{names.unknown} {card_id!r}", value=card_id, remedy=_other_pools())
    raise names.unknown_name_error(card_id)


def _other_pools() -> str:
    """Return a suggestion of `--pool`, with a pool file of the current folder if there is one."""
    here = sorted(str(path) for path in Path().glob("*.toml") if _is_pool(path))
    return f"for your own cards add --pool {here[0] if here else 'FILE.toml'}"


def _is_pool(path: Path) -> bool:
    """Return whether the first `_POOL_HEAD` bytes of a file contain a `[[card]]` table."""
    with suppress(OSError), path.open("rb") as file:
        return b"[[card]]" in file.read(_POOL_HEAD)
    return False


def _card_lines(card: Card, names: dict[str, str]) -> Iterator[str]:
    """Yield indented lines on a card: its kind, its numbers, its effects, its limits and its notes.

    Args:
        card: card to describe.
        names: name of each card of the pool, by its id.
    """
    hero = f"{card.hero} only" if card.hero else ""
    yield f"  {', '.join(filter(None, [card.kind, card.tribe, hero]))}"
    if card.kind not in ("attachment", "option"):
        yield f"  {listed([f'{field} {card.number(field)}' for field in card.printed])}"
    yield from (f"  {line}" for line in card_lines(card, names))
    if amounts := [f"{field} ({card.label(field)})" for field in card.fields if field in AMOUNTS]:
        yield f"  Numbers of its effects that balancing may change: {', '.join(amounts)}"
    if card.tunable is not None:
        ranges = [f"{field} {low} to {high}" for field, (low, high) in card.tunable.items()]
        yield f"  Balancing may change: {', '.join(ranges) or 'nothing'}"
    for title, text in card.notes.items():
        if text:
            yield f"  {title}: {' / '.join(text.splitlines())}"


def _created_cards(pool: Pool, card: Card) -> list[Card]:
    """Return the options and tokens that a card creates, directly or through other tokens.

    Created cards that decks may hold are left out.
    """
    tokens = {token.id: token for token in pool.tokens}
    created: dict[str, Card] = {}
    waiting = [card]
    while waiting:
        creator = waiting.pop(0)
        of_effects = (name for row in creator.effects for name in row.cards)
        for token_id in [*creator.options, *of_effects]:
            if token_id in tokens and token_id not in created and token_id != card.id:
                created[token_id] = tokens[token_id]
                waiting.append(tokens[token_id])
    return list(created.values())

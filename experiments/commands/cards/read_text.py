"""`evenhand cards read`: read a card's text in English as effect rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer

import sim
from experiments.cli.session import Session, Work, session_command
from experiments.runs.json_file import to_json
from experiments.screen import counted
from sim import Card, InputError
from sim.cards.cell_text import effect_line
from sim.cards.reading.card_maker import cards_of_readings
from sim.cards.reading.lexicon import pool_lexicon
from sim.cards.text.card_text import card_lines
from sim.cards.vocabulary import Kind
from sim.names import named_word

_KINDS = tuple(kind.name.lower() for kind in Kind)
_NUMBERS: dict[str, dict[str, int]] = {
    "minion": {"attack": 1, "health": 1},
    "weapon": {"attack": 1, "durability": 1},
}
"""Printed numbers of a card of which only the text matters, by its kind."""


@session_command()
def read_text(
    _: Session,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The card's text in English.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help=f"Kind of the card: {', '.join(_KINDS)}.")
    ] = "minion",
    pool: Annotated[
        str,
        typer.Option(
            help="The card pool with the cards and tribes that the text names: its name, or its "
            ".toml file."
        ),
    ] = "core",
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what was read as JSON, for scripts.")
    ] = False,
) -> Work:
    """Read a card's text in English as effect rows."""
    return partial(_read, text, kind, pool, as_json=as_json)


def _read(text: str, kind_word: str, pool_name: str, *, as_json: bool) -> None:
    """Print the meanings of a text; the arguments are those of the command.

    Raises:
        InputError: the kind is unknown, the pool cannot be loaded, the text is not understood, or
            it has several meanings, which are printed first.
    """
    kind = named_word("kind", kind_word, _KINDS)
    if not text.strip():
        raise InputError("the text is empty", place="TEXT", value=text)
    pool = sim.load_pool(pool_name)
    names = {card.id: card.name for card in pool.everything}
    data = {"id": "it", "name": "It", "kind": kind, "cost": 0, **_NUMBERS.get(kind, {})}
    card = sim.validate(Card, data, source="the card")
    meanings = cards_of_readings(card, text, pool_lexicon(pool))
    if as_json:
        typer.echo(to_json({"meanings": [_as_json(cards, names) for cards in meanings]}), nl=False)
    else:
        typer.echo("\n\n".join("\n".join(_lines(cards, names)) for cards in meanings))
    if len(meanings) > 1:
        raise InputError(
            f"the text has {counted(len(meanings), 'meaning')}, which are printed above",
            value=len(meanings),
            limit=1,
            remedy="write it in the words of the one that is meant",
        )


def _lines(cards: tuple[Card, ...], names: dict[str, str]) -> list[str]:
    """Return lines on a card and the tokens that its text brings: text, other keys and rows."""
    lines: list[str] = []
    known = names | _names(cards[1:])
    for card in cards:
        head = [] if card is cards[0] else [f"{card.kind} {card.id}"]
        lines += [*head, *card_lines(card, known)]
        lines += [f"  {key} = {value!r}" for key, value in _keys(card).items()]
        lines += [f"  {effect_line(effect)}" for effect in card.effects]
    return lines


def _names(tokens: Sequence[Card]) -> dict[str, str]:
    """Return the names of tokens; options and attached texts are called by their ids."""
    return {
        token.id: token.name if token.kind in ("minion", "weapon") else token.id for token in tokens
    }


def _keys(card: Card) -> dict[str, Any]:
    """Return the keys that the text has set, except the effects, as pool files spell them."""
    dump = card.model_dump(mode="json", exclude_defaults=True)
    keys = ("keywords", "target", "target_when", "needs", "spell_damage", "overload", "options")
    return {key: dump[key] for key in keys if key in dump}


def _as_json(cards: tuple[Card, ...], names: dict[str, str]) -> dict[str, Any]:
    card, *tokens = cards
    known = names | _names(tokens)
    return {
        "text": card_lines(card, known),
        "card": card.model_dump(mode="json", exclude_defaults=True, exclude={"id", "name"}),
        "tokens": [token.model_dump(mode="json", exclude_defaults=True) for token in tokens],
    }

"""Cards with the effects of their text, and the tokens that the text brings."""

from __future__ import annotations

from typing import Any

from sim.cards.card import Card
from sim.cards.reading.card_reader import CardReading, read_card_text
from sim.cards.reading.lexicon import Lexicon
from sim.cards.text.card_text import card_lines
from sim.errors import InputError
from sim.files.validation import validate

_SECRET = "secret:"  # noqa: S105 -- the beginning of a secret's text
_MOST_MEANINGS = 3  # shown in the message on a text with several meanings; more are not readable


def card_with_text(card: Card, text: str, lexicon: Lexicon) -> tuple[Card, ...]:
    """Return a card with the effects of a text, followed by the tokens that the text brings.

    The text's keywords are added to those of the card. Its other properties stand. Tokens are the
    two options of a choice, texts that rows attach to other cards, and cards that the text creates
    and the pool does not have.

    Args:
        card: card without effects.
        text: text of the card in English.
        lexicon: names of cards and tribes that the text may mention.

    Raises:
        InputError: the text is not understood, or has several meanings.
    """
    meanings = cards_of_readings(card, text, lexicon)
    if len(meanings) > 1:
        shown = [" ".join(card_lines(cards[0])) for cards in meanings[:_MOST_MEANINGS]]
        raise InputError(
            f"the text has {len(meanings)} meanings: {' | '.join(shown)}",
            value=tuple(shown),
            remedy="write it in the words of the one that is meant",
        )
    return meanings[0]


def cards_of_readings(card: Card, text: str, lexicon: Lexicon) -> list[tuple[Card, ...]]:
    """Return the card and its tokens for each meaning of a text; see `card_with_text`.

    Raises:
        InputError: the text is not understood.
    """
    is_secret = card.kind == "spell" and text.strip().lower().startswith(_SECRET)
    kind = "secret" if is_secret else card.kind
    readings = read_card_text(text, kind, lexicon, card.id)
    return [_cards(card, kind, reading) for reading in readings]


def _cards(card: Card, kind: str, reading: CardReading) -> tuple[Card, ...]:
    options = [
        _token(card, f"{card.id}_option{number}", f"{card.name} {number}", "option", option)
        for number, option in enumerate(reading.options, start=1)
    ]
    texts = {
        card_id: text
        for part in (reading, *reading.options)
        for card_id, text in part.attached.items()
    }
    attached = [
        _token(card, card_id, card.name, "attachment", text) for card_id, text in texts.items()
    ]
    created = {
        card_id: validate(Card, {"id": card_id, **keys}, source=f"the text of {card.id!r}")
        for part in (reading, *reading.options, *texts.values())
        for card_id, keys in part.created.items()
    }
    keys = {**reading.keys, "kind": kind}
    more = [word for word in keys.get("keywords", ()) if word not in card.keywords]
    if more:
        keys["keywords"] = (*card.keywords, *more)
    else:
        keys.pop("keywords", None)
    if options:
        keys["options"] = tuple(option.id for option in options)
    data = {field: getattr(card, field) for field in card.model_fields_set} | keys
    return (
        validate(Card, data, source=f"the text of {card.id!r}"),
        *options,
        *attached,
        *created.values(),
    )


def _token(card: Card, card_id: str, name: str, kind: str, reading: CardReading) -> Card:
    data: dict[str, Any] = {"id": card_id, "name": name, "kind": kind, "cost": 0}
    return validate(Card, {**data, **reading.keys}, source=f"the text of {card.id!r}")

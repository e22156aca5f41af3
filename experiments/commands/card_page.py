"""`evenhand cards show`: one card, all that there is to say about it."""

from __future__ import annotations

from collections.abc import Iterator

from sim.cards.card import AMOUNTS, Card
from sim.cards.pool import REAL_POOL, Pool
from sim.cards.text.card_text import card_lines
from sim.cards.text.group_phrases import listed
from sim.errors import InputError, did_you_mean
from sim.real_cards.hearthstone import real_card_name

_NEVER_PAID = ("attachment", "option")


def card_page(pool: Pool, card_id: str) -> str:
    """A card's numbers and effects in plain words, with the cards that it brings into the game.

    Args:
        pool: the cards.
        card_id: of a card or token, in any letter case.

    Raises:
        InputError: no card has this id; names the nearest, or the real card without rows.
    """
    card = _find(pool, card_id.lower())
    names = {one.id: one.name for one in pool.everything}
    lines = [f"{card.name} ({card.id})", *_card_lines(card, names)]
    for other in _brought(pool, card):
        lines += ["", f"{other.name} ({other.id})", *_card_lines(other, names)]
    return "\n".join(lines) + "\n"


def _find(pool: Pool, card_id: str) -> Card:
    everything = {card.id: card for card in (*pool.tokens, *pool.cards)}
    if card_id in everything:
        return everything[card_id]
    name = real_card_name(card_id) if pool.name == REAL_POOL else None
    if name is not None:
        raise InputError(f"card {card_id!r} ({name}) has no effect rows yet")
    near = did_you_mean(card_id, everything)
    raise InputError(f"pool {pool.name!r}: no card {card_id!r}{near}")


def _card_lines(card: Card, names: dict[str, str]) -> Iterator[str]:
    whose = [f"{card.hero} only"] if card.hero else []
    tribe = [card.tribe] if card.tribe else []
    yield f"  {', '.join([card.kind, *tribe, *whose])}"
    if card.kind not in _NEVER_PAID:
        yield f"  {listed([f'{field} {card.number(field)}' for field in card.printed])}"
    for line in card_lines(card, names):
        yield f"  {line}"
    amounts = [f"{field} ({card.label(field)})" for field in card.fields if field in AMOUNTS]
    if amounts:
        yield f"  Numbers of its effects that balancing may move: {', '.join(amounts)}"
    if card.tunable is not None:
        ranges = [f"{field} {low} to {high}" for field, (low, high) in card.tunable.items()]
        yield f"  May move: {', '.join(ranges) or 'nothing'}"


def _brought(pool: Pool, card: Card) -> list[Card]:
    """The options and tokens of a card, and theirs; no cards that decks may hold."""
    tokens = {token.id: token for token in pool.tokens}
    found: dict[str, Card] = {}
    waiting = [card]
    while waiting:
        one = waiting.pop(0)
        named = [*one.options, *(each for row in one.effects for each in row.cards)]
        for each in named:
            if each in tokens and each not in found and each != card.id:
                found[each] = tokens[each]
                waiting.append(tokens[each])
    return list(found.values())

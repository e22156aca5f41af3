"""Names for looking up cards, numbers of cards, numbers of rules, and heroes."""

from __future__ import annotations

from collections.abc import Mapping

from sim.cards.card import Card
from sim.cards.fields import AMOUNTS, field_titles
from sim.cards.pool import Pool
from sim.names import Names
from sim.ruleset import RULE_LABELS


def card_names(pool: Pool, *, with_tokens: bool = False) -> Names:
    """Return an index of a pool's cards for look-up by id or printed name, which returns the id.

    Args:
        pool: pool with the cards.
        with_tokens: whether the index also contains the pool's tokens.
    """
    cards = pool.everything if with_tokens else pool.cards
    return Names("card", {card.id: (card.name,) for card in cards}, f"pool {pool.name!r}: no card")


def card_named(pool: Pool, text: str) -> Card:
    """Return the card of a pool with the id or printed name `text`.

    Raises:
        InputError: `text` names no card, or several cards.
    """
    return pool.card(card_names(pool).find(text))


def fields_of_card(card: Card) -> Names:
    """Return an index of a card's fields for look-up by name or spreadsheet title.

    Amounts can also be looked up by their label, such as `damage` (`Card.label`).
    """
    return Names(
        "field",
        {field: _names_of_field(card, field) for field in card.fields},
        f"card {card.id!r} has no number",
    )


def _names_of_field(card: Card, field: str) -> tuple[str, ...]:
    return (card.label(field),) if field in AMOUNTS else field_titles(field)


def rule_names() -> Names:
    """Return an index of the rules' editable numbers for look-up by key or label."""
    return Names("number of the rules", {key: (label,) for key, label in RULE_LABELS.items()})


def hero_names(pool: Pool) -> Names:
    """Return an index of a pool's heroes for look-up by id or name, which returns the id."""
    known: Mapping[str, tuple[str, ...]] = {hero.id: (hero.name,) for hero in pool.heroes}
    return Names("hero", known, f"pool {pool.name!r}: unknown hero")

"""Names by which people may refer to cards, their numbers, rules and heroes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sim.cards.card import AMOUNTS, Card
from sim.cards.pool import Pool
from sim.cards.spreadsheet.columns import SYNONYMS
from sim.names import Names
from sim.ruleset import RULE_LABELS


def card_names(pool: Pool, *, with_tokens: bool = False) -> Names:
    """Return the cards of a pool by their ids and printed names.

    Args:
        pool: the cards.
        with_tokens: whether tokens can be named as well.
    """
    cards = pool.everything if with_tokens else pool.cards
    return Names("card", {card.id: (card.name,) for card in cards}, f"pool {pool.name!r}: no card")


def card_named(pool: Pool, text: str) -> Card:
    """Return the card of a pool that `text` names.

    Raises:
        InputError: it names no card or several.
    """
    return pool.card(card_names(pool).find(text))


def field_titles(field: str) -> tuple[str, ...]:
    """Return the other titles that sheets have for a number of cards: `hp` for `health`."""
    return tuple(title for title, column in SYNONYMS.items() if column == field)


def field_names(fields: Iterable[str], what: str = "field") -> Names:
    """Return numbers of cards with all titles under which the import of a sheet reads them.

    Args:
        fields: those of `sim.cards.card.FIELDS` that can be named.
        what: the word for such a number in error messages.
    """
    return Names(what, {field: field_titles(field) for field in fields})


def fields_of_card(card: Card) -> Names:
    """Return the names of one card's numbers; an amount is also named after its action."""
    return Names(
        "field",
        {field: _names_of_field(card, field) for field in card.fields},
        f"card {card.id!r} has no",
    )


def _names_of_field(card: Card, field: str) -> tuple[str, ...]:
    return (card.label(field),) if field in AMOUNTS else field_titles(field)


def rule_names() -> Names:
    """Return the numbers of the rules that may be edited, by their keys and labels."""
    return Names("number of the rules", {key: (label,) for key, label in RULE_LABELS.items()})


def hero_names(pool: Pool) -> Names:
    """Return the heroes of a pool by their ids and names."""
    known: Mapping[str, tuple[str, ...]] = {hero.id: (hero.name,) for hero in pool.heroes}
    return Names("hero", known, f"pool {pool.name!r}: unknown hero")

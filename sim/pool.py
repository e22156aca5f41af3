"""Pools: sets of cards."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from sim.card import FIELDS, Card
from sim.errors import InputError, did_you_mean
from sim.notebook_table import notebook_table
from sim.ruleset import Ruleset
from sim.strict_model import Name, StrictModel

FORMAT = 1  # grows when a key changes its meaning
REAL_POOL = "hearthstone"  # built from an installed package rather than read from a file


def _ids_are_unique(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    seen: set[str] = set()
    for card in cards:
        if card.id in seen:
            raise ValueError(f"id {card.id!r} is used by more than one card")
        seen.add(card.id)
    return cards


class Pool(StrictModel):
    """A set of cards in file order; a file spells them as `[[card]]` tables.

    Attributes:
        name: what decks and experiments call it.
        format: version of the file format, 1.
        cards: at least one card, with unique ids. A card's position is its number in arrays.
    """

    name: Name
    format: int = Field(default=FORMAT, ge=FORMAT, le=FORMAT)
    cards: Annotated[
        tuple[Card, ...],
        AfterValidator(_ids_are_unique),
        Field(min_length=1, validation_alias="card", serialization_alias="card"),
    ]

    def index(self, card_id: str) -> int:
        """The position of a card.

        Raises:
            InputError: no card has this id.
        """
        for position, card in enumerate(self.cards):
            if card.id == card_id:
                return position
        near = did_you_mean(card_id, (card.id for card in self.cards))
        raise InputError(f"pool {self.name!r}: no card {card_id!r}{near}")

    def card(self, card_id: str) -> Card:
        """The card with this id.

        Raises:
            InputError: no card has this id.
        """
        return self.cards[self.index(card_id)]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from sim.spreadsheet import DESCRIPTION, described  # noqa: PLC0415 (it reads pools itself)

        rows = [[card.id, *described(card)] for card in self.cards]
        title = f"{self.name}: {len(rows)} cards"
        return notebook_table(title, ("card", *DESCRIPTION), rows)


def check_pool(pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a pool whose numbers, tunable ranges or tokens go beyond the ruleset's limits.

    Raises:
        InputError: names the card, the field, the value and the limit.
    """
    for card in pool.cards:
        for field, value in _numbers(card):
            low, high = ruleset.limits.of(field.rpartition(".")[2])
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                raise InputError(
                    f"pool {pool.name!r}: card {card.id!r}: {field} = {value} must be {bound} "
                    f"(ruleset {ruleset.name!r})"
                )


def _numbers(card: Card) -> list[tuple[str, int]]:
    """Every number of a card that the limits bind, by a dotted name that ends in its field."""
    numbers = [(field, card.number(field)) for field in FIELDS]
    for field, bounds in (card.tunable or {}).items():
        numbers += [(f"tunable.{field}", bound) for bound in bounds]
    for effect in card.effects:
        if effect.token is not None:
            numbers.append(("token.attack", effect.token.attack))
            numbers.append(("token.health", effect.token.health))
    return numbers

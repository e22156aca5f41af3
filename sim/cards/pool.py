"""Pools: sets of cards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from sim.cards.actions import all_actions
from sim.cards.card import Card
from sim.cards.effect import CardId
from sim.cards.pool_references import check_names
from sim.cards.sheet_layout import SheetLayout
from sim.errors import InputError, did_you_mean, known_word
from sim.files.notebook_table import notebook_table
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, validate
from sim.ruleset import Ruleset

FORMAT = 1  # version of the pool file format; grows when a key changes its meaning
# Cards, and as many tokens: both together stay below 2**15, since their numbers are 16-bit words.
CARDS_MAX = 15_000
REAL_POOL = "hearthstone"  # name of the pool that an installed package provides, not a file


def _check_ids(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    seen: set[str] = set()
    for card in cards:
        if card.id in seen:
            raise InputError(f"id {card.id!r} is used by more than one card", value=card.id)
        seen.add(card.id)
    return cards


class Hero(StrictModel):
    """One of the pool's heroes, who play its decks.

    Attributes:
        id: the hero's id in decks and cards.
        name: the name that people read.
        power: id of the hero power, a token of kind `power`.
    """

    id: CardId
    name: Name
    power: CardId


class Pool(StrictModel):
    """A set of cards in file order; a file spells them as `[[card]]` tables.

    Attributes:
        name: the pool's name in decks and experiments.
        format: version of the file format, 1.
        cards: at least one card, with unique ids. A card's position is its number in arrays.
        tokens: cards that no deck may hold: summoned and given cards, options, hero powers. Their
            numbers follow those of the cards. A file spells them as `[[token]]` tables.
        heroes: the heroes who may play its decks; empty if its decks have no hero.
        coin: id of the token that the second player gets if the ruleset has a coin; `None` for
            none.
        sheet: layout of the spreadsheet that the cards were imported from, if it has its own.
    """

    name: Name
    format: int = Field(default=FORMAT, ge=FORMAT, le=FORMAT)
    cards: Annotated[
        tuple[Card, ...],
        Field(
            min_length=1,
            max_length=CARDS_MAX,
            validation_alias="card",
            serialization_alias="card",
        ),
        AfterValidator(_check_ids),
    ]
    tokens: Annotated[
        tuple[Card, ...],
        Field(max_length=CARDS_MAX, validation_alias="token", serialization_alias="token"),
    ] = ()
    heroes: Annotated[
        tuple[Hero, ...], Field(validation_alias="hero", serialization_alias="hero")
    ] = ()
    coin: CardId | None = None
    sheet: SheetLayout | None = Field(default=None, exclude=True)

    @property
    def everything(self) -> tuple[Card, ...]:
        """Cards and tokens, by their numbers in arrays."""
        return (*self.cards, *self.tokens)

    @model_validator(mode="after")
    def _check_names(self) -> Pool:
        """Refuse a pool in which a named id, tribe or hero is missing or of a wrong kind."""
        # The field's own check sees the cards alone; a token may repeat the id of a card.
        _check_ids(self.everything)
        check_names(
            self.cards, self.tokens, [(hero.id, hero.power) for hero in self.heroes], self.coin
        )
        return self

    def number(self, card_id: str) -> int:
        """Return the number in arrays of a card or token, which must exist."""
        return next(k for k, card in enumerate(self.everything) if card.id == card_id)

    def hero(self, hero_id: str) -> Hero:
        """Return the hero with this id.

        Raises:
            InputError: no hero has it.
        """
        known_word("hero", hero_id, [hero.id for hero in self.heroes], f"pool {self.name!r}")
        return next(hero for hero in self.heroes if hero.id == hero_id)

    def index(self, card_id: str) -> int:
        """Return the position of a card.

        Raises:
            InputError: no card has this id.
        """
        for position, card in enumerate(self.cards):
            if card.id == card_id:
                return position
        raise InputError(
            f"no card {card_id!r}",
            place=f"pool {self.name!r}",
            value=card_id,
            remedy=did_you_mean(card_id, (card.id for card in self.cards)),
        )

    def card(self, card_id: str) -> Card:
        """Return the card with this id.

        Raises:
            InputError: no card has this id.
        """
        return self.cards[self.index(card_id)]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from sim.cards.spreadsheet.cells import described  # noqa: PLC0415 (it imports this module)

        columns, rows = described(self.cards)
        lines = [[card.id, *row] for card, row in zip(self.cards, rows, strict=True)]
        return notebook_table(f"{self.name}: {len(lines)} cards", ("card", *columns), lines)


def load_pool(name: str, near: Path | None = None) -> Pool:
    """Return the pool called `name`, or in the file `name` when that ends in `.toml`.

    The name `REAL_POOL` is not looked up in files, see `sim.real_cards.hearthstone`.

    Args:
        name: name of the pool, or path of its file.
        near: folder, or file in it, to search first, see `find_data_file`.

    Raises:
        InputError: no such file (see `find_data_file`), it does not fit `Pool`, or the real cards
            are not installed; or a package declares a faulty action.
    """
    all_actions()  # first, so that a faulty package is not reported as a fault of the cards
    if name == REAL_POOL:
        from sim.real_cards.hearthstone import real_pool  # noqa: PLC0415 (it imports this module)

        return real_pool()
    path = find_data_file("pools", name, near)
    return validate(Pool, read_toml(path), source=str(path))


def check_pool(pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a pool if a number, tunable range or token exceeds the ruleset's limits.

    Raises:
        InputError: names the card, the field, the value and the limit.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            kind = field.rpartition(".")[2]
            low, high = ruleset.limits.of(kind)
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                raise InputError(
                    f"{value} must be {bound} (limits.{kind} of ruleset {ruleset.name!r})",
                    place=f"pool {pool.name!r}: card {card.id!r}: {field}",
                    value=value,
                    limit=low if value < low else high,
                    separator=" = ",
                )


def bound_numbers(card: Card) -> list[tuple[str, int]]:
    """Return every number of a card that the ruleset limits, each with its dotted name.

    The last part of a name is the limited quantity: `tunable.cost`, `token.attack`.
    """
    numbers = [(field, card.number(field)) for field in card.fields]
    for field, bounds in (card.tunable or {}).items():
        numbers += [(f"tunable.{field}", bound) for bound in bounds]
    for effect in card.effects:
        if effect.token is not None:
            numbers.append(("token.attack", effect.token.attack))
            numbers.append(("token.health", effect.token.health))
    return numbers

"""Pools: sets of cards, tokens and heroes, with loading from files and checks against a ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from sim.cards.action import all_actions
from sim.cards.card import Card
from sim.cards.cell_text import described
from sim.cards.effect import CardId
from sim.cards.pool_references import check_names
from sim.cards.sheet_layout import SheetLayout
from sim.cards.supplied import supplied
from sim.errors import InputError, did_you_mean, known_word
from sim.files.notebook_table import notebook_table
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, validate
from sim.ruleset import Ruleset
from sim.value_error import value_error

FORMAT = 1  # version of the pool file format; to be increased when a key changes its meaning
# Maximum number of cards, and also of tokens: card numbers are 16-bit words, so the sum of both
# must stay below 2**15.
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
    """Hero of a pool, for a deck to name as its player.

    Attributes:
        id: the hero's id in decks and cards.
        name: the name that people read.
        power: id of the hero power, a token of kind `power`.
    """

    id: CardId
    name: Name
    power: CardId


class Pool(StrictModel):
    """Set of cards for decks, with the tokens and heroes that the cards refer to.

    Attributes:
        name: the pool's name in decks and experiments.
        format: version of the file format, 1.
        cards: cards that decks may hold, 1 to 15,000, with unique ids, in file order (`[[card]]`
            tables). A card's position is its number in arrays.
        tokens: cards that no deck may hold, at most 15,000: summoned and given cards, options, hero
            powers. In files they are `[[token]]` tables; their numbers follow those of the cards.
        heroes: heroes who may play the pool's decks; empty if the decks have no hero.
        coin: id of the token that the second player gets if the ruleset has a coin; `None` if the
            pool has no coin.
        sheet: layout of the spreadsheet that the cards were imported from; `None` for the default
            layout.
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

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        return [("name", self.name), ("cards", len(self.cards)), ("tokens", len(self.tokens))]

    @property
    def everything(self) -> tuple[Card, ...]:
        """All cards, then all tokens; positions are the numbers in arrays."""
        return (*self.cards, *self.tokens)

    @model_validator(mode="after")
    def _check_names(self) -> Pool:
        """Refuse repeated ids, and references to missing or unsuitable cards, tribes or heroes."""
        # The check of the field `cards` does not detect a token with the id of a card.
        _check_ids(self.everything)
        check_names(
            self.cards, self.tokens, [(hero.id, hero.power) for hero in self.heroes], self.coin
        )
        return self

    def number(self, card_id: str) -> int:
        """Return the number in arrays of the card or token with an id, which must exist."""
        return next(k for k, card in enumerate(self.everything) if card.id == card_id)

    def hero(self, hero_id: str) -> Hero:
        """Return the hero with an id.

        Raises:
            InputError: no hero of the pool has the id.
        """
        known_word("hero", hero_id, [hero.id for hero in self.heroes], f"pool {self.name!r}")
        return next(hero for hero in self.heroes if hero.id == hero_id)

    def only_hero(self, card_ids: Iterable[str]) -> str:
        """Return the id of the only hero that cards belong to; `""` for none or several.

        Raises:
            InputError: a card is not in the pool.
        """
        heroes = {self.card(card_id).hero for card_id in card_ids} - {""}
        return heroes.pop() if len(heroes) == 1 else ""

    def index(self, card_id: str) -> int:
        """Return the position in `cards` of the card with an id.

        Raises:
            InputError: no card has the id; tokens are not searched.
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
        """Return the card with an id.

        Raises:
            InputError: no card has the id; tokens are not searched.
        """
        return self.cards[self.index(card_id)]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        columns, rows = described(self.cards)
        lines = [[card.id, *row] for card, row in zip(self.cards, rows, strict=True)]
        return notebook_table(f"{self.name}: {len(lines)} cards", ("card", *columns), lines)


def load_pool(name: str, near: Path | None = None) -> Pool:
    """Return the pool with a given name, or the pool in a given file.

    The name `REAL_POOL` returns the real cards of `sim.real_cards.hearthstone`.

    Args:
        name: name of the pool, or path of its file if it ends in `.toml`.
        near: folder to search first, or a file in that folder, see `find_data_file`.

    Raises:
        InputError: the file is missing or invalid, the real cards are not installed, or an
            installed package declares a faulty action.

    Example:
        >>> pool = load_pool("core")
        >>> pool
        Pool(name='core', cards=56, tokens=0)
        >>> pool.card("ember_whelp").cost
        2
    """
    all_actions()  # first, so that a faulty package is not reported as a fault of the cards
    if name == REAL_POOL:
        real: Pool = supplied("real_pool")()
        return real
    path = find_data_file("pools", name, near)
    return validate(Pool, read_toml(path), source=str(path))


def check_pool(pool: Pool, ruleset: Ruleset) -> None:
    """Raise an error if a number of a pool's cards is outside the ruleset's limits.

    Also check the bounds of tunable ranges and the numbers of summoned minions. The pool's tokens
    are not checked.

    Raises:
        InputError: a number is outside the limits; the message names card, field and limit.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            kind = field.rpartition(".")[2]
            low, high = ruleset.limits.of(kind)
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                raise value_error(
                    f"pool {pool.name!r}: card {card.id!r}: {field}",
                    value,
                    f"must be {bound} (limits.{kind} of ruleset {ruleset.name!r})",
                    limit=low if value < low else high,
                )


def bound_numbers(card: Card) -> list[tuple[str, int]]:
    """Return the dotted name and the value of every number of a card that a ruleset limits.

    The numbers are the card's fields, both bounds of each tunable range (under the same name), and
    the attack and health of each minion that an effect row summons by `token`. The last part of the
    name is the limited quantity, as in `tunable.cost` or `token.attack`.
    """
    numbers = [(field, card.number(field)) for field in card.fields]
    for field, bounds in (card.tunable or {}).items():
        numbers += [(f"tunable.{field}", bound) for bound in bounds]
    for effect in card.effects:
        if effect.token is not None:
            numbers.append(("token.attack", effect.token.attack))
            numbers.append(("token.health", effect.token.health))
    return numbers

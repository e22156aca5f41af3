"""Pools: sets of cards; and decks: multisets of their ids, in an order that numbers the slots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from sim.cards.action import all_actions
from sim.cards.card import Card
from sim.cards.effect import CardId
from sim.cards.pool_references import check_names
from sim.errors import InputError, did_you_mean, known_word
from sim.files.notebook_table import notebook_table
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, validate
from sim.ruleset import DECK_CAPACITY, Ruleset

FORMAT = 1  # grows when a key changes its meaning
REAL_POOL = "hearthstone"  # built from an installed package rather than read from a file


def _ids_are_unique(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    seen: set[str] = set()
    for card in cards:
        if card.id in seen:
            raise ValueError(f"id {card.id!r} is used by more than one card")
        seen.add(card.id)
    return cards


class Hero(StrictModel):
    """Who plays a deck: one of the pool's classes, with a power of its own.

    Attributes:
        id: what decks and cards call it.
        name: what people read.
        power: id of its hero power, a token of kind `power`.
    """

    id: CardId
    name: Name
    power: CardId


class Pool(StrictModel):
    """A set of cards in file order; a file spells them as `[[card]]` tables.

    Attributes:
        name: what decks and experiments call it.
        format: version of the file format, 1.
        cards: at least one card, with unique ids. A card's position is its number in arrays.
        tokens: cards that no deck may hold: what others summon and give, options, hero powers.
            They are numbered after the cards. A file spells them as `[[token]]` tables.
        heroes: who may play its decks; none if decks belong to nobody.
        coin: id of the token that the second player gets where the ruleset has a coin.
    """

    name: Name
    format: int = Field(default=FORMAT, ge=FORMAT, le=FORMAT)
    cards: Annotated[
        tuple[Card, ...],
        AfterValidator(_ids_are_unique),
        Field(min_length=1, validation_alias="card", serialization_alias="card"),
    ]
    tokens: Annotated[
        tuple[Card, ...], Field(validation_alias="token", serialization_alias="token")
    ] = ()
    heroes: Annotated[
        tuple[Hero, ...], Field(validation_alias="hero", serialization_alias="hero")
    ] = ()
    coin: CardId | None = None

    @property
    def everything(self) -> tuple[Card, ...]:
        """Cards and tokens, by their numbers in arrays."""
        return (*self.cards, *self.tokens)

    @model_validator(mode="after")
    def _names_are_known(self) -> Pool:
        """Every id, tribe and hero that a card or hero names is there, and fits."""
        _ids_are_unique(self.everything)
        check_names(
            self.cards, self.tokens, [(hero.id, hero.power) for hero in self.heroes], self.coin
        )
        return self

    def number(self, card_id: str) -> int:
        """The number in arrays of a card or token, which must be there."""
        return next(k for k, card in enumerate(self.everything) if card.id == card_id)

    def hero(self, hero_id: str) -> Hero:
        """The hero with this id.

        Raises:
            InputError: no hero has it.
        """
        known_word("hero", hero_id, [hero.id for hero in self.heroes], f"pool {self.name!r}")
        return next(hero for hero in self.heroes if hero.id == hero_id)

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
        from sim.cards.spreadsheet.cells import described  # noqa: PLC0415 (it reads pools itself)

        columns, rows = described(self.cards)
        lines = [[card.id, *row] for card, row in zip(self.cards, rows, strict=True)]
        return notebook_table(f"{self.name}: {len(lines)} cards", ("card", *columns), lines)


def load_pool(name: str, near: Path | None = None) -> Pool:
    """The pool called `name`, or in the file `name` when that ends in `.toml`.

    The name `REAL_POOL` is not looked up in files, see `sim.real_cards.hearthstone`.

    Raises:
        InputError: no such file (see `find_data_file`), it does not fit `Pool`, or the real
            cards are not installed; or a package declares a faulty action.
    """
    all_actions()  # a faulty package is no fault of the cards
    if name == REAL_POOL:
        from sim.real_cards.hearthstone import real_pool  # noqa: PLC0415 (it builds one)

        return real_pool()
    path = find_data_file("pools", name, near)
    return validate(Pool, read_toml(path), source=str(path))


def check_pool(pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a pool whose numbers, tunable ranges or tokens go beyond the ruleset's limits.

    Raises:
        InputError: names the card, the field, the value and the limit.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            low, high = ruleset.limits.of(field.rpartition(".")[2])
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                raise InputError(
                    f"pool {pool.name!r}: card {card.id!r}: {field} = {value} must be {bound} "
                    f"(ruleset {ruleset.name!r})"
                )


def bound_numbers(card: Card) -> list[tuple[str, int]]:
    """Every number of a card that the limits bind, by a dotted name that ends in its field."""
    tokens = [effect.token for effect in card.effects if effect.token]
    tunable = (card.tunable or {}).items()
    return [
        *((field, card.number(field)) for field in card.fields),
        *((f"tunable.{field}", bound) for field, bounds in tunable for bound in bounds),
        *((f"token.{key}", getattr(one, key)) for one in tokens for key in ("attack", "health")),
    ]


# --- decks ---


class Deck(StrictModel):
    """A deck, and the names of the pool and the ruleset that it is made for.

    Attributes:
        name: what experiments and results call it.
        pool: name that the pool has in its file, or path of that file.
        ruleset: name that the ruleset has in its file, or path of that file.
        hero: id of the pool's hero who plays it; `""` for a deck that belongs to nobody.
        cards: copies of each card, 1 to 60, at least one card. The order counts: it numbers the
            slots, and so decides which card a given draw brings.
    """

    name: Name
    pool: Name
    ruleset: Name
    hero: CardId | Annotated[str, Field(max_length=0)] = ""
    cards: dict[CardId, Annotated[int, Field(ge=1, le=DECK_CAPACITY)]] = Field(min_length=1)

    @property
    def n_cards(self) -> int:
        """Cards in the deck, copies included."""
        return sum(self.cards.values())

    def slots(self, pool: Pool) -> list[int]:
        """The pool index of the card in each slot; the copies of a card are neighbours.

        Raises:
            InputError: a card is not in the pool.
        """
        return [
            index
            for card_id, n_copies in self.cards.items()
            for index in [self._index(card_id, pool)] * n_copies
        ]

    def power(self, pool: Pool) -> int:
        """The pool's number of the hero power, -1 for a deck that belongs to nobody.

        Raises:
            InputError: the hero is not in the pool.
        """
        return pool.number(pool.hero(self.hero).power) if self.hero else -1

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        title = f"{self.name}: {self.n_cards} cards of pool {self.pool}, ruleset {self.ruleset}"
        return notebook_table(title, ("card", "copies"), list(self.cards.items()))

    def _index(self, card_id: str, pool: Pool) -> int:
        try:
            return pool.index(card_id)
        except InputError as error:
            raise InputError(f"deck {self.name!r}: {_why_unknown(card_id, pool, error)}") from None


def load_deck(name: str, near: Path | None = None) -> Deck:
    """The deck called `name`, or in the file `name` when that ends in `.toml`.

    Raises:
        InputError: no such file (see `find_data_file`), or it does not fit `Deck`.
    """
    path = find_data_file("decks", name, near)
    return validate(Deck, read_toml(path), source=str(path))


def check_deck(deck: Deck, pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a deck that the ruleset does not allow or that is made for other cards or rules.

    Names that the deck gives are compared; paths are not, as they name no pool and no ruleset.

    Raises:
        InputError: names the deck, the card, the count and the limit.
    """
    for key, named, how, played in (
        ("pool", deck.pool, "with", pool.name),
        ("ruleset", deck.ruleset, "under", ruleset.name),
    ):
        if named != played and not named.endswith(".toml"):
            raise InputError(
                f"deck {deck.name!r}: made for {key} {named!r}, played {how} {played!r}; "
                f"change `{key}` in the deck file, or in the experiment"
            )
    deck.slots(pool)
    for card_id, n_copies in deck.cards.items():
        if n_copies > ruleset.copy_limit:
            raise InputError(
                f"deck {deck.name!r}: card {card_id!r}: {n_copies} copies, must be at most "
                f"{ruleset.copy_limit} (copy_limit of ruleset {ruleset.name!r})"
            )
    if deck.n_cards > ruleset.deck_limit:
        raise InputError(
            f"deck {deck.name!r}: {deck.n_cards} cards, must be at most {ruleset.deck_limit} "
            f"(deck_limit of ruleset {ruleset.name!r})"
        )
    _check_hero(deck, pool, ruleset)
    to_deal = max(ruleset.opening_hand)
    if ruleset.deck_out == "lose" and deck.n_cards < to_deal:
        raise InputError(
            f"deck {deck.name!r}: {deck.n_cards} cards, must be at least {to_deal} (opening_hand "
            f"of ruleset {ruleset.name!r}): the game would be lost while dealing"
        )


def _why_unknown(card_id: str, pool: Pool, error: InputError) -> str:
    """Real cards that nobody has written rows for are known by name all the same."""
    from sim.real_cards.hearthstone import real_card_name  # noqa: PLC0415 (reads XML; only to explain)

    name = real_card_name(card_id) if pool.name == REAL_POOL else None
    return f"card {card_id!r} ({name}) has no effect rows yet" if name else str(error)


def _check_hero(deck: Deck, pool: Pool, ruleset: Ruleset) -> None:
    """A deck holds its hero's cards and everybody's, and has a hero where powers are used."""
    if ruleset.hero_powers and not deck.hero:
        known = ", ".join(hero.id for hero in pool.heroes)
        raise InputError(
            f"deck {deck.name!r}: missing key 'hero'; ruleset {ruleset.name!r} uses hero powers, "
            f"pool {pool.name!r} has: {known or 'no hero'}"
        )
    deck.power(pool)
    for card_id in deck.cards:
        owner = pool.card(card_id).hero
        if owner and owner != deck.hero:
            raise InputError(
                f"deck {deck.name!r}: card {card_id!r}: hero = {owner!r}, must be "
                f"{deck.hero!r} or nobody's"
                if deck.hero
                else f"deck {deck.name!r}: card {card_id!r}: belongs to hero {owner!r}; "
                f"the deck has none"
            )

"""Decks: multisets of card ids, in an order that numbers the slots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from sim.cards.effect import CardId
from sim.cards.names import card_names, hero_names
from sim.cards.pool import REAL_POOL, Pool, load_pool
from sim.errors import InputError, error_place
from sim.files.notebook_table import notebook_table
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, revalidated, validate
from sim.names import packed
from sim.ruleset import DECK_CAPACITY, Ruleset


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

    def mean_cost(self, pool: Pool) -> float:
        """What a card of the deck costs in the mean, in mana, copies counted."""
        costs = (pool.card(card).cost * copies for card, copies in self.cards.items())
        return sum(costs) / self.n_cards

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        title = f"{self.name}: {self.n_cards} cards of pool {self.pool}, ruleset {self.ruleset}"
        return notebook_table(title, ("card", "copies"), list(self.cards.items()))

    def _index(self, card_id: str, pool: Pool) -> int:
        try:
            return pool.index(card_id)
        except InputError as error:
            raise InputError(f"deck {self.name!r}: {_why_unknown(card_id, pool, error)}") from None


def load_deck(name: str, near: Path | None = None, pool: Pool | None = None) -> Deck:
    """The deck called `name`, or in the file `name` when that ends in `.toml`.

    Args:
        name: of the deck or its file.
        near: see `find_data_file`.
        pool: the cards, which the file may also call by their printed names; default, where it
            does so, the pool that it names.

    Raises:
        InputError: no such file (see `find_data_file`), or it does not fit `Deck`.
    """
    path = find_data_file("decks", name, near)
    told = read_toml(path)
    if pool is None and _has_printed_names(told):
        with error_place(path):
            pool = load_pool(told["pool"], near=path)
    if pool is not None:
        with error_place(path):
            told = _with_ids(told, pool)
    return validate(Deck, told, source=str(path))


def _with_ids(told: dict[str, Any], pool: Pool) -> dict[str, Any]:
    """What a file says of a deck, with ids for the names of cards and of the hero that are there.

    What is not there stays as it is, and is refused where the deck is checked.
    """
    known = dict(told)
    if isinstance(told.get("hero"), str):
        known["hero"] = hero_names(pool).get(told["hero"]) or told["hero"]
    if not isinstance(told.get("cards"), dict):
        return known
    names = card_names(pool)
    cards = dict[str, object]()
    for text, copies in told["cards"].items():
        card_id = names.get(text)
        if card_id is None and not _can_be_id(text):
            raise names.unknown_name_error(text).at("cards")
        if (card_id or text) in cards:
            raise InputError(f"cards: card {card_id!r} is given twice, once as {text!r}; keep one")
        cards[card_id or text] = copies
    return known | {"cards": cards}


def _has_printed_names(told: dict[str, Any]) -> bool:
    """Whether a file calls cards of a pool by what can be no ids."""
    cards = told.get("cards")
    if not isinstance(cards, dict) or not isinstance(told.get("pool"), str):
        return False
    return not all(map(_can_be_id, cards))


def _can_be_id(text: str) -> bool:
    return text.isidentifier() and text == text.lower()


def check_deck(deck: Deck, pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a deck that the ruleset does not allow or that is made for other cards or rules.

    Names that the deck gives are compared; paths are not, as they name no pool and no ruleset.

    Raises:
        InputError: names the deck, the card, the count and the limit; also where the deck is no
            longer what its class lets it be, as after `model_copy`.
    """
    for key, named, how, played in (
        ("pool", deck.pool, "with", pool.name),
        ("ruleset", deck.ruleset, "under", ruleset.name),
    ):
        if packed(named) != packed(played) and not named.endswith(".toml"):
            raise InputError(
                f"deck {deck.name!r}: made for {key} {named!r}, played {how} {played!r}; "
                f"change `{key}` in the deck file, or in the experiment"
            )
    revalidated(deck, source="")
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

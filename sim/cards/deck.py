"""Decks: numbers of copies of cards, with loading from files and checks against a ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from sim.cards.effect import CardId
from sim.cards.names import card_names, hero_names
from sim.cards.pool import REAL_POOL, Pool, load_pool
from sim.cards.supplied import supplied
from sim.errors import InputError, error_place
from sim.files.notebook_table import notebook_table
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, revalidated, validate
from sim.names import packed
from sim.ruleset import DECK_CAPACITY, Ruleset


class Deck(StrictModel):
    """Deck for games with a certain pool and ruleset.

    Attributes:
        name: the deck's name in experiments and results.
        pool: name of the pool as in the pool file, or path of the pool file.
        ruleset: name of the ruleset as in the ruleset file, or path of the ruleset file.
        hero: id of the pool's hero who plays the deck; `""` for a deck without a hero.
        cards: number of copies of each card by id, 1 to 60, with at least one card. The order
            determines the slots and so which card a random draw returns.
    """

    name: Name
    pool: Name
    ruleset: Name
    hero: CardId | Annotated[str, Field(max_length=0)] = ""
    cards: dict[CardId, Annotated[int, Field(ge=1, le=DECK_CAPACITY)]] = Field(min_length=1)

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        return [("name", self.name), ("pool", self.pool), ("cards", self.n_cards)]

    @property
    def n_cards(self) -> int:
        """Number of cards in the deck, copies included."""
        return sum(self.cards.values())

    def slots(self, pool: Pool) -> list[int]:
        """Return the position in the pool of the card in each slot; copies are adjacent.

        Raises:
            InputError: a card is not in the pool.
        """
        return [
            index
            for card_id, n_copies in self.cards.items()
            for index in [self._index(card_id, pool)] * n_copies
        ]

    def power(self, pool: Pool) -> int:
        """Return the number of the hero power in arrays; -1 for a deck without a hero.

        Raises:
            InputError: the hero is not in the pool.
        """
        return pool.number(pool.hero(self.hero).power) if self.hero else -1

    def mean_cost(self, pool: Pool) -> float:
        """Return the mean cost in mana of the deck's cards, weighted by copies."""
        costs = (pool.card(card).cost * copies for card, copies in self.cards.items())
        return sum(costs) / self.n_cards

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        title = f"{self.name}: {self.n_cards} cards of pool {self.pool}, ruleset {self.ruleset}"
        return notebook_table(title, ("card", "copies"), list(self.cards.items()))

    def _index(self, card_id: str, pool: Pool) -> int:
        try:
            return pool.index(card_id)
        except InputError as error:
            raise _explain_unknown(card_id, pool, error).at(f"deck {self.name!r}") from None


def load_deck(name: str, near: Path | None = None, pool: Pool | None = None) -> Deck:
    """Return the deck with a given name, or the deck in a given file.

    The file may refer to cards and to the hero by id or by printed name.

    Args:
        name: name of the deck, or path of its file if it ends in `.toml`.
        near: folder to search first, or a file in that folder, see `find_data_file`.
        pool: cards for looking up printed names. By default the pool that the deck file names; it
            is loaded only if the file has a printed name of a card.

    Raises:
        InputError: the deck file or the pool file is missing or invalid, or the pool has no card or
            hero with a name in the deck file that cannot be an id.

    Example:
        >>> load_deck("ember_rush")
        Deck(name='ember_rush', pool='core', cards=30)
    """
    path = find_data_file("decks", name, near)
    data = read_toml(path)
    if pool is None and _has_printed_names(data):
        with error_place(path):
            pool = load_pool(data["pool"], near=path)
    if pool is not None:
        with error_place(path):
            data = _with_ids(data, pool)
    return validate(Deck, data, source=str(path))


def _with_ids(data: dict[str, Any], pool: Pool) -> dict[str, Any]:
    """Return the content of a deck file with ids in place of printed names.

    An unknown name that can be an id is kept; `check_deck` refuses it later.

    Raises:
        InputError: an unknown name cannot be an id, or two names denote the same card.
    """
    known = dict(data)
    if isinstance(data.get("hero"), str):
        known["hero"] = hero_names(pool).get(data["hero"]) or data["hero"]
    if not isinstance(data.get("cards"), dict):
        return known
    names = card_names(pool)
    cards = dict[str, object]()
    spelt = dict[str, str]()
    for text, copies in data["cards"].items():
        card_id = names.get(text)
        if card_id is None and not _can_be_id(text):
            raise names.unknown_name_error(text).at("cards")
        if (card_id or text) in cards:
            raise InputError(
                f"{spelt[card_id or text]!r} and {text!r} are the same card",
                place="cards",
                value=text,
                remedy="keep one",
            )
        cards[card_id or text] = copies
        spelt[card_id or text] = text
    return known | {"cards": cards}


def _has_printed_names(data: dict[str, Any]) -> bool:
    """Return whether a deck file names a pool, and at least one card by a text that is no id."""
    cards = data.get("cards")
    if not isinstance(cards, dict) or not isinstance(data.get("pool"), str):
        return False
    return not all(map(_can_be_id, cards))


def _can_be_id(text: str) -> bool:
    return text.isidentifier() and text == text.lower()


def check_deck(deck: Deck, pool: Pool, ruleset: Ruleset) -> None:
    """Raise an error if a deck cannot be played with a pool and under a ruleset.

    Args:
        deck: deck to check.
        pool: pool for the games.
        ruleset: ruleset for the games.

    Raises:
        InputError: the deck names another pool or ruleset (unless by path, which does not show the
            name inside the file), or has unknown cards, too many copies, too many cards, fewer
            cards than the opening hand where an empty deck loses, or an unsuitable hero. Also if
            the deck no longer fits its class, as is possible after `model_copy`.
    """
    for key, named, how, played in (
        ("pool", deck.pool, "with", pool.name),
        ("ruleset", deck.ruleset, "under", ruleset.name),
    ):
        if packed(named) != packed(played) and not named.endswith(".toml"):
            raise InputError(
                f"made for {key} {named!r}, but played {how} {played!r}",
                place=f"deck {deck.name!r}",
                value=named,
                limit=played,
                remedy=f"change `{key}` in the deck file, or in the experiment",
            )
    # A copy may have skipped the checks of its class, and its cards may be those of another pool.
    revalidated(deck, source="")
    deck.slots(pool)
    for card_id, n_copies in deck.cards.items():
        if n_copies > ruleset.copy_limit:
            raise InputError(
                f"{n_copies} copies, but the limit is {ruleset.copy_limit} "
                f"(copy_limit of ruleset {ruleset.name!r})",
                place=f"deck {deck.name!r}: card {card_id!r}",
                value=n_copies,
                limit=ruleset.copy_limit,
            )
    if deck.n_cards > ruleset.deck_limit:
        raise InputError(
            f"{deck.n_cards} cards, but the limit is {ruleset.deck_limit} "
            f"(deck_limit of ruleset {ruleset.name!r})",
            place=f"deck {deck.name!r}",
            value=deck.n_cards,
            limit=ruleset.deck_limit,
        )
    _check_hero(deck, pool, ruleset)
    n_dealt = max(ruleset.opening_hand)
    # If a player with an empty deck loses, a smaller deck would lose before the first turn.
    if ruleset.deck_out == "lose" and deck.n_cards < n_dealt:
        raise InputError(
            f"{deck.n_cards} cards, but must have at least {n_dealt} (opening_hand of ruleset "
            f"{ruleset.name!r}), or the game is lost while the cards are dealt",
            place=f"deck {deck.name!r}",
            value=deck.n_cards,
            limit=n_dealt,
        )


def _explain_unknown(card_id: str, pool: Pool, error: InputError) -> InputError:
    """Return the error for a card that is not in a pool.

    For a real Hearthstone card without effect rows, the error has the card's printed name; in all
    other cases `error` itself is returned.
    """
    name: str | None = supplied("real_card_name")(card_id) if pool.name == REAL_POOL else None
    if name is None:
        return error
    return InputError(f"card {card_id!r} ({name}) has no effect rows yet", value=card_id)


def _check_hero(deck: Deck, pool: Pool, ruleset: Ruleset) -> None:
    """Refuse a deck that lacks a required hero, has an unknown hero, or cards of another hero."""
    place = f"deck {deck.name!r}"
    if ruleset.hero_powers and not deck.hero:
        known = [hero.id for hero in pool.heroes]
        raise InputError(
            f"missing key 'hero'; ruleset {ruleset.name!r} uses hero powers, and "
            f"pool {pool.name!r} has: {', '.join(known) or 'no hero'}",
            place=place,
            limit=tuple(known),
        )
    deck.power(pool)
    for card_id in deck.cards:
        owner = pool.card(card_id).hero
        if owner and owner != deck.hero:
            own = f"the deck's hero is {deck.hero!r}" if deck.hero else "the deck has no hero"
            raise InputError(
                f"belongs to hero {owner!r}, but {own}",
                place=f"{place}: card {card_id!r}",
                value=owner,
                limit=deck.hero,
            )

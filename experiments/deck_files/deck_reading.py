"""Reading of decks from deck codes, plain lists, `.cod` and `.dck` files, recognised by content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from experiments.deck_files.cockatrice import read_cockatrice
from experiments.deck_files.deck_source import DeckSource
from experiments.deck_files.text_list import read_text_list
from experiments.deck_files.written_deck import Reading, WrittenCard, WrittenDeck
from sim import Deck, InputError, Pool, error_place, validate
from sim.cards.names import card_names, hero_names
from sim.errors import Problems
from sim.files.validation import NAME_LENGTH_MAX
from sim.names import Names
from sim.real_cards.deck_code import read_deck_code
from sim.ruleset import DECK_CAPACITY
from sim.value_error import shown_value

_SUGGESTIONS_MAX = 20  # similar names are sought for as many lines as a message shows
_OTHER_POOL = "for the cards of another pool, add --pool"


def written_deck(source: DeckSource) -> WrittenDeck:
    """Return the deck list in a text, without matching its names to cards.

    Args:
        source: the text. XML is read as a `.cod` file, any other text as a list.

    Raises:
        InputError: the text is not valid in its format, or has no cards.
    """
    with error_place(source.place):
        if source.text.lstrip().startswith("<"):
            return read_cockatrice(source.text)
        return read_text_list(source.text)


def deck_of(
    written: WrittenDeck,
    pool: Pool,
    *,
    name: str,
    ruleset: str,
    place: str,
    hero: str | None = None,
) -> Deck:
    """Return the deck of a deck list, with its names matched to the ids and names of a pool.

    Copies of a card on several lines are added. The order of the cards is that of the list; a deck
    code has none, so its cards are ordered by cost.

    Args:
        written: the deck list.
        pool: pool with the cards.
        name: name of the deck.
        ruleset: name of the ruleset; whether it permits the deck is not checked.
        place: origin of the list, for messages.
        hero: id or name of the hero; `None` for the hero of the list, or else the only hero of its
            cards.

    Raises:
        InputError: a card is not in the pool or has too many copies (the message lists all such
            lines), the hero is not in the pool, or the deck code is faulty.
    """
    if written.code:
        deck = read_deck_code(written.code, pool, name=name, ruleset=ruleset)
        return deck if hero is None else deck.model_copy(update={"hero": _known(hero, pool)})
    cards = _cards_of(written, pool, place)
    with error_place(place):
        owner = _known(hero, pool) if hero is not None else _hero(written.hero, cards, pool)
    data = {"name": name, "pool": pool.name, "ruleset": ruleset, "hero": owner, "cards": cards}
    return validate(Deck, data, source=place)


def name_in(written: WrittenDeck) -> str:
    """Return the name that a deck list gives its deck, in a form that decks may have.

    Unprintable characters are dropped and long names are cut. The result is `""` if no name is
    left.
    """
    printable = "".join(filter(str.isprintable, written.name))
    return printable.strip()[:NAME_LENGTH_MAX].strip()


def card_meant(card: WrittenCard, names: Names) -> Reading | None:
    """Return the copies and the id that an entry of a deck list means; `None` if none is known.

    A reading that equals an id or a name, ignoring case, takes precedence over one that agrees in
    letters and digits only; a line that may be a heading must equal one.

    Args:
        card: the entry.
        names: index of the cards' ids and names.

    Raises:
        InputError: the entry may mean several cards.
    """
    for reading in card.readings:
        card_id = names.exactly(reading.name)
        if card_id is not None:
            return Reading(reading.copies, card_id)
    for reading in () if card.may_be_heading else card.readings:
        card_id = names.get(reading.name)
        if card_id is not None:
            return Reading(reading.copies, card_id)
    return None


def _cards_of(written: WrittenDeck, pool: Pool, place: str) -> dict[str, int]:
    """Return the copies of each card by id.

    Raises:
        InputError: a card is unknown or has too many copies; the message lists all such lines.
    """
    names = card_names(pool)
    problems = Problems(Path(place))
    cards: dict[str, int] = {}
    is_any_unknown = False
    for card in written.cards:
        with problems.at(card.place):
            meant = card_meant(card, names)
            if meant is None and card.may_be_heading:
                continue
            if meant is None:
                is_any_unknown = True
                raise _unknown_error(card, names, with_remedy=len(problems) < _SUGGESTIONS_MAX)
            _check_copies(meant.copies, cards.get(meant.name, 0), card)
            cards[meant.name] = cards.get(meant.name, 0) + meant.copies
    try:
        problems.check()
    except InputError as error:
        remedies = (error.remedy, _OTHER_POOL if is_any_unknown else "")
        raise error.with_fields(remedy="; ".join(filter(None, remedies))) from None
    if not cards:
        raise InputError(f"has no card of pool {pool.name!r}", place=place, remedy=_OTHER_POOL)
    return cards


def _unknown_error(card: WrittenCard, names: Names, *, with_remedy: bool) -> InputError:
    """Return the error for an entry without a known card.

    Args:
        card: the entry.
        names: index of the cards' ids and names.
        with_remedy: whether to search for similar names.
    """
    name = card.plain.name
    remedy = names.suggestion(name) if with_remedy else ""
    return InputError(f"{names.unknown} {shown_value(name)}", value=name, remedy=remedy)


def _check_copies(copies: int, earlier: int, card: WrittenCard) -> None:
    """Check the number of copies on a line, and its sum with earlier lines.

    Raises:
        InputError: the number or the sum is not from 1 to `DECK_CAPACITY`.
    """
    if 1 <= copies <= DECK_CAPACITY - earlier:
        return
    so_far = f" after {earlier} on earlier lines" if earlier else ""
    raise InputError(
        f"{copies:,} copies of {shown_value(card.plain.name)}{so_far}, but a deck has "
        f"1 to {DECK_CAPACITY}",
        value=copies,
        limit=DECK_CAPACITY,
    )


def _known(hero: str, pool: Pool) -> str:
    return hero_names(pool).find(hero)


def _hero(written: str, cards: Mapping[str, int], pool: Pool) -> str:
    """Return the id of a deck's hero: that of the list, or else the only hero of its cards.

    The result is `""` if the pool has no heroes, or if neither gives a hero.

    Raises:
        InputError: the list names a hero that the pool does not have.
    """
    if written and pool.heroes:
        return _known(written, pool)
    return pool.only_hero(cards)

"""Deck codes: decks as one line of text, which players of the original game exchange.

A code refers to cards and the hero by numbers in the card file (`sim.real_cards.card_definitions`).
The package `hearthstone` decodes and encodes the line; it is imported only when a code is read or
written.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim import REAL_POOL, Deck, InputError, Pool, validate
from sim.errors import cut, unknown_word_error
from sim.real_cards.card_definitions import (
    PACKAGE,
    VERSION,
    Definition,
    installed_card_file,
    read_definitions,
)

DEFAULT_NAME = "pasted"  # name of a deck from a code, since codes contain no name
_CODE_LENGTH_MAX = 2_000  # characters; five times the length of a code with sixty different cards
_SHOWN_LENGTH = 40  # characters of a code in a message; enough to recognise the code
_BEGINNING = b"\0\1"  # a zero, then version 1 of the format

_Book = Mapping[str, Definition]


def read_deck_code(
    code: str, pool: Pool, *, name: str = DEFAULT_NAME, ruleset: str = "legacy"
) -> Deck:
    """Return the deck that a code describes.

    Codes have no order of cards, so the deck's cards are ordered by cost, then by position in the
    pool. Every hero of a class is replaced by the pool's hero of that class. The game format in the
    code, such as Standard, is ignored.

    Args:
        code: the deck code; surrounding spaces are ignored.
        pool: pool with the deck's cards.
        name: name of the new deck.
        ruleset: name of the ruleset for the new deck; whether it permits the deck is not checked.

    Raises:
        InputError: the code is malformed, has not exactly one hero, has no cards or a sideboard, or
            names a card or hero that is not in the pool; or a required package is missing.
    """
    if not isinstance(code, str):
        raise InputError("must be a line of text", place=f"deck code {code!r}", value=code)
    code = code.strip()
    counted, heroes = _parse(code)
    book = _book(installed_card_file())
    by_number = {entry.number: card_id for card_id, entry in book.items() if entry.number}
    hero = _hero(code, heroes, book, by_number, pool)
    copies: dict[str, int] = {}
    for number, n_copies in counted:
        card_id = by_number.get(number)
        if card_id is None:
            raise _code_error(
                code, f"no card has the number {_brief(number)} in {PACKAGE} {VERSION}", number
            )
        if card_id in copies:
            raise _code_error(code, f"lists card {card_id!r} ({book[card_id].name}) twice", card_id)
        copies[card_id] = n_copies
    costs = {card.id: card.cost for card in pool.cards}
    for card_id in copies:
        if card_id not in costs:
            raise _code_error(code, _unknown_card_problem(card_id, book[card_id], pool), card_id)
    # The sort is stable, so that cards with equal costs keep the order of the pool.
    in_order = sorted(costs, key=costs.__getitem__)
    cards = {card_id: copies[card_id] for card_id in in_order if card_id in copies}
    data = {"name": name, "pool": pool.name, "ruleset": ruleset, "hero": hero, "cards": cards}
    return validate(Deck, data, source=f"deck code {_brief(code)!r}")


def write_deck_code(deck: Deck, pool: Pool) -> str:
    """Return the code of a deck, for the game format Wild, which permits all cards.

    The code contains the hero's class and the number of copies of each card, but not the order of
    the cards or the deck's name.

    Args:
        deck: deck to encode.
        pool: pool with the deck's cards.

    Raises:
        InputError: a card or the hero is not in the pool or not in the card file; the deck has no
            hero; or a required package is missing.
    """
    codec = _codec()
    deck.slots(pool)  # refuses cards that the pool does not have
    if not deck.hero:
        raise InputError("has no hero, which a deck code must name", place=f"deck {deck.name!r}")
    pool.hero(deck.hero)
    book = _book(installed_card_file())
    heroes = [
        entry.number for entry in book.values() if entry.is_first_hero and entry.hero == deck.hero
    ]
    if not heroes:
        raise _unreal_error(deck, "hero", deck.hero)
    counted = []
    for card_id, n_copies in deck.cards.items():
        if card_id not in book:
            raise _unreal_error(deck, "card", card_id)
        counted.append((book[card_id].number, n_copies))
    return str(codec.write_deckstring(counted, heroes, codec.FormatType.FT_WILD))


def _codec() -> Any:
    try:
        from hearthstone import deckstrings  # noqa: PLC0415 - an extra, which only codes need
    except ImportError:
        raise InputError(
            "need the package hearthstone, which is not installed",
            place="deck codes",
            remedy='run: pip install "evenhand[hearthstone]"',
        ) from None
    return deckstrings


@lru_cache(maxsize=1)
def _book(_card_file: Path) -> _Book:
    """Return all entries of the installed card file by id; cached, since reading takes almost 1 s.

    Args:
        _card_file: path of the card file; another path invalidates the cache.
    """
    return read_definitions()


def _parse(code: str) -> tuple[Sequence[tuple[int, int]], Sequence[int]]:
    """Decode a deck code.

    Returns:
        Pairs of a card's number and its number of copies, and the numbers of the heroes.

    Raises:
        InputError: the code is malformed, has a sideboard, or has no cards; or the package
            `hearthstone` is missing.
    """
    codec = _codec()
    for problem in _faults(code):
        raise _code_error(code, problem)
    try:
        cards, heroes, _, sideboards = codec.parse_deckstring(code)
    except (EOFError, TypeError):  # the package raises `TypeError` when it reads beyond the end
        raise _code_error(code, "ends too early; was it cut off?") from None
    except ValueError:  # only the format can be wrong, since `_faults` has checked the rest
        number = _format_number(base64.b64decode(code))
        problem = f"is for an unknown format, number {_brief(number)}"
        raise _code_error(code, problem, number) from None
    if sideboards:
        raise _code_error(code, "has a sideboard, which decks here cannot have")
    if not cards:
        raise _code_error(code, "contains no cards")
    return cards, heroes


def _format_number(content: bytes) -> int:
    """Return the number of the game format in a decoded code, a varint after the first two bytes.

    Args:
        content: the decoded bytes of the code.
    """
    number = 0
    for place, byte in enumerate(content[len(_BEGINNING) :]):
        number |= (byte & 0x7F) << (7 * place)  # seven bits per byte, the lowest first
        if byte < 0x80:
            break
    return number


def _faults(code: str) -> Iterator[str]:
    """Yield problems of a deck code in its length, base64 characters, first byte and version.

    The parser of the package `hearthstone` ignores invalid characters, so they are checked first.
    """
    if len(code) > _CODE_LENGTH_MAX:
        yield f"has {len(code)} characters, but the limit is {_CODE_LENGTH_MAX}"
    try:
        content = base64.b64decode(code, validate=True)
    except ValueError:
        yield "is not base64; was all of it copied?"
        return
    if not content:
        yield "is empty"
    if not content.startswith(_BEGINNING[:1]):
        yield f"begins with byte {content[0]} instead of 0; is it a deck code?"
    if len(content) > 1 and not content.startswith(_BEGINNING):
        yield f"is of version {content[1]}, but must be of version {_BEGINNING[1]}"


def _hero(
    code: str, heroes: Sequence[int], book: _Book, by_number: Mapping[int, str], pool: Pool
) -> str:
    """Return the id of the pool's hero with the class of a code's hero.

    Args:
        code: the deck code, for messages.
        heroes: numbers of the heroes in the code.
        book: entries of the card file by id.
        by_number: id of each entry by its number.
        pool: pool with the heroes.

    Raises:
        InputError: the code has not exactly one hero, the number is not a hero's, or the pool has
            no hero of that class.
    """
    if len(heroes) != 1:
        raise _code_error(code, f"names {len(heroes)} heroes instead of 1", len(heroes))
    hero_id = by_number.get(heroes[0])
    if hero_id is None or book[hero_id].kind != "hero":
        number = _brief(heroes[0])
        problem = f"no hero has the number {number} in {PACKAGE} {VERSION}"
        raise _code_error(code, problem, heroes[0])
    hero = book[hero_id]
    known = [pool_hero.id for pool_hero in pool.heroes]
    if hero.hero not in known:
        error = unknown_word_error("hero", hero.hero, known, place=f"pool {pool.name!r}")
        raise error.at(f"deck code {_brief(code)!r}: hero {hero_id!r} ({hero.name})")
    return hero.hero


def _unknown_card_problem(card_id: str, entry: Definition, pool: Pool) -> str:
    """Return the message for a real card that is not in the pool.

    Args:
        card_id: id of the card.
        entry: entry of the card in the card file.
        pool: pool without the card.
    """
    if pool.name == REAL_POOL and entry.is_collectible and entry.kind != "hero":
        return f"card {card_id!r} ({entry.name}) has no effect rows yet"
    return f"pool {pool.name!r} has no card {card_id!r} ({entry.name})"


def _unreal_error(deck: Deck, noun: str, word: str) -> InputError:
    """Return the error for a card or hero of a deck that is not in the card file.

    Args:
        deck: deck to encode.
        noun: `card` or `hero`.
        word: id of the card or hero.
    """
    return InputError(
        f"{noun} {word!r} is not in {PACKAGE} {VERSION}",
        place=f"deck {deck.name!r}",
        value=word,
        remedy="only decks of real cards have codes",
    )


def _code_error(code: str, problem: str, value: object = None) -> InputError:
    return InputError(problem, place=f"deck code {_brief(code)!r}", value=value)


def _brief(value: object) -> str:
    """Return a value as text, cut to 40 characters, for messages."""
    return cut(str(value), _SHOWN_LENGTH)

"""Deck codes: decks as one line of text, as players of the original game exchange them.

A code refers to cards and the hero by numbers, which the card file has in addition to the ids
(`sim.real_cards.card_definitions`). The line itself is read and written by the package
`hearthstone`, which is imported here alone, and only when a code is read or written.
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

DEFAULT_NAME = "pasted"  # name of a deck from a code, which has none
_CODE_LENGTH_MAX = 2_000  # characters: five times the code of sixty different cards
_SHOWN_LENGTH = 40  # characters of a code in a message, enough to recognise it
_BEGINNING = b"\0\1"  # a zero, then version 1 of the format

_Book = Mapping[str, Definition]


def read_deck_code(
    code: str, pool: Pool, *, name: str = DEFAULT_NAME, ruleset: str = "legacy"
) -> Deck:
    """Return the deck of a code.

    The cards are in the order of their costs, then of the pool, since codes keep no order. Any hero
    of a class stands for the class. The game format in a code, such as Standard, is ignored.

    Args:
        code: the line, with or without spaces around it.
        pool: the pool that has the cards.
        name: name of the deck.
        ruleset: name of the ruleset that the deck is for; whether it allows the deck is not
            checked.

    Raises:
        InputError: the line is no deck code; it names a card or hero that is not in the pool,
            several heroes or none, or no cards; or one of the packages is missing.
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
            raise _code_error(code, _why_unknown(card_id, book[card_id], pool), card_id)
    # A stable sort: cards of one cost stay in the order of the pool.
    in_order = sorted(costs, key=costs.__getitem__)
    cards = {card_id: copies[card_id] for card_id in in_order if card_id in copies}
    data = {"name": name, "pool": pool.name, "ruleset": ruleset, "hero": hero, "cards": cards}
    return validate(Deck, data, source=f"deck code {_brief(code)!r}")


def write_deck_code(deck: Deck, pool: Pool) -> str:
    """Return the code of a deck, for the game format in which all cards may be played.

    Codes keep the hero's class and the copies of each card, but neither their order nor names.

    Args:
        deck: the deck.
        pool: the pool that has its cards.

    Raises:
        InputError: a card or the hero is not in the pool, or is not a real one; the deck has no
            hero; or one of the packages is missing.
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
    """Return the content of the card file, cached: reading it takes most of a second."""
    return read_definitions()


def _parse(code: str) -> tuple[Sequence[tuple[int, int]], Sequence[int]]:
    """Return the numbers of the cards with their copies, and the numbers of the heroes."""
    codec = _codec()
    for problem in _faults(code):
        raise _code_error(code, problem)
    try:
        cards, heroes, _, sideboards = codec.parse_deckstring(code)
    except (EOFError, TypeError):  # the package raises TypeError when it reads beyond the end
        raise _code_error(code, "ends too early; was it cut off?") from None
    except ValueError:  # `_faults` has checked the beginning and the version: the format is left
        number = _format_number(base64.b64decode(code))
        problem = f"is for an unknown format, number {_brief(number)}"
        raise _code_error(code, problem, number) from None
    if sideboards:
        raise _code_error(code, "has a sideboard, which decks here cannot have")
    if not cards:
        raise _code_error(code, "holds no cards")
    return cards, heroes


def _format_number(content: bytes) -> int:
    """Return the number of the game format in a code: the varint behind zero and version."""
    number = 0
    for place, byte in enumerate(content[len(_BEGINNING) :]):
        number |= (byte & 0x7F) << (7 * place)  # seven bits a byte, the lowest first
        if byte < 0x80:
            break
    return number


def _faults(code: str) -> Iterator[str]:
    """Yield faults of a line before it is parsed, since the parser ignores foreign characters."""
    if len(code) > _CODE_LENGTH_MAX:
        yield f"has {len(code)} characters, must have at most {_CODE_LENGTH_MAX}"
    try:
        content = base64.b64decode(code, validate=True)
    except ValueError:
        yield "is not base64; was all of it copied?"
        return
    if not content:
        yield "is empty"
    if not content.startswith(_BEGINNING[:1]):
        yield f"begins with byte {content[0]}, must be 0; is it a deck code?"
    if len(content) > 1 and not content.startswith(_BEGINNING):
        yield f"is of version {content[1]}, must be {_BEGINNING[1]}"


def _hero(
    code: str, heroes: Sequence[int], book: _Book, by_number: Mapping[int, str], pool: Pool
) -> str:
    """Return the id of the pool's hero that has the class named by a code."""
    if len(heroes) != 1:
        raise _code_error(code, f"names {len(heroes)} heroes, must name 1", len(heroes))
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


def _why_unknown(card_id: str, entry: Definition, pool: Pool) -> str:
    """Return the problem of a real card that is not in the pool."""
    if pool.name == REAL_POOL and entry.is_collectible and entry.kind != "hero":
        return f"card {card_id!r} ({entry.name}) has no effect rows yet"
    return f"pool {pool.name!r} has no card {card_id!r} ({entry.name})"


def _unreal_error(deck: Deck, noun: str, word: str) -> InputError:
    """Return the error for a card or hero of a deck that is not a real one."""
    return InputError(
        f"{noun} {word!r} is not in {PACKAGE} {VERSION}",
        place=f"deck {deck.name!r}",
        value=word,
        remedy="only decks of real cards have codes",
    )


def _code_error(code: str, problem: str, value: object = None) -> InputError:
    return InputError(problem, place=f"deck code {_brief(code)!r}", value=value)


def _brief(value: object) -> str:
    """Return a value as text, cut to leave space for the rest of a message."""
    return cut(str(value), _SHOWN_LENGTH)

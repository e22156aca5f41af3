"""Deck codes: decks as the line of text by which players of the original game pass them on.

A code calls cards and the hero by numbers, which the card file has beside the ids
(`sim.real_cards.card_definitions`). The line itself is read and written by the package
`hearthstone`, which is imported here only, and only when a code is read or written.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim import REAL_POOL, Deck, InputError, Pool, unknown_word, validate
from sim.errors import cut
from sim.real_cards.card_definitions import (
    PACKAGE,
    VERSION,
    Definition,
    installed_card_file,
    read_definitions,
)

DEFAULT_NAME = "pasted"  # codes name no deck
_CODE_LENGTH_MAX = 2_000  # five times what sixty different cards take
_SHOWN_LENGTH = 40
_BEGINNING = b"\0\1"  # a zero, and the version of the format

_Book = Mapping[str, Definition]


def read_deck_code(
    code: str, pool: Pool, *, name: str = DEFAULT_NAME, ruleset: str = "legacy"
) -> Deck:
    """The deck of a code.

    The cards are in the order of their costs, then of the pool: codes keep no order. A hero in
    other clothes stands for the class. The format that a code names says nothing about us.

    Args:
        code: the line, with or without blanks around it.
        pool: the pool whose cards they are.
        name: what to call the deck.
        ruleset: name of the ruleset that it is made for; whether that allows it is not checked.

    Raises:
        InputError: the line is no deck code; it names a card or hero that is not in the pool,
            several heroes or none, or no cards; or one of the packages is missing.
    """
    if not isinstance(code, str):
        raise InputError(f"deck code {code!r}: must be a line of text")
    code = code.strip()
    counted, heroes = _parsed(code)
    book = _book(installed_card_file())
    by_number = {one.number: card_id for card_id, one in book.items() if one.number}
    hero = _hero(code, heroes, book, by_number, pool)
    copies: dict[str, int] = {}
    for number, n_copies in counted:
        card_id = by_number.get(number)
        if card_id is None:
            raise _refused(code, f"no card has the number {_brief(number)} in {PACKAGE} {VERSION}")
        if card_id in copies:
            raise _refused(code, f"lists card {card_id!r} ({book[card_id].name}) twice")
        copies[card_id] = n_copies
    costs = {card.id: card.cost for card in pool.cards}
    for card_id in copies:
        if card_id not in costs:
            raise _refused(code, _why_unknown(card_id, book[card_id], pool))
    in_order = sorted(costs, key=costs.__getitem__)
    cards = {card_id: copies[card_id] for card_id in in_order if card_id in copies}
    data = {"name": name, "pool": pool.name, "ruleset": ruleset, "hero": hero, "cards": cards}
    return validate(Deck, data, source=f"deck code {_brief(code)!r}")


def write_deck_code(deck: Deck, pool: Pool) -> str:
    """The code of a deck, for the format in which all cards may be played.

    Codes keep the hero's class and the copies of each card, not their order, nor names.

    Raises:
        InputError: a card or the hero is not in the pool, or is not one of the real ones; the
            deck has no hero; or one of the packages is missing.
    """
    codec = _codec()
    deck.slots(pool)  # refuses cards that are not there
    if not deck.hero:
        raise InputError(f"deck {deck.name!r}: has no hero, whom a deck code must name")
    pool.hero(deck.hero)
    book = _book(installed_card_file())
    heroes = [one.number for one in book.values() if one.is_first_hero and one.hero == deck.hero]
    if not heroes:
        raise _without_number(deck, "hero", deck.hero)
    counted = []
    for card_id, n_copies in deck.cards.items():
        if card_id not in book:
            raise _without_number(deck, "card", card_id)
        counted.append((book[card_id].number, n_copies))
    return str(codec.write_deckstring(counted, heroes, codec.FormatType.FT_WILD))


def _codec() -> Any:
    try:
        from hearthstone import deckstrings  # noqa: PLC0415 - an extra, which only codes need
    except ImportError:
        raise InputError(
            "deck codes: need the package hearthstone, which is not installed; "
            'run: pip install "evenhand[hearthstone]"'
        ) from None
    return deckstrings


@lru_cache(maxsize=1)
def _book(_card_file: Path) -> _Book:
    """The card file, kept: reading it takes most of a second, and codes come in numbers."""
    return read_definitions()


def _parsed(code: str) -> tuple[Sequence[tuple[int, int]], Sequence[int]]:
    """Numbers of cards with their copies, and numbers of heroes."""
    codec = _codec()
    for reason in _faults(code):
        raise _refused(code, reason)
    try:
        cards, heroes, _, sideboards = codec.parse_deckstring(code)
    except (EOFError, TypeError):  # the latter is what reading beyond the end comes to
        raise _refused(code, "ends too early; was it cut off?") from None
    except ValueError as error:  # version and beginning are right, so it is the format
        number = str(error).rpartition(" ")[2]
        raise _refused(code, f"is for an unknown format, number {_brief(number)}") from None
    if sideboards:
        raise _refused(code, "has a sideboard, which decks here have not")
    if not cards:
        raise _refused(code, "holds no cards")
    return cards, heroes


def _faults(code: str) -> Iterator[str]:
    """What is wrong with a line before its numbers are looked at; the parser skips bad letters."""
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
    """The pool's hero of the class whose hero a code names."""
    if len(heroes) != 1:
        raise _refused(code, f"names {len(heroes)} heroes, must name 1")
    hero_id = by_number.get(heroes[0])
    if hero_id is None or book[hero_id].kind != "hero":
        raise _refused(code, f"no hero has the number {_brief(heroes[0])} in {PACKAGE} {VERSION}")
    one = book[hero_id]
    known = [hero.id for hero in pool.heroes]
    if one.hero not in known:
        what = f"pool {pool.name!r}: {unknown_word('hero', one.hero, known)}"
        raise _refused(code, f"hero {hero_id!r} ({one.name}): {what}")
    return one.hero


def _why_unknown(card_id: str, one: Definition, pool: Pool) -> str:
    if pool.name == REAL_POOL and one.is_collectible and one.kind != "hero":
        return f"card {card_id!r} ({one.name}) has no effect rows yet"
    return f"pool {pool.name!r}: no card {card_id!r} ({one.name})"


def _without_number(deck: Deck, what: str, word: str) -> InputError:
    return InputError(
        f"deck {deck.name!r}: {what} {word!r} is not in {PACKAGE} {VERSION}; only decks of real "
        f"cards have codes"
    )


def _refused(code: str, reason: str) -> InputError:
    return InputError(f"deck code {_brief(code)!r}: {reason}")


def _brief(value: object) -> str:
    """Text cut to a length that leaves room for the rest of a message."""
    return cut(str(value), _SHOWN_LENGTH)

"""Deck lists in plain text, with sections, comments and deck codes, and in `.dck` files.

One reader serves all of them, since people mix them: a pasted list may have the sections of one
program, the comments of another and the sets of a third.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from experiments.deck_files.card_line import read_card_line
from experiments.deck_files.headings import ABOUT, MAIN, SIDEBOARDS, heading_in, is_known_heading
from experiments.deck_files.written_deck import Reading, WrittenCard, WrittenDeck
from experiments.screen.wording import counted
from sim.errors import InputError
from sim.files.limits import too_many_error

_TITLE = "###"
_COMMENTS = ("#", "//")
_LINE_MAX = 1_000  # characters; several times the longest name with its set
_CARDS_MAX = 1_000  # a deck has at most 60 cards, and a sideboard or a collection is left out
_CODE = re.compile(r"AAE[A-Za-z0-9+/]{3,}={0,2}")
_KEY = re.compile(r"(name|deck name|title|class|hero|format|author|year)[ \t]*[:=](.*)", re.I)
_ABOUT_KEY = re.compile(r"(name|class|hero) (.*)", re.IGNORECASE)
_LAYOUT = re.compile(r"LAYOUT [A-Z]+:.*")  # XMage's positions of the cards on its screen
_SIDE_LINE = re.compile(r"SB: ?(.+)", re.IGNORECASE)
_COPIED = re.compile(r"[0-9]+x \([0-9]+\) .+")  # a card in the comments of a copied deck
_NAMES = ("name", "deck name", "title")
_HEROES = ("class", "hero")
_TOML = "cards"  # section with the cards of this package's own deck files


def read_text_list(text: str) -> WrittenDeck:
    """Return the deck in a plain list, a copied deck with a deck code, or a `.dck` file.

    If there is a deck code, it alone gives the cards. Cards in comments count only if there are no
    other cards.

    Args:
        text: the list; the ends of its lines may be of any kind.

    Raises:
        InputError: the list has no cards, several deck codes, a line or a number of lines beyond
            the limits, or is a deck file of this package.
    """
    reader = _ListReader()
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, line)
    return reader.deck()


class _ListReader:
    """Content of the lines of a deck list read so far."""

    def __init__(self) -> None:
        self._name = ""
        self._hero = ""
        self._code = ""
        self._cards: list[WrittenCard] = []
        self._commented: list[WrittenCard] = []
        self._section = ""
        self._left: dict[str, int] = {}

    def deck(self) -> WrittenDeck:
        """Return the deck.

        Raises:
            InputError: there are no cards.
        """
        cards = self._cards or self._commented
        left = [
            f"left out: {heading} ({counted(copies, 'card')})"
            for heading, copies in self._left.items()
        ]
        if self._code:
            if self._cards:
                lines = counted(len(self._cards), "line")
                left.append(f"left out: {lines} of cards, since the deck code gives the cards")
            return WrittenDeck(self._name, self._hero, self._code, (), tuple(left))
        if not cards:
            raise InputError(
                "has no cards in the main deck" if left else "has no cards",
                remedy="write a line for each card, such as '2 Card Name', or a deck code",
            )
        return WrittenDeck(self._name, self._hero, "", tuple(cards), tuple(left))

    def read(self, number: int, line: str) -> None:
        """Read a line.

        Args:
            number: number of the line, from 1.
            line: text of the line.

        Raises:
            InputError: the line is too long, or is one that a deck list cannot have.
        """
        place = f"line {number}"
        if len(line) > _LINE_MAX:
            raise too_many_error(len(line), "characters", _LINE_MAX).with_fields(place=place)
        stripped = line.strip().strip("\ufeff\u200b").strip()
        text = " ".join(stripped.split())
        if stripped.startswith(_TITLE):
            self._name = self._name or stripped.removeprefix(_TITLE).strip()
        elif text.startswith(_COMMENTS):
            self._read_comment(stripped.lstrip("#/").strip(), place)
        elif text and not self._read_key(stripped) and not _LAYOUT.fullmatch(text):
            self._read_content(text, place)

    def _read_comment(self, comment: str, place: str) -> None:
        text = " ".join(comment.split())
        if _COPIED.fullmatch(text):
            self._add(self._commented, read_card_line(text, place))
        elif is_known_heading(heading_in(text)):
            self._begin(heading_in(text))
        else:
            self._read_key(comment)

    def _read_key(self, line: str) -> bool:
        """Read a line such as `Name: Red Deck`, and return whether the line is one."""
        match = _KEY.fullmatch(line)
        if match is None and self._section in ABOUT:
            match = _ABOUT_KEY.fullmatch(line)
        if match is None:
            return False
        key = match[1].lower()
        value = match[2].strip()
        if key in _NAMES:
            self._name = self._name or value
        elif key in _HEROES:
            self._hero = self._hero or value
        return True

    def _read_content(self, text: str, place: str) -> None:
        if _CODE.fullmatch(text):
            if self._code:
                raise InputError("a second deck code", place=place, value=text, remedy="keep one")
            self._code = text
            return
        heading = heading_in(text)
        if heading == _TOML and text.startswith("["):
            raise InputError(
                "is a deck file of evenhand already",
                remedy="name it in an experiment, or convert it by: evenhand deck export",
            )
        if heading:
            self._read_heading(heading, text, place)
            return
        side = _SIDE_LINE.fullmatch(text)
        section = "sideboard" if side else self._section
        card = read_card_line(side[1] if side else text, place)
        if section in SIDEBOARDS:
            copies = max(card.plain.copies, 0)
            self._left[section] = self._left.get(section, 0) + copies
        elif section not in ABOUT:
            self._add(self._cards, card)

    def _read_heading(self, heading: str, text: str, place: str) -> None:
        """Read a heading; a heading that is no known word may be a card instead."""
        self._begin(heading)
        if self._section not in SIDEBOARDS and not is_known_heading(heading):
            self._add(self._cards, read_card_line(text, place, may_be_heading=True))

    def _begin(self, heading: str) -> None:
        """Begin a part of the list; kinds of cards are parts of the sideboard that they are in."""
        if heading in SIDEBOARDS | ABOUT | MAIN or self._section not in SIDEBOARDS:
            self._section = heading

    def _add(self, cards: list[WrittenCard], card: WrittenCard) -> None:
        if len(cards) == _CARDS_MAX:
            raise InputError(
                f"more than {_CARDS_MAX:,} lines of cards", place=card.place, limit=_CARDS_MAX
            )
        cards.append(card)


def text_of_list(name: str, hero: str, cards: Sequence[Reading]) -> str:
    """Return a deck as a plain list, with its name and hero in comments.

    Args:
        name: name of the deck.
        hero: hero of the deck; `""` for none.
        cards: copies and names of the cards.
    """
    head = [f"{_TITLE} {name}", *([f"# Class: {hero}"] if hero else [])]
    return "\n".join([*head, *_lines_of(cards), ""])


def text_of_dck(name: str, hero: str, cards: Sequence[Reading]) -> str:
    """Return a deck as a `.dck` file; the arguments are those of `text_of_list`."""
    head = ["[metadata]", f"Name={name}", *([f"Class={hero}"] if hero else []), "[Main]"]
    return "\n".join([*head, *_lines_of(cards), ""])


def _lines_of(cards: Sequence[Reading]) -> list[str]:
    return [f"{card.copies} {card.name}" for card in cards]

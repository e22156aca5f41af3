"""Decks of a spreadsheet: columns of copies in the sheet of cards, or a separate sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from experiments.spreadsheet.columns import Header
from experiments.spreadsheet.sheet import Sheet
from sim import Card, Deck
from sim.cards.card import DECK_MARK
from sim.errors import InputError, Problems, did_you_mean
from sim.files.csv_file import whole_number
from sim.value_error import shown_value

DECKS_SHEET = "decks"
LIST_COLUMNS = ("deck", "card", "copies")
_HERO = "hero"
_DECK_SHEETS = (DECKS_SHEET, "deck", "decklist", "decklists", "deck list", "deck lists")
_LIST_SYNONYMS = {
    **dict.fromkeys(("deck name", "deck list", "decklist"), "deck"),
    **dict.fromkeys(("card name", "card id", "name", "id"), "card"),
    **dict.fromkeys(("count", "number", "quantity", "qty", "amount", "n", "#"), "copies"),
}
# Numbers of copies, such as 2, 2x and x2.
_COPIES = re.compile(r"(?:[x\u00d7] *)?([0-9]{1,9})(?: *[x\u00d7])?", re.IGNORECASE)


class Spellings:
    """Index of the ids and names by which a deck in a spreadsheet may refer to cards."""

    def __init__(self, cards: Iterable[Card], where: str = "") -> None:
        """Index cards by id, and by name regardless of upper and lower case.

        Args:
            cards: cards to index; several cards may have the same name.
            where: end of the message for an unknown card, such as the place that was searched.
        """
        self._where = where
        self._known: list[str] = []
        self._ids: dict[str, list[str]] = {}
        cards = list(cards)
        for card in cards:
            self._known += [card.id, card.name]
            self._ids.setdefault(card.name.casefold(), []).append(card.id)
        # Ids are added last, so that they take precedence over equal names of other cards.
        self._ids |= {card.id: [card.id] for card in cards}

    @classmethod
    def of_rows(cls, spelt: Mapping[str, Sequence[str]]) -> Spellings:
        """Return an index of the cards of a sheet.

        Args:
            spelt: the sheet's texts for name and id of each card, by the card's id.
        """
        spellings = cls(())
        for card_id, others in spelt.items():
            spellings._known += [card_id, *others]
            for other in dict.fromkeys(map(str.casefold, others)):
                spellings._ids.setdefault(other, []).append(card_id)
        # Ids are added last, so that they take precedence over equal names of other cards.
        spellings._ids |= {card_id: [card_id] for card_id in spelt}
        return spellings

    def id_of(self, text: str) -> str:
        """Return the id of the card with a given id or name, in upper or lower case.

        An exact id takes precedence over a name.

        Raises:
            InputError: `text` is empty, or names no card or several cards.
        """
        if not text:
            raise InputError("must not be blank", place="column 'card'", value=text)
        ids = self._ids.get(text) or self._ids.get(text.casefold(), [])
        if not ids:
            raise InputError(
                f"no card {shown_value(text)}{self._where}",
                value=text,
                remedy=did_you_mean(text, self._known),
            )
        if len(ids) > 1:
            named = " and ".join(map(repr, ids))
            raise InputError(
                f"{shown_value(text)} is the name of the cards {named}",
                value=text,
                limit=tuple(ids),
                remedy="give the id",
            )
        return ids[0]


@dataclass
class DeckList:
    """Deck as read from a spreadsheet, with the places of its cells for messages.

    Attributes:
        name: name of the deck.
        place: place in the file where the deck is first mentioned.
        cards: number of copies, at least 1, by card id.
        places: place in the file of each card's copies, by card id.
        hero: hero of the deck as the sheet spells it; `""` if the sheet names no hero.
    """

    name: str
    place: str
    cards: dict[str, int] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    hero: str = ""

    def add(self, card_id: str, cell: str, place: str) -> None:
        """Add the copies of a card from a cell such as `2` or `2x`; a blank cell and 0 add nothing.

        Args:
            card_id: id of the card to add.
            cell: text of the cell with the number of copies.
            place: place of the cell in the file, for messages.

        Raises:
            InputError: the cell is not a number of copies, or the deck already has the card.
        """
        times = _COPIES.fullmatch(cell)
        try:
            copies = int(times[1]) if times else whole_number(cell) if cell else 0
        except InputError as error:
            problem = f"{shown_value(cell)} must be a whole number of copies, or blank for none"
            raise error.with_fields(problem=problem) from None
        if copies < 0:
            raise InputError(f"{copies} copies, but must be at least 0", value=copies, limit=0)
        if copies and card_id in self.cards:
            raise InputError(
                f"the deck already has card {card_id!r}, in {self.places[card_id]}", value=card_id
            )
        if copies:
            self.cards[card_id] = copies
            self.places[card_id] = place


def deck_columns(
    sheet: Sheet, header: Header, row_of: Mapping[str, int], problems: Problems
) -> list[DeckList]:
    """Return the decks in the columns of copies of a sheet of cards.

    Args:
        sheet: sheet of cards.
        header: row of titles of the sheet.
        row_of: row number of each card by id.
        problems: collector to which problems are added; a cell with a problem adds no copies.
    """
    place = sheet.place(header.row)
    lists = {
        at: DeckList(column.name, f"{place}: column {column.title!r}")
        for at, column in enumerate(header.columns)
        if column.sort == "deck"
    }
    filled = dict(sheet.rows)
    for card_id, number in row_of.items():
        cells = filled[number]
        for at, deck in lists.items():
            cell = sheet.place(number, at)
            with problems.at(f"{cell}: card {card_id!r}: column {header.columns[at].title!r}"):
                deck.add(card_id, cells[at] if at < len(cells) else "", cell)
    return list(lists.values())


def deck_sheet(sheet: Sheet, cards: Spellings, problems: Problems) -> list[DeckList]:
    """Return the decks in a sheet of decks.

    The columns of the sheet are `deck, card, copies` in any order, with an optional column `hero`;
    or a card, followed by one column of copies for each deck.

    Args:
        sheet: sheet of decks, with the titles in its first row.
        cards: index of the cards that decks may hold.
        problems: collector to which problems are added; if the titles are wrong, no deck is
            returned.
    """
    number, cells = sheet.rows[0]
    titles = [" ".join(cell.split()) for cell in cells]
    words = _list_words(sheet)
    if set(LIST_COLUMNS) <= set(words):
        return _read_list(
            sheet, [words.index(title) for title in LIST_COLUMNS], words, cards, problems
        )
    if words[0] in ("card", "id", "name") and len(titles) > 1 and all(titles):
        return _read_columns(sheet, titles, cards, problems)
    problems.add(
        f"a sheet of decks must have the columns {', '.join(LIST_COLUMNS)}, or a column 'card' and "
        "then one for each deck",
        place=sheet.place(number),
        value=titles,
        limit=LIST_COLUMNS,
    )
    return []


def is_deck_sheet(sheet: Sheet) -> bool:
    """Return whether a sheet contains decks: by its name, such as `decks`, or by its titles."""
    return sheet.title.casefold() in _DECK_SHEETS or set(LIST_COLUMNS) <= set(_list_words(sheet))


def _list_words(sheet: Sheet) -> list[str]:
    """Return a sheet's titles in lower case, with synonyms of `LIST_COLUMNS` replaced by these."""
    words = [" ".join(cell.lower().split()) for cell in sheet.rows[0][1]]
    return [word if word in LIST_COLUMNS else _LIST_SYNONYMS.get(word, word) for word in words]


def _read_list(
    sheet: Sheet,
    places: Sequence[int],
    words: Sequence[str],
    cards: Spellings,
    problems: Problems,
) -> list[DeckList]:
    lists: dict[str, DeckList] = {}
    hero_at = words.index(_HERO) if _HERO in words else len(words)
    for number, cells in sheet.rows[1:]:
        padded = [*cells, *[""] * (len(words) + 1 - len(cells))]
        name, spelt, copies = (padded[place] for place in places)
        deck = lists.setdefault(name, DeckList(name, sheet.place(number)))
        deck.hero = deck.hero or padded[hero_at]
        with problems.at(f"{sheet.place(number, places[1])}: deck {name!r}"):
            card_id = cards.id_of(spelt)
            place = sheet.place(number, places[2])
            with problems.at(f"{place}: deck {name!r}: card {card_id!r}"):
                deck.add(card_id, copies, place)
    return list(lists.values())


def _read_columns(
    sheet: Sheet, titles: Sequence[str], cards: Spellings, problems: Problems
) -> list[DeckList]:
    first = sheet.place(sheet.rows[0][0])
    names = [_without_mark(title) for title in titles]
    lists = [DeckList(name, f"{first}: column {name!r}") for name in names]
    for number, cells in sheet.rows[1:]:
        if any(cells[len(titles) :]):
            problems.add(
                "the cell is to the right of the last column",
                place=sheet.place(number, len(titles)),
                remedy="give its column a title, or delete the cell",
            )
        with problems.at(sheet.place(number, 0)):
            card_id = cards.id_of(cells[0])
            for at, cell in enumerate(cells[1 : len(titles)], start=1):
                place = sheet.place(number, at)
                with problems.at(f"{place}: deck {names[at]!r}: card {card_id!r}"):
                    lists[at].add(card_id, cell, place)
    return lists[1:]


def _without_mark(title: str) -> str:
    return title[len(DECK_MARK) :].strip() if title.lower().startswith(DECK_MARK) else title


def rows_of_decks(decks: Sequence[Deck]) -> list[list[str | int]]:
    """Return the rows of a sheet of decks: the titles, then one row for each card of each deck.

    The sheet has a column `hero` if any deck has a hero.
    """
    has_heroes = any(deck.hero for deck in decks)
    rows: list[list[str | int]] = [[*LIST_COLUMNS, *[_HERO] * has_heroes]]
    rows += [
        [deck.name, card_id, copies, *[deck.hero] * has_heroes]
        for deck in decks
        for card_id, copies in deck.cards.items()
    ]
    return rows

"""Search for the row of titles of a sheet, and for the meaning of each column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from experiments.spreadsheet.columns import Column, Header
from experiments.spreadsheet.meanings import DECK, NOTE, REQUIRED, Meaning, Meanings
from experiments.spreadsheet.mechanics import is_of_mechanics, keywords_in
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.titles import EXACT, column_like
from experiments.spreadsheet.words import KIND_WORDS, KINDS, kind_in, plain_words
from sim.cards.card import DECK_MARK, title_fault
from sim.cards.fields import BODY, SYNONYMS, printed_fields
from sim.cards.notation import words
from sim.cards.vocabulary import Keyword

_KEYWORDS = frozenset(words(Keyword))
_CLEAR_BODIES = frozenset(title for title in SYNONYMS if "/" in title)
_BODY_CELL = re.compile(r"[^/|]*[0-9][^/|]*[/|][^/|]*[0-9][^/|]*")
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*")  # as in "Cost (mana)"
_AROUND = re.compile(r"^[^\w#]+|[^\w#]+$")  # as in "\u2694 Attack" and "HP:"
_ODD_SPACE = re.compile(r"[^\S ]+")  # line ends and tabs in titles, replaced by a space
_TITLES_WITHIN = 20  # number of filled rows searched for titles; chosen by hand, not tuned


def find_header(sheet: Sheet, meanings: Meanings | None = None) -> Header:
    """Return the row of titles: the first row with all required columns.

    If no row has all of them, return the first row with the fewest missing columns. Only the first
    20 filled rows are searched.

    Args:
        sheet: sheet with at least one row.
        meanings: known meanings of the sheet's columns and words; `None` if nothing is known.
    """
    headers = list[Header]()
    for index in range(min(len(sheet.rows), _TITLES_WITHIN)):
        headers.append(_header(sheet, index, meanings or Meanings()))
        if not headers[-1].missing:
            return headers[-1]
    return min(headers, key=lambda header: len(header.missing))


def _header(sheet: Sheet, index: int, meanings: Meanings) -> Header:
    number, cells = sheet.rows[index]
    titles = [_ODD_SPACE.sub(" ", cell) for cell in cells]
    below = sheet.rows[index + 1 :]
    texts = [
        [row[place] for _, row in below if place < len(row) and row[place]]
        for place in range(len(titles))
    ]
    reading = _TitleRow(titles, texts, meanings)
    columns = reading.columns()
    above = tuple(row for row, _ in sheet.rows[:index])
    needed = reading.needed(columns, len(below))
    return Header(number, columns, above, needed, meanings.kinds)


class _TitleRow:
    """Interpretation of a row as titles, based on the cells below it."""

    def __init__(
        self, titles: Sequence[str], cells: Sequence[Sequence[str]], meanings: Meanings
    ) -> None:
        self._titles = titles
        self._cells = cells
        self._meanings = meanings
        prefix = _prefix(titles)
        self._words = [
            word if word in meanings.columns else _strip_signs(word.removeprefix(prefix))
            for word in map(plain_words, titles)
        ]
        # Keys that an option or an exact title fills cannot also be filled by a synonym.
        given = [
            name
            for word in self._words
            if word in meanings.columns and word not in meanings.remembered
            for name in meanings.columns[word].names
        ]
        exact = [EXACT[word] for word in self._words if self._is_exact(word)]
        self._taken = {*given, *exact}
        self._false_kinds = self._find_false_kinds()

    def columns(self) -> tuple[Column, ...]:
        """Return the column under each title, from left to right."""
        columns = [self._column(place) for place in range(len(self._titles))]
        names = {name for column in columns for name in column.names}
        # A column of kinds with an unknown title is recognised by its cells alone, so it is sought
        # last, and only if name and cost show that the row is a row of titles.
        if {"name", "cost"} <= names and "kind" not in names:
            place = self._place_of_kinds(columns)
            if place is not None:
                columns[place] = Column("card", "kind", self._titles[place])
        return tuple(columns)

    def needed(self, columns: Sequence[Column], n_rows: int) -> tuple[str, ...]:
        """Return the names in `COLUMNS` that the sheet must have.

        These are `REQUIRED`, or only name and cost if every row has a kind without attack.

        Args:
            columns: columns of the sheet.
            n_rows: number of filled rows below the titles.
        """
        for place, column in enumerate(columns):
            if "kind" in column.names and 0 < n_rows == len(self._cells[place]):
                kinds = {kind_in(cell, self._meanings.kinds) for cell in self._cells[place]}
                if all(_has_no_body(kind) for kind in kinds):
                    return tuple(name for name in REQUIRED if name in ("name", "cost"))
        return REQUIRED

    def _is_exact(self, word: str) -> bool:
        return word in EXACT and word not in self._meanings.columns

    def _column(self, place: int) -> Column:
        title = self._titles[place]
        word = self._words[place]
        if not title:
            return Column("untitled", "", "")
        if title.lower().startswith(DECK_MARK):
            return Column("deck", title[len(DECK_MARK) :].strip(), title)
        given = self._meanings.columns.get(word)
        if given is not None and (self._is_explained(word) or self._taken.isdisjoint(given.names)):
            if given.column == DECK:
                return Column("deck", title, title)
            is_note = given.column == NOTE
            return _note(title) if is_note else Column("card", given.column, title, given.divisor)
        return self._guess(place)

    def _guess(self, place: int) -> Column:
        """Return the column at a position, interpreted by its title and cells without options."""
        title = self._titles[place]
        word = self._words[place]
        if self._is_exact(word):
            return Column("card", EXACT[word], title)
        meant = column_like(word)
        if not meant or not self._taken.isdisjoint(Meaning(meant).names):
            return _note(title)
        # A title that is only similar to a known title is never accepted silently: `check_header`
        # reports it.
        if word not in SYNONYMS:
            return Column("card", meant, title, is_misspelt=True)
        is_meant = place not in self._false_kinds and self._holds(word, meant, self._cells[place])
        return Column("card", meant, title) if is_meant else _note(title)

    def _is_explained(self, word: str) -> bool:
        return word not in self._meanings.remembered

    def _holds(self, title: str, column: str, cells: Sequence[str]) -> bool:
        """Return whether cells fit the meaning that an ambiguous title suggests.

        Joined attack and health need one cell such as `2/3`. Keywords need a majority of known
        words; other words are then typing errors, which their rows report. Mechanics need one
        keyword. All other titles are unambiguous, so that every cell fits.
        """
        if column == BODY and title not in _CLEAR_BODIES:
            return any(map(_BODY_CELL.fullmatch, cells))
        if column != "keywords":
            return True
        if is_of_mechanics(title):
            return any(map(keywords_in, cells))
        texts = [word for cell in cells for word in re.split(r"[\s,;]+", cell.lower()) if word]
        n_known = sum(word in _KEYWORDS for word in texts)
        return n_known == len(texts) or 2 * n_known > len(texts)

    def _find_false_kinds(self) -> set[int]:
        """Return the positions of columns with a title for kinds but without any kind.

        The set is empty unless exactly one column with such a title contains only kinds.
        """
        places = [place for place, word in enumerate(self._words) if SYNONYMS.get(word) == "kind"]
        shares = {place: self._share_of_kinds(place) for place in places}
        clear = [place for place, share in shares.items() if share == 1]
        return {place for place, share in shares.items() if share == 0 and len(clear) == 1}

    def _share_of_kinds(self, place: int) -> float:
        """Return the share of a column's filled cells that are words for kinds, from 0 to 1."""
        cells = self._cells[place]
        are_kinds = [kind_in(cell, self._meanings.kinds) in KIND_WORDS for cell in cells]
        return sum(are_kinds) / max(len(are_kinds), 1)

    def _place_of_kinds(self, columns: Sequence[Column]) -> int | None:
        """Return the position of the first unexplained note column that holds kinds of cards.

        Most of its filled cells must be words for kinds, and at least one must not mean a minion.
        Return `None` if no column qualifies.
        """
        for place, column in enumerate(columns):
            if column.sort != "note" or self._words[place] in self._meanings.columns:
                continue
            texts = [kind_in(cell, self._meanings.kinds) for cell in self._cells[place]]
            known = [KINDS.get(text, text) for text in texts if text in KIND_WORDS]
            if 2 * len(known) > len(texts) and {*known} - {"minion"}:
                return place
        return None


def _note(title: str) -> Column:
    return Column("wrong" if title_fault(title) else "note", title, title)


def _has_no_body(kind: str) -> bool:
    word = KINDS.get(kind, kind)
    return word in KIND_WORDS and "attack" not in printed_fields(word)


def _strip_signs(word: str) -> str:
    """Return a title without brackets and surrounding signs if that is a known title.

    Other titles, and titles that end with `(note)`, are returned unchanged.
    """
    bare = _AROUND.sub("", _BRACKETS.sub(" ", word)).strip()
    is_known = bare in EXACT or bare in SYNONYMS
    return bare if is_known and not word.endswith(f"({NOTE})") else word


def _prefix(titles: Sequence[str]) -> str:
    """Return the most frequent first word of titles, followed by a space, such as `card `.

    Return `""` if less than half of all titles, or fewer than `_PREFIXED`, begin with that word.
    """
    firsts = Counter(word.split()[0] for word in map(plain_words, titles) if " " in word)
    for first, count in firsts.most_common(1):
        if count >= _PREFIXED and 2 * count >= len(titles):
            return f"{first} "
    return ""


# Minimum number of titles with the same first word; two titles may share a word by chance, such as
# "mana cost, mana type".
_PREFIXED = 3

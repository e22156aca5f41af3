"""Meanings of a sheet's columns and of its words for kinds, as options of the import give them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from experiments.spreadsheet.words import KIND_WORDS, KINDS, OF_SHEETS, plain_cell, plain_words
from sim.cards.fields import BODY, NUMBERS, SAME, SYNONYMS
from sim.cards.sheet_layout import SheetLayout
from sim.errors import InputError, error_place, unknown_word_error

MORE_NUMBERS = ("spell_damage", "overload")
MORE = ("hero", "tribe", *MORE_NUMBERS, "target", "target_when", "needs", "options", "tags")
COLUMNS = ("id", "name", "kind", *NUMBERS, "keywords", "effects", "tunable", *MORE)
REQUIRED = ("name", "cost", "attack", "health")

NOTE = "note"
DECK = "deck"
_DIVISOR_MAX = 1_000_000  # larger divisors are typing errors: no card game counts in millions
_MEANING = re.compile(r"(?P<column>.*?)(?: */ *(?P<divisor>[0-9]{1,7}))?")
_JOINED = {BODY: ("attack", "health"), SAME: ("attack", "health")}
_BETWEEN = re.compile(r"\s*[/|]\s*")
_DIGIT = re.compile(r"\d")
_OF_ONE_WORD = {plain_words(column): column for column in COLUMNS}


class Meaning(NamedTuple):
    """Meaning of the cells of a spreadsheet column.

    Attributes:
        column: one of `COLUMNS`; `BODY` for attack and health in one cell; `SAME` for one number
            that is both; `NOTE`; or `DECK` for the copies in a deck.
        divisor: number by which the column's numbers are divided.
    """

    column: str
    divisor: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """Names in `COLUMNS` that the cells fill; `()` for notes and decks."""
        return () if self.column in (NOTE, DECK) else _JOINED.get(self.column, (self.column,))

    @property
    def text(self) -> str:
        """Text of the meaning as in options, such as `attack/1000`, which `read_meaning` parses."""
        return self.column if self.divisor == 1 else f"{self.column}/{self.divisor}"

    def parts(self, cell: str) -> dict[str, str]:
        """Return the text in a cell for each of `names`.

        A cell of `BODY` with a digit is split into attack and health. All other cells give their
        whole text to each name.

        Raises:
            InputError: a cell to be split does not consist of two parts.
        """
        if self.column != BODY or not _DIGIT.search(cell):
            return dict.fromkeys(self.names, cell)
        texts = _BETWEEN.split(cell)
        if len(texts) != len(self.names):
            raise InputError(f"{cell!r} must be attack and health, such as 3/4", value=cell)
        return dict(zip(self.names, texts, strict=True))


def read_meaning(text: str) -> Meaning:
    """Parse a meaning, such as `"cost"`, `"attack/1000"`, `"attack/health"` or `"note"`.

    Raises:
        InputError: the text is no known meaning, divides a column without numbers, or has a divisor
            outside 1 to 1,000,000.
    """
    match = _MEANING.fullmatch(text.strip())
    given = "" if match is None else match["column"].strip().lower()
    known = (*COLUMNS, BODY, SAME, NOTE, DECK)
    word = plain_words(given)
    column = given if given in known else _OF_ONE_WORD.get(word) or SYNONYMS.get(word, given)
    if match is None or column not in known:
        raise unknown_word_error("meaning", text, known)
    divisor = int(match["divisor"] or 1)
    is_number = column in NUMBERS or column in _JOINED
    if divisor != 1 and not is_number:
        raise InputError(
            f"{text!r} divides a column that does not contain numbers",
            value=text,
            remedy=f"leave out /{divisor}",
        )
    if not 1 <= divisor <= _DIVISOR_MAX:
        raise InputError(
            f"{text!r} must have a divisor from 1 to {_DIVISOR_MAX:,}",
            value=divisor,
            limit=_DIVISOR_MAX,
        )
    return Meaning(column, divisor)


@dataclass(frozen=True)
class Meanings:
    """Meanings of columns and words that are known before a sheet is read.

    Attributes:
        columns: meaning of each explained column by its title, in the form of `plain_words`.
        kinds: kind of card by the sheet's own word for it, in the form of `plain_cell`.
        remembered: titles in `columns` that only an earlier sheet explains; exact titles in the
            current sheet take precedence.
        spelt: pairs of an option, such as `--column`, and the title or word that it explains, as
            the user typed it.
    """

    columns: Mapping[str, Meaning] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    remembered: Collection[str] = ()
    spelt: tuple[tuple[str, str], ...] = ()

    def over(self, layout: SheetLayout | None, notes: Iterable[str]) -> Meanings:
        """Return these meanings together with meanings of an earlier sheet, which have lower rank.

        Args:
            layout: layout of the earlier sheet; `None` if its pool has no layout.
            notes: titles of the notes of an earlier pool without a layout.

        Raises:
            InputError: the layout has an unknown meaning or kind.
        """
        earlier = {plain_words(title): Meaning(NOTE) for title in notes}
        kinds: dict[str, str] = {}
        if layout is not None:
            earlier |= {plain_words(title): given for title, given in meanings_of(layout).items()}
            with error_place("table [sheet] of the pool file"):
                kinds = {plain_cell(word): _kind(kind) for word, kind in layout.kinds.items()}
        return Meanings(
            {**earlier, **self.columns},
            {**kinds, **self.kinds},
            earlier.keys() - self.columns.keys(),
            self.spelt,
        )


def meanings_of(layout: SheetLayout) -> dict[str, Meaning]:
    """Return the meaning of each column of a layout, by title.

    Raises:
        InputError: the layout has an unknown meaning, as after an edit of the pool file.
    """
    with error_place("table [sheet] of the pool file"):
        return {title: read_meaning(text) for title, text in layout.columns.items()}


def read_meanings(
    notes: Iterable[str] = (), columns: Iterable[str] = (), kinds: Iterable[str] = ()
) -> Meanings:
    """Parse the options of an import that explain columns and words.

    Args:
        notes: titles of columns that are notes (`--note`).
        columns: titles with meanings, such as `"Mana_Cost=cost"` (`--column`).
        kinds: words with kinds, such as `"Instant=spell"` (`--type`).

    Raises:
        InputError: an option lacks its equals sign, names an unknown column or kind, or gives a
            title a second meaning.
    """
    meanings = {plain_words(title): Meaning(NOTE) for title in notes}
    spelt = [("--note", title) for title in notes]
    for text in columns:
        title, given = _split_option(text, "--column", "Mana_Cost=cost")
        with error_place(f"--column {text!r}"):
            meaning = read_meaning(given)
        if meanings.setdefault(plain_words(title), meaning) != meaning:
            raise InputError(
                f"{title!r} already has another meaning", place=f"--column {text!r}", value=title
            )
        spelt.append(("--column", title))
    own: dict[str, str] = {}
    for text in kinds:
        word, kind = _split_option(text, "--type", "Instant=spell")
        with error_place(f"--type {text!r}"):
            own[plain_cell(word)] = _kind(kind)
        spelt.append(("--type", word))
    return Meanings(meanings, own, (), tuple(spelt))


def _split_option(text: str, option: str, example: str) -> tuple[str, str]:
    left, mark, right = text.rpartition("=")
    if not mark or not left.strip() or not right.strip():
        raise InputError(
            f'must be like {option} "{example}"', place=f"{option} {text!r}", value=text
        )
    return left.strip(), right.strip()


def _kind(text: str) -> str:
    word = plain_cell(text)
    if word not in KIND_WORDS:
        raise unknown_word_error("kind", text, OF_SHEETS)
    return word if word == "coin" else KINDS.get(word, word)

"""Summary of an imported sheet: the meaning and the content of each column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from experiments.spreadsheet.card_rows import CardRows
from experiments.spreadsheet.card_texts import NO_TEXTS, TEXT, CardTexts
from experiments.spreadsheet.columns import Column, Header
from experiments.spreadsheet.deck_list import DeckList
from experiments.spreadsheet.mechanics import has_mechanics, others_in
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.words import plain_cell
from sim import Card
from sim.cards.fields import NUMBERS

NO_TITLE = "(no column)"
_SHOWN_MAX = 6  # maximum number of words shown for a column, to fit on one line of the table


class UnderstoodColumn(NamedTuple):
    """Row of the summary of an imported sheet, about one column.

    Attributes:
        column: title of the column; `NO_TITLE` for kinds if the sheet has no such column.
        read_as: meaning of the column: keys of cards, `note`, or `deck`.
        holds: description of the content: smallest and largest number, words with their numbers of
            cards, or the number of filled cells.
    """

    column: str
    read_as: str
    holds: str


def understood(
    sheet: Sheet,
    header: Header,
    rows: CardRows,
    decks: Sequence[DeckList],
    card_texts: CardTexts = NO_TEXTS,
) -> tuple[UnderstoodColumn, ...]:
    """Return the summary of an imported sheet: a row for each deck and each other titled column.

    If the sheet has no column of kinds, a row states that all cards are minions.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        rows: cards read from the sheet.
        decks: decks of this sheet and of other sheets.
        card_texts: texts of cards that were read as effects.
    """
    below = {**rows.cards, **rows.coins}
    cells = {row: texts for row, texts in sheet.rows if row in below}
    summary = []
    for place, column in enumerate(header.columns):
        if column.sort in ("card", "note"):
            words = [
                texts[place] if place < len(texts) else "" for _, texts in sorted(cells.items())
            ]
            cards = [below[row] for row in sorted(cells)]
            if column.title == card_texts.title:
                summary.append(_row_of_texts(card_texts, words))
            else:
                summary.append(_column_row(column, words, cards))
    if "kind" not in header.found:
        summary.append(UnderstoodColumn(NO_TITLE, "kind", f"minion ({len(below)})"))
    return (*summary, *map(_deck_row, decks))


def _column_row(column: Column, texts: Sequence[str], cards: Sequence[Card]) -> UnderstoodColumn:
    if column.sort == "note":
        return UnderstoodColumn(
            column.title, "note", f"{_n_filled(texts)} filled, which no game reads"
        )
    return UnderstoodColumn(column.title, column.meaning.text, _content_words(column, texts, cards))


def _row_of_texts(texts: CardTexts, cells: Sequence[str]) -> UnderstoodColumn:
    holds = f"{_n_filled(cells)} filled, {len(texts.read)} of them read as effects"
    return UnderstoodColumn(texts.title, TEXT, holds)


def _content_words(column: Column, texts: Sequence[str], cards: Sequence[Card]) -> str:
    if set(column.names) <= set(NUMBERS):
        return "; ".join(_ranges(column.names, cards))
    if column.name == "kind":
        return _count_words(map(_kind_words, texts, cards))
    if column.name == "id":
        changed = [
            f"{text} is {card.id}" for text, card in zip(texts, cards, strict=True)
            if text not in ("", card.id)
        ]  # fmt: skip
        more = f", {len(changed)} of them respelt ({changed[0]})" if changed else ""
        return f"{_n_filled(texts)} filled{more}"
    if has_mechanics(column) and (others := [word for text in texts for word in others_in(text)]):
        keywords = _count_words(word for card in cards for word in card.keywords) or "none"
        return f"{keywords}; only notes: {_count_words(others)}"
    if column.name in ("keywords", "tags"):
        return _count_words(word for card in cards for word in getattr(card, column.name)) or "none"
    return f"{_n_filled(texts)} filled"


def _ranges(names: Sequence[str], cards: Sequence[Card]) -> Iterator[str]:
    for name in names:
        numbers = {card.number(name) for card in cards if name in card.printed}
        ends = sorted(numbers)[:: max(len(numbers) - 1, 1)]
        yield f"{name} " * (len(names) > 1) + (" to ".join(map(str, ends)) or "none")


def _kind_words(text: str, card: Card) -> str:
    if not text:
        return f"{card.kind}, since blank"
    return card.kind if plain_cell(text) == card.kind else f"{text} = {card.kind}"


def _count_words(words: Iterable[str]) -> str:
    """Return distinct words with their counts in parentheses, the most frequent words first.

    After `_SHOWN_MAX` words, only the number of further words is given.
    """
    counts = Counter(words).most_common()
    shown = ", ".join(f"{word} ({count})" for word, count in counts[:_SHOWN_MAX])
    more = len(counts) - _SHOWN_MAX
    return f"{shown} and {more} more" if more > 0 else shown


def _n_filled(texts: Iterable[str]) -> int:
    return sum(bool(text) for text in texts)


def _deck_row(deck: DeckList) -> UnderstoodColumn:
    n_cards = sum(deck.cards.values())
    return UnderstoodColumn(deck.name, "deck", f"{n_cards} cards, {len(deck.cards)} different")

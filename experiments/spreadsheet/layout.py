"""Layout of exported sheets: titles, their order, and the designer's own words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from experiments.spreadsheet.cells import cell_of, note_titles, says_the_same, used_columns
from experiments.spreadsheet.coin_row import coin_of
from experiments.spreadsheet.columns import WITH_OWN_WORDS, Header
from experiments.spreadsheet.identifiers import words_in
from experiments.spreadsheet.meanings import COLUMNS, DECK, NOTE, Meaning, Meanings, meanings_of
from experiments.spreadsheet.mechanics import is_of_mechanics, keywords_in
from experiments.spreadsheet.titles import EXACT, column_like
from experiments.spreadsheet.words import COIN, plain_words
from sim import Card, Deck, Pool
from sim.cards.card import DECK_MARK
from sim.cards.fields import BODY, NUMBERS, SAME, SYNONYMS
from sim.cards.identifiers import card_id_from_name
from sim.cards.notation import words
from sim.cards.sheet_layout import SheetLayout
from sim.cards.vocabulary import Keyword


class _SheetColumn(NamedTuple):
    """Column of an exported sheet.

    Attributes:
        title: title of the column in the sheet.
        meaning: meaning of the column's cells.
        notes: title of the notes in the column; `""` for a column with keys of cards.
    """

    title: str
    meaning: Meaning
    notes: str = ""


def _note_column(title: str, taken: Collection[str]) -> _SheetColumn:
    """Return the exported column for the notes with a title.

    Args:
        title: title of the notes; if it is in `taken`, ` (note)` is appended in the sheet.
        taken: titles of the columns with keys of cards.
    """
    shown = f"{title} ({NOTE})" if title.lower() in taken else title
    return _SheetColumn(shown, Meaning(NOTE), title)


def layout_of(header: Header, pool: Pool, decks: Sequence[str]) -> SheetLayout | None:
    """Return the layout of a sheet; `None` if it equals the default layout of an export.

    Args:
        header: row of titles of the sheet.
        pool: pool with the sheet's cards.
        decks: names of the sheet's decks, in order.
    """
    given = [
        _SheetColumn(column.title, column.meaning, column.title if column.sort == "note" else "")
        for column in header.columns
        if column.sort in ("card", "note") or column.is_deck_by_word
    ]
    if given == _default_columns(written_cards(pool)) and not header.kinds:
        return None
    columns = {place.title: place.meaning.text for place in given}
    return SheetLayout(columns=columns, kinds=dict(header.kinds), decks=tuple(decks))


def written_cards(pool: Pool) -> list[Card]:
    """Return the cards that an export writes: all cards, and the coin if a sheet can express it."""
    coin = coin_of(pool)
    return [*pool.cards, *([] if coin is None else [coin])]


def in_order(pool: Pool, decks: Sequence[Deck]) -> list[Deck]:
    """Return decks in the order of the pool's sheet, followed by decks not named in the sheet."""
    known = [] if pool.sheet is None else list(pool.sheet.decks)
    return sorted(
        decks, key=lambda deck: known.index(deck.name) if deck.name in known else len(known)
    )


def deck_title(pool: Pool, name: str) -> str:
    """Return the title of the column with a deck's copies.

    The title is the deck's name if the pool's sheet has a deck column with that title, else
    `deck: NAME`.
    """
    is_bare = pool.sheet is not None and pool.sheet.columns.get(name) == DECK
    return name if is_bare else f"{DECK_MARK} {name}"


def rows_of_cards(pool: Pool) -> list[list[str | int]]:
    """Return the rows of an exported sheet: the titles, then one row for each of `written_cards`.

    Columns of decks are not included.
    """
    cards = written_cards(pool)
    places = _default_columns(cards) if pool.sheet is None else _layout_columns(pool.sheet, cards)
    kinds = {} if pool.sheet is None else Meanings().over(pool.sheet, ()).kinds
    rows: list[list[str | int]] = [[place.title for place in places]]
    rows += [
        [_cell(card, place, kinds, is_coin=card.id == pool.coin) for place in places]
        for card in cards
    ]
    return rows


def _default_columns(cards: Sequence[Card]) -> list[_SheetColumn]:
    """Return the columns of the default layout: the standard columns in use, then the notes.

    Notes with a title in `WITH_OWN_WORDS` are omitted.
    """
    columns = used_columns(cards)
    own = [title for title in note_titles(cards) if title not in WITH_OWN_WORDS]
    return [
        *(_SheetColumn(column, Meaning(column)) for column in columns),
        *(_note_column(title, columns) for title in own),
    ]


def _layout_columns(layout: SheetLayout, cards: Sequence[Card]) -> list[_SheetColumn]:
    """Return the columns of a known layout, with columns added that the cards need."""
    meanings = meanings_of(layout)
    given = {title: meaning for title, meaning in meanings.items() if meaning.column != DECK}
    own = {title: _current_meaning(meaning, cards) for title, meaning in given.items()}
    filled = {name for meaning in own.values() for name in meaning.names}
    # The next import would read a note with a title similar to a standard column as that column,
    # unless the column itself is also written. A note with exactly the standard title is written
    # without the column, since the next import then asks for the meaning.
    notes = [title for title, meaning in own.items() if not meaning.names]
    resembled = {column_like(title) for title in notes if _resembles_standard_column(title, cards)}
    more = [
        column
        for column in COLUMNS
        if column not in filled and (column in resembled or _is_needed(column, cards))
    ]
    places = [
        _SheetColumn(title, meaning) if meaning.names else _note_column(title, more)
        for title, meaning in own.items()
    ]
    # Added columns follow the last column with keys of cards, before notes at the sheet's end.
    last = max((k for k, place in enumerate(places, start=1) if place.meaning.names), default=0)
    others = [title for title in note_titles(cards) if title not in (*own, *WITH_OWN_WORDS)]
    return [
        *places[:last],
        *(_SheetColumn(column, Meaning(column)) for column in more),
        *places[last:],
        *(_note_column(title, (*more, *filled)) for title in others),
    ]


def _resembles_standard_column(title: str, cards: Sequence[Card]) -> bool:
    """Return whether an import could read a note as keys of cards.

    A note with a synonym of `keywords` as its title must contain a keyword. Every other title
    qualifies, except exact standard titles.
    """
    word = plain_words(title)
    if word in SYNONYMS and column_like(title) == "keywords":
        texts = [card.notes.get(title, "").lower() for card in cards]
        held = {word for text in texts for word in words_in(text)}
        return not held.isdisjoint(words(Keyword))
    return word not in EXACT


def _current_meaning(meaning: Meaning, cards: Sequence[Card]) -> Meaning:
    """Return the meaning of a column after changes of the cards.

    A column with one number for attack and health becomes a column of attacks if any minion's
    attack and health differ. All other columns keep their meaning.
    """
    bodies = [card for card in cards if card.kind == "minion"]
    if meaning.column != SAME or all(card.attack == card.health for card in bodies):
        return meaning
    return meaning._replace(column="attack")


def _is_needed(column: str, cards: Sequence[Card]) -> bool:
    """Return whether an import would give different cards if a sheet lacked a column."""
    if column == "id":
        return any(card.id != card_id_from_name(card.name) for card in cards)
    if column == "kind":
        return any(card.kind != "minion" for card in cards)
    if column in NUMBERS:
        return any(column in card.printed for card in cards)
    return any(cell_of(card, column) != "" for card in cards)


def _cell(card: Card, place: _SheetColumn, kinds: Mapping[str, str], *, is_coin: bool) -> str | int:
    meaning = place.meaning
    if meaning.column == NOTE:
        return card.notes.get(place.notes, "")
    own = card.notes.get(place.title, "")
    if meaning.column in WITH_OWN_WORDS and own and says_the_same(card, meaning.column, own, kinds):
        return own
    if own and meaning.column == "keywords" and is_of_mechanics(place.title):
        return own if keywords_in(own) == list(card.keywords) else cell_of(card, "keywords")
    if meaning.column == "kind" and is_coin:
        return COIN
    texts = [cell_of(card, name) for name in meaning.names]
    texts = [text * meaning.divisor if isinstance(text, int) else text for text in texts]
    return "/".join(map(str, texts)) if meaning.column == BODY and "" not in texts else texts[0]

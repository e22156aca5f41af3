"""Pool sheets: a pool and its decks as a spreadsheet file, read and written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim import Card, Deck, Pool, Ruleset, validate
from sim.cards.card import DECK_MARK
from sim.cards.pool_references import faults_of_cards
from sim.cards.spreadsheet.card_rows import CardRows, read_card_rows
from sim.cards.spreadsheet.cells import cell_of, note_titles, tells_kinds, used_columns
from sim.cards.spreadsheet.coin_row import coin_of, uncollected
from sim.cards.spreadsheet.columns import COIN, COLUMNS, Header, check_header, find_header, word_of
from sim.cards.spreadsheet.deck_list import (
    DECKS_SHEET,
    DeckList,
    Spellings,
    deck_columns,
    deck_sheet,
    rows_of_decks,
)
from sim.errors import InputError, Problems, did_you_mean
from sim.files.sheet import Sheet, is_workbook, read_sheets, write_sheets

CARDS_SHEET = "cards"


@dataclass(frozen=True)
class PoolSheet:
    """What a spreadsheet holds.

    Attributes:
        pool: its cards, and what they were put over.
        decks: its decks.
        remarks: what its owner should know of how it was read, each a line.
    """

    pool: Pool
    decks: tuple[DeckList, ...] = ()
    remarks: tuple[str, ...] = ()


def write_pool_sheet(pool: Pool, path: Path, decks: Sequence[Deck] = ()) -> None:
    """Write one row per card; `read_pool_sheet` gives back equal cards, notes and copies.

    The coin has the last row, if it is a spell; other tokens and heroes have no place in it. Decks
    are columns of copies in CSV, whose order of cards is that of the rows, and a sheet of their own
    in a workbook.

    Raises:
        InputError: `path` cannot be written, or a deck holds a card that is not in the pool.
    """
    for deck in decks:
        deck.slots(pool)
    coin = coin_of(pool)
    written = [*pool.cards, *([] if coin is None else [coin])]
    columns, notes = used_columns(written), note_titles(written)
    own_sheet = is_workbook(path)
    shown = () if own_sheet else decks
    rows: list[list[str | int]] = [
        [*columns, *notes, *(f"{DECK_MARK} {deck.name}" for deck in shown)]
    ]
    for card in written:
        known = {column: cell_of(card, column) for column in columns}
        if card is coin:
            known["kind"] = COIN
        own = [card.notes.get(title, "") for title in notes]
        rows.append([*known.values(), *own, *(deck.cards.get(card.id, "") for deck in shown)])
    tables = {CARDS_SHEET: rows}
    if own_sheet and decks:
        tables[DECKS_SHEET] = rows_of_decks(decks)
    write_sheets(path, tables)


def read_pool_sheet(
    path: Path,
    name: str,
    over: Pool | None = None,
    *,
    sheet: str | None = None,
    notes: Collection[str] = (),
    rules_of: Callable[[str], Ruleset] | None = None,
) -> PoolSheet:
    """The pool called `name` with the cards of a spreadsheet, and its decks.

    Columns may come in any order and letter case; `name` and the numbers are required. A card
    without an id gets one from its name, a card without a kind is a minion. The notation of the
    other columns is that of `write_pool_sheet`, such as `play: damage 2 to enemy_player; play:
    draw 1` for effects and `attack 2-5; health 3-5` for tunable ranges; a row for which that
    notation has no words stands there as in a pool file, `{ on = "death", do = "draw" }`. A row of
    kind `coin` is the pool's coin. What no game knows becomes a card's notes.

    Args:
        path: a CSV file, or a workbook.
        name: of the pool.
        over: whose tokens and heroes the pool gets, and whose coin where the sheet has none;
            without it, it has none of them but the sheet's coin.
        sheet: of a workbook, which one holds the cards; without it, the likeliest.
        notes: titles of columns that are notes, although they resemble a column of cards.
        rules_of: gives the rules of a deck by its name, whose limits are told with the rest.

    Raises:
        InputError: names the file, and for each problem the place, the card, the value and the
            limit.
    """
    file = read_sheets(path)
    earlier = () if over is None else over.cards
    known = [title for title in note_titles(earlier) if not tells_kinds(title, earlier)]
    own = {word_of(title) for title in (*notes, *known)}
    cards = _sheet_of_cards(file.sheets, path, sheet, own)
    problems = Problems(path)
    header = find_header(cards, own)
    _check_notes(notes, header, problems)
    check_header(cards, header, problems)
    if header.missing:
        problems.check()
    _check_cells(cards, header.row, problems)
    rows = read_card_rows(cards, header, problems)
    decks = deck_columns(cards, header, rows.row_of, problems)
    others = [other for other in file.sheets if other is not cards and other.rows]
    for other in others:
        if other.title.casefold() == DECKS_SHEET and not other.is_hidden:
            _check_cells(other, other.rows[0][0], problems)
            spellings = Spellings([*rows.cards.values(), *rows.coins.values()])
            decks += deck_sheet(other, spellings, problems)
    tokens, coin = uncollected(over, rows.cards.values(), rows.coin)
    _check_names(rows, cards, tokens, over, problems)
    _check_decks(decks, rows.coin, problems, rules_of)
    problems.check()
    kept: dict[str, object] = {} if over is None else {"hero": over.heroes}
    if tokens:
        kept |= {"token": tuple(tokens), "coin": coin}
    told = {"name": name, "card": list(rows.cards.values()), **kept}
    remarks = [file.remark, *_remarks(cards, others, header)]
    if coin is not None and rows.coin is None:
        remarks.append(f"the coin is still {coin!r}; a row of kind {COIN!r} would replace it")
    return PoolSheet(
        validate(Pool, told, source=str(path)), tuple(decks), tuple(filter(None, remarks))
    )


def _check_notes(notes: Collection[str], header: Header, problems: Problems) -> None:
    """Each column that is to be a note must be there."""
    titles = [column.title for column in header.columns if column.title]
    for note in notes:
        if word_of(note) not in map(word_of, titles):
            problems.add(f"--note {note!r}: no such column{did_you_mean(note, titles)}")


def _check_names(
    rows: CardRows, sheet: Sheet, tokens: Sequence[Card], over: Pool | None, problems: Problems
) -> None:
    """What cards name must be there; what could not be read is not missed."""
    heroes = [] if over is None else [hero.id for hero in over.heroes]
    read = {*rows.cards, *rows.coins}
    unread = {repr(card_id) for card_id, row in rows.row_of.items() if row not in read}
    for card_id, fault in faults_of_cards(list(rows.cards.values()), tokens, heroes):
        if not any(card_id in str(fault) for card_id in unread):
            place = f"{sheet.place(rows.row_of[card_id])}: " if card_id in rows.row_of else ""
            problems.add(f"{place}{fault}")


def _sheet_of_cards(
    sheets: Sequence[Sheet], path: Path, wanted: str | None, notes: Collection[str]
) -> Sheet:
    """The sheet that is asked for, is called `cards`, or alone has the titles of cards."""
    filled = [sheet for sheet in sheets if sheet.rows]
    titles = [sheet.title for sheet in filled if sheet.title]
    if wanted is not None:
        for sheet in filled:
            if sheet.title.casefold() == wanted.casefold():
                return sheet
        raise InputError(f"{path}: no sheet {wanted!r} with cells{did_you_mean(wanted, titles)}")
    visible = [
        sheet for sheet in filled if not sheet.is_hidden and sheet.title.casefold() != DECKS_SHEET
    ]
    if not visible:
        raise InputError(f"{path}: is empty; wants a line with the columns {', '.join(COLUMNS)}")
    named = [sheet for sheet in visible if sheet.title.casefold() == CARDS_SHEET]
    likely = named or [sheet for sheet in visible if not find_header(sheet, notes).missing]
    if len(likely) > 1:
        found = " and ".join(repr(sheet.title) for sheet in likely[:2])
        raise InputError(f"{path}: sheets {found} both look like cards; say which by --sheet")
    return (likely or visible)[0]


def _check_cells(sheet: Sheet, first: int, problems: Problems) -> None:
    """Cells that no table can have, from a row on."""
    for (row, column), fault in sorted(sheet.faults.items()):
        if row >= first:
            problems.add(f"{sheet.place(row, column)}: {fault}")
    told = dict.fromkeys(area for row, area in sorted(sheet.joined.items()) if row >= first)
    for area in told:
        problems.add(f"sheet {sheet.title!r}: cells {area} are one; unmerge them")


def _check_decks(
    decks: Sequence[DeckList],
    coin: Card | None,
    problems: Problems,
    rules_of: Callable[[str], Ruleset] | None,
) -> None:
    seen: dict[str, str] = {}
    for deck in decks:
        if coin is not None and coin.id in deck.cards:
            place = deck.places[coin.id]
            problems.add(f"{place}: deck {deck.name!r}: {coin.id!r} is the coin; no deck holds it")
        if not deck.name:
            problems.add(f"{deck.place}: a deck needs a name")
        elif deck.name.casefold() in seen:
            earlier = seen[deck.name.casefold()]
            problems.add(f"{deck.place}: deck {deck.name!r} is already in {earlier}")
        elif not deck.cards and not len(problems):
            problems.add(f"{deck.place}: deck {deck.name!r} has no cards")
        seen.setdefault(deck.name.casefold(), deck.place)
        if rules_of is not None:
            _check_copies(deck, rules_of(deck.name), problems)


def _check_copies(deck: DeckList, rules: Ruleset, problems: Problems) -> None:
    for card, copies in deck.cards.items():
        if copies > rules.copy_limit:
            problems.add(
                f"{deck.places[card]}: deck {deck.name!r}: card {card!r}: {copies} copies, must be "
                f"at most {rules.copy_limit} (copy_limit of ruleset {rules.name!r})"
            )


def _remarks(cards: Sheet, others: Sequence[Sheet], header: Header) -> Iterator[str]:
    """What was read otherwise than a designer might think."""
    unread = [one for one in others if one.title.casefold() != DECKS_SHEET]
    if unread:
        left = ", ".join(f"{one.title!r}{' (hidden)' if one.is_hidden else ''}" for one in unread)
        yield f"cards are those of sheet {cards.title!r}; left out: {left}"
    if header.above:
        rows = ", ".join(cards.place(row) for row in header.above)
        yield f"above the titles, so no card: {rows}"
    renamed = [
        f"{column.title!r} as {column.name}"
        for column in header.columns
        if column.sort == "card" and column.title.lower() != column.name
    ]
    if renamed:
        yield f"columns read by another name: {', '.join(renamed)}"
    if notes := header.notes:
        yield f"kept as notes, which no game heeds: {', '.join(notes)}"

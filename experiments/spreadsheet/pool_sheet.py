"""Import and export of a pool and its decks as a spreadsheet file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experiments.spreadsheet.card_rows import CardRows, read_card_rows
from experiments.spreadsheet.card_texts import ReadText, read_card_texts
from experiments.spreadsheet.cells import has_words_for_kinds, note_titles
from experiments.spreadsheet.coin_row import uncollected
from experiments.spreadsheet.columns import Header, check_header
from experiments.spreadsheet.deck_list import (
    DECKS_SHEET,
    DeckList,
    Spellings,
    deck_columns,
    deck_sheet,
    is_deck_sheet,
    rows_of_decks,
)
from experiments.spreadsheet.fit import deck_misfits
from experiments.spreadsheet.header_row import find_header
from experiments.spreadsheet.layout import (
    deck_title,
    in_order,
    layout_of,
    rows_of_cards,
    written_cards,
)
from experiments.spreadsheet.meanings import COLUMNS, REQUIRED, Meanings, read_meanings
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.sheet_file import has_sheets, read_sheets, write_sheets
from experiments.spreadsheet.unclear import check_kinds, check_missing, check_options
from experiments.spreadsheet.understood import UnderstoodColumn, understood
from experiments.spreadsheet.words import COIN
from sim import Card, Deck, Pool, Ruleset, validate
from sim.cards.pool_references import faults_of_cards
from sim.errors import InputError, Problems, did_you_mean

CARDS_SHEET = "cards"


@dataclass(frozen=True)
class PoolSheet:
    """Content of a spreadsheet file after an import.

    Attributes:
        pool: pool with the sheet's cards, and with the tokens and heroes of an earlier version.
        decks: decks in the file.
        remarks: remarks for the designer on how the file was read, one line each.
        understood: summary of the meaning and the content of each column.
        places: place of each card in the file, by id.
        texts: texts of cards that were read as effects.
    """

    pool: Pool
    decks: tuple[DeckList, ...] = ()
    remarks: tuple[str, ...] = ()
    understood: tuple[UnderstoodColumn, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[ReadText, ...] = ()


def write_pool_sheet(pool: Pool, path: Path, decks: Sequence[Deck] = ()) -> None:
    """Write a pool and decks as a spreadsheet file, from which `read_pool_sheet` restores them.

    The sheet has one row per card. Titles, their order and words are those of the sheet that the
    pool was imported from (`Pool.sheet`). The coin is the last row if a sheet can express it; other
    tokens and heroes are not written. Decks become columns of copies in CSV, and a separate sheet
    in a workbook.

    Args:
        pool: pool with the cards to write.
        path: path of the file; the ending .xlsx or .xlsm selects a workbook, all others CSV.
        decks: decks to write.

    Raises:
        InputError: `path` cannot be written, or a deck has a card that is not in the pool.
    """
    for deck in decks:
        deck.slots(pool)
    decks = in_order(pool, decks)
    own_sheet = has_sheets(path)
    shown = () if own_sheet else decks
    titles, *lines = rows_of_cards(pool)
    rows: list[list[str | int]] = [[*titles, *(deck_title(pool, deck.name) for deck in shown)]]
    for card, line in zip(written_cards(pool), lines, strict=True):
        rows.append([*line, *(deck.cards.get(card.id, "") for deck in shown)])
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
    columns: Collection[str] = (),
    kinds: Collection[str] = (),
    rules_of: Callable[[str], Ruleset] | None = None,
) -> PoolSheet:
    """Import a pool and its decks from a spreadsheet file.

    Columns may be in any order, with titles in upper or lower case. Name and cost are required, and
    also attack and health unless no card is of a kind with attack. A card without an id gets an id
    made from its name, and a card without a kind is a minion. Effects are written like
    `play: damage 2 to enemy_player; play: draw 1`, or as in pool files, like
    `{ on = "death", do = "draw" }`; tunable ranges like `attack 2-5; health 3-5`. A row of kind
    `coin` is the pool's coin. Columns with unknown titles become notes. A note with the title
    `Text` is also read as the effects of the cards that have none, see `card_texts`.

    Args:
        path: path of a CSV file, a workbook, or a JSON file with a list of objects.
        name: name of the new pool.
        over: earlier version of the pool; `None` if there is no earlier version. The new pool keeps
            its tokens, heroes and coin (unless the sheet has a coin), and the meanings of its
            sheet's titles and words.
        sheet: title of the sheet with the cards in a workbook; `None` selects the sheet called
            `cards`, else the only sheet with the required titles.
        notes: titles of columns that are notes although they resemble other columns.
        columns: explanations of columns, such as `"Mana_Cost=cost"`.
        kinds: explanations of words for kinds, such as `"Instant=spell"`.
        rules_of: function that returns the ruleset of a deck by the deck's name, to check the decks
            against; `None` to skip that check.

    Raises:
        InputError: the file cannot be read or has problems. If the titles are understood, the
            message lists all problems of the file.
    """
    file = read_sheets(path)
    meanings = read_meanings(notes, columns, kinds).over(
        None if over is None else over.sheet, _known_notes(over)
    )
    cards = _sheet_of_cards(file.sheets, path, sheet, meanings)
    # All problems of the file are collected, so that the designer can fix them in one pass.
    problems = Problems(path)
    header = _titles_of(cards, meanings, file.remark, problems)
    rows = read_card_rows(cards, header, problems)
    if not rows.row_of and not len(problems):
        problems.add("no cards below the titles", place=cards.place(header.row))
    others = [other for other in file.sheets if other is not cards and other.rows]
    of_decks = [other for other in others if is_deck_sheet(other) and not other.is_hidden]
    decks = deck_columns(cards, header, rows.row_of, problems)
    for other in of_decks:
        _check_cells(other, other.rows[0][0], problems)
        decks += deck_sheet(other, Spellings.of_rows(rows.spelt), problems)
    tokens, coin = uncollected(over, rows.cards.values(), rows.coin)
    texts = read_card_texts(cards, header, rows, tokens, notes, problems)
    rows = rows._replace(cards=texts.cards)
    tokens = [*(token for token in tokens if token.id not in texts.token_ids), *texts.tokens]
    _check_names(rows, cards, header, tokens, over, problems)
    _check_decks(decks, rows.coin, problems)
    content: dict[str, object] = {} if over is None else {"hero": over.heroes}
    if tokens:
        content |= {"token": tuple(tokens), "coin": coin}
    content |= {"name": name, "card": list(rows.cards.values())}
    places = {card_id: cards.place(row) for card_id, row in rows.row_of.items()}
    if rules_of is not None and rows.cards:
        # Built without validation, since references of the cards may be wrong, which is already
        # reported.
        known = Pool.model_construct(
            cards=tuple(rows.cards.values()), tokens=tuple(tokens), coin=coin
        )
        _check_rules(decks, known, places, rules_of, problems)
    problems.check()
    pool = validate(Pool, content, source=str(path))
    unread = [other for other in others if other not in of_decks]
    remarks = [file.remark, *_remarks(cards, unread, header, rows), *texts.remarks]
    if coin is not None and rows.coin is None:
        remarks.append(f"the coin is still {coin!r}; a row of kind {COIN!r} would replace it")
    layout = layout_of(header, pool, [deck.name for deck in decks])
    return PoolSheet(
        pool.model_copy(update={"sheet": layout}),
        tuple(decks),
        tuple(filter(None, remarks)),
        understood(cards, header, rows, decks, texts),
        places,
        texts.read,
    )


def _titles_of(cards: Sheet, meanings: Meanings, remark: str, problems: Problems) -> Header:
    """Return the row of titles of a sheet of cards, and report problems of titles and options.

    Args:
        cards: sheet with the cards.
        meanings: known meanings of the sheet's columns and words.
        remark: remark on the encoding of the file, reported if a column is missing; may be `""`.
        problems: collector to which problems are added.

    Raises:
        InputError: a required column is missing; the message lists all problems so far.
    """
    header = find_header(cards, meanings)
    check_options(meanings, cards, header, problems)
    check_header(cards, header, problems)
    if header.missing:
        check_missing(cards, header, problems)
        below = [row for row in cards.rows if row[0] > header.row]
        check_kinds(cards, header, below, problems)
        if remark:
            problems.add(remark)  # a wrong encoding may be the reason for unknown titles
        problems.check()
    _check_cells(cards, header.row, problems)
    return header


def _check_rules(
    decks: Sequence[DeckList],
    pool: Pool,
    places: Mapping[str, str],
    rules_of: Callable[[str], Ruleset],
    problems: Problems,
) -> None:
    """Report each violation of a deck's ruleset, with the option that selects another ruleset.

    Args:
        decks: decks to check.
        pool: pool with the decks' cards.
        places: place of each card in the file, by id.
        rules_of: function that returns the ruleset of a deck by the deck's name.
        problems: collector to which problems are added.
    """
    for deck in decks:
        rules = rules_of(deck.name)
        for misfit in deck_misfits(deck, pool, places, rules, f"ruleset {rules.name!r}"):
            remedies = (misfit.error.remedy, "to use another ruleset, add --ruleset")
            remedy = "; ".join(filter(None, remedies))
            problems.add_error(misfit.error.with_fields(remedy=remedy))


def _known_notes(over: Pool | None) -> list[str]:
    """Return the titles of notes of a pool without a layout, which must be notes again.

    Titles that equal a column, and notes that hold the sheet's words for kinds, are omitted. For
    `None` or a pool with a layout the list is empty.
    """
    if over is None or over.sheet is not None:
        return []
    titles = [
        title for title in note_titles(over.cards) if not has_words_for_kinds(title, over.cards)
    ]
    return [title for title in titles if title.lower() not in COLUMNS]


def _check_names(
    rows: CardRows,
    sheet: Sheet,
    header: Header,
    tokens: Sequence[Card],
    over: Pool | None,
    problems: Problems,
) -> None:
    """Report references of cards to missing cards, heroes or tribes, or to unsuitable cards.

    References from and to cards in rows with problems are not reported.

    Args:
        rows: cards of the sheet.
        sheet: sheet with the cards, for places in messages.
        header: row of titles of the sheet.
        tokens: tokens of the new pool.
        over: earlier version of the pool with the heroes; `None` if there is no earlier version.
        problems: collector to which problems are added.
    """
    heroes = [] if over is None else [hero.id for hero in over.heroes]
    at = header.place_of("hero")
    named = list(dict.fromkeys(card.hero for card in rows.cards.values() if card.hero))
    if at is not None and named and not heroes:
        title = header.columns[at].title
        problems.add(
            f"names the hero {named[0]!r}, but heroes are defined only in pool files",
            place=f"{sheet.place(header.row, at)}: column {title!r}",
            value=named[0],
            remedy="use `cards import --over` with a pool file that has heroes, or use "
            f'--note "{title}" to keep the column as a note',
        )
        heroes = named  # prevents a repetition of the problem above for each card
    # Cards in rows with problems are absent from `rows.cards`, although the sheet has them.
    read = {*rows.cards, *rows.coins}
    unread = {card_id for card_id, row in rows.row_of.items() if row not in read}
    for card_id, fault in faults_of_cards(list(rows.cards.values()), tokens, heroes):
        if card_id not in unread and fault.value not in unread:
            place = sheet.place(rows.row_of[card_id]) if card_id in rows.row_of else ""
            problems.add_error(fault.at(place))


def _sheet_of_cards(
    sheets: Sequence[Sheet], path: Path, wanted: str | None, meanings: Meanings
) -> Sheet:
    """Return the sheet with the cards.

    This is the sheet with the title `wanted`, regardless of upper and lower case. If `wanted` is
    `None`, it is the visible sheet called `cards`, else the only visible sheet with all required
    columns, else the first visible sheet.

    Raises:
        InputError: no sheet has the wanted title, all sheets are empty, or several sheets qualify.
    """
    filled = [sheet for sheet in sheets if sheet.rows]
    titles = [sheet.title for sheet in filled if sheet.title]
    if wanted is not None:
        for sheet in filled:
            if sheet.title.casefold() == wanted.casefold():
                return sheet
        raise InputError(
            f"no sheet {wanted!r} with filled cells",
            place=path,
            value=wanted,
            limit=tuple(titles),
            remedy=did_you_mean(wanted, titles),
        )
    visible = [
        sheet for sheet in filled if not sheet.is_hidden and sheet.title.casefold() != DECKS_SHEET
    ]
    if not visible:
        raise InputError(
            "is empty",
            place=path,
            limit=REQUIRED,
            remedy=f"write a line with the titles {', '.join(REQUIRED)}, then a line for each card",
        )
    named = [sheet for sheet in visible if sheet.title.casefold() == CARDS_SHEET]
    likely = named or [sheet for sheet in visible if not find_header(sheet, meanings).missing]
    if len(likely) > 1:
        both = " and ".join(repr(sheet.title) for sheet in likely[:2])
        raise InputError(
            f"sheets {both} both look like tables of cards",
            place=path,
            limit=tuple(sheet.title for sheet in likely),
            remedy="use --sheet to choose one",
        )
    return (likely or visible)[0]


def _check_cells(sheet: Sheet, first: int, problems: Problems) -> None:
    """Report cells without a value and cells merged across columns.

    Args:
        sheet: sheet to check.
        first: number of the first row to check.
        problems: collector to which problems are added.
    """
    for (row, column), fault in sorted(sheet.faults.items()):
        if row >= first:
            problems.add(fault, place=sheet.place(row, column))
    areas = dict.fromkeys(area for row, area in sorted(sheet.joined.items()) if row >= first)
    for area in areas:
        problems.add(
            f"cells {area} are merged",
            place=f"sheet {sheet.title!r}",
            value=area,
            remedy="unmerge them",
        )


def _check_decks(decks: Sequence[DeckList], coin: Card | None, problems: Problems) -> None:
    seen: dict[str, str] = {}
    for deck in decks:
        if coin is not None and coin.id in deck.cards:
            problems.add(
                f"{coin.id!r} is the coin, which no deck can hold",
                place=f"{deck.places[coin.id]}: deck {deck.name!r}",
                value=coin.id,
            )
        if not deck.name:
            problems.add("a deck needs a name", place=deck.place)
        elif deck.name.casefold() in seen:
            earlier = seen[deck.name.casefold()]
            problems.add(
                f"deck {deck.name!r} is already in {earlier}", place=deck.place, value=deck.name
            )
        elif not deck.cards and not len(problems):
            problems.add(f"deck {deck.name!r} has no cards", place=deck.place, value=deck.name)
        seen.setdefault(deck.name.casefold(), deck.place)


def _remarks(
    cards: Sheet, unread: Sequence[Sheet], header: Header, rows: CardRows
) -> Iterator[str]:
    """Yield remarks on unread sheets, on rows above the titles, and on placeholders in numbers.

    Args:
        cards: sheet with the cards.
        unread: other sheets with content that were not imported.
        header: row of titles of the sheet with the cards.
        rows: cards of the sheet.
    """
    if unread:
        left_out = ", ".join(
            f"{sheet.title!r}{' (hidden)' if sheet.is_hidden else ''}" for sheet in unread
        )
        yield f"the cards are those of sheet {cards.title!r}; left out: {left_out}"
    if header.above:
        above = ", ".join(cards.place(row) for row in header.above)
        yield f"above the titles, so not read as cards: {above}"
    if n_without := len(rows.without_body):
        yield f"{n_without} cards without a body have - or -1 as a number of one; read as blank"

"""Problems of a sheet that only its designer can resolve, reported with the options to do so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from experiments.spreadsheet.cells import value_in
from experiments.spreadsheet.columns import Column, Header
from experiments.spreadsheet.meanings import Meaning, Meanings
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.titles import column_like, titles_like
from experiments.spreadsheet.words import KIND_WORDS, OF_SHEETS, kind_in, plain_cell, plain_words
from sim.cards.card import NEVER_A_NOTE
from sim.cards.fields import NUMBERS, SAME
from sim.cards.notation import read_condition, read_group, words
from sim.cards.vocabulary import Keyword
from sim.errors import InputError, Problems, did_you_mean, listed
from sim.files.csv_file import Row, whole_number
from sim.ruleset import NUMBER_MAX
from sim.value_error import shown_value

_SHOWN_MAX = 12  # maximum number of words in a message; more would hide the remedy at its end


def check_kinds(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> Mapping[str, str]:
    """Report words for kinds of cards that are neither known nor explained by an option.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        rows: rows below the titles.
        problems: collector to which one problem with all such words is added.

    Returns:
        A guess of the kind for each reported word, in the form of `plain_cell`.
    """
    given = header.kinds
    place = header.place_of("kind")
    if place is None:
        return {}
    unknown: dict[str, list[Row]] = {}
    for row in rows:
        cell = row[1][place] if place < len(row[1]) else ""
        if cell and kind_in(cell, given) not in KIND_WORDS:
            unknown.setdefault(" ".join(cell.split()), []).append(row)
    if not unknown:
        return {}
    likely = {word: _likely_kind(header, word_rows) for word, word_rows in unknown.items()}
    title = header.columns[place].title
    first = sheet.place(next(iter(unknown.values()))[0][0], place)
    problems.add_error(
        _unknown_kinds_error(unknown, likely, title).at(f"{first}: column {title!r}")
    )
    return {plain_cell(word): kind for word, kind in likely.items()}


def _unknown_kinds_error(
    unknown: Mapping[str, Sequence[Row]], likely: Mapping[str, str], title: str
) -> InputError:
    """Return the error for unexplained words for kinds, with options that explain them.

    Args:
        unknown: rows with each word, by word.
        likely: guess of the kind by word.
        title: title of the column of kinds.
    """
    shown = list(unknown)[:_SHOWN_MAX]
    is_single = len(shown) == 1
    counts = [f"{word!r} ({len(unknown[word])})" for word in shown]
    words_shown = repr(shown[0]) if is_single else ", ".join(counts)
    n_more = len(unknown) - len(shown)
    more = f" and {n_more} more" if n_more else ""
    near = did_you_mean(shown[0], sorted(KIND_WORDS)) if is_single else ""
    options = " ".join(f'--type "{word}={likely[word]}"' for word in shown)
    return InputError(
        f"unknown kind{'' if is_single else 's'} {words_shown}{more}",
        value=tuple(unknown),
        limit=OF_SHEETS,
        remedy=f"{near}{' Use' if near else 'use'} {options} to say what "
        f"{'it is' if is_single else 'they are'} ({listed(OF_SHEETS, 'or')}), or use "
        f'--note "{title}" to keep the column as a note, which makes all cards minions',
    )


def _likely_kind(header: Header, rows: Sequence[Row]) -> str:
    """Return a guess of the kind of cards: `minion` if any row has attack or health, else `spell`.

    Args:
        header: row of titles of the sheet.
        rows: rows of all cards with the same unexplained word for their kind.
    """
    given = [header.place_of(name) for name in ("attack", "health")]
    places = [place for place in given if place is not None]
    for _, cells in rows:
        if any(place < len(cells) and cells[place] for place in places):
            return "minion"
    return "spell"


def check_large_numbers(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> frozenset[str]:
    """Report columns with a number that is too large for a card, and suggest a divisor.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        rows: rows below the titles.
        problems: collector to which one problem for each such column is added.

    Returns:
        Names in `COLUMNS` that the reported columns fill.
    """
    large = set[str]()
    for place, column in enumerate(header.columns):
        if not set(column.names) & set(NUMBERS):
            continue
        numbers = _numbers_below(rows, place)
        above = [row for row, number in numbers if number > NUMBER_MAX * column.divisor]
        if not above:
            continue
        large |= set(column.names)
        most = max(number for _, number in numbers)
        limit = NUMBER_MAX * column.divisor
        problems.add(
            f"{most} must be at most {limit}, the largest number of a card",
            place=f"{sheet.place(above[0], place)}: column {column.title!r}",
            value=most,
            limit=limit,
            remedy=_division_remedy(column, _divisor_of(numbers, column.divisor)),
        )
    return frozenset(large)


def _division_remedy(column: Column, divisor: int) -> str:
    """Return the remedy that divides a column by a divisor; `""` if the divisor is 1."""
    if divisor == 1:
        return ""
    meaning = Meaning(column.name, divisor).text
    return f'to divide the column, use --column "{column.title}={meaning}"'


def _divisor_of(numbers: Sequence[tuple[int, int]], divisor: int = 1) -> int:
    """Return the largest power of ten that divides all numbers of a column.

    Args:
        numbers: pairs of a row number and the number in that row's cell.
        divisor: current divisor of the column; it is returned if no number is too large for a card
            after division by it.
    """
    if not any(number > NUMBER_MAX * divisor for _, number in numbers):
        return divisor
    power = 1
    while all(number % (10 * power) == 0 for _, number in numbers):
        power *= 10
    return power


def _numbers_below(rows: Sequence[Row], place: int) -> list[tuple[int, int]]:
    """Return the row number and the value of each cell of a column that is a whole number.

    Args:
        rows: rows below the titles.
        place: position of the column, from 0.
    """
    numbers = []
    for row, cells in rows:
        try:
            numbers.append((row, whole_number(cells[place])))
        except (InputError, IndexError):
            continue
    return numbers


def check_prose(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> frozenset[str]:
    """Report columns in which no cell has the notation that the title requires.

    If only some cells are wrong, they are problems of their rows. Columns with fewer than two
    different cells are not checked.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        rows: rows below the titles.
        problems: collector to which one problem for each such column is added.

    Returns:
        Names in `COLUMNS` of the reported columns.
    """
    prose = set[str]()
    for place, column in enumerate(header.columns):
        example = _EXAMPLES.get(column.name) if column.sort == "card" else None
        filled = [row for row in rows if place < len(row[1]) and row[1][place]]
        cells = {cells[place] for _, cells in filled}
        if example is None or len(cells) < _FEW:
            continue
        if any(_is_readable(column.name, cell) for cell in cells):
            continue
        prose.add(column.name)
        number, texts = filled[0]
        problems.add(
            f"none of its {len(filled)} cells is a valid value of {column.name!r}; the first is "
            f"{shown_value(texts[place])}",
            place=f"{sheet.place(number, place)}: column {column.title!r}",
            value=texts[place],
            limit=example,
            remedy=f"write text such as {example!r}, or use "
            f'--note "{column.title}" to keep the column as a note',
        )
    return frozenset(prose)


_FEW = 2  # minimum number of different cells; a single wrong cell is probably a typing error
_EXAMPLES = {
    "keywords": "haste",
    "effects": "play: damage 2",
    "tunable": "attack 2-5",
    "target": "enemy_minions",
    "target_when": "combo",
    "needs": "count minions >= 2",
}
_READERS: Mapping[str, Callable[[str], object]] = {
    "target": read_group,
    "target_when": read_condition,
    "needs": read_condition,
}


def _is_readable(column: str, cell: str) -> bool:
    """Return whether a cell has the notation of its column, one of the keys of `_EXAMPLES`.

    A cell of keywords must contain at least one known keyword.
    """
    try:
        value = value_in(column, cell)
        if column in _READERS:
            _READERS[column](str(value))
    except InputError:
        return False
    return column != "keywords" or any(word in str(value) for word in words(Keyword))


def check_missing(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Report missing required columns, and suggest other columns that may be meant.

    A transposed table, and a sheet without titles, are reported as such.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        problems: collector to which one problem is added if a required column is missing.
    """
    missing = header.missing
    if not missing:
        return
    place = sheet.place(header.row)
    below = [row for row in sheet.rows if row[0] > header.row]
    plural = "s" * (len(missing) > 1)
    titles = ", ".join(shown_value(column.title) for column in header.columns if column.title)
    cells = next(cells for row, cells in sheet.rows if row == header.row)
    first_column = {column_like(cells[0]) for _, cells in sheet.rows if cells and cells[0]}
    if {"cost", "attack", "health"} <= first_column:
        problems.add(
            "the titles are in the first column, but must be in one row, above a row for each card",
            place=place,
            limit=tuple(missing),
            remedy="transpose the table (in a spreadsheet program: copy, paste special, transpose)",
        )
        return
    if len(missing) > 2 and any(cell.isdigit() for cell in cells):
        problems.add(
            f"no titles: {titles} look like a card",
            place=place,
            limit=tuple(missing),
            remedy="put a line above the first card that names the columns, such as "
            f"{_titles_for(cells)}",
        )
        return
    problems.add(
        f"missing column{plural} {', '.join(missing)}; the sheet has {titles}",
        place=place,
        limit=tuple(missing),
        remedy=_missing_columns_remedy(header, missing, below),
    )


def _titles_for(cells: Sequence[str]) -> str:
    """Return a comma-separated line of example titles for a card's cells.

    The first numbers are called cost, attack and health, the first texts name and effects, and all
    other cells `note` with their position from 1.
    """
    numbers = iter(("cost", "attack", "health"))
    texts = iter(("name", "effects"))
    titles = [
        next(numbers if cell.isdigit() else texts, f"note {place}")
        for place, cell in enumerate(cells, start=1)
    ]
    return ",".join(titles)


def _missing_columns_remedy(header: Header, missing: Sequence[str], below: Sequence[Row]) -> str:
    """Return the remedies for missing columns, separated by semicolons.

    Args:
        header: row of titles of the sheet.
        missing: names of the missing columns in `COLUMNS`.
        below: rows below the titles.
    """
    others = {
        column.title: place for place, column in enumerate(header.columns) if column.sort == "note"
    }
    likely = {name: titles_like(name, others) for name in missing}
    numbers = [title for title, place in others.items() if _numbers_below(below, place)]
    ways = [f"add {'them' if len(missing) > 1 else 'it'} to the sheet"]
    if numbers or any(likely.values()):
        options = [
            f'--column "{titles[0] if titles else "TITLE"}={name}"'
            for name, titles in likely.items()
        ]
        named = listed(map(repr, numbers[:_SHOWN_MAX])) if numbers else ""
        held = f" (columns with numbers: {named})" if numbers else ""
        ways.append(f"or use {' '.join(options)} to say which of your columns is meant{held}")
    for place, column in enumerate(header.columns):
        if len(missing) == 1 and column.names in (("attack",), ("health",)):
            meaning = Meaning(SAME, _divisor_of(_numbers_below(below, place), column.divisor))
            option = f'--column "{column.title}={meaning.text}"'
            ways.append(f"or, if one number is both attack and health, use {option}")
    if set(missing) <= {"attack", "health"}:
        ways.append("or, if all cards are spells, add a column 'kind' with 'spell' in each row")
    return "; ".join(ways)


def check_options(meanings: Meanings, sheet: Sheet, header: Header, problems: Problems) -> None:
    """Report options of an import that name missing columns or words, or ignore needed columns.

    An option ignores a needed column if it declares the column to be a note.

    Args:
        meanings: meanings with the options as the user typed them.
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        problems: collector to which problems are added.
    """
    titles = [column.title for column in header.columns if column.title]
    place = header.place_of("kind")
    cells = [] if place is None else _texts_below(sheet, header, place)
    for option, text in meanings.spelt:
        if option == "--type" and plain_cell(text) not in map(plain_cell, cells):
            problems.add(
                "the column of kinds does not contain this word",
                place=f"{option} {text!r}",
                value=text,
                limit=tuple(cells),
                remedy=did_you_mean(text, cells),
            )
        elif option != "--type" and plain_words(text) not in map(plain_words, titles):
            problems.add(
                "no such column",
                place=f"{option} {text!r}",
                value=text,
                limit=tuple(titles),
                remedy=did_you_mean(text, titles),
            )
        elif option == "--note" and text.lower() in NEVER_A_NOTE:
            problems.add(
                "cards need this column",
                place=f"{option} {text!r}",
                value=text,
                limit=NEVER_A_NOTE,
                remedy="give your own column another title",
            )


def _texts_below(sheet: Sheet, header: Header, place: int) -> list[str]:
    """Return the distinct texts in a column below the titles, in order of first occurrence.

    Args:
        sheet: sheet with the column.
        header: row of titles of the sheet.
        place: position of the column, from 0.
    """
    cells = (cells[place] for row, cells in sheet.rows if row > header.row and place < len(cells))
    return list(dict.fromkeys(filter(None, cells)))

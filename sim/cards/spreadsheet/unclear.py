"""What no program can know of a sheet, asked for once with the options that say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sim.cards.card import NEVER_A_NOTE
from sim.cards.notation import read_condition, read_group, words
from sim.cards.spreadsheet.cells import value_in
from sim.cards.spreadsheet.columns import NUMBERS, Column, Header
from sim.cards.spreadsheet.meanings import Meaning, Meanings
from sim.cards.spreadsheet.titles import column_like, titles_like
from sim.cards.spreadsheet.words import KIND_WORDS, SAME, kind_in, plain_cell, plain_words
from sim.cards.vocabulary import Keyword
from sim.errors import InputError, Problems, did_you_mean, listed
from sim.files.csv_file import Row, whole_number
from sim.files.sheet import Sheet
from sim.files.validation import shown_value
from sim.ruleset import NUMBER_MAX

_SHOWN_MAX = 12  # words or titles of one message; more hide what to do


def check_kinds(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> Mapping[str, str]:
    """Ask for the kinds of cards that the sheet's own words mean, where nobody has explained them.

    Args:
        sheet: the cards.
        header: its titles.
        rows: those below them.
        problems: takes one problem with all such words.

    Returns:
        Likely stand-ins for the words that are asked for.
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
    likely = {word: _likely_kind(header, found) for word, found in unknown.items()}
    title = header.columns[place].title
    first = sheet.place(next(iter(unknown.values()))[0][0], place)
    problems.add(f"{first}: column {title!r}: {_question(unknown, likely, title)}")
    return {plain_cell(word): kind for word, kind in likely.items()}


def _question(unknown: Mapping[str, Sequence[Row]], likely: Mapping[str, str], title: str) -> str:
    shown = list(unknown)[:_SHOWN_MAX]
    counts = [f"{word!r} ({len(unknown[word])})" for word in shown]
    if len(shown) == 1:
        near = did_you_mean(shown[0], sorted(KIND_WORDS)) or ";"
        counts = [f"{shown[0]!r}{near}"]
    more = len(unknown) - len(shown)
    options = " ".join(f'--type "{word}={likely[word]}"' for word in shown)
    return (
        f"unknown kind{'s' * (len(shown) > 1)} {', '.join(counts)}"
        f"{f' and {more} more' * bool(more)}{'; ' if len(shown) > 1 else ' '}"
        f"say what each is, such as {options} (minion, spell, weapon or secret), "
        f'or keep the column as your own by --note "{title}", which makes all cards minions'
    )


def _likely_kind(header: Header, rows: Sequence[Row]) -> str:
    """What the cards of a word probably are: bodies have attack and health."""
    given = [header.place_of(name) for name in ("attack", "health")]
    places = [place for place in given if place is not None]
    for _, cells in rows:
        if any(place < len(cells) and cells[place] for place in places):
            return "minion"
    return "spell"


def check_large_numbers(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> frozenset[str]:
    """Ask by what to divide columns whose numbers are larger than any card's.

    Returns:
        The columns of such numbers.
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
        problems.add(
            f"{sheet.place(above[0], place)}: column {column.title!r}: {most} must be at most "
            f"{NUMBER_MAX * column.divisor}, the largest number of a card"
            f"{_division(column, _divisor_of(numbers, column.divisor))}"
        )
    return frozenset(large)


def _division(column: Column, divisor: int) -> str:
    """The option that divides a column."""
    if divisor == 1:
        return ""
    meaning = Meaning(column.name, divisor).text
    return f'; divide the column by --column "{column.title}={meaning}"'


def _divisor_of(numbers: Sequence[tuple[int, int]], divisor: int = 1) -> int:
    """The largest power of ten by which numbers can be divided, where some are too large."""
    if not any(number > NUMBER_MAX * divisor for _, number in numbers):
        return divisor
    found = 1
    while all(number % (10 * found) == 0 for _, number in numbers):
        found *= 10
    return found


def _numbers_below(rows: Sequence[Row], place: int) -> list[tuple[int, int]]:
    """The rows in which a column holds a number, each with it."""
    found = []
    for row, cells in rows:
        try:
            found.append((row, whole_number(cells[place])))
        except (InputError, IndexError):
            continue
    return found


def check_prose(
    sheet: Sheet, header: Header, rows: Sequence[Row], problems: Problems
) -> frozenset[str]:
    """Ask about columns that are called as ours are, and hold other things in every cell.

    A few wrong cells are problems of their rows; where all are, the column means something else.

    Returns:
        The columns that hold something else.
    """
    found = set[str]()
    for place, column in enumerate(header.columns):
        example = _EXAMPLES.get(column.name) if column.sort == "card" else None
        filled = [row for row in rows if place < len(row[1]) and row[1][place]]
        cells = {cells[place] for _, cells in filled}
        if example is None or len(cells) < _FEW or any(_reads(column.name, one) for one in cells):
            continue
        found.add(column.name)
        number, texts = filled[0]
        problems.add(
            f"{sheet.place(number, place)}: column {column.title!r}: none of its {len(filled)} "
            f"cells holds {column.name}, the first is {shown_value(texts[place])}; write such as "
            f'{example!r}, or keep the column as your own by --note "{column.title}"'
        )
    return frozenset(found)


_FEW = 2  # cells; a single wrong one is more likely a slip
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


def _reads(column: str, cell: str) -> bool:
    """Whether a cell holds something of what its column does."""
    try:
        value = value_in(column, cell)
        if column in _READERS:
            _READERS[column](str(value))
    except ValueError:  # which `InputError` is too
        return False
    return column != "keywords" or any(word in str(value) for word in words(Keyword))


def check_missing(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Ask for the columns that are not there, by the titles that may be meant."""
    missing = header.missing
    if not missing:
        return
    place = sheet.place(header.row)
    below = [row for row in sheet.rows if row[0] > header.row]
    plural = "s" * (len(missing) > 1)
    titles = ", ".join(shown_value(one.title) for one in header.columns if one.title)
    cells = next(cells for row, cells in sheet.rows if row == header.row)
    sides = {column_like(cells[0]) for _, cells in sheet.rows if cells and cells[0]}
    if {"cost", "attack", "health"} <= sides:
        problems.add(
            f"{place}: the titles stand below each other in the first column; a sheet has them in "
            "one row, and a row for each card (in a spreadsheet program: copy, paste special, "
            "transpose)"
        )
        return
    if len(missing) > 2 and any(cell.isdigit() for cell in cells):
        problems.add(
            f"{place}: no titles: {titles} look like a card; put a line above the first card that "
            f"names the columns, such as {_titles_for(cells)}"
        )
        return
    problems.add(
        f"{place}: missing column{plural} {', '.join(missing)}; has {titles}; "
        f"{_ways_out(header, missing, below)}"
    )


def _titles_for(cells: Sequence[str]) -> str:
    """A line of titles for a sheet without: text is the name, numbers come in their usual order."""
    numbers = iter(("cost", "attack", "health"))
    texts = iter(("name", "effects"))
    found = [
        next(numbers if cell.isdigit() else texts, f"note {place}")
        for place, cell in enumerate(cells, start=1)
    ]
    return ",".join(found)


def _ways_out(header: Header, missing: Sequence[str], below: Sequence[Row]) -> str:
    """The options that say which of the other columns is meant."""
    others = {
        column.title: place for place, column in enumerate(header.columns) if column.sort == "note"
    }
    likely = {name: titles_like(name, others) for name in missing}
    numbers = [title for title, place in others.items() if _numbers_below(below, place)]
    ways = []
    if numbers or any(likely.values()):
        options = [
            f'--column "{titles[0] if titles else "TITLE"}={name}"'
            for name, titles in likely.items()
        ]
        named = listed(map(repr, numbers[:_SHOWN_MAX])) if numbers else ""
        held = f" (numbers stand in {named})" if numbers else ""
        ways.append(f"say which of your columns is meant by {' '.join(options)}{held}")
    for place, column in enumerate(header.columns):
        if len(missing) == 1 and column.names in (("attack",), ("health",)):
            meaning = Meaning(SAME, _divisor_of(_numbers_below(below, place), column.divisor))
            ways.append(f'where one number is both, --column "{column.title}={meaning.text}"')
    if set(missing) <= {"attack", "health"}:
        ways.append("where all cards are spells, a column kind with 'spell' in each row")
    ways.append(f"or add {'them' if len(missing) > 1 else 'it'} to the sheet")
    return "; ".join(ways)


def check_options(meanings: Meanings, sheet: Sheet, header: Header, problems: Problems) -> None:
    """Each column and word that an option names must be there, and no needed one be a note."""
    titles = [column.title for column in header.columns if column.title]
    place = header.place_of("kind")
    cells = [] if place is None else _texts_below(sheet, header, place)
    for option, text in meanings.spelt:
        if option == "--type" and plain_cell(text) not in map(plain_cell, cells):
            near = did_you_mean(text, cells)
            problems.add(f"{option} {text!r}: no such word in the column of kinds{near}")
        elif option != "--type" and plain_words(text) not in map(plain_words, titles):
            problems.add(f"{option} {text!r}: no such column{did_you_mean(text, titles)}")
        elif option == "--note" and text.lower() in NEVER_A_NOTE:
            problems.add(f"{option} {text!r}: a card needs it; give your own column another title")


def _texts_below(sheet: Sheet, header: Header, place: int) -> list[str]:
    """What stands in a column, each text once."""
    cells = (cells[place] for row, cells in sheet.rows if row > header.row and place < len(cells))
    return list(dict.fromkeys(filter(None, cells)))

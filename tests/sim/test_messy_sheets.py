"""Sheets as people have them: each is read, or refused with all that is wrong with it."""

from __future__ import annotations

import datetime
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from sim import Card, InputError
from sim.cards.spreadsheet.columns import COLUMNS, column_like
from sim.cards.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet, write_pool_sheet
from tests.scripts import python

OAK = Card(id="oak", name="Oak", cost=1, attack=2, health=3)
TITLES = ["name", "cost", "attack", "health"]


def read(path: Path, **told: object) -> PoolSheet:
    return read_pool_sheet(path, "p", **told)  # type: ignore[arg-type]


def csv(folder: Path, content: str | bytes) -> Path:
    """A sheet in a file."""
    path = folder / "a.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def problems(path: Path) -> list[str]:
    """What is said of a file that is refused, without the file's name."""
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    head, *lines = text.removeprefix(f"{path}: ").split("\n  ")
    if not lines:
        return [head]
    assert head == f"{len(lines)} problems"
    return lines


CSV = {
    "a byte order mark": b"\xef\xbb\xbfname,cost,attack,health\nOak,1,2,3\n",
    "Windows line ends": b"name,cost,attack,health\r\nOak,1,2,3\r\n",
    "old Mac line ends": b"name,cost,attack,health\rOak,1,2,3\r",
    "semicolons": b"name;cost;attack;health\nOak;1;2;3\n",
    "a line that names the separator": b"sep=;\r\nname;cost;attack;health\r\nOak;1;2;3\r\n",
    "such a line in quotes": b'"sep=;"\nname;cost;attack;health\nOak;1;2;3\n',
    "tabs, in UTF-16": "name\tcost\tattack\thealth\nOak\t1\t2\t3\n".encode("utf-16"),
    "decimals": b"name,cost,attack,health\nOak,1.0,2.00,3.\n",
    "decimal commas": b'name;cost;attack;health\nOak;1,0;"2,0";3,\n',
    "blank columns and rows": b",,,,,,\nname,cost,attack,health,,,\n,,,,,,\nOak,1,2,3,,,\n,,,,,,\n",
    "a title above": b"My game; version 3;;;\n;;;;\nname;cost;attack;health;\nOak;1;2;3;\n",
    "a title without separators": b"My game, v3\nname;cost;attack;health\nOak;1;2;3\n",
    "titles with odd spaces": b'"Name ",COST," Attack","\nhealth"\nOak,1,2,3\n',
    "other names of columns": b"Card,Mana,Atk,HP\nOak,1,2,3\n",
    "a line shorter than the titles": b"name,cost,attack,health,keywords\nOak,1,2,3\n",
    "no end of the last line": b"name,cost,attack,health\nOak,1,2,3",
}


@pytest.mark.parametrize("content", CSV.values(), ids=CSV.keys())
def test_exports_of_all_kinds_are_read(content: bytes, tmp_path: Path) -> None:
    assert read(csv(tmp_path, content)).pool.cards == (OAK,)


def test_what_excel_writes_in_western_europe_is_read_with_a_word(tmp_path: Path) -> None:
    text = "name;cost;attack;health;Euro\nM\u00e4use;1;2;3;5 \u20ac\n"
    found = read(csv(tmp_path, text.encode("cp1252")))
    assert found.pool.cards[0].name == "M\u00e4use"
    assert found.pool.cards[0].notes == {"Euro": "5 \u20ac"}
    assert "cp1252" in found.remarks[0]
    assert "'M\u00e4use'" in found.remarks[0]


def test_cells_of_several_lines_are_read_and_lines_still_counted(tmp_path: Path) -> None:
    text = 'sep=,\r\nname,cost,attack,health,Art\r\nOak,1,2,3,"a\r\nb"\r\nFir,x,2,3,\r\n'
    told = ["line 5: card 'fir': column cost: 'x' must be a whole number"]
    assert problems(csv(tmp_path, text)) == told
    (card, *_) = read(csv(tmp_path, text.replace("x", "1"))).pool.cards
    assert card.notes == {"Art": "a\nb"}


def test_what_was_read_otherwise_than_it_stands_is_said_once(tmp_path: Path) -> None:
    text = "Trees\nCard,Mana,atk,HP,Type,Rarity\nOak,1,2,3,minion,\nElm,1,2,3,,c\n"
    found = read(csv(tmp_path, text))
    assert [card.kind for card in found.pool.cards] == ["minion", "minion"]
    assert found.remarks == ("above the titles, so no card: line 1",)
    assert [(row.column, row.read_as) for row in found.understood] == [
        ("Card", "name"), ("Mana", "cost"), ("atk", "attack"), ("HP", "health"), ("Type", "kind"),
        ("Rarity", "note"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "cell", "note"),
    [
        ("Abilities", "Flying", "Flying"),
        ("Power level", "9", "9"),
        ("Text", "Draw a card.", "Draw a card."),
        ("deck", "Rush", "Rush"),
    ],
)
def test_what_only_looks_like_a_column_is_a_note(
    title: str, cell: str, note: str, tmp_path: Path
) -> None:
    path = csv(tmp_path, f"name,cost,attack,health,{title}\nOak,1,2,3,{cell}\n")
    assert read(path).pool.cards[0].notes == {title: note}


def test_kinds_may_be_called_as_in_other_games_and_the_word_is_kept(tmp_path: Path) -> None:
    text = "name,Type,cost,attack,health\nOak,Creature,1,2,3\nBolt,Instant,1,,\nElm,Minion,1,2,3\n"
    path = csv(tmp_path, text)
    found = read(path)
    told = [(card.kind, card.notes.get("Type")) for card in found.pool.cards]
    assert told == [("minion", "Creature"), ("spell", "Instant"), ("minion", "Minion")]
    write_pool_sheet(found.pool, path)
    assert read(path).pool == found.pool


def test_a_row_that_is_no_card_is_one_problem(tmp_path: Path) -> None:
    path = csv(tmp_path, "name,cost,attack,health\nOak,1,2,3\nTotal,,,\nElm,,,3\nFir,1,,\n")
    assert problems(path) == [
        "line 3: card 'total': columns cost, attack, health: must not be blank; a row that is no "
        "card must go",
        "line 4: card 'elm': columns cost, attack: must not be blank; a spell or weapon says so in "
        "the column kind",
        "line 5: card 'fir': columns attack, health: must not be blank; a spell or weapon says so "
        "in the column kind",
    ]


def test_abilities_that_are_keywords_are_read_as_such(tmp_path: Path) -> None:
    path = csv(tmp_path, "name,cost,attack,health,Abilities\nOak,1,2,3,Haste\n")
    assert read(path).pool.cards == (OAK.model_copy(update={"keywords": ("haste",)}),)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["haste", "Haste, taunt", "Flying"], (4, "elm", "flying")),  # one of four
        (["haste", "hasste"], None),  # half of them: as likely words of the designer's own
        (["Haste", "Flying when it is alone"], None),
    ],
)
def test_one_word_that_is_no_keyword_does_not_make_a_note_of_all_abilities(
    cells: list[str], told: tuple[int, str, str] | None, tmp_path: Path
) -> None:
    rows = [f'{name},1,2,3,"{cell}"' for name, cell in zip(("Oak", "Ash", "Elm"), cells)]  # noqa: B905 (of three, some)
    path = csv(tmp_path, "\n".join(["name,cost,attack,health,Abilities", *rows, ""]))
    if told is None:
        assert [card.notes["Abilities"] for card in read(path).pool.cards] == cells
        return
    line, card, word = told
    (problem,) = problems(path)
    assert problem.startswith(f"line {line}: card {card!r}: keywords: unknown keyword {word!r}; ")
    assert '--note "Abilities"' in problem
    kept = read(path, notes=["Abilities"]).pool.cards
    assert [one.notes["Abilities"] for one in kept] == cells


@pytest.mark.parametrize("title", ["Atack", "attakc", "helth", "Costs", "efects", "Keyword", "tag"])
def test_a_misspelt_column_is_named_with_the_one_that_is_meant(title: str, tmp_path: Path) -> None:
    meant = column_like(title)
    others = [one for one in TITLES if one != meant]
    text = f"{','.join(others)},{title}\n{','.join(['1'] * len(others))},1\n"
    (first, *_) = problems(csv(tmp_path, text))
    assert first == (
        f"line 1: unknown column {title!r}; did you mean {meant!r}? Rename it, say so by "
        f'--column "{title}={meant}", or keep it as your own by --note "{title}"'
    )


@pytest.mark.parametrize("title", ["efects", "Keyword", "tag", "TYPE"])
def test_a_column_is_kept_as_a_note_where_that_is_told(title: str, tmp_path: Path) -> None:
    path = csv(tmp_path, f"name,cost,attack,health,{title}\nOak,1,2,3,minion\n")
    (card,) = read(path, notes=[title.lower()]).pool.cards
    assert card.notes == {title: "minion"}
    again = read(path, over=read(path, notes=[title]).pool)  # what it replaces has told it
    assert again.pool.cards == (card,)


@pytest.mark.parametrize("word", ["Rarity", "Art", "Text", "Notes", "Class", "Set", "Flavour", "#"])
def test_common_columns_resemble_none_of_ours(word: str) -> None:
    assert column_like(word) is None
    assert all(column_like(column) == column for column in COLUMNS)


WRONG = """\
name,cost,attack,health,keywords,effects,Rarity,deck: a,deck: b
Oak,x,2,0,hasty,draw a card,common,2,-1
Elm,,2.5,3,,,,two,
Oak,1,2,3,,,,1,1
Fir,1,2,0,,play: heel 2,,1,
,1,2,3,,,,,
"""


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    assert problems(csv(tmp_path, WRONG)) == [
        "line 2: card 'oak': column cost: 'x' must be a whole number",
        "line 2: card 'oak': column effects: 'draw a card' must be like 'play: draw 1', 'play: "
        "damage 2 to enemy_player' or 'play: summon 1 token 1/1 haste' (';' between two), or a row "
        "of a pool file in braces; "
        'correct it, or keep the column as your own by --note "effects"',
        "line 2: card 'oak': keywords: unknown keyword 'hasty'; did you mean 'haste'?; correct it, "
        'or keep the column as your own by --note "keywords"',
        "line 2: card 'oak': health = 0 must be at least 1",
        "line 3: card 'elm': column cost: must not be blank",
        "line 3: card 'elm': column attack: '2.5' must be a whole number",
        "line 4: column name: 'Oak' is already used in line 2; give one another name, or tell them "
        "apart by a column id (copies in a deck are a column 'deck: NAME')",
        "line 5: card 'fir': effects #1: do: unknown action 'heel'; did you mean 'heal'?; correct "
        'it, or keep the column as your own by --note "effects"',
        "line 5: card 'fir': health = 0 must be at least 1",
        "line 6: column name: must not be blank; a row that is no card must go",
        "line 2: card 'oak': column 'deck: b': -1 copies, must be at least 0",
        "line 3: card 'elm': column 'deck: a': 'two' must be a whole number: how many copies the "
        "deck has, blank for none",
    ]


def test_twenty_are_told_and_the_others_counted(tmp_path: Path) -> None:
    rows = "".join(f"Card {k},x,1,1\n" for k in range(1500))
    path = csv(tmp_path, "name,cost,attack,health\n" + rows)
    with pytest.raises(InputError) as caught:
        read(path)
    head, *lines = str(caught.value).split("\n")
    assert head == f"{path}: 1,500 problems"
    assert lines[0] == "  line 2: card 'card_0': column cost: 'x' must be a whole number"
    assert lines[20:] == ["  and 1,480 more"]


def test_what_a_problem_echoes_is_one_line_of_readable_length(tmp_path: Path) -> None:
    text = f'name,cost,attack,health\nOak,"{"x" * 900}\ny",2,3\nElm,1,2,"\x1b[2J"\n'
    lines = problems(csv(tmp_path, text))
    assert len(lines) == 2
    assert all(len(line) < 200 and line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("name,cost,attack,health,HP,Life\n", None),
        ("name,cost,attack,HP,Life\nOak,1,2,3,4\n", "columns 'HP' and 'Life' both mean 'health'"),
        ("name,cost,attack,health,Art,Art\nOak,1,2,3,a,b\n", "column 'Art' is there twice"),
        (f"name,cost,attack,health,{'x' * 81}\nOak,1,2,3,\n", "must have at most 80 characters"),
        ("name,cost,attack,health,deck:\nOak,1,2,3,1\n", "a deck needs a name"),
        ("name,cost,attack,health,deck: a\nOak,1,2,3,0\n", "deck 'a' has no cards"),
        ("name,cost,attack,health,deck: a,deck: A\nOak,1,2,3,1,1\n", "deck 'A' is already in"),
        ("name,cost,attack,health\nOak,1,#REF!,3\n", "'#REF!' is an error of the spreadsheet"),
        ("name,cost,attack,health\nOak,1,2026-03-05,3\n", "is a date, must be a whole number"),
        ("name,cost,attack,health\nOak,1,TRUE,3\n", "'TRUE' must be a whole number"),
        ("name,cost,attack,health,\nOak,1,2,3,?\nElm,1,2,3,?\n", "line 2: '?' stands in no column"),
        ("name,cost,attack,health,Art\nOak,1,2,3,a\x07\n", "must not hold the character U+0007"),
    ],
)
def test_each_of_these_is_one_clear_problem(
    text: str, fragment: str | None, tmp_path: Path
) -> None:
    (problem,) = problems(csv(tmp_path, text))
    assert (fragment or "line 1: no cards stand below the titles") in problem


# Workbooks


def workbook(path: Path, *fill: Callable[[Worksheet], None], titles: str = "Sheet1") -> Path:
    """A workbook with a sheet for each function that fills one, named by letters or words."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, one in zip(titles.split("|"), fill, strict=True):
        one(book.create_sheet(title))
    book.save(path)
    return path


def rows(*lines: list[object]) -> Callable[[Worksheet], None]:
    def fill(sheet: Worksheet) -> None:
        for line in lines:
            sheet.append(line)

    return fill


def changed(fill: Callable[[Worksheet], None], change: Callable[[Worksheet], object]):
    def both(sheet: Worksheet) -> None:
        fill(sheet)
        change(sheet)

    return both


PLAIN = rows(TITLES, ["Oak", 1, 2, 3])


def with_cached_formula(path: Path, cached: str) -> Path:
    """`path` with a formula in C2, and what was saved as its value, as XML."""
    workbook(path, PLAIN)
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = "xl/worksheets/sheet1.xml"
    cell = b'<c r="C2" t="n"><v>2</v></c>'
    assert cell in parts[name]
    parts[name] = parts[name].replace(cell, cached.encode())
    with zipfile.ZipFile(path, "w") as new:
        for part, content in parts.items():
            new.writestr(part, content)
    return path


def test_formulas_stand_for_the_values_that_were_saved(tmp_path: Path) -> None:
    path = with_cached_formula(tmp_path / "a.xlsx", '<c r="C2"><f>1+1</f><v>2</v></c>')
    assert read(path).pool.cards == (OAK,)
    with_cached_formula(path, '<c r="C2"><f>1+1</f></c>')
    assert problems(path)[0] == (
        "sheet 'Sheet1', cell C2: a formula without a value; open the file in a spreadsheet "
        "program and save it"
    )
    with_cached_formula(path, '<c r="C2" t="str"><f>""</f><v></v></c>')
    (problem,) = problems(path)
    assert problem.startswith("sheet 'Sheet1', cell C2: card 'oak': column attack: must not be")
    with_cached_formula(path, '<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>')
    (problem,) = problems(path)
    assert "cell C2: card 'oak': column attack: '#DIV/0!' is an error of the spreadsheet" in problem


GOOD_BOOKS = {
    "plain": PLAIN,
    "numbers as text": rows(TITLES, ["Oak", "1", " 2", "3.0"]),
    "blank rows and columns": rows([], [None, *TITLES], [], [None, "Oak", 1, 2.0, 3], [None] * 9),
    "a title over all columns": changed(
        rows(["Trees of the forest"], TITLES, ["Oak", 1, 2, 3]),
        lambda sheet: sheet.merge_cells("A1:D1"),
    ),
}


@pytest.mark.parametrize("fill", GOOD_BOOKS.values(), ids=GOOD_BOOKS.keys())
def test_workbooks_of_all_kinds_are_read(fill: Callable[[Worksheet], None], tmp_path: Path) -> None:
    assert read(workbook(tmp_path / "a.xlsx", fill)).pool.cards == (OAK,)


def test_a_value_that_is_one_across_rows_is_each_rows(tmp_path: Path) -> None:
    fill = rows([*TITLES, "Clan"], ["Oak", 1, 2, 3, "Tree"], ["Elm", 1, 2, 3])
    book = workbook(tmp_path / "a.xlsx", changed(fill, lambda sheet: sheet.merge_cells("E2:E3")))
    assert [card.notes for card in read(book).pool.cards] == [{"Clan": "Tree"}] * 2


def test_what_is_no_text_is_kept_as_text(tmp_path: Path) -> None:
    day = datetime.datetime(2026, 3, 5)
    fill = rows(
        [*TITLES, "Done?", "On", "At", "Share", "Big"],
        ["Oak", 1, 2, 3, True, day, day.replace(hour=7), 0.5, 3e20],
    )
    assert read(workbook(tmp_path / "a.xlsx", fill)).pool.cards[0].notes == {
        "Done?": "TRUE", "On": "2026-03-05", "At": "2026-03-05 07:00:00", "Share": "0.5",
        "Big": "3e+20",
    }  # fmt: skip


BAD_BOOKS = {
    "cell B2: card 'oak': column cost: '2026-03-05' is a date, must be a whole number": rows(
        TITLES, ["Oak", datetime.datetime(2026, 3, 5), 2, 3]
    ),
    "cell B2: card 'oak': column cost: 'TRUE' must be a whole number": rows(
        TITLES, ["Oak", True, 2, 3]
    ),
    "cell C2: card 'oak': column attack: '2.5' must be a whole number": rows(
        TITLES, ["Oak", 1, 2.5, 3]
    ),
    "cells A2:D2 are one; unmerge them": changed(
        rows(TITLES, ["Trees"], ["Oak", 1, 2, 3]), lambda sheet: sheet.merge_cells("A2:D2")
    ),
    "cell D2: card 'oak': health = 0 must be at least 1": rows(TITLES, ["Oak", 1, 2, 0]),
}


@pytest.mark.parametrize(("message", "fill"), BAD_BOOKS.items())
def test_a_wrong_cell_of_a_workbook_is_named(
    message: str, fill: Callable[[Worksheet], None], tmp_path: Path
) -> None:
    found = problems(workbook(tmp_path / "a.xlsx", fill))
    place = "sheet 'Sheet1': " if message.startswith("cells") else "sheet 'Sheet1', "
    assert place + message in found


def hidden(sheet: Worksheet) -> None:
    PLAIN(sheet)
    sheet.sheet_state = "hidden"


NOTES = rows(["to do"], ["ask Mia"])


@pytest.mark.parametrize(
    ("titles", "fill", "remarks"),
    [
        ("To do|Trees", [NOTES, PLAIN], ["cards are those of sheet 'Trees'; left out: 'To do'"]),
        ("Old|CARDS", [PLAIN, PLAIN], ["cards are those of sheet 'CARDS'; left out: 'Old'"]),
        (
            "Old|Trees",
            [hidden, PLAIN],
            ["cards are those of sheet 'Trees'; left out: 'Old' (hidden)"],
        ),
        ("Trees|Blank", [PLAIN, rows()], []),
    ],
)
def test_of_several_sheets_the_one_with_cards_is_read(
    titles: str, fill: list[Callable[[Worksheet], None]], remarks: list[str], tmp_path: Path
) -> None:
    found = read(workbook(tmp_path / "a.xlsx", *fill, titles=titles))
    assert found.pool.cards == (OAK,)
    assert list(found.remarks) == remarks


def test_where_two_sheets_may_be_meant_one_must_be_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", PLAIN, PLAIN, titles="Trees|Shrubs")
    assert problems(path) == [
        "sheets 'Trees' and 'Shrubs' both look like cards; say which by --sheet"
    ]
    assert read(path, sheet="shrubs").pool.cards == (OAK,)
    with pytest.raises(InputError, match="no sheet 'Tree' with cells; did you mean 'Trees'"):
        read(path, sheet="Tree")


DECK_SHEETS = {
    "lines": rows(
        ["Deck", "Card", "Copies", "Why"], ["a", "Oak", 2, "x"], ["b", "elm", 1], ["a", "ELM", 1]
    ),
    "columns": rows(["Card", "a", "deck: b"], ["Oak", 2, None], ["Elm", "1", 1]),
}


@pytest.mark.parametrize("fill", DECK_SHEETS.values(), ids=DECK_SHEETS.keys())
def test_decks_may_have_a_sheet_of_their_own(
    fill: Callable[[Worksheet], None], tmp_path: Path
) -> None:
    cards = rows(TITLES, ["Oak", 1, 2, 3], ["Elm", 1, 2, 3])
    found = read(workbook(tmp_path / "a.xlsx", cards, fill, titles="Trees|Decks"))
    assert {one.name: one.cards for one in found.decks} == {
        "a": {"oak": 2, "elm": 1},
        "b": {"elm": 1},
    }
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("fill", "messages"),
    [
        (rows(["Deck", "Card"], ["a", "Oak"]), ["row 1: a sheet of decks has the columns deck,"]),
        (
            rows(["Deck", "Card", "Copies"], ["a", "Oka", 1], ["a", "Oak", "x"], ["a", None, 1]),
            [
                "cell B2: deck 'a': no card 'Oka'; did you mean 'Oak'?",
                "cell C3: deck 'a': card 'oak': 'x' must be a whole number",
                "cell B4: deck 'a': column card: must not be blank",
            ],
        ),
        (
            rows(["Deck", "Card", "Copies"], ["a", "Oak", 1], ["a", "oak", 1]),
            ["cell C3: deck 'a': card 'oak': card 'oak' is already in sheet 'Decks', cell C2"],
        ),
        (rows(["Card", "a"], ["Oak", 1, 7]), ["cell C2: stands in no column"]),
    ],
)
def test_what_is_wrong_with_decks_is_told(
    fill: Callable[[Worksheet], None], messages: list[str], tmp_path: Path
) -> None:
    found = problems(workbook(tmp_path / "a.xlsx", PLAIN, fill, titles="cards|Decks"))
    assert len(found) == len(messages)
    for line, message in zip(found, messages, strict=True):
        assert line.startswith(f"sheet 'Decks', {message}")


@pytest.mark.parametrize(
    ("name", "content", "fragment"),
    [
        ("a.xlsx", b"", "not a workbook that can be read"),
        ("a.xlsx", b"PK\x03\x04junk", "not a workbook that can be read"),
        ("a.xlsx", b"name,cost,attack,health\n", "not a workbook that can be read"),
        ("a.csv", b"PK\x03\x04junk", "is a workbook, not CSV; its name must end in .xlsx"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old or locked workbook; save it as .xlsx"),
        ("a.csv", b"\xff\xfe\x00", "not UTF-16 text"),
    ],
)
def test_a_file_that_is_something_else_is_refused(
    name: str, content: bytes, fragment: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    (problem,) = problems(tmp_path / name)
    assert fragment in problem


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    (problem,) = problems(workbook(tmp_path / "a.xlsx", rows()))
    assert problem.startswith("is empty; wants a line with the columns name, cost, attack, health")


def test_without_openpyxl_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workbook(tmp_path / "a.xlsx", PLAIN)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert problems(path) == ['needs the extra: pip install "evenhand[spreadsheet]"']


@pytest.mark.thorough
def test_sheets_of_text_need_no_openpyxl(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from sim import load_pool\n"
        "from sim.cards.spreadsheet.pool_sheet import read_pool_sheet, write_pool_sheet\n"
        "import experiments.commands.init, sim.files.sheet\n"
        "path = Path(sys.argv[1])\nwrite_pool_sheet(load_pool('core'), path)\n"
        "read_pool_sheet(path, 'core')\nsys.exit('openpyxl' in sys.modules)"
    )
    python("-c", program, tmp_path / "core.csv")

"""Sheets in all conditions are read, or refused with all their problems."""

from __future__ import annotations

import datetime
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from experiments.spreadsheet.meanings import COLUMNS
from experiments.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet, write_pool_sheet
from experiments.spreadsheet.titles import column_like
from sim import Card, InputError
from tests.messages import check_message
from tests.refusals import refused
from tests.scripts import python

OAK = Card(id="oak", name="Oak", cost=1, attack=2, health=3)
TITLES = ["name", "cost", "attack", "health"]


def read(path: Path, **options: object) -> PoolSheet:
    return read_pool_sheet(path, "p", **options)  # type: ignore[arg-type]


def csv(folder: Path, content: str | bytes) -> Path:
    """Write a sheet into a file, and return its path."""
    path = folder / "a.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def problems(path: Path) -> list[InputError]:
    """Return the problems of a file that is refused, their places without the file."""
    with refused() as refusal:
        read(path)
    error = refusal.error
    assert error.place.startswith(str(path))
    place = error.place.removeprefix(str(path)).removeprefix(": ")
    return list(error.problems) or [error.with_fields(place=place)]


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
    (problem,) = problems(csv(tmp_path, text))
    assert (problem.place, problem.value) == ("line 5: card 'fir': column 'cost'", "x")
    (card, *_) = read(csv(tmp_path, text.replace("x", "1"))).pool.cards
    assert card.notes == {"Art": "a\nb"}


def test_lines_above_the_titles_are_a_remark(tmp_path: Path) -> None:
    text = "Trees\nCard,Mana,atk,HP,Type,Rarity\nOak,1,2,3,minion,\nElm,1,2,3,,c\n"
    found = read(csv(tmp_path, text))
    assert [card.kind for card in found.pool.cards] == ["minion", "minion"]
    (remark,) = found.remarks
    check_message(remark)
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
def test_a_column_with_a_similar_title_is_a_note(
    title: str, cell: str, note: str, tmp_path: Path
) -> None:
    path = csv(tmp_path, f"name,cost,attack,health,{title}\nOak,1,2,3,{cell}\n")
    assert read(path).pool.cards[0].notes == {title: note}


def test_kinds_may_be_called_as_in_other_games_and_the_word_is_kept(tmp_path: Path) -> None:
    text = "name,Type,cost,attack,health\nOak,Creature,1,2,3\nBolt,Instant,1,,\nElm,Minion,1,2,3\n"
    path = csv(tmp_path, text)
    found = read(path)
    kinds = [(card.kind, card.notes.get("Type")) for card in found.pool.cards]
    assert kinds == [("minion", "Creature"), ("spell", "Instant"), ("minion", "Minion")]
    write_pool_sheet(found.pool, path)
    assert read(path).pool == found.pool


def test_a_row_that_is_no_card_is_one_problem(tmp_path: Path) -> None:
    path = csv(tmp_path, "name,cost,attack,health\nOak,1,2,3\nTotal,,,\nElm,,,3\nFir,1,,\n")
    assert [problem.place for problem in problems(path)] == [
        "line 3: card 'total': columns 'cost', 'attack', 'health'",
        "line 4: card 'elm': columns 'cost', 'attack'",
        "line 5: card 'fir': columns 'attack', 'health'",
    ]


def test_abilities_that_are_keywords_are_read_as_such(tmp_path: Path) -> None:
    path = csv(tmp_path, "name,cost,attack,health,Abilities\nOak,1,2,3,Haste\n")
    assert read(path).pool.cards == (OAK.model_copy(update={"keywords": ("haste",)}),)


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        (["haste", "Haste, taunt", "Flying"], (4, "elm", "flying")),  # one of four
        (["haste", "hasste"], None),  # half of them: as likely words of the designer's own
        (["Haste", "Flying when it is alone"], None),
    ],
)
def test_a_single_word_that_is_no_keyword_does_not_make_a_note_of_all_abilities(
    cells: list[str], wrong: tuple[int, str, str] | None, tmp_path: Path
) -> None:
    rows = [f'{name},1,2,3,"{cell}"' for name, cell in zip(("Oak", "Ash", "Elm"), cells)]  # noqa: B905 (of three, some)
    path = csv(tmp_path, "\n".join(["name,cost,attack,health,Abilities", *rows, ""]))
    if wrong is None:
        assert [card.notes["Abilities"] for card in read(path).pool.cards] == cells
        return
    line, card_id, word = wrong
    (problem,) = problems(path)
    assert problem.place == f"line {line}: card {card_id!r}: keywords"
    assert f"keyword {word!r}" in problem.problem
    assert '--note "Abilities"' in problem.remedy
    kept = read(path, notes=["Abilities"]).pool.cards
    assert [card.notes["Abilities"] for card in kept] == cells


@pytest.mark.parametrize("title", ["Atack", "attakc", "helth", "Costs", "efects", "Keyword", "tag"])
def test_a_misspelt_column_is_named_with_the_one_that_is_meant(title: str, tmp_path: Path) -> None:
    meant = column_like(title)
    others = [column for column in TITLES if column != meant]
    text = f"{','.join(others)},{title}\n{','.join(['1'] * len(others))},1\n"
    (first, *_) = problems(csv(tmp_path, text))
    assert (first.place, first.value, first.limit) == ("line 1", title, meant)
    assert f'--column "{title}={meant}"' in first.remedy
    assert f'--note "{title}"' in first.remedy


@pytest.mark.parametrize("title", ["efects", "Keyword", "tag", "TYPE"])
def test_an_option_keeps_a_column_as_a_note(title: str, tmp_path: Path) -> None:
    path = csv(tmp_path, f"name,cost,attack,health,{title}\nOak,1,2,3,minion\n")
    (card,) = read(path, notes=[title.lower()]).pool.cards
    assert card.notes == {title: "minion"}
    again = read(path, over=read(path, notes=[title]).pool)  # the earlier pool has the meaning
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


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    found = [(problem.place, problem.value) for problem in problems(csv(tmp_path, WRONG))]
    assert found == [
        ("line 2: card 'oak': column 'cost'", "x"),
        ("line 2: card 'oak': column 'effects'", "draw a card"),
        ("line 2: card 'oak': keywords", ("hasty",)),
        ("line 2: card 'oak': health", 0),
        ("line 3: card 'elm': column 'cost'", None),
        ("line 3: card 'elm': column 'attack'", "2.5"),
        ("line 4: column 'name'", "Oak"),
        ("line 5: card 'fir': effects #1: do", "heel"),
        ("line 5: card 'fir': health", 0),
        ("line 6: column 'name'", None),
        ("line 2: card 'oak': column 'deck: b'", -1),
        ("line 3: card 'elm': column 'deck: a'", "two"),
    ]


def test_twenty_problems_are_reported_and_the_others_counted(tmp_path: Path) -> None:
    rows = "".join(f"Card {k},x,1,1\n" for k in range(1500))
    path = csv(tmp_path, "name,cost,attack,health\n" + rows)
    with refused() as refusal:
        read(path)
    assert len(refusal.error.problems) == 1500
    head, *lines = str(refusal.error).split("\n")
    assert "1,500" in head
    assert len(lines) == 21
    assert "1,480" in lines[20]


def test_an_echoed_cell_is_one_line_of_readable_length(tmp_path: Path) -> None:
    text = f'name,cost,attack,health\nOak,"{"x" * 900}\ny",2,3\nElm,1,2,"\x1b[2J"\n'
    lines = [str(problem) for problem in problems(csv(tmp_path, text))]
    assert len(lines) == 2
    assert all(len(line) < 200 and line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("text", "place", "value"),
    [
        ("name,cost,attack,health,HP,Life\n", "line 1", None),
        ("name,cost,attack,HP,Life\nOak,1,2,3,4\n", "line 1", "Life"),
        ("name,cost,attack,health,Art,Art\nOak,1,2,3,a,b\n", "line 1", "Art"),
        (
            f"name,cost,attack,health,{'x' * 81}\nOak,1,2,3,\n",
            f"line 1: column '{'x' * 55}...'",
            "x" * 81,
        ),
        ("name,cost,attack,health,deck:\nOak,1,2,3,1\n", "line 1: column 'deck:'", None),
        ("name,cost,attack,health,deck: a\nOak,1,2,3,0\n", "line 1: column 'deck: a'", "a"),
        (
            "name,cost,attack,health,deck: a,deck: A\nOak,1,2,3,1,1\n",
            "line 1: column 'deck: A'",
            "A",
        ),
        (
            "name,cost,attack,health\nOak,1,#REF!,3\n",
            "line 2: card 'oak': column 'attack'",
            "#REF!",
        ),
        (
            "name,cost,attack,health\nOak,1,2026-03-05,3\n",
            "line 2: card 'oak': column 'attack'",
            "2026-03-05",
        ),
        ("name,cost,attack,health\nOak,1,TRUE,3\n", "line 2: card 'oak': column 'attack'", "TRUE"),
        ("name,cost,attack,health,\nOak,1,2,3,?\nElm,1,2,3,?\n", "line 2", "?"),
        (
            "name,cost,attack,health,Art\nOak,1,2,3,a\x07\n",
            "line 2: card 'oak': notes.Art",
            "a\x07",
        ),
    ],
)
def test_each_fault_is_one_clear_problem(
    text: str, place: str, value: object, tmp_path: Path
) -> None:
    (problem,) = problems(csv(tmp_path, text))
    assert (problem.place, problem.value) == (place, value)


# Workbooks


def workbook(path: Path, *fill: Callable[[Worksheet], None], titles: str = "Sheet1") -> Path:
    """Write a workbook with a sheet for each function, filled by it, and return its path.

    Args:
        path: path of the file.
        fill: functions that fill a sheet.
        titles: titles of the sheets, separated by `|`.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, fill_sheet in zip(titles.split("|"), fill, strict=True):
        fill_sheet(book.create_sheet(title))
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
    """Write a workbook with a formula in C2 and its saved value, given as XML."""
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
    assert problems(path)[0].place == "sheet 'Sheet1', cell C2"
    with_cached_formula(path, '<c r="C2" t="str"><f>""</f><v></v></c>')
    (blank,) = problems(path)
    assert blank.place == "sheet 'Sheet1', cell C2: card 'oak': column 'attack'"
    with_cached_formula(path, '<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>')
    (wrong,) = problems(path)
    assert wrong.place == "sheet 'Sheet1', cell C2: card 'oak': column 'attack'"
    assert wrong.value == "#DIV/0!"


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


def test_a_value_merged_across_rows_is_that_of_each_row(tmp_path: Path) -> None:
    fill = rows([*TITLES, "Clan"], ["Oak", 1, 2, 3, "Tree"], ["Elm", 1, 2, 3])
    book = workbook(tmp_path / "a.xlsx", changed(fill, lambda sheet: sheet.merge_cells("E2:E3")))
    assert [card.notes for card in read(book).pool.cards] == [{"Clan": "Tree"}] * 2


def test_values_of_other_types_are_kept_as_text(tmp_path: Path) -> None:
    day = datetime.datetime(2026, 3, 5)
    fill = rows(
        [*TITLES, "Done?", "On", "At", "Share", "Big"],
        ["Oak", 1, 2, 3, True, day, day.replace(hour=7), 0.5, 3e20],
    )
    assert read(workbook(tmp_path / "a.xlsx", fill)).pool.cards[0].notes == {
        "Done?": "TRUE", "On": "2026-03-05", "At": "2026-03-05 07:00:00", "Share": "0.5",
        "Big": "3e+20",
    }  # fmt: skip


DATE = datetime.datetime(2026, 3, 5)
BAD_BOOKS = {
    "date": (rows(TITLES, ["Oak", DATE, 2, 3]), ", cell B2: card 'oak': column 'cost'"),
    "truth": (rows(TITLES, ["Oak", True, 2, 3]), ", cell B2: card 'oak': column 'cost'"),
    "fraction": (rows(TITLES, ["Oak", 1, 2.5, 3]), ", cell C2: card 'oak': column 'attack'"),
    "merged": (
        changed(
            rows(TITLES, ["Trees"], ["Oak", 1, 2, 3]), lambda sheet: sheet.merge_cells("A2:D2")
        ),
        "",
    ),
    "zero": (rows(TITLES, ["Oak", 1, 2, 0]), ", cell D2: card 'oak': health"),
}


@pytest.mark.parametrize("case", BAD_BOOKS)
def test_a_wrong_cell_of_a_workbook_is_named(case: str, tmp_path: Path) -> None:
    fill, place = BAD_BOOKS[case]
    found = [problem.place for problem in problems(workbook(tmp_path / "a.xlsx", fill))]
    assert f"sheet 'Sheet1'{place}" in found


def hidden(sheet: Worksheet) -> None:
    PLAIN(sheet)
    sheet.sheet_state = "hidden"


NOTES = rows(["to do"], ["ask Mia"])


@pytest.mark.parametrize(
    ("titles", "fill", "n_remarks"),
    [
        ("To do|Trees", [NOTES, PLAIN], 1),
        ("Old|CARDS", [PLAIN, PLAIN], 1),
        ("Old|Trees", [hidden, PLAIN], 1),
        ("Trees|Blank", [PLAIN, rows()], 0),
    ],
    ids=["text", "called cards", "hidden", "blank"],
)
def test_of_several_sheets_the_one_with_cards_is_read(
    titles: str, fill: list[Callable[[Worksheet], None]], n_remarks: int, tmp_path: Path
) -> None:
    found = read(workbook(tmp_path / "a.xlsx", *fill, titles=titles))
    assert found.pool.cards == (OAK,)
    assert len(found.remarks) == n_remarks
    for remark in found.remarks:
        check_message(remark)


def test_if_two_sheets_look_like_cards_the_option_is_needed(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", PLAIN, PLAIN, titles="Trees|Shrubs")
    (problem,) = problems(path)
    assert problem.limit == ("Trees", "Shrubs")
    assert read(path, sheet="shrubs").pool.cards == (OAK,)
    with refused() as refusal:
        read(path, sheet="Tree")
    assert refusal.error.value == "Tree"
    assert "'Trees'" in refusal.error.remedy


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
    assert {deck.name: deck.cards for deck in found.decks} == {
        "a": {"oak": 2, "elm": 1},
        "b": {"elm": 1},
    }
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("fill", "places"),
    [
        (rows(["Deck", "Card"], ["a", "Oak"]), ["row 1"]),
        (
            rows(["Deck", "Card", "Copies"], ["a", "Oka", 1], ["a", "Oak", "x"], ["a", None, 1]),
            [
                "cell B2: deck 'a'",
                "cell C3: deck 'a': card 'oak'",
                "cell B4: deck 'a': column 'card'",
            ],
        ),
        (
            rows(["Deck", "Card", "Copies"], ["a", "Oak", 1], ["a", "oak", 1]),
            ["cell C3: deck 'a': card 'oak'"],
        ),
        (rows(["Card", "a"], ["Oak", 1, 7]), ["cell C2"]),
    ],
    ids=["titles", "cells", "repeated card", "extra cell"],
)
def test_faults_of_decks_are_reported(
    fill: Callable[[Worksheet], None], places: list[str], tmp_path: Path
) -> None:
    found = problems(workbook(tmp_path / "a.xlsx", PLAIN, fill, titles="cards|Decks"))
    assert [problem.place for problem in found] == [f"sheet 'Decks', {place}" for place in places]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xlsx", b""),
        ("a.xlsx", b"PK\x03\x04junk"),
        ("a.xlsx", b"name,cost,attack,health\n"),
        ("a.csv", b"PK\x03\x04junk"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1"),
        ("a.csv", b"\xff\xfe\x00"),
    ],
    ids=["empty", "torn", "CSV", "workbook", "old workbook", "UTF-16"],
)
def test_a_file_of_another_format_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    (problem,) = problems(tmp_path / name)
    assert problem.remedy


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    (problem,) = problems(workbook(tmp_path / "a.xlsx", rows()))
    assert problem.limit == ("name", "cost", "attack", "health")


def test_without_openpyxl_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workbook(tmp_path / "a.xlsx", PLAIN)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (problem,) = problems(path)
    assert "evenhand[spreadsheet]" in problem.remedy


@pytest.mark.thorough
def test_sheets_of_text_need_no_openpyxl(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from sim import load_pool\n"
        "from experiments.spreadsheet.pool_sheet import read_pool_sheet, write_pool_sheet\n"
        "import experiments.commands.init, experiments.spreadsheet.sheet_file\n"
        "path = Path(sys.argv[1])\nwrite_pool_sheet(load_pool('core'), path)\n"
        "read_pool_sheet(path, 'core')\nsys.exit('openpyxl' in sys.modules)"
    )
    python("-c", program, tmp_path / "core.csv")

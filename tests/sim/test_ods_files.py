"""OpenDocument spreadsheets are read as their program shows them, in limited memory."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.spreadsheet import ods_reader
from experiments.spreadsheet.ods_cell import ODS_NAMESPACES
from experiments.spreadsheet.ods_writer import ods_bytes
from experiments.spreadsheet.pool_sheet import read_pool_sheet
from experiments.spreadsheet.sheet import NO_VALUE, Sheet
from experiments.spreadsheet.sheet_file import read_sheets
from sim import Card
from sim.files.limits import CELLS_MAX, PARTS_MAX
from tests.refusals import refusal_of

_SPACES = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in ODS_NAMESPACES.items())
_HEAD = (
    f'<?xml version="1.0"?><office:document-content {_SPACES} '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><office:automatic-styles>'
    '<style:style style:name="ta1" style:family="table"><style:table-properties/></style:style>'
    '<style:style style:name="ta2" style:family="table"><style:table-properties '
    'table:display="false"/></style:style></office:automatic-styles><office:body>'
    "<office:spreadsheet><table:calculation-settings/>"
)
_TAIL = "</office:spreadsheet></office:body></office:document-content>"
_BLANK = '<table:table-cell table:number-columns-repeated="16382"/>'
_BLANK_ROWS = f'<table:table-row table:number-rows-repeated="1048000">{_BLANK}</table:table-row>'


def text(*paragraphs: str, more: str = "") -> str:
    """Return a cell of text; `more` holds further attributes."""
    inner = "".join(f"<text:p>{paragraph}</text:p>" for paragraph in paragraphs)
    return f'<table:table-cell office:value-type="string" {more}>{inner}</table:table-cell>'


def number(value: str, more: str = "", kind: str = "float") -> str:
    """Return a cell with a number, which is shown in another form."""
    return (
        f'<table:table-cell office:value-type="{kind}" office:value="{value}" {more}>'
        f"<text:p>{value},00 x</text:p></table:table-cell>"
    )


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}{_BLANK}</table:table-row>"


def table(*rows: str, title: str = "Sheet1", style: str = "ta1", more: str = "") -> str:
    return (
        f'<table:table table:name="{title}" table:style-name="{style}">{more}'
        f'<table:table-column table:number-columns-repeated="16384"/>{"".join(rows)}'
        f"{_BLANK_ROWS}</table:table>"
    )


@pytest.fixture
def ods(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a spreadsheet with these tables."""

    def write(*tables: str, before: str = "", **parts: bytes) -> Path:
        path = tmp_path / "a.ods"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            head = _HEAD.replace("?>", f"?>{before}", 1)
            archive.writestr("content.xml", f"{head}{''.join(tables)}{_TAIL}")
            for name, content in parts.items():
                archive.writestr(name, content)
        return path

    return write


def rows_in(path: Path) -> dict[int, list[str]]:
    (sheet, *_) = read_sheets(path).sheets
    return dict(sheet.rows)


TITLES = row(*map(text, ("Name", "Mana", "Atk", "HP")))
CARD = row(text("Oak"), number("1"), number("2"), number("3"))


def test_a_table_as_a_spreadsheet_program_saves_it_gives_cards(ods: Callable[..., Path]) -> None:
    shapes = "<table:shapes><draw:frame><text:p>no card</text:p></draw:frame></table:shapes>"
    notes = table(row(text("to do")), title="Notes", style="ta2")
    path = ods(table(TITLES, CARD, title="Cards", more=shapes), notes)
    found = read_pool_sheet(path, "p")
    assert found.pool.cards == (Card(id="oak", name="Oak", cost=1, attack=2, health=3),)
    assert [sheet.is_hidden for sheet in read_sheets(path).sheets] == [False, True]


def test_cells_have_the_text_that_a_csv_file_would_have(ods: Callable[..., Path]) -> None:
    comment = "<office:annotation><text:p>why?</text:p></office:annotation>"
    error = '<table:table-cell office:value-type="string" office:string-value=""'
    cells = {
        text("two", "lines"): "two\nlines",
        text("a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d"): "a   b\tc\nd",
        text("<text:span>bold</text:span> and\n  <text:a>link</text:a>"): "bold and link",
        text("&lt;&amp;\u70ae"): "<&\u70ae",
        number("2.0"): "2",
        number("0.5", kind="percentage"): "0.5",
        number("3", 'table:formula="of:=[.A1]"', "currency"): "3",
        '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>': "TRUE",
        '<table:table-cell office:value-type="date" office:date-value="2026-03-05"/>': "2026-03-05",
        f"{error}><text:p>#REF!</text:p></table:table-cell>": "#REF!",
        f'<table:table-cell office:value-type="string">{comment}<text:p>x</text:p>'
        "</table:table-cell>": "x",
        '<table:table-cell office:value-type="string" office:string-value="y"/>': "y",
    }
    found = rows_in(ods(table(row(*cells))))
    assert found == {1: list(cells.values())}


def test_repeated_cells_and_rows_have_their_places(ods: Callable[..., Path]) -> None:
    cells = [
        '<table:table-cell table:number-columns-repeated="2"/>',
        text("x", more='table:number-columns-repeated="3"'),
        number("1"),
    ]
    blank = row(more='table:number-rows-repeated="7"')
    repeated = row(*cells, more='table:number-rows-repeated="2"')
    cells_of_a_row = ["", "", "x", "x", "x", "1"]
    found = rows_in(ods(table(blank, repeated, row(text("end")))))
    assert found == {8: cells_of_a_row, 9: cells_of_a_row, 10: ["end"]}


def test_merged_cells_are_filled_down_and_reported_across(ods: Callable[..., Path]) -> None:
    covered = "<table:covered-table-cell><text:p>under</text:p></table:covered-table-cell>"
    down = text("rare", more='table:number-rows-spanned="2" table:number-columns-spanned="1"')
    across = text("both", more='table:number-columns-spanned="2"')
    (sheet,) = read_sheets(
        ods(table(row(down, number("1")), row(covered, number("2")), row(across, covered)))
    ).sheets
    assert dict(sheet.rows) == {1: ["rare", "1"], 2: ["rare", "2"], 3: ["both"]}
    assert sheet.joined == {3: "A3:B3"}


def test_a_formula_without_a_value_is_a_fault(ods: Callable[..., Path]) -> None:
    formula = '<table:table-cell table:formula="of:=1+1"/>'
    (sheet,) = read_sheets(ods(table(row(text("x"), formula)))).sheets
    assert sheet.faults == {(1, 1): NO_VALUE}


def test_other_prefixes_of_the_namespaces_are_read(
    ods: Callable[..., Path], tmp_path: Path
) -> None:
    path = ods(table(TITLES, CARD))
    with zipfile.ZipFile(path) as archive:
        content = archive.read("content.xml").decode()
    prefixes = "|".join(ODS_NAMESPACES)
    content = re.sub(rf"(?<=[</ ])({prefixes}):|(?<=xmlns:)({prefixes})(?==)", r"\g<0>0", content)
    content = content.replace(":0", "0:")
    other = tmp_path / "b.ods"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("content.xml", content)
    assert "table0:table-cell" in content
    assert rows_in(other) == rows_in(path)


def test_equal_tables_are_written_as_equal_files_that_name_their_type() -> None:
    content = ods_bytes({"cards": [["name"], ["=1"], [3]]})
    assert content == ods_bytes({"cards": [["name"], ["=1"], [3]]})
    assert content[30:].startswith(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")


BILLION = 'table:number-columns-repeated="999999999"'
ROWS = 'table:number-rows-repeated="999999999"'
FAR = f'<table:table-cell table:number-columns-repeated="{CELLS_MAX // 50}"/>'
LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "content",
    [
        [table(row(text("x", more=BILLION)))],
        [table(row(text("x"), more=ROWS))],
        [table(row(text("x", more='table:number-columns-repeated="900"'), more=ROWS))],
        [table(row(text("x", more='table:number-columns-repeated="-1"')))],
        [table(row(text("x", more='table:number-columns-repeated="9999999999"')))],
        [table(row(text("x", more=BILLION.replace("repeated", "spanned"))))],
        [table(*[row(FAR, text("x"))] * 60)],
        [table(*[row(text("x"))] * 2_000)],
        [table(row(text(" " * 2**21)))],
    ],
    ids=["columns", "rows", "both", "negative", "digits", "merged", "places", "elements",
         "unpacked"],
)  # fmt: skip
def test_a_spreadsheet_beyond_the_limits_is_refused(
    content: list[str], ods: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ods_reader, "WORKBOOK_ELEMENTS_MAX", 5_000)
    monkeypatch.setattr(ods_reader, "UNPACKED_MIB_MAX", 2)
    path = ods(*content)
    assert refusal_of(read_sheets, path).place.startswith(str(path))


def test_document_types_and_many_parts_are_refused(ods: Callable[..., Path]) -> None:
    path = ods(table(row(text("&b;"))), before=LAUGHS)
    assert refusal_of(read_sheets, path).place == str(path)
    path = ods(table(CARD), **{f"x{k}": b"" for k in range(PARTS_MAX)})
    assert refusal_of(read_sheets, path).limit == PARTS_MAX


@pytest.mark.parametrize("kept", [0, 10, 0.5, 0.9])
def test_a_torn_file_is_refused(kept: float, ods: Callable[..., Path]) -> None:
    path = ods(table(TITLES, CARD))
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content)) if kept < 1 else int(kept)])
    assert refusal_of(read_sheets, path).place == str(path)


@pytest.mark.parametrize(
    "content", [b"name,cost\n", b"<a/>", b"\0" * 100], ids=["CSV", "XML", "zeros"]
)
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.ods"
    path.write_bytes(content)
    assert refusal_of(read_sheets, path).place == str(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", content)
    assert refusal_of(read_sheets, path).place == str(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", content)
    if content != b"<a/>":
        assert refusal_of(read_sheets, path).place == str(path)


def test_a_sheet_without_cells_is_left_out(ods: Callable[..., Path]) -> None:
    found: tuple[Sheet, ...] = read_sheets(ods(table(), table(CARD, title="b"))).sheets
    assert [sheet.title for sheet in found] == ["b"]

"""Every reader refuses input that is too deep or too large in one line, before parsing it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.files.csv_files import read_target_matrix
from experiments.files.saved_game import saved_game_at
from experiments.runs.json_file import read_object
from experiments.spreadsheet import workbook_scan
from experiments.spreadsheet.cells import effect_of
from experiments.spreadsheet.sheet_file import read_sheets
from experiments.spreadsheet.workbook_scan import scan_workbook
from sim import InputError, Pool, load_deck, load_pool, load_ruleset, read_rows, validate
from sim.cards.pool import CARDS_MAX
from sim.files import limits
from sim.files.json_text import parse_json
from sim.files.limits import DEPTH_MAX, VALUES_MAX, check_depth
from sim.files.row_file import read_lines
from sim.files.toml_file import parse_toml, read_toml
from sim.real_cards.scenario.scenario import read_scenarios
from sim.value_error import shown_value
from tests.refusals import refusal_of

DEEP: dict[str, Callable[[int], str]] = {
    "lists": lambda n: "a = " + "[" * n + "]" * n,
    "tables": lambda n: "a = " + "{a = " * n + "1" + "}" * n,
    "open": lambda n: "a = " + "[" * n,
    "dots": lambda n: "a." * n + "a = 1",
    "header": lambda n: "[" + "a." * n + "a]",
    "both": lambda n: "[" + "a." * (n // 2) + "a]\n" + "a." * (n // 2) + "a = 1",
    "by steps": lambda n: "a = " + "{a.a.a.a.a.a.a.a = " * 4 + "1" + "}" * 4,
}


@pytest.mark.parametrize("form", DEEP)
@pytest.mark.parametrize("depth", [DEPTH_MAX + 2, 480, 1_000, 100_000])
@pytest.mark.parametrize("load", [read_toml, load_pool, load_deck, load_ruleset, saved_game_at])
def test_deep_toml_is_refused(
    form: str, depth: int, load: Callable[[object], object], tmp_path: Path
) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(DEEP[form](depth), encoding="utf-8")
    error = refusal_of(load, path if load is read_toml else str(path))
    assert str(DEPTH_MAX) in error.problem
    assert str(path) in error.place


@pytest.mark.parametrize("depth", [DEPTH_MAX + 1, 480, 1_000, 100_000])
def test_deep_json_is_refused(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"id":' + "[" * depth + "]" * depth + "}", encoding="utf-8")
    for load in (read_object, read_scenarios):
        assert str(DEPTH_MAX) in refusal_of(load, path).problem
    assert str(DEPTH_MAX) in refusal_of(parse_json, path.read_text(encoding="utf-8")).problem


@pytest.mark.parametrize("depth", [DEPTH_MAX + 1, 480, 1_000, 20_000])
@pytest.mark.parametrize("form", ["do.{dots}a = 1", "do = {lists}"])
def test_a_deep_cell_is_refused(depth: int, form: str) -> None:
    row = form.format(dots="a." * depth, lists="[" * depth + "]" * depth)
    assert str(DEPTH_MAX) in refusal_of(effect_of, f'{{ on = "play", {row} }}').problem


@pytest.mark.parametrize("depth", [DEPTH_MAX + 2, 480, 1_000])
def test_deep_data_of_a_program_is_refused(depth: int) -> None:
    data: object = 1
    for _ in range(depth):
        data = [data]
    with pytest.raises(InputError, match=str(DEPTH_MAX)):
        validate(Pool, {"name": "p", "card": data}, source="here")
    with pytest.raises(InputError, match=str(DEPTH_MAX)):
        check_depth(data)


def test_the_deepest_permitted_data_are_read() -> None:
    deep = "[" * DEPTH_MAX + "]" * DEPTH_MAX
    assert parse_toml(f"a = {deep[1:-1]}")["a"] == json.loads(deep[1:-1])
    assert parse_json(deep) == json.loads(deep)


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "[" * 500 + '"',
        "a = '" + "{" * 500 + "'",
        'a = """' + '["' * 500 + '"""',
        "a = '''" + "['" * 500 + "x'''",
        "# " + "[" * 500 + "\na = 1",
        'a = "\\"' + "[" * 500 + '"',
        '"' + "a." * 500 + '" = 1',
        'a = """x""""\nb = ["' + "[" * 500 + '"]',
    ],
)
def test_brackets_and_dots_in_strings_and_comments_do_not_count(text: str) -> None:
    assert len(parse_toml(text)) in {1, 2}


def test_a_pool_of_ten_thousand_cards_is_within_the_limits() -> None:
    card = (
        '[[card]]\nid = "c{0}"\nname = "C {0}"\ncost = 2\nattack = 3\nhealth = 4\n'
        'keywords = ["haste"]\ntags = ["a", "b"]\n'
        'effects = [{{ on = "play", do = "damage", to = "enemy_player", amount = 2 }}]\n'
        "tunable = {{ attack = [2, 5], health = [3, 5] }}\n"
    )
    limits.check_toml_text("".join(card.format(number) for number in range(10_000)))


@pytest.mark.parametrize(
    "text",
    [
        "a = [" + "1," * VALUES_MAX + "]",
        "[[card]]\n" * VALUES_MAX,
        "".join(f"x{k}.a = 1\n" for k in range(VALUES_MAX // 2 + 1)),
        " " * (limits.TOML_MIB_MAX * 2**20 + 1),
    ],
    ids=["values", "tables", "keys", "text"],
)
def test_large_toml_is_refused(text: str) -> None:
    refusal_of(parse_toml, text)


def test_large_json_and_tables_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JSON_VALUES_MAX", 100)
    refusal_of(parse_json, "[" + "1," * 100 + "1]")
    assert parse_json("[" + "1," * 98 + "1]")[0] == 1
    monkeypatch.setattr(limits, "CELLS_MAX", 100)
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" * 60, encoding="utf-8")
    for load in (read_target_matrix, read_lines, lambda path: read_rows(path, tuple)):
        refusal_of(load, path)


def test_a_number_of_thousands_of_digits_is_shown() -> None:
    data = parse_toml("a = 0x" + "f" * 5_000)
    assert shown_value(data["a"]).startswith("0xfff")
    refusal_of(parse_json, '{"a": ' + "9" * 5_000 + "}")


# --- workbooks ---

_SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{rows}</sheetData>{more}</worksheet>"
)
_ROW = '<row r="{0}"><c r="A{0}"><v>1</v></c></row>'


@pytest.fixture
def workbook(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a workbook with a sheet of this XML, and further parts."""
    openpyxl = pytest.importorskip("openpyxl")
    plain = tmp_path / "plain.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["name"])
    book.save(plain)

    def write(rows: str = "", more: str = "", before: str = "", **parts: bytes) -> Path:
        path = tmp_path / "book.xlsx"
        with (
            zipfile.ZipFile(plain) as old,
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for name in old.namelist():
                is_sheet = name.endswith("sheet1.xml")
                text = before + _SHEET.format(rows=rows, more=more)
                new.writestr(name, text if is_sheet else old.read(name))
            for name, content in parts.items():
                new.writestr(name, content)
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        {"more": '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'},
        {"more": '<hyperlinks><hyperlink ref="A1:A1048576"/></hyperlinks>'},
        {"rows": " " * 2**21},
        {"rows": "<row/>" * 20_000},
        {"rows": _ROW.format(1) * 6_000},
        {"before": '<!DOCTYPE a [<!ENTITY b "c">]>'},
        {f"x{k}": b"" for k in range(limits.PARTS_MAX + 1)},
        {"rows": "".join(_ROW.replace("A", "XFD").format(k) for k in range(1, 100))},
    ],
    ids=["merged", "link", "unpacked", "elements", "cells", "doctype", "parts", "places"],
)
def test_a_workbook_beyond_the_limits_is_refused(
    content: dict[str, object],
    workbook: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit, most in (
        ("UNPACKED_MIB_MAX", 2),
        ("WORKBOOK_ELEMENTS_MAX", 20_000),
        ("WORKBOOK_CELLS_MAX", 5_000),
    ):
        monkeypatch.setattr(workbook_scan, limit, most)
    refusal_of(read_sheets, workbook(**content))


def test_a_cell_in_the_last_corner_and_a_merged_row_are_read(
    workbook: Callable[..., Path],
) -> None:
    corner = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    path = workbook(_ROW.format(2) + corner, '<mergeCells><mergeCell ref="A2:XFD2"/></mergeCells>')
    (sheet,) = read_sheets(path).sheets
    assert [(number, cells[-1]) for number, cells in sheet.rows] == [(2, "1"), (1048576, "7")]
    assert sheet.joined == {2: "A2:XFD2"}


def test_a_part_that_declares_too_small_a_size_is_refused(
    workbook: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = workbook(_ROW.format(1)).read_bytes()
    with zipfile.ZipFile(workbook(_ROW.format(1))) as archive:
        part = next(info for info in archive.infolist() if info.filename.endswith("sheet1.xml"))
    size = part.file_size.to_bytes(4, "little")
    lie = content.replace(size, (10).to_bytes(4, "little"))
    assert lie != content
    with pytest.raises((zipfile.BadZipFile, InputError)):
        scan_workbook(lie)


def test_a_pool_has_no_more_cards_than_the_engine_has_numbers() -> None:
    card = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1}
    many = [card] * (CARDS_MAX + 1)
    error = refusal_of(validate, Pool, {"name": "p", "card": many}, source="here")
    assert error.limit == CARDS_MAX


def test_a_file_with_hundreds_of_thousands_of_unknown_keys_is_refused() -> None:
    data = {"name": "p", **{f"x{number}": 1 for number in range(300_000)}}
    assert refusal_of(validate, Pool, data, source="here").value == "x0"

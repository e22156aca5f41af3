"""Text survives CSV, and a cell that is no number never begins like a formula."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from sim.files.csv_file import csv_rows, csv_text, escaped

SIGNS = "'=+-@\t\r\n\",;0123456789.eE"
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from(SIGNS)) | st.text(SIGNS)


@given(rows=st.lists(st.lists(TEXTS, min_size=1), min_size=1))
def test_any_table_comes_back(rows: list[list[str]]) -> None:
    assert csv_rows(csv_text(rows)) == rows


@given(rows=st.lists(st.lists(TEXTS, min_size=1), min_size=1))
def test_only_numbers_begin_like_formulas(rows: list[list[str]]) -> None:
    for row in csv.reader(io.StringIO(csv_text(rows), newline="")):
        for cell in row:
            if cell.startswith(("=", "+", "-", "@", "\t", "\r")):
                float(cell.replace(",", "."))


def test_plain_cells_and_numbers_stand_as_they_are() -> None:
    rows = [["Whelp", "'Tis", "a=b", -3, 0.5, "-1.5e-07", "-inf", "+2,5", True]]
    assert csv_text(rows) == 'Whelp,\'Tis,a=b,-3,0.5,-1.5e-07,-inf,"+2,5",True\n'
    assert [escaped(text) for text in ("=1", "-1-1", "'=1", "+")] == ["'=1", "'-1-1", "''=1", "'+"]

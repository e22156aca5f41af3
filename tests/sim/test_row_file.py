"""Rows of tables come back from their files as they were, or one line says why not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from sim.files.row_file import cells, columns, entry, optional, read_rows, write_rows
from tests.refusals import complaint_of


class Interval(NamedTuple):
    estimate: float
    low: float
    high: float


class Side(NamedTuple):
    rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


class Line(NamedTuple):
    name: str
    from_: int
    share: Interval
    side: Side
    gain: Annotated[Interval, ("gain_pp", "gain_low", "gain_high")] | None
    games: int | None
    holds: bool
    extra: float | None = None


HALF = Interval(*np.array([0.5, 0.25, 0.75]))
FULL = Line("a, b", 1, HALF, Side(HALF, 7), HALF, 3, np.True_, 0.1)  # type: ignore[arg-type]
BARE = Line("=1", 2, HALF, Side(HALF, 8), None, None, False)


def test_a_row_fills_the_columns_that_its_fields_name():
    assert columns(Line) == [
        "name", "from", "share", "share_low", "share_high",
        "side", "side_low", "side_high", "side_n", "gain_pp", "gain_low", "gain_high",
        "games", "holds", "extra",
    ]  # fmt: skip
    assert entry(FULL)["side_n"] == 7
    assert cells(BARE)[9:13] == [None] * 4
    assert type(entry(FULL)["holds"]) is bool
    assert optional(Line) == {
        "gain_pp": float, "gain_low": float, "gain_high": float, "games": int, "extra": float
    }  # fmt: skip


def test_rows_come_back_as_they_were(tmp_path: Path):
    path = tmp_path / "t.csv"
    write_rows(path, Line, [FULL, BARE])
    assert read_rows(path, Line) == [FULL, BARE]
    assert "'=1,2,0.5,0.25,0.75,0.5,0.25,0.75,8,,,,,False,\n" in path.read_text(encoding="utf-8")
    write_rows(path, Line, [])
    assert read_rows(path, Line) == []


def test_other_columns_are_passed_over_and_those_with_a_default_may_be_missing(tmp_path: Path):
    class Few(NamedTuple):
        n: int
        loss: float = 2.5

    path = tmp_path / "t.csv"
    path.write_text("x,n\n1,3\n", encoding="utf-8")
    assert read_rows(path, Few) == [Few(3)]


def test_rows_that_nobody_reads_back_are_written_beside_their_columns(tmp_path: Path):
    row = ("a", np.int64(3), HALF, np.True_, None)
    write_rows(tmp_path / "t.csv", ("name", "n", "rate", "low", "high", "holds", "why"), [row])
    written = (tmp_path / "t.csv").read_text(encoding="utf-8")
    assert written == "name,n,rate,low,high,holds,why\na,3,0.5,0.25,0.75,True,\n"


class Three(NamedTuple):
    n: int
    rate: float
    holds: bool
    why: str


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "damaged: its first line must name the columns"),
        (b"a,a\n1,2\n", "damaged: its first line must name the columns"),
        (b"a,b\n1,2\n3\n", "damaged: row 3 has 1 values for 2 columns"),
        (b"a,b\n1,2,3\n", "damaged: row 2 has 3 values for 2 columns"),
        (b'a,b\n1,"2\n', "damaged: "),
        (b"a,b\n\xff,2\n", "damaged: "),
        (b"n,rate,why\n", "has no column 'holds'; made by another version, or damaged"),
        (b"n,rate,holds,why\n1,1,True,\nx,1,True,\n", "row 3: n must be a whole number, not 'x'; "),
        (b"n,rate,holds,why\n1,many,True,\n", "row 2: rate must be a number, not 'many'; made by"),
        (b"n,rate,holds,why\n1,1,perhaps,\n", "row 2: holds must be True or False, not 'perhaps'"),
        (b"n,rate,holds,why\n1,,True,\n", "row 2: rate must be a number, not ''"),
    ],
)
def test_a_damaged_table_is_named(content: bytes, says: str, tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert complaint_of(read_rows, path, Three).startswith(f"{path}: {says}")


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path):
    assert "is a folder, not a file" in complaint_of(read_rows, tmp_path, Three)

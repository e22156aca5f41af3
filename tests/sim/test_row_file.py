"""Rows of tables survive their files, and damaged files are refused in one message."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from sim.files.row_file import cells, columns, entry, optional, read_rows, write_rows
from tests.messages import check_message
from tests.refusals import refusal_of


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


def test_unknown_columns_are_ignored_and_those_with_a_default_may_be_missing(tmp_path: Path):
    class Few(NamedTuple):
        n: int
        loss: float = 2.5

    path = tmp_path / "t.csv"
    path.write_text("x,n\n1,3\n", encoding="utf-8")
    assert read_rows(path, Few) == [Few(3)]


def test_plain_tuples_are_written_under_the_names_of_their_columns(tmp_path: Path):
    row = ("a", np.int64(3), HALF, np.True_, None)
    write_rows(tmp_path / "t.csv", ("name", "n", "rate", "low", "high", "holds", "why"), [row])
    check_message((tmp_path / "t.csv").read_text(encoding="utf-8"))


class Three(NamedTuple):
    n: int
    rate: float
    holds: bool
    why: str


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", ""),
        (b"a,a\n1,2\n", ""),
        (b"a,b\n1,2\n3\n", ""),
        (b"a,b\n1,2,3\n", ""),
        (b'a,b\n1,"2\n', ""),
        (b"a,b\n\xff,2\n", ""),
        (b"n,rate,why\n", ""),
        (b"n,rate,holds,why\n1,1,True,\nx,1,True,\n", "row 3"),
        (b"n,rate,holds,why\n1,many,True,\n", "row 2"),
        (b"n,rate,holds,why\n1,1,perhaps,\n", "row 2"),
        (b"n,rate,holds,why\n1,,True,\n", "row 2"),
    ],
)
def test_a_damaged_table_is_named(content: bytes, place: str, tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    error = refusal_of(read_rows, path, Three)
    assert error.place == ": ".join(filter(None, (str(path), place)))


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path):
    assert refusal_of(read_rows, tmp_path, Three).place == str(tmp_path)

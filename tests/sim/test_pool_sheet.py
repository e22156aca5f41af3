"""Sheets with own columns and decks survive writing and reading with nothing lost."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.spreadsheet.deck_list import DeckList
from experiments.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet, write_pool_sheet
from experiments.spreadsheet.sheet_file import read_sheets, write_sheets
from sim import Deck, Pool, load_deck, load_pool, load_ruleset
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.strategies import decks, note_texts, note_titles, pools

DUEL = load_ruleset("duel")
ENDINGS = ("csv", "xlsx", "ods", "json")
few = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12, deadline=None
)
CELLS = [
    "=1+1", "+x", "-x", "@sum", "'=x", "''=x", "'x", "-5", "-", "007", "3", "3.0", "2.5", "1e5",
    "1_000", "9" * 20, "TRUE", "2026-03-05", "#N/A", "a,b;c\td", 'say "no"', "two\nlines", "\u70ae",
    "\u00a0x", "nan", "inf", "x" * 5000,
]  # fmt: skip


def read(path: Path, pool: Pool | None = None) -> PoolSheet:
    return read_pool_sheet(path, "p" if pool is None else pool.name, pool)


def table_of(path: Path) -> list[list[str]]:
    (sheet, *_) = read_sheets(path).sheets
    return [cells for _, cells in sheet.rows]


def copies(lists: tuple[DeckList, ...]) -> dict[str, dict[str, int]]:
    return {deck.name: deck.cards for deck in lists}


@pytest.mark.parametrize("ending", ENDINGS)
def test_cells_that_programs_like_to_change_come_back(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    written = [[text.strip()] for text in CELLS]
    write_sheets(path, {"cards": [["any"], *written]})
    assert table_of(path) == [["any"], *written]


@st.composite
def own_columns(draw: st.DrawFn) -> list[list[str]]:
    """Draw titles and the cells of three cards; columns may be blank, and in any order."""
    titles = draw(st.lists(note_titles, max_size=4, unique_by=str.lower))
    cells = st.just("") | st.sampled_from([text.strip() for text in CELLS]) | note_texts
    return [titles, *[[draw(cells) for _ in titles] for _ in range(3)]]


@pytest.mark.parametrize(
    "ending", ["csv", *(pytest.param(end, marks=pytest.mark.thorough) for end in ("xlsx", "ods"))]
)
@few
@given(own=own_columns())
def test_own_columns_come_back(own: list[list[str]], ending: str, tmp_path: Path) -> None:
    known = [
        ["name", "cost", "attack", "health"],
        *[[f"Card {k}", "1", "2", "3"] for k in range(3)],
    ]
    path = tmp_path / f"a.{ending}"
    again = tmp_path / f"b.{ending}"
    rows = [[*cells, *own_cells] for cells, own_cells in zip(known, own, strict=True)]
    write_sheets(path, {"cards": rows})
    pool = read_pool_sheet(path, "p", notes=own[0]).pool
    for other in {*ENDINGS} - {ending}:
        write_pool_sheet(pool, tmp_path / f"c.{other}")
        assert read(tmp_path / f"c.{other}").pool == pool
    write_pool_sheet(pool, again)
    first, *lines = table_of(again)
    places = [first.index(title) for title in own[0]]
    assert places == sorted(places)
    assert first[len(first) - len(places) :] == own[0]
    padded = [[*cells, *[""] * (len(first) - len(cells))] for cells in lines]
    assert [[cells[place] for place in places] for cells in padded] == own[1:]


@settings(few, max_examples=25)
@given(data=st.data())
def test_any_pool_and_decks_survive(data: st.DataObject, tmp_path: Path) -> None:
    pool = data.draw(pools(DUEL))
    held = data.draw(st.lists(decks(pool, DUEL), max_size=3, unique_by=lambda d: d.name.casefold()))
    for ending in ENDINGS:
        path = tmp_path / f"a.{ending}"
        write_pool_sheet(pool, path, held)
        found = read(path, pool)
        assert found.pool == pool
        assert copies(found.decks) == {deck.name: deck.cards for deck in held}
        if ending in ("xlsx", "ods"):  # these have a sheet of decks, with heroes and orders
            assert [deck.hero for deck in found.decks] == [deck.hero for deck in held]
            assert [list(d.cards) for d in found.decks] == [list(d.cards) for d in held]


def test_a_deck_of_other_cards_is_not_written(tmp_path: Path) -> None:
    decks = [load_deck("ember_rush")]
    error = refusal_of(write_pool_sheet, load_pool("saga"), tmp_path / "a.csv", decks)
    assert error.place == "deck 'ember_rush': pool 'saga'"
    assert not list(tmp_path.iterdir())


def test_what_a_csv_with_notes_and_decks_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "Rarity,name,cost,attack,health,deck: Rush,Art,deck: slow, \n"
        "common,Oak,1,1,2,2,,0,\nrare,Fir,2,2,2,,,1,\n",
        encoding="utf-8",
    )
    found = read(path)
    assert found.pool.cards[0].notes == {"Rarity": "common", "Art": ""}  # so the column comes back
    assert found.pool.cards[1].notes == {"Rarity": "rare"}
    assert [row.column for row in found.understood if row.read_as == "note"] == ["Rarity", "Art"]
    held = [Deck(name=own.name, pool="p", ruleset="duel", cards=own.cards) for own in found.decks]
    write_pool_sheet(found.pool, path, held)
    check_message(path.read_text(encoding="utf-8"))
    assert read(path).pool == found.pool


def test_a_note_called_nearly_as_a_column_comes_back_beside_it(tmp_path: Path) -> None:
    card = load_pool("core").cards[0].model_copy(update={"notes": {"tag": "x", "heros": "y"}})
    write_pool_sheet(Pool(name="p", cards=(card,)), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").pool.cards == (card,)


def test_a_sheet_beyond_ascii_has_a_byte_order_mark_for_excel(tmp_path: Path) -> None:
    (card, *_) = load_pool("core").cards
    for name, mark in (("Oak", b""), ("\u00c4sche", b"\xef\xbb\xbf")):
        pool = Pool(name="p", cards=(card.model_copy(update={"name": name}),))
        write_pool_sheet(pool, tmp_path / "a.csv")
        assert (tmp_path / "a.csv").read_bytes().startswith(mark + b"id,name")
        assert read(tmp_path / "a.csv").pool.cards[0].name == name
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["\u00c4sche"]

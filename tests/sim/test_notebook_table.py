"""Tables in notebooks show every cell, as HTML and as text."""

from __future__ import annotations

import re
from html import escape, unescape

from hypothesis import given
from hypothesis import strategies as st

from sim import load_deck, load_pool
from sim.files.notebook_table import notebook_table
from tests.messages import check_message

CELLS = st.one_of(st.integers(), st.text(st.characters(exclude_categories=("C", "Z")), max_size=12))


def cells_of(page: str) -> list[list[str]]:
    """Return the cells of the only table of a page, row by row."""
    return [
        [unescape(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
        for row in page.split("<tr>")[1:]
    ]


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5), st.sampled_from(["T", "a < b & c"]))
def test_every_cell_is_in_both_forms(rows, title):
    shown = notebook_table(title, ("a", "b"), rows)
    assert f">{escape(title)}</caption>" in shown["text/html"]
    cells = [["a", "b"], *([str(cell) for cell in row] for row in rows)]
    assert cells_of(shown["text/html"]) == cells
    first, _, *lines = shown["text/plain"].split("\n")
    assert first == title
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert all(str(cell) in line for cell in row)


def test_numbers_stand_right_and_words_left():
    shown = notebook_table("T", ("name", "n"), [("ab", 5), ("c", 10)])
    assert shown["text/plain"] == "T\nname   n\nab     5\nc     10"
    aligned = re.findall(r"<t[dh] style=.text-align: (\w+)", shown["text/html"])
    assert aligned == ["left", "right"] * 3


def test_a_deck_shows_its_copies():
    deck = load_deck("ember_rush")
    title, _, *rows = text_lines(deck)
    check_message(title)
    assert [row.split() for row in rows] == [[card, str(n)] for card, n in deck.cards.items()]


def test_a_pool_shows_what_its_cards_do():
    pool = load_pool("core")
    title, _, *rows = text_lines(pool)
    assert title == f"core: {len(pool.cards)} cards"
    assert len(rows) == len(pool.cards)
    assert rows[1].split() == ["spark_runner", "Spark", "Runner", "1", "1", "1", "haste"]
    check_message(rows[2])


def text_lines(thing):
    """Return the lines that IPython prints for an object in a terminal."""
    return thing._repr_mimebundle_(include=None, exclude=None)["text/plain"].split("\n")

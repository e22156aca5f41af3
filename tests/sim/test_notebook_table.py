from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from sim.cards.deck import load_deck
from sim.cards.pool_source import load_pool
from sim.files.notebook_table import notebook_table

CELLS = st.one_of(st.integers(), st.text(st.characters(exclude_categories=("C", "Z")), max_size=12))


class Reader(HTMLParser):
    """The cells of the only table of a page, row by row, and its title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.aligned: list[str | None] = []
        self.title = ""
        self._in = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self.aligned.append(dict(attrs)["style"])

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in in {"td", "th"}:
            self.rows[-1][-1] += data
        elif self._in == "caption":
            self.title += data


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5), st.sampled_from(["T", "a < b & c"]))
def test_every_cell_is_in_both_forms(rows, title):
    shown = notebook_table(title, ("one", "two"), rows)
    page = Reader(shown["text/html"])
    assert page.title == title
    assert page.rows == [["one", "two"], *([str(cell) for cell in row] for row in rows)]
    first, _, *lines = shown["text/plain"].split("\n")
    assert first == title
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert all(str(cell) in line for cell in row)


def test_numbers_stand_right_and_words_left():
    shown = notebook_table("T", ("name", "n"), [("ab", 5), ("c", 10)])
    assert shown["text/plain"] == "T\nname   n\nab     5\nc     10"
    page = Reader(shown["text/html"])
    assert page.aligned == ["text-align: left", "text-align: right"] * 3


def test_a_deck_shows_its_copies():
    deck = load_deck("ember_rush")
    title, _, *rows = printed(deck)
    assert title == "ember_rush: 30 cards of pool core, ruleset duel"
    assert [row.split() for row in rows] == [[card, str(n)] for card, n in deck.cards.items()]


def test_a_pool_shows_what_its_cards_do():
    pool = load_pool("core")
    title, _, *rows = printed(pool)
    assert title == f"core: {len(pool.cards)} cards"
    assert len(rows) == len(pool.cards)
    assert rows[1].split() == ["spark_runner", "Spark", "Runner", "1", "1", "1", "haste"]
    assert rows[2].endswith("play: damage 2 to enemy_player")


def printed(thing):
    """The lines that IPython prints in a terminal."""
    return thing._repr_mimebundle_(include=None, exclude=None)["text/plain"].split("\n")

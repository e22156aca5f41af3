"""Figures as files and in notebooks."""

from __future__ import annotations

import io

import matplotlib as mpl
import pytest
from matplotlib.image import imread

from experiments import plots
from experiments.plots.house_style import current_size, house_style
from tests.experiments.drawings import DRAWINGS, drawn, small_run
from tests.experiments.figure_checks import drawn_lines
from tests.refusals import refusal_of


def shape(png: bytes) -> tuple[int, int]:
    """Return height and width of an image in dots."""
    height, width = imread(io.BytesIO(png)).shape[:2]
    return height, width


@pytest.mark.parametrize(
    ("size", "width"), [("screen", 8.4 * 150), ("page", 2100), ("column", 1020)]
)
def test_files_have_150_dots_per_inch_for_screens_and_300_for_papers(size, width):
    assert shape(plots.figure_png(drawn("front_plot", size=size)))[1] == width


@pytest.mark.parametrize(("size", "width"), [("screen", 840), ("column", 3.4 * 150)])
def test_a_notebook_shows_a_figure_without_pyplot(size, width):
    png = drawn("front_plot", size=size)._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert shape(png)[1] == width


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_the_same_figure_gives_the_same_file(kind):
    with plots.figure_size("column"):
        figures = [DRAWINGS["deck_curve"](small_run(4)) for _ in range(2)]
    first, second = (plots.figure_file(figure, kind) for figure in figures)
    assert first == second


def test_text_in_an_svg_is_text():
    svg = plots.figure_file(drawn("front_plot", size="column"), "svg").decode()
    for line in drawn_lines(drawn("front_plot", size="column")):
        assert line.text.strip() in svg.replace("&#xa0;", "\xa0")
    assert "<dc:date>" not in svg


def test_text_in_a_pdf_is_in_truetype_letters():
    pdf = plots.figure_file(drawn("front_plot", size="column"), "pdf")
    assert pdf.startswith(b"%PDF")
    assert b"/Type3" not in pdf
    assert b"/CIDFontType2" in pdf or b"/TrueType" in pdf
    assert b"CreationDate" not in pdf


def test_a_size_ends_with_its_block_and_unknown_ones_are_refused():
    with plots.figure_size("page"):
        with plots.figure_size("column"):
            assert DRAWINGS["front_plot"](small_run(4)).get_figwidth() == 3.4
        assert DRAWINGS["front_plot"](small_run(4)).get_figwidth() == 7
    error = refusal_of(plots.figure_size("colunm").__enter__)
    assert error.value == "colunm"
    assert "column" in error.limit
    with pytest.raises(ZeroDivisionError), plots.figure_size("column"):
        raise ZeroDivisionError
    assert current_size() == "screen"


def test_a_figure_keeps_its_style_wherever_it_is_drawn():
    figure = drawn("front_plot", size="column")
    with house_style():
        usual = drawn_lines(figure)
    with mpl.rc_context({"font.size": 30, "text.hinting": "default", "axes.labelsize": 40}):
        shown = drawn_lines(figure)
    assert [line.text for line in shown] == [line.text for line in usual]
    for line, expected in zip(shown, usual, strict=True):
        assert line[1:] == pytest.approx(expected[1:])

"""Checks of any figure, on the text as it is drawn: legible, labelled, of the right size."""

from __future__ import annotations

import re
from itertools import combinations
from typing import NamedTuple

from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

_NUMBER = re.compile(r"[\N{MINUS SIGN}-]?[\d.,]+\s?[kMG%]?")
_UNIT = re.compile(r"\([^()]+\)")
_WIDTHS = {"page": 7.0, "column": 3.4}  # inches
_TOUCH = 1.5  # points by which boxes of text may overlap, since they are larger than the letters


class Line(NamedTuple):
    """A line of text as it is drawn, with its box in points from the lower left corner.

    Attributes:
        text: the text.
        x0: left edge.
        y0: lower edge.
        x1: right edge.
        y1: upper edge.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float

    def overlaps(self, other: Line) -> bool:
        """Return whether two lines overlap by more than `_TOUCH` in both directions."""
        across = min(self.x1, other.x1) - max(self.x0, other.x0)
        return across > _TOUCH and min(self.y1, other.y1) - max(self.y0, other.y0) > _TOUCH


class _Recorder(RendererAgg):
    """A renderer that records all text that it draws.

    Attributes:
        lines: the lines of text.
    """

    def __init__(self, width: int, height: int, dpi: float):
        super().__init__(width, height, dpi)
        self.lines: list[Line] = []

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
        if s.strip():
            width, height, descent = self.get_text_width_height_descent(s, prop, ismath)
            base = self.height - y
            assert angle in {0, 90}, f"{s!r} is askew"
            if angle == 0:
                box = (x, base - descent, x + width, base - descent + height)
            else:
                box = (x - height + descent, base, x + descent, base + width)
            self.lines.append(Line(s, *(72 * edge / self.dpi for edge in box)))


def drawn_lines(figure: Figure) -> list[Line]:
    """Draw a figure, and return its lines of text."""
    width, height = figure.get_size_inches() * figure.dpi
    FigureCanvasAgg(figure)
    recorder = _Recorder(int(width), int(height), figure.dpi)
    figure.draw(recorder)
    return recorder.lines


def assert_legible(figure: Figure) -> None:
    """Check that no text leaves the figure or overlaps other text."""
    lines = drawn_lines(figure)
    width, height = figure.get_size_inches() * 72
    assert lines
    for line in lines:
        assert line.x0 > -0.5, f"{line} begins left of the figure"
        assert line.y0 > -0.5, f"{line} begins below the figure"
        assert line.x1 < width + 0.5, f"{line} ends right of the figure, {width:.0f} wide"
        assert line.y1 < height + 0.5, f"{line} ends above the figure, {height:.0f} high"
    for first, second in combinations(lines, 2):
        assert not first.overlaps(second), f"{first} overlaps {second}"


def legend_names(figure: Figure) -> list[str]:
    """Return the entries of the legend of a figure."""
    (legend,) = figure.subfigs[0].legends
    return [text.get_text() for text in legend.get_texts()]


def texts(figure: Figure) -> str:
    """Return the title and the caption of a figure, with single spaces."""
    return " ".join(f"{figure.get_suptitle()} {figure.get_supxlabel()}".split())


def assert_labelled(figure: Figure) -> None:
    """Check that each axis with tick labels has a label, and a unit if they are numbers.

    Args:
        figure: a figure that has been drawn, since drawing determines the tick labels.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            name = axis.label.get_text()
            shown = _shown_tick_labels(axis)
            if shown:
                assert name, f"no label next to {shown}"
            if shown and all(_NUMBER.fullmatch(text) for text in shown):
                assert _UNIT.search(name.replace("\n", " ")), f"no unit in {name!r}"


def _shown_tick_labels(axis: Axis) -> list[str]:
    """Return the visible tick labels of an axis."""
    labels = [label for tick in axis._update_ticks() for label in (tick.label1, tick.label2)]
    return [label.get_text() for label in labels if label.get_visible() and label.get_text()]


def assert_right(figure: Figure, size: str) -> None:
    """Check that a figure is legible and labelled, and has the width and text sizes of a size."""
    assert_legible(figure)
    assert_labelled(figure)
    points = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text().strip()]
    if size == "screen":
        assert min(points) >= 7.4
    else:
        assert figure.get_figwidth() == _WIDTHS[size]
        assert min(points) >= 6.99
        assert max(points) <= 8.4

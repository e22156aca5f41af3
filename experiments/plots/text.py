"""Text that fits: measured, folded over lines, cut where it must be, also around panels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from experiments.plots.fonts import font_families

SMALL = "small"
"""Size of the smallest text of any figure: 7.5 points on a screen, 7 in a paper."""

_PIECES = re.compile(r"[^_/:-]+[_/:-]*|[_/:-]+")
_MOST_LINES = 5
_GAP = 6  # points between a title and what stands to the right of it
_UNIT = re.compile(r"\([^()]*\)$")


def text_width(text: str, size: float | str = SMALL, weight: str = "normal") -> float:
    """Width of the longest line in points, in the current style.

    Args:
        text: one or more lines.
        size: in points, or one of matplotlib's names of sizes.
        weight: of the letters.
    """
    points = FontProperties(size=size).get_size_in_points()
    return points * max(_ems(line, weight) for line in text.split("\n"))


@lru_cache(maxsize=4096)
def _ems(line: str, weight: str) -> float:
    """Width of a line in font sizes."""
    font = FontProperties(family=font_families(), size=100, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 100


TextSize = Literal["figure.titlesize", "figure.labelsize", "legend.fontsize", "ytick.labelsize"]


def points_of(setting: TextSize) -> float:
    """The size of some text of the current style."""
    return FontProperties(size=mpl.rcParams[setting]).get_size_in_points()


def height_of(text: str, size: float) -> float:
    """Height of some lines of text, in points."""
    return 1.25 * size * (text.count("\n") + 1)


def legend_shape(names: Sequence[str], most: int, room: float) -> tuple[int, float]:
    """Columns of a legend that is no wider than `room`, and its height, both in points."""
    size = points_of("legend.fontsize")
    columns = min(most, len(names))
    while columns > 1:  # matplotlib splits the entries in the same way
        parts = np.array_split(np.array([text_width(name, size) for name in names]), columns)
        if sum(part.max() + 2.5 * size for part in parts) + 1.4 * size * columns <= room:
            break
        columns -= 1
    return columns, 1.76 * size * -(-len(names) // columns)


def least_width(text: str) -> float:
    """The width in points below which `folded` would break within a part of a word."""
    pieces = [piece for word in text.split() for piece in _PIECES.findall(word)]
    return max(map(text_width, pieces), default=0.0)


def folded(
    text: str,
    width: float,
    *,
    size: float | str = SMALL,
    weight: str = "normal",
    most_lines: int | None = None,
) -> str:
    """The text over as many lines as it needs to be no wider than `width` points.

    Lines break at spaces; a word that is too wide for a line of its own breaks after underscores
    and the like, or anywhere. Of more than `most_lines` the rest is cut, and an ellipsis says so.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for gap, piece in _pieces(paragraph, width, size, weight):
            if line and text_width(line + gap + piece, size, weight) > width:
                lines.append(line)
                line = piece
            else:
                line += (gap if line else "") + piece
        lines.append(line)
    if most_lines is None or len(lines) <= most_lines:
        return "\n".join(lines)
    last = lines[most_lines - 1]
    while last and text_width(last + "…", size, weight) > width:
        last = last[:-1]
    return "\n".join([*lines[: most_lines - 1], last.rstrip() + "…"])


def balanced(
    text: str, width: float, *, size: float | str = SMALL, most_lines: int | None = None
) -> str:
    """The text over as few lines as `folded` needs, each about as long as the others."""
    paragraphs = []
    for paragraph in text.split("\n"):
        n_breaks = folded(paragraph, width, size=size).count("\n")
        narrow = max(text_width(word, size) for word in paragraph.split(" "))
        wide = width
        for _ in range(8 if n_breaks and narrow < wide else 0):  # bisects
            middle = (narrow + wide) / 2
            needs_more = folded(paragraph, middle, size=size).count("\n") > n_breaks
            narrow, wide = (middle, wide) if needs_more else (narrow, middle)
        paragraphs.append(folded(paragraph, wide, size=size) if n_breaks else paragraph)
    return folded("\n".join(paragraphs), width, size=size, most_lines=most_lines)


def _pieces(text: str, width: float, size: float | str, weight: str) -> Iterator[tuple[str, str]]:
    """What may stand on a line of its own, each with what parts it from the piece before it."""
    for word in text.split(" "):
        if text_width(word, size, weight) <= width:
            yield " ", word
            continue
        gap = " "
        for piece in _PIECES.findall(word):
            for part in [piece] if text_width(piece, size, weight) <= width else piece:
                yield gap, part
                gap = ""


def fold_names(figure: Figure, layout: ConstrainedLayoutEngine) -> None:
    """Break titles and labels of panels where they would reach into something else.

    Args:
        figure: with its panels.
        layout: which gives the panels their places.
    """
    whole = {text: text.get_text() for axes in figure.axes for text in _names(axes)}
    titles = [_names(axes)[0] for axes in figure.axes]
    for axes, title in zip(figure.axes, titles, strict=True):
        # a title much wider than its panel would press all panels together
        title.set_text(balanced(whole[title], panel_width(axes), size=_size_of(title)))
    rooms = dict.fromkeys(whole, np.inf)
    for _ in range(5):  # what breaks moves its panel
        layout.execute(figure)  # gives the panels their places
        is_settled = True
        for axes in figure.axes:
            for text, room in zip(_names(axes), _rooms(figure, axes), strict=True):
                rooms[text] = min(room, rooms[text])  # never back and forth
        least = min((rooms[title] for title in titles if whole[title]), default=np.inf)
        rooms.update((title, least) for title in titles)  # titles side by side break alike
        for axes in figure.axes:
            for text in _names(axes):
                broken = _broken(whole[text], rooms[text], _size_of(text))
                is_settled = is_settled and broken == text.get_text()
                text.set_text(broken)
        if is_settled:
            break


def panel_width(axes: Axes) -> float:
    """Points across the figure that belong to one of its columns of panels."""
    spec = axes.get_subplotspec()
    figure = axes.get_figure(root=True)
    columns = 1 if spec is None else spec.get_gridspec().ncols
    return 72 * figure.get_figwidth() / columns if figure else np.inf


def _broken(text: str, room: float, size: float) -> str:
    """Text over lines of at most `room` points, if possible with its unit on one line."""
    if text_width(text, size) <= room:
        return text
    unit = _UNIT.search(text)
    if unit and text_width(unit[0], size) <= room:
        before = text[: unit.start()].rstrip()
        together = text_width(f"{before.split(' ')[-1]} {unit[0]}", size)
        has_company = " " not in unit[0] and together <= room  # a short unit is not left alone
        gap = "\N{NO-BREAK SPACE}" if has_company else " "
        text = before + gap + unit[0].replace(" ", "\N{NO-BREAK SPACE}")
    return balanced(text, room, size=size, most_lines=_MOST_LINES)


def _names(axes: Axes) -> tuple[Text, Text, Text]:
    """The title of a panel and the labels of its axes."""
    title = axes.get_title(loc="left")
    texts = (child for child in axes.get_children() if isinstance(child, Text))
    return (
        next(text for text in texts if text.get_text() == title),
        axes.xaxis.label,
        axes.yaxis.label,
    )


def _rooms(figure: Figure, axes: Axes) -> tuple[float, float, float]:
    """How long those may be, in points."""
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    others = [other.get_position() for other in figure.axes if other.get_visible()]
    right = min((other.x0 for other in others if other.x0 > box.x1 - 1e-6), default=1.0)
    return (right - box.x0) * width - _GAP, box.width * width, box.height * height


def _size_of(text: Text) -> float:
    """In points."""
    return float(text.get_fontsize())

"""Text of figures: measured in points, and folded or cut so that it fits."""

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
_LINES_MAX = 5  # of a title or label of a panel; more would take a third of its height
_GAP = 6  # points between a title and the panel to the right of it
_UNIT = re.compile(r"\([^()]*\)$")


def text_width(text: str, size: float | str = SMALL, weight: str = "normal") -> float:
    """Return the width of the longest line in points, in the current style.

    Args:
        text: one or more lines.
        size: size in points, or one of matplotlib's names of sizes.
        weight: weight of the font.
    """
    points = FontProperties(size=size).get_size_in_points()
    return points * max(_ems(line, weight) for line in text.split("\n"))


@lru_cache(maxsize=4096)
def _ems(line: str, weight: str) -> float:
    """Return the width of a line, in units of the font size."""
    font = FontProperties(family=font_families(), size=100, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 100


TextSize = Literal["figure.titlesize", "figure.labelsize", "legend.fontsize", "ytick.labelsize"]


def points_of(setting: TextSize) -> float:
    """Return the size in points of a setting of the current style."""
    return FontProperties(size=mpl.rcParams[setting]).get_size_in_points()


def height_of(text: str, size: float) -> float:
    """Return the height of a text in points, of which each line takes 1.25 font sizes."""
    return 1.25 * size * (text.count("\n") + 1)


def legend_shape(names: Sequence[str], most: int, room: float) -> tuple[int, float]:
    """Return the number of columns of a legend, and its height in points.

    Args:
        names: names of its entries.
        most: largest number of columns.
        room: width of the legend in points.
    """
    # The factors of the font size are matplotlib's handle lengths, pads and column spacing.
    size = points_of("legend.fontsize")
    columns = min(most, len(names))
    while columns > 1:  # matplotlib splits the entries in the same way
        parts = np.array_split(np.array([text_width(name, size) for name in names]), columns)
        if sum(part.max() + 2.5 * size for part in parts) + 1.4 * size * columns <= room:
            break
        columns -= 1
    return columns, 1.76 * size * -(-len(names) // columns)


def least_width(text: str) -> float:
    """Return the width in points of the widest part of a text that `folded` need not break."""
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
    """Return a text folded into lines of at most `width` points.

    Lines break at spaces. A word that is too wide for a line breaks after an underscore, slash,
    colon or hyphen, or anywhere if it has none.

    Args:
        text: one or more paragraphs, separated by line ends.
        width: width in points.
        size: size of the font.
        weight: weight of the font.
        most_lines: largest number of lines; the rest is replaced by an ellipsis.
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
    """Return a text folded into as few lines as by `folded`, but of similar lengths.

    Args:
        text: one or more paragraphs, separated by line ends.
        width: width in points.
        size: size of the font.
        most_lines: largest number of lines; the rest is replaced by an ellipsis.
    """
    paragraphs = []
    for paragraph in text.split("\n"):
        n_breaks = folded(paragraph, width, size=size).count("\n")
        narrow = max(text_width(word, size) for word in paragraph.split(" "))
        wide = width
        # Bisection for the narrowest width without a further line; eight steps are exact to 1 %.
        for _ in range(8 if n_breaks and narrow < wide else 0):
            middle = (narrow + wide) / 2
            needs_more = folded(paragraph, middle, size=size).count("\n") > n_breaks
            narrow, wide = (middle, wide) if needs_more else (narrow, middle)
        paragraphs.append(folded(paragraph, wide, size=size) if n_breaks else paragraph)
    return folded("\n".join(paragraphs), width, size=size, most_lines=most_lines)


def _pieces(text: str, width: float, size: float | str, weight: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text that may stand on a line, each with the gap before it."""
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
    """Fold the titles and labels of panels that would overlap other parts of the figure.

    Args:
        figure: the figure with its panels.
        layout: layout that places the panels.
    """
    whole = {text: text.get_text() for axes in figure.axes for text in _names(axes)}
    titles = [_names(axes)[0] for axes in figure.axes]
    for axes, title in zip(figure.axes, titles, strict=True):
        # The layout would shrink all panels to make space for a title wider than its panel.
        title.set_text(balanced(whole[title], panel_width(axes), size=_size_of(title)))
    rooms = dict.fromkeys(whole, np.inf)
    # A folded text is taller and moves its panel, which may need a further pass.
    for _ in range(5):
        layout.execute(figure)  # places the panels
        is_settled = True
        for axes in figure.axes:
            for text, room in zip(_names(axes), _rooms(figure, axes), strict=True):
                rooms[text] = min(room, rooms[text])  # only shrinks, so that the passes end
        least = min((rooms[title] for title in titles if whole[title]), default=np.inf)
        rooms.update((title, least) for title in titles)  # equal widths look tidier
        for axes in figure.axes:
            for text in _names(axes):
                broken = _broken(whole[text], rooms[text], _size_of(text))
                is_settled = is_settled and broken == text.get_text()
                text.set_text(broken)
        if is_settled:
            break


def panel_width(axes: Axes) -> float:
    """Return the width in points of a column of panels in the figure of a panel."""
    spec = axes.get_subplotspec()
    figure = axes.get_figure(root=True)
    columns = 1 if spec is None else spec.get_gridspec().ncols
    return 72 * figure.get_figwidth() / columns if figure else np.inf


def _broken(text: str, room: float, size: float) -> str:
    """Return a text in lines of at most `room` points, with its unit on one line if possible."""
    if text_width(text, size) <= room:
        return text
    unit = _UNIT.search(text)
    if unit and text_width(unit[0], size) <= room:
        before = text[: unit.start()].rstrip()
        together = text_width(f"{before.split(' ')[-1]} {unit[0]}", size)
        # A short unit stays on the line of the last word.
        has_company = " " not in unit[0] and together <= room
        gap = "\N{NO-BREAK SPACE}" if has_company else " "
        text = before + gap + unit[0].replace(" ", "\N{NO-BREAK SPACE}")
    return balanced(text, room, size=size, most_lines=_LINES_MAX)


def _names(axes: Axes) -> tuple[Text, Text, Text]:
    """Return the title of a panel and the labels of its axes, horizontal and vertical."""
    title = axes.get_title(loc="left")
    texts = (child for child in axes.get_children() if isinstance(child, Text))
    return (
        next(text for text in texts if text.get_text() == title),
        axes.xaxis.label,
        axes.yaxis.label,
    )


def _rooms(figure: Figure, axes: Axes) -> tuple[float, float, float]:
    """Return the widths in points available to the texts of `_names`."""
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    others = [other.get_position() for other in figure.axes if other.get_visible()]
    right = min((other.x0 for other in others if other.x0 > box.x1 - 1e-6), default=1.0)
    return (right - box.x0) * width - _GAP, box.width * width, box.height * height


def _size_of(text: Text) -> float:
    """Return the size of a text in points."""
    return float(text.get_fontsize())

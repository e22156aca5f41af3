"""Functions that measure text of figures in points, and fold or cut text so that it fits."""

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
# Maximum number of lines of a panel's title or label; more would take a third of its height.
_LINES_MAX = 5
_GAP = 6  # minimum distance between a title and the next panel, in points; chosen by eye
_UNIT = re.compile(r"\([^()]*\)$")


def text_width(text: str, size: float | str = SMALL, weight: str = "normal") -> float:
    """Return the width of a text's longest line in points, in the current style.

    Args:
        text: text of one or more lines.
        size: font size in points, or a name of matplotlib such as `small`.
        weight: font weight.
    """
    points = FontProperties(size=size).get_size_in_points()
    return points * max(_ems(line, weight) for line in text.split("\n"))


@lru_cache(maxsize=4096)
def _ems(line: str, weight: str) -> float:
    """Return the width of a line of text in units of the font size, with a cache."""
    font = FontProperties(family=font_families(), size=100, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 100


TextSize = Literal["figure.titlesize", "figure.labelsize", "legend.fontsize", "ytick.labelsize"]


def points_of(setting: TextSize) -> float:
    """Return the font size in points that a setting of the current style prescribes."""
    return FontProperties(size=mpl.rcParams[setting]).get_size_in_points()


def height_of(text: str, size: float) -> float:
    """Return the height of a text in points, at 1.25 times the font size per line.

    Args:
        text: text of one or more lines.
        size: font size in points.
    """
    return 1.25 * size * (text.count("\n") + 1)


def legend_shape(names: Sequence[str], most: int, room: float) -> tuple[int, float]:
    """Return the maximum number of columns with which a legend fits, and its height in points.

    A legend that is too wide even with one column has one column.

    Args:
        names: names of the legend's entries.
        most: maximum number of columns.
        room: maximum width of the legend in points.
    """
    # The factors of the font size are matplotlib's handle lengths, pads and column spacing.
    size = points_of("legend.fontsize")
    columns = min(most, len(names))
    while columns > 1:  # matplotlib distributes entries over columns like `array_split`
        parts = np.array_split(np.array([text_width(name, size) for name in names]), columns)
        if sum(part.max() + 2.5 * size for part in parts) + 1.4 * size * columns <= room:
            break
        columns -= 1
    return columns, 1.76 * size * -(-len(names) // columns)


def least_width(text: str) -> float:
    """Return the minimum width in points for which `folded` breaks a text only at separators.

    Separators are spaces, underscores, slashes, colons and hyphens.
    """
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
    colon or hyphen. Parts that are still too wide break between any two characters.

    Args:
        text: one or more paragraphs, separated by line ends.
        width: maximum width of a line in points.
        size: font size in points, or a name of matplotlib such as `small`.
        weight: font weight.
        most_lines: maximum number of lines, after which an ellipsis replaces the rest; `None` for
            no limit.
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
    """Return a text folded into the same number of lines as by `folded`, but of similar lengths.

    Args:
        text: one or more paragraphs, separated by line ends.
        width: maximum width of a line in points.
        size: font size in points, or a name of matplotlib such as `small`.
        most_lines: maximum number of lines, after which an ellipsis replaces the rest; `None` for
            no limit.
    """
    paragraphs = []
    for paragraph in text.split("\n"):
        n_breaks = folded(paragraph, width, size=size).count("\n")
        narrow = max(text_width(word, size) for word in paragraph.split(" "))
        wide = width
        # Bisection finds the minimum width without an additional line, after eight steps to 1 %.
        for _ in range(8 if n_breaks and narrow < wide else 0):
            middle = (narrow + wide) / 2
            needs_more = folded(paragraph, middle, size=size).count("\n") > n_breaks
            narrow, wide = (middle, wide) if needs_more else (narrow, middle)
        paragraphs.append(folded(paragraph, wide, size=size) if n_breaks else paragraph)
    return folded("\n".join(paragraphs), width, size=size, most_lines=most_lines)


def _pieces(text: str, width: float, size: float | str, weight: str) -> Iterator[tuple[str, str]]:
    """Yield the parts into which a text may be broken, each with the gap before it.

    The gap is a space, or empty within a word. Only words wider than `width` points are split.
    """
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
    """Fold the titles and axis labels of panels that would overlap other parts of the figure.

    Args:
        figure: figure with finished panels.
        layout: layout engine that places the panels.
    """
    whole = {text: text.get_text() for axes in figure.axes for text in _names(axes)}
    titles = [_names(axes)[0] for axes in figure.axes]
    for axes, title in zip(figure.axes, titles, strict=True):
        # The layout would shrink all panels to make space for a title wider than its panel.
        title.set_text(balanced(whole[title], panel_width(axes), size=_size_of(title)))
    rooms = dict.fromkeys(whole, np.inf)
    # A folded text is taller and moves its panel, which may need another pass. The number of
    # passes was chosen by hand; without a change, the loop ends earlier.
    for _ in range(5):
        layout.execute(figure)  # computes the positions of the panels, on which `_rooms` depends
        is_settled = True
        for axes in figure.axes:
            for text, room in zip(_names(axes), _rooms(figure, axes), strict=True):
                rooms[text] = min(room, rooms[text])  # never grows, so that the passes converge
        least = min((rooms[title] for title in titles if whole[title]), default=np.inf)
        rooms.update((title, least) for title in titles)  # equal widths give a tidier figure
        for axes in figure.axes:
            for text in _names(axes):
                broken = _broken(whole[text], rooms[text], _size_of(text))
                is_settled = is_settled and broken == text.get_text()
                text.set_text(broken)
        if is_settled:
            break


def panel_width(axes: Axes) -> float:
    """Return the width in points of a column of panels, in the figure that contains a panel."""
    spec = axes.get_subplotspec()
    figure = axes.get_figure(root=True)
    columns = 1 if spec is None else spec.get_gridspec().ncols
    return 72 * figure.get_figwidth() / columns if figure else np.inf


def _broken(text: str, room: float, size: float) -> str:
    """Return a label folded into lines of at most `room` points, at most `_LINES_MAX`.

    A unit in parentheses at the end stays on one line, if it fits.

    Args:
        text: title or axis label of a panel.
        room: maximum width of a line in points.
        size: font size in points.
    """
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
    """Return the title of a panel and the labels of its horizontal and vertical axis."""
    title = axes.get_title(loc="left")
    texts = (child for child in axes.get_children() if isinstance(child, Text))
    return (
        next(text for text in texts if text.get_text() == title),
        axes.xaxis.label,
        axes.yaxis.label,
    )


def _rooms(figure: Figure, axes: Axes) -> tuple[float, float, float]:
    """Return the available widths in points of a panel's title, horizontal and vertical label.

    A title may extend to the next panel on the right; a label may be as long as its axis.
    """
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    others = [other.get_position() for other in figure.axes if other.get_visible()]
    right = min((other.x0 for other in others if other.x0 > box.x1 - 1e-6), default=1.0)
    return (right - box.x0) * width - _GAP, box.width * width, box.height * height


def _size_of(text: Text) -> float:
    """Return the font size of a text in points."""
    return float(text.get_fontsize())

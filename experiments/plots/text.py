"""Functions that measure text of figures in points, and fold or cut text so that it fits.

The layout of matplotlib places all text. Its automatic wrapping is not used, since it breaks text
only at spaces, which names of decks may lack, and only at the edge of the figure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from experiments.plots.fonts import font_families

SMALL = "small"
"""Size of the smallest text of any figure: 7.5 points on a screen, 7 in a paper."""

# Maximum width of the names of rows, relative to the size of their text. Chosen by eye: most names
# of cards and decks have one line, and more than half of a narrow panel is left for its data.
_NAME_EMS = 13.0


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
    colon or hyphen, and a part that is still too wide between any two characters.

    Args:
        text: one or more paragraphs, separated by line ends.
        width: maximum width of a line in points.
        size: font size in points, or a name of matplotlib such as `small`.
        weight: font weight.
        most_lines: maximum number of lines, after which an ellipsis replaces the rest; `None` for
            no limit.
    """
    lines = []
    for paragraph in text.split("\n"):
        rest = paragraph
        while rest:
            line = _first_line(rest, width, size, weight)
            rest = rest[len(line) :].lstrip(" ")
            lines.append(line)
    if most_lines is not None and len(lines) > most_lines:
        last = lines[most_lines - 1]
        while last and text_width(last + "…", size, weight) > width:
            last = last[:-1]
        lines[most_lines - 1 :] = [last.rstrip() + "…"]
    return "\n".join(lines)


def _first_line(text: str, width: float, size: float | str, weight: str) -> str:
    """Return the longest beginning of a text that may be a line; see `folded`."""
    ends = range(1, len(text) + 1)
    n = bisect_right(ends, width, key=lambda end: text_width(text[:end], size, weight))
    if n == len(text):
        return text
    most = max(n, 1)
    at_space = rf".{{1,{most}}}(?= )"
    after_sign = rf".{{0,{most - 1}}}[_/:-]"
    match = re.match(rf"{at_space}|{after_sign}|.{{1,{most}}}", text)
    return match[0] if match else text


def row_names(names: Iterable[str], *, most_lines: int = 2) -> list[str]:
    """Return names for the rows of a panel, folded or cut to a width that leaves space for data.

    Args:
        names: names of the rows.
        most_lines: maximum number of lines, after which an ellipsis replaces the rest.
    """
    size = float(rcParams["ytick.labelsize"])
    return [folded(name, _NAME_EMS * size, size=size, most_lines=most_lines) for name in names]


def row_height(names: Iterable[str], least: float = 0) -> float:
    """Return the height in inches of a row of a panel, so that names of rows do not overlap.

    Args:
        names: names of all rows, for instance from `row_names`.
        least: minimum height in inches.
    """
    return max(least, 0.06 + 0.14 * (1 + max((name.count("\n") for name in names), default=0)))

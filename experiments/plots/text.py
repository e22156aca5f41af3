"""Text that fits: measured, folded over lines, cut where it must be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

SMALL = "small"
"""Size of the smallest text of any figure: 7.5 points on a screen, 7 in a paper."""

_PIECES = re.compile(r"[^_/:-]+[_/:-]*|[_/:-]+")


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
    font = FontProperties(family="DejaVu Sans", size=100, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 100


def least_width(text: str, size: float | str = SMALL) -> float:
    """The width in points below which `folded` would break within a part of a word."""
    pieces = [piece for word in text.split() for piece in _PIECES.findall(word)]
    return max((text_width(piece, size) for piece in pieces), default=0.0)


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
        narrow, wide = max(text_width(word, size) for word in paragraph.split(" ")), width
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
            fits = text_width(piece, size, weight) <= width
            for part in [piece] if fits else piece:
                yield gap, part
                gap = ""

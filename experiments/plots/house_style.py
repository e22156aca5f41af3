"""Style and size of all figures, which the code around a figure sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal, get_args

import matplotlib.style

from experiments.plots.fonts import font_families
from sim.errors import known_word

Size = Literal["screen", "page", "column"]
_STYLE_FILE, _PAPER_FILE = (
    Path(__file__).with_name(name) for name in ("style.mplstyle", "paper.mplstyle")
)
_size: ContextVar[Size] = ContextVar("figure_size", default="screen")


@contextmanager
def figure_size(size: Size) -> Iterator[None]:
    """Set the size of all figures that are created in the `with` block.

    Args:
        size: `screen` for run folders and notebooks; `page` (7 inches wide) or `column` (3.4
            inches wide) for a paper, with text of 7 to 8 points.

    Raises:
        InputError: `size` is not the name of a size.
    """
    known_word("figure size", size, get_args(Size))
    token = _size.set(size)
    try:
        yield
    finally:
        _size.reset(token)


def current_size() -> Size:
    """Return the size at which new figures are created, as set by `figure_size`."""
    return _size.get()


@contextmanager
def house_style(size: Size | None = None) -> Iterator[None]:
    """Apply the style of this package in the `with` block; restore matplotlib's settings after it.

    Args:
        size: size of the figures; `None` for the size set by `figure_size`.
    """
    files = [_STYLE_FILE] if (size or _size.get()) == "screen" else [_STYLE_FILE, _PAPER_FILE]
    with matplotlib.style.context(["default", *files, {"font.family": font_families()}]):
        yield

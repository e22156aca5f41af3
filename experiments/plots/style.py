"""What all figures share: one style, one palette that colour-blind readers can tell apart."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib.style
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette; whatever a colour says, a marker or a place says too.
BLUE, ORANGE, GREEN, VERMILION, PURPLE = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7"
GREY, PALE, DARK = "#767676", "#C4C4C4", "#222222"
BAND = "#DCEFE7"

SMALL = 7.5  # points; the smallest text of any figure
_STYLE_FILE = Path(__file__).with_name("style.mplstyle")
_TITLE_SIZE, _CAPTION_SIZE = 11, 8  # as in the style file
_TITLE_EM, _CAPTION_EM = 0.64, 0.55  # mean width of a letter, bold and regular, in font sizes
_LEGEND_ROW = 15  # points
_MARGIN = 6  # points around title, legend and caption


@contextmanager
def house_style() -> Iterator[None]:
    """The house style, whatever the caller's own settings; those come back untouched."""
    with matplotlib.style.context(["default", _STYLE_FILE]):
        yield


def panels(
    width: float,
    height: float,
    rows: int = 1,
    columns: int = 1,
    *,
    height_ratios: Sequence[float] | None = None,
    sharex: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure of `width` by `height` inches, and its panels row by row."""
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(rows, columns, squeeze=False, sharex=sharex, height_ratios=height_ratios)
    return figure, list(grid.ravel())


def label(
    figure: Figure, title: str, caption: str, *, legend_of: Axes | None = None, columns: int = 4
) -> None:
    """Put the title above everything and the caption below it, both wrapped to the figure.

    Args:
        figure: the figure, otherwise finished.
        title: of the figure.
        caption: what is shown, with sample sizes.
        legend_of: the panel whose legend stands under the title.
        columns: of the legend.
    """
    width, height = figure.get_size_inches() * 72
    heading = textwrap.fill(title, int(0.97 * width / (_TITLE_SIZE * _TITLE_EM)))
    caption = caption.replace("n = ", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    note = textwrap.fill(caption, int(0.97 * width / (_CAPTION_SIZE * _CAPTION_EM)))
    above = _MARGIN + _height(heading, _TITLE_SIZE)
    texts = [
        figure.suptitle(heading, y=1 - _MARGIN / height, va="top"),
        figure.supxlabel(note, y=_MARGIN / height, va="bottom"),
    ]
    for text in texts:
        text.set(x=_MARGIN / width, ha="left", multialignment="left", in_layout=False)
    if legend_of is not None:
        handles, names = legend_of.get_legend_handles_labels()
        legend = figure.legend(
            handles,
            names,
            loc="upper left",
            bbox_to_anchor=(0.0, 1 - above / height),
            ncols=columns,
        )
        legend.set_in_layout(False)
        above += _LEGEND_ROW * -(-len(names) // columns) + _MARGIN
    below = 1.5 * _MARGIN + _height(note, _CAPTION_SIZE)
    rest = (0, below / height, 1, 1 - (above + below) / height)
    figure.set_layout_engine("constrained", rect=rest)


def _height(text: str, size: float) -> float:
    """Height of some lines of text, in points."""
    return 1.25 * size * (text.count("\n") + 1)


def wrapped(name: str, width: int) -> str:
    """A name over several lines, broken at spaces and underscores where it has any."""
    lines = textwrap.wrap(name.replace("_", "_ "), width, break_on_hyphens=False)
    return "\n".join(line.replace("_ ", "_") for line in lines)


def shortened(name: str, width: int) -> str:
    """A name cut to `width` characters."""
    return name if len(name) <= width else name[: width - 1].rstrip() + "…"


def whiskers(
    estimate: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """``[2, n]`` distances from estimates to their bounds, for error bars."""
    centre = np.atleast_1d(np.asarray(estimate, dtype=np.float64))
    below, above = centre - np.asarray(low), np.asarray(high) - centre
    lengths: npt.NDArray[np.float64] = np.maximum(np.stack([below, above]), 0)
    return lengths


def level(confidence: float) -> str:
    """A confidence level as people write it: `95 %`, `99.17 %`."""
    return f"{round(100 * confidence, 2):g} %"


def counted(numbers: Sequence[int]) -> str:
    """How many there are: `20,000`, or `3,311 to 8,677`."""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"

"""Style of all figures: a palette for colour-blind readers, sizes, and layout of panels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, get_args

import matplotlib.style
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from balance.statistics.intervals import Interval
from experiments.plots.fonts import font_families
from experiments.plots.text import fold_names, folded, height_of, legend_shape, points_of
from sim.errors import known_word

# Palette of Okabe and Ito (2008); a marker or a position repeats what a colour shows.
BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#606060"
PALE = "#BBBBBB"
DARK = "#222222"
BAND = "#DCEFE7"

Size = Literal["screen", "page", "column"]
_WIDTHS = {"page": 7.0, "column": 3.4}  # inches: usual widths of a journal's page and column
_SCREEN_MAX = 11.0  # inches; chosen by eye: a wider figure is scaled down in a notebook
_STYLE_FILE, _PAPER_FILE = (
    Path(__file__).with_name(name) for name in ("style.mplstyle", "paper.mplstyle")
)
_TEXT_SCALE = {"screen": 1.0, "page": 0.84, "column": 0.84}  # size of text; heights scale with it
_MARGIN = 6  # points around title, legend and caption; chosen by eye

_size: ContextVar[Size] = ContextVar("figure_size", default="screen")


@contextmanager
def figure_size(size: Size) -> Iterator[None]:
    """Draw the figures of the block at a size.

    Args:
        size: `screen`, for run folders and notebooks; `page` or `column`, 7 or 3.4 inches wide,
            with text of 7 to 8 points, for the whole width of a paper's page or one column of two.

    Raises:
        InputError: there is no such size.
    """
    known_word("figure size", size, get_args(Size))
    token = _size.set(size)
    try:
        yield
    finally:
        _size.reset(token)


def is_on(size: Size) -> bool:
    """Return whether figures are being drawn at a size."""
    return _size.get() == size


@contextmanager
def house_style(size: Size | None = None) -> Iterator[None]:
    """Apply the style of this package in the block; the caller's own settings return after it.

    Args:
        size: size of the figures; default the current one.
    """
    files = [_STYLE_FILE] if (size or _size.get()) == "screen" else [_STYLE_FILE, _PAPER_FILE]
    with matplotlib.style.context(["default", *files, {"font.family": font_families()}]):
        yield


class HouseFigure(Figure):
    """A figure that is always drawn in the style of its creation, and that notebooks display.

    Attributes:
        size: size at which the figure was created.
    """

    def __init__(self, width: float, height: float) -> None:
        """Make an empty figure of a width and a height in inches."""
        self.size = _size.get()
        super().__init__(figsize=(width, height))

    def draw(self, renderer: RendererBase) -> None:
        """Draw in the style in which the figure was made."""
        with house_style(self.size):
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """Return the figure as a PNG file for notebooks, of at most 150 dots per inch."""
        from experiments.plots.files import figure_png  # noqa: PLC0415 (would be circular)

        return figure_png(self, dpi=min(150, int(self.dpi)))


def drawn_width(width: float) -> float:
    """Return the width in points of a figure that is `width` inches wide on a screen."""
    return 72 * _WIDTHS.get(_size.get(), min(width, _SCREEN_MAX))


def panels(
    width: float,
    height: float,
    rows: int = 1,
    columns: int = 1,
    *,
    height_ratios: Sequence[float] | None = None,
    width_ratios: Sequence[float] | None = None,
    sharex: bool = False,
) -> tuple[Figure, list[Axes]]:
    """Return a figure and its panels, row by row.

    Args:
        width: width of the figure on a screen, in inches; in a paper it is that of page or column.
        height: height of all panels on a screen, in inches; `label` adds the height of text.
        rows: number of rows of panels.
        columns: number of columns of panels, see `fit_columns`.
        height_ratios: relative heights of the rows.
        width_ratios: relative widths of the columns.
        sharex: whether all panels have the same horizontal axis.
    """
    figure = HouseFigure(drawn_width(width) / 72, height * _TEXT_SCALE[_size.get()])
    grid = figure.subplots(
        rows,
        columns,
        squeeze=False,
        sharex=sharex,
        height_ratios=height_ratios,
        width_ratios=width_ratios,
    )
    return figure, list(grid.ravel())


def panel_grid(
    n_panels: int,
    *,
    most: int,
    narrowest: float,
    width: float,
    height: float,
    alone: float = 0,
    beside: float = 0,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of equal size in as many columns as fit, and the panels.

    Args:
        n_panels: number of panels.
        most: largest number of columns.
        narrowest: smallest width of a panel in a paper, in inches.
        width: width of a panel on a screen, in inches.
        height: height of a panel on a screen, in inches.
        alone: width in inches that is added to a single column.
        beside: width in inches that is added next to the panels.
    """
    columns = fit_columns(n_panels, most=most, narrowest=narrowest)
    rows = -(-n_panels // columns)
    whole = width * columns + beside + (alone if columns == 1 else 0)
    figure, grid = panels(whole, height * rows, rows, columns)
    for axes in grid[n_panels:]:
        axes.set_visible(False)
    return figure, grid[:n_panels]


def name_rows(
    axes: Axes,
    names: Sequence[str],
    *,
    n_rows: int = 0,
    edge: float = 0.6,
    has_lines: bool = False,
) -> None:
    """Name the rows of a panel, from the top.

    Args:
        axes: the panel.
        names: names of the rows, see `tick_name`.
        n_rows: number of rows that the panel has space for, if larger.
        edge: distance from the middle of the first row to the frame, in rows.
        has_lines: whether each row has a line of the grid.
    """
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), n_rows) - 1 + edge, -edge)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=has_lines, axis="y")


def fit_columns(n_panels: int, *, most: int, narrowest: float) -> int:
    """Return the number of columns of panels: as many as fit, with rows of similar length.

    Args:
        n_panels: number of panels.
        most: largest number of columns.
        narrowest: smallest width of a panel in a paper, in inches.
    """
    columns = max(1, int(min(n_panels, most, _WIDTHS.get(_size.get(), np.inf) / narrowest)))
    rows = -(-n_panels // columns)
    return max(1, -(-n_panels // rows))


def label(
    figure: Figure, title: str, caption: str, *, legend_of: Axes | None = None, columns: int = 4
) -> Figure:
    """Add title and legend above the panels of a figure, and a caption below; return the figure.

    The figure grows by the height of the text, so that the panels keep their sizes.

    Args:
        figure: the figure with finished panels.
        title: title of the figure.
        caption: caption, with sample sizes.
        legend_of: panel with the entries of the legend; default no legend.
        columns: largest number of columns of the legend.
    """
    width, height = figure.get_size_inches() * 72
    room = width - 2 * _MARGIN
    title_size = points_of("figure.titlesize")
    caption_size = points_of("figure.labelsize")
    heading = folded(title, 0.97 * room, size=title_size, weight="bold")
    caption = caption.replace("n = ", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    note = folded(caption, 0.97 * room, size=caption_size)
    above = _MARGIN + height_of(heading, title_size)
    legend_top = above
    if legend_of is not None:
        handles, names = legend_of.get_legend_handles_labels()
        columns, legend_height = legend_shape(names, columns, room) if names else (1, 0.0)
        above += legend_height + _MARGIN
    below = 1.5 * _MARGIN + height_of(note, caption_size)
    whole = above + height + below
    figure.set_size_inches(width / 72, whole / 72)
    texts = [
        figure.suptitle(heading, y=1 - _MARGIN / whole, va="top"),
        figure.supxlabel(note, y=_MARGIN / whole, va="bottom"),
    ]
    for text in texts:
        text.set(x=_MARGIN / width, ha="left", multialignment="left", in_layout=False)
    if legend_of is not None:
        legend = figure.legend(
            handles,
            names,
            loc="upper left",
            bbox_to_anchor=(0.0, 1 - legend_top / whole),
            ncols=columns,
        )
        legend.set_in_layout(False)
    layout = ConstrainedLayoutEngine(rect=(0, below / whole, 1, height / whole))
    figure.set_layout_engine(layout)
    fold_names(figure, layout)
    return figure


def tick_name(name: str, room: float, *, most_lines: int = 1) -> str:
    """Return a name for the tick of an axis, folded and cut to `room` points of width."""
    return folded(name, room, size=points_of("ytick.labelsize"), most_lines=most_lines)


def stacked(intervals: Iterable[Iterable[Any]], scale: float = 1) -> Interval:
    """Combine intervals of one value each into one interval of arrays, multiplied by `scale`."""
    bounds = scale * np.array([[float(bound) for bound in interval] for interval in intervals])
    return Interval(*bounds.reshape(-1, 3).T)


def whiskers(read: Interval) -> npt.NDArray[np.float64]:
    """Return the distances from estimates to their bounds, for error bars, shape ``[2, n]``."""
    return np.stack([read.estimate - read.low, read.high - read.estimate]).clip(0)


def draw_intervals(
    axes: Axes, places: npt.ArrayLike, read: Interval, *, upright: bool = False, **look: Any
) -> None:
    """Draw estimates with their intervals.

    Args:
        axes: the panel.
        places: rows of the estimates, or horizontal positions if upright, shape ``[n]``.
        read: estimates and bounds, shape ``[n]``.
        upright: whether the intervals are vertical.
        look: arguments of `Axes.errorbar`.
    """
    if not len(read.estimate):
        return  # an empty series would still appear in the legend
    if upright:
        axes.errorbar(places, read.estimate, yerr=whiskers(read), **look)
    else:
        axes.errorbar(read.estimate, places, xerr=whiskers(read), **look)


def limits_of(values: Collection[float], part: float, *, more: float = 0.0) -> tuple[float, float]:
    """Return the limits of an axis, with a margin on both sides of the shown values.

    Args:
        values: the values.
        part: margin as a part of their range.
        more: constant that is added to the margin.
    """
    low = min(values)
    high = max(values)
    margin = part * (high - low) + more or 1.0
    return low - margin, high + margin


def counted(numbers: Sequence[int]) -> str:
    """Return numbers as a range, such as `20,000` or `3,311 to 8,677`."""
    low = min(numbers)
    high = max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"

"""What all figures share: one style, one palette that colour-blind readers can tell apart."""

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

# Okabe and Ito's palette; whatever a colour says, a marker or a place says too.
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
_WIDTHS = {"page": 7.0, "column": 3.4}  # inches; on a screen a figure is as wide as it likes
_WIDEST_SCREEN = 11.0
_STYLE_FILE, _PAPER_FILE = (
    Path(__file__).with_name(name) for name in ("style.mplstyle", "paper.mplstyle")
)
_TEXT_SCALE = {"screen": 1.0, "page": 0.84, "column": 0.84}  # and so of heights
_MARGIN = 6  # points around title, legend and caption

_size: ContextVar[Size] = ContextVar("figure_size", default="screen")


@contextmanager
def figure_size(size: Size) -> Iterator[None]:
    """Figures that are drawn in here come out at this size.

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
    """Whether figures are being drawn at this size."""
    return _size.get() == size


@contextmanager
def house_style(size: Size | None = None) -> Iterator[None]:
    """The house style, whatever the caller's own settings; those come back untouched.

    Args:
        size: of figures; default the current one.
    """
    files = [_STYLE_FILE] if (size or _size.get()) == "screen" else [_STYLE_FILE, _PAPER_FILE]
    with matplotlib.style.context(["default", *files, {"font.family": font_families()}]):
        yield


class HouseFigure(Figure):
    """A figure that keeps its style wherever it is drawn, and that notebooks show by themselves."""

    def __init__(self, width: float, height: float) -> None:
        self.size = _size.get()
        super().__init__(figsize=(width, height))

    def draw(self, renderer: RendererBase) -> None:
        """Draw in the style in which the figure was made."""
        with house_style(self.size):
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        from experiments.plots.files import figure_png  # noqa: PLC0415 (would be circular)

        return figure_png(self, dpi=min(150, int(self.dpi)))


def drawn_width(width: float) -> float:
    """Points across a figure that would be `width` inches wide on a screen."""
    return 72 * _WIDTHS.get(_size.get(), min(width, _WIDEST_SCREEN))


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
    """A figure and its panels, row by row.

    Args:
        width: of the figure on a screen, in inches; in a paper it is the page's or the column's.
        height: of all panels on a screen, in inches; `label` adds what it needs.
        rows: of panels.
        columns: of panels, see `fit_columns`.
        height_ratios: of the rows.
        width_ratios: of the columns.
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
    """A figure whose panels stand side by side as far as they fit, and the panels.

    Args:
        n_panels: panels in all.
        most: at most so many side by side.
        narrowest: inches that a panel needs in a paper.
        width: of a panel on a screen, in inches.
        height: of a panel on a screen, in inches.
        alone: inches that are added where there is one column.
        beside: inches that are added beside the panels.
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
    """Give each row of a panel its name, from the top.

    Args:
        axes: the panel.
        names: of the rows, see `tick_name`.
        n_rows: rows that there is room for, if those are more.
        edge: rows from the middle of the first to the frame.
        has_lines: whether the rows lie on lines of the grid.
    """
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), n_rows) - 1 + edge, -edge)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=has_lines, axis="y")


def fit_columns(n_panels: int, *, most: int, narrowest: float) -> int:
    """How many panels stand side by side: no more than fit, and no row much shorter than others.

    Args:
        n_panels: panels in all.
        most: at most so many.
        narrowest: inches that a panel needs in a paper.
    """
    columns = max(1, int(min(n_panels, most, _WIDTHS.get(_size.get(), np.inf) / narrowest)))
    rows = -(-n_panels // columns)
    return max(1, -(-n_panels // rows))


def label(
    figure: Figure, title: str, caption: str, *, legend_of: Axes | None = None, columns: int = 4
) -> Figure:
    """The figure with title and legend above its panels and the caption below; all text fits.

    Args:
        figure: the figure, otherwise finished; it grows by what is put around the panels.
        title: of the figure.
        caption: what is shown, with sample sizes.
        legend_of: the panel whose legend stands under the title.
        columns: of the legend, at most.
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
    """A name beside an axis, no wider than `room` points."""
    return folded(name, room, size=points_of("ytick.labelsize"), most_lines=most_lines)


def stacked(intervals: Iterable[Iterable[Any]], scale: float = 1) -> Interval:
    """Single intervals as one of arrays, times `scale`."""
    bounds = scale * np.array([[float(bound) for bound in one] for one in intervals])
    return Interval(*bounds.reshape(-1, 3).T)


def whiskers(read: Interval) -> npt.NDArray[np.float64]:
    """``[2, n]`` distances from estimates to their bounds, for error bars."""
    return np.stack([read.estimate - read.low, read.high - read.estimate]).clip(0)


def draw_intervals(
    axes: Axes, places: npt.ArrayLike, read: Interval, *, upright: bool = False, **look: Any
) -> None:
    """Draw estimates with their intervals; where there are none, not even a name in the legend.

    Args:
        axes: where.
        places: ``[n]`` the rows in which they stand, or where along the axis if upright.
        read: ``[n]`` estimates and bounds.
        upright: whether the intervals are.
        look: as for `Axes.errorbar`.
    """
    if not len(read.estimate):
        return
    if upright:
        axes.errorbar(places, read.estimate, yerr=whiskers(read), **look)
    else:
        axes.errorbar(read.estimate, places, xerr=whiskers(read), **look)


def limits_of(values: Collection[float], part: float, *, more: float = 0.0) -> tuple[float, float]:
    """Limits of an axis that shows some values, with a margin on both sides.

    Args:
        values: to be shown.
        part: of their range, in the margin.
        more: in the margin.
    """
    low = min(values)
    high = max(values)
    margin = part * (high - low) + more or 1.0
    return low - margin, high + margin


def counted(numbers: Sequence[int]) -> str:
    """How many there are: `20,000`, or `3,311 to 8,677`."""
    low = min(numbers)
    high = max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"

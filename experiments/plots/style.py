"""Style of all figures: palette for colour-blind readers, sizes, panels and error bars."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine

from balance.statistics.intervals import Interval
from experiments.plots.files import figure_png
from experiments.plots.house_style import current_size, house_style

# Palette of Okabe and Ito (2008), with greys. Figures never distinguish data by colour only, but
# also by marker or position.
BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#606060"
PALE = "#BBBBBB"
DARK = "#222222"
BAND = "#DCEFE7"

_WIDTHS = {"page": 7.0, "column": 3.4}  # inches: usual widths of a journal's page and column
_SCREEN_MAX = 11.0  # inches; chosen by eye: a wider figure is scaled down in a notebook
# Size of text relative to the screen; the heights of figures are scaled by the same factor.
_TEXT_SCALE = {"screen": 1.0, "page": 0.84, "column": 0.84}


class HouseFigure(Figure):
    """Figure that is always drawn in the style of its creation and that notebooks can display.

    Attributes:
        size: name of the size at which the figure was created.
        panel_height: height of all rows of panels, without their labels, in inches.
    """

    def __init__(self, width: float, panel_height: float) -> None:
        """Create an empty figure.

        Args:
            width: width of the figure in inches.
            panel_height: height of all rows of panels, without their labels, in inches.
        """
        self.size = current_size()
        self.panel_height = panel_height
        self.constrained = ConstrainedLayoutEngine()
        super().__init__(figsize=(width, panel_height), layout=self.constrained)

    def lay_out(self) -> None:
        """Compute the places of all parts of the figure, as drawing it does."""
        self.constrained.execute(self)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the figure in the style of the size at which it was created."""
        with house_style(self.size):
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """Return the bytes of a PNG file for notebooks, with at most 150 dots per inch."""
        return figure_png(self, dpi=min(150, int(self.dpi)))


def drawn_width(width: float) -> float:
    """Return the width in points at which a figure is created.

    Args:
        width: width on a screen in inches, limited to `_SCREEN_MAX`. In a paper, the width of the
            page or column is returned instead.
    """
    return 72 * _WIDTHS.get(current_size(), min(width, _SCREEN_MAX))


def panels(
    width: float,
    height: float,
    rows: int = 1,
    columns: int = 1,
    *,
    height_ratios: Sequence[float] | None = None,
    width_ratios: Sequence[float] | None = None,
    sharex: bool = False,
) -> tuple[HouseFigure, list[Axes]]:
    """Create a figure with a grid of panels; return the figure and its panels, row by row.

    The panels are in a subfigure, since the layout of matplotlib would place a legend of the
    figure itself over the title.

    Args:
        width: width of the figure on a screen, in inches; a paper determines its own width.
        height: height of all rows of panels on a screen, in inches; `label` adds the height of
            all titles, labels, legend and caption.
        rows: number of rows of panels.
        columns: number of columns of panels, for instance from `fit_columns`.
        height_ratios: relative heights of the rows; `None` for equal heights.
        width_ratios: relative widths of the columns; `None` for equal widths.
        sharex: whether all panels have the same horizontal axis.
    """
    figure = HouseFigure(drawn_width(width) / 72, height * _TEXT_SCALE[current_size()])
    grid = figure.add_subfigure(GridSpec(1, 1, figure=figure)[0]).subplots(
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
) -> tuple[HouseFigure, list[Axes]]:
    """Create a figure with panels of equal size; return the figure and its panels, row by row.

    Args:
        n_panels: number of panels.
        most: maximum number of columns.
        narrowest: minimum width of a panel in a paper, in inches.
        width: width of a panel on a screen, in inches.
        height: height of a panel on a screen, in inches.
        alone: additional width of the figure if the panels form a single column, in inches.
        beside: additional width of the figure, for instance for a colour bar, in inches.
    """
    columns = fit_columns(n_panels, most=most, narrowest=narrowest)
    rows = -(-n_panels // columns)
    whole = width * columns + beside + (alone if columns == 1 else 0)
    figure, grid = panels(whole, height * rows, rows, columns)
    for axes in grid[n_panels:]:
        axes.remove()
    return figure, grid[:n_panels]


def name_rows(
    axes: Axes,
    names: Sequence[str],
    *,
    n_rows: int = 0,
    edge: float = 0.6,
    has_lines: bool = False,
) -> None:
    """Write the names of a panel's rows on the vertical axis, from the top.

    Args:
        axes: panel with data at the rows 0, 1, ...
        names: names of the rows, for instance from `row_names`.
        n_rows: number of rows that the panel has space for, if larger than the number of names.
        edge: distance from the middle of the first or last row to the frame, in rows.
        has_lines: whether to draw a grid line at each row.
    """
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), n_rows) - 1 + edge, -edge)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=has_lines, axis="y")


def fit_columns(n_panels: int, *, most: int, narrowest: float) -> int:
    """Return the smallest number of columns with which panels need the fewest rows.

    Args:
        n_panels: number of panels.
        most: maximum number of columns.
        narrowest: minimum width of a panel in a paper, in inches.
    """
    columns = max(1, int(min(n_panels, most, _WIDTHS.get(current_size(), np.inf) / narrowest)))
    rows = -(-n_panels // columns)
    return max(1, -(-n_panels // rows))


def stacked(intervals: Iterable[Iterable[Any]], scale: float = 1) -> Interval:
    """Combine `n` intervals of single values into one interval of arrays.

    Args:
        intervals: estimate, lower and upper bound of each value.
        scale: factor by which all values are multiplied, such as 100 for percent.

    Returns:
        Estimates and bounds, shape ``[n]`` each.
    """
    bounds = scale * np.array([[float(bound) for bound in interval] for interval in intervals])
    return Interval(*bounds.reshape(-1, 3).T)


def whiskers(intervals: Interval) -> npt.NDArray[np.float64]:
    """Return the distances from `n` estimates to their lower and upper bounds, shape ``[2, n]``.

    Negative distances are replaced by 0, since matplotlib rejects negative error bars.
    """
    below = intervals.estimate - intervals.low
    above = intervals.high - intervals.estimate
    return np.stack([below, above]).clip(0)


def draw_intervals(
    axes: Axes, places: npt.ArrayLike, intervals: Interval, *, upright: bool = False, **look: Any
) -> None:
    """Draw `n` estimates with their intervals; draw nothing if `n` is 0.

    Args:
        axes: panel in which to draw.
        places: vertical positions of the estimates, or horizontal positions if `upright`, shape
            ``[n]``.
        intervals: estimates and bounds, shape ``[n]`` each.
        upright: whether the intervals are vertical.
        look: further arguments of `Axes.errorbar`.
    """
    if not len(intervals.estimate):
        return  # an empty series would still appear in the legend
    if upright:
        axes.errorbar(places, intervals.estimate, yerr=whiskers(intervals), **look)
    else:
        axes.errorbar(intervals.estimate, places, xerr=whiskers(intervals), **look)


def limits_of(values: Collection[float], part: float, *, more: float = 0.0) -> tuple[float, float]:
    """Return the limits of an axis, with a margin on both sides of the shown values.

    Args:
        values: values to show, at least one.
        part: margin as a part of the range of the values.
        more: constant that is added to the margin; a margin of 0 is replaced by 1.
    """
    low = min(values)
    high = max(values)
    margin = part * (high - low) + more or 1.0
    return low - margin, high + margin


def counted(numbers: Sequence[int]) -> str:
    """Return the range of numbers, such as `3,311 to 8,677`, or `20,000` if all are equal."""
    low = min(numbers)
    high = max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"

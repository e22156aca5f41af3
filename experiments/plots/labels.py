"""Title, legend and caption of a figure, around panels that keep their heights."""

from __future__ import annotations

from matplotlib import rcParams
from matplotlib.axes import Axes

from experiments.plots.style import HouseFigure
from experiments.plots.text import folded

_MARGIN = 6  # margin beside titles and caption, in points; chosen by eye
_SPARE = 8.0  # height in inches that titles, labels, legend and caption surely fit into
_LINES_MAX = 5  # maximum number of lines of a panel's title; more would be higher than most panels


def label(
    figure: HouseFigure,
    title: str,
    caption: str,
    *,
    legend_of: Axes | None = None,
    columns: int = 4,
) -> HouseFigure:
    """Add title and legend above the panels of a figure, and a caption below; return the figure.

    The height of the figure is set so that its panels have the heights of their creation.

    Args:
        figure: figure with finished panels.
        title: title of the figure.
        caption: caption, with sample sizes.
        legend_of: panel with the entries of the legend; `None` for a figure without a legend.
        columns: maximum number of columns of the legend.
    """
    width = 72 * figure.get_figwidth()
    room = width - 2 * _MARGIN
    heading = folded(title, room, size=rcParams["figure.titlesize"], weight="bold")
    caption = caption.replace("n = ", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    note = folded(caption, room, size=rcParams["figure.labelsize"])
    figure.suptitle(heading, x=_MARGIN / width, ha="left")
    figure.supxlabel(note, x=_MARGIN / width, ha="left")
    if legend_of is not None:
        _add_legend(figure, legend_of, columns)
    figure.set_figheight(2 * figure.panel_height + _SPARE)
    _fold_names(figure)
    height_around = figure.get_figheight() - _height_of_panels(figure)
    figure.set_figheight(figure.panel_height + height_around)
    return figure


def _add_legend(figure: HouseFigure, axes: Axes, columns: int) -> None:
    """Add a legend above the panels, with as many columns as fit but at most `columns`."""
    (body,) = figure.subfigs
    handles, names = axes.get_legend_handles_labels()
    for n_columns in range(min(columns, len(names)), 0, -1):
        legend = body.legend(handles, names, loc="outside upper left", ncols=n_columns)
        if n_columns == 1 or legend.get_window_extent().width <= body.bbox.width:
            break
        legend.remove()


def _fold_names(figure: HouseFigure) -> None:
    """Fold titles and horizontal labels of panels, which the layout would let overlap."""
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    for axes in figure.axes:
        axes.set_title("")
    figure.lay_out()
    points = 72 / figure.dpi
    boxes = [axes.get_window_extent() for axes in figure.axes]
    for axes, title, box in zip(figure.axes, titles, boxes, strict=True):
        end = min((other.x0 for other in boxes if other.x0 > box.x0 + 1), default=figure.bbox.x1)
        # The layout would narrow a panel with a title of more than twice its width.
        room = min(points * (end - box.x0) - _MARGIN, 1.9 * points * box.width)
        size = rcParams["axes.titlesize"]
        axes.set_title(folded(title, room, size=size, most_lines=_LINES_MAX))
        size = rcParams["axes.labelsize"]
        axes.set_xlabel(folded(axes.get_xlabel(), points * box.width, size=size))


def _height_of_panels(figure: HouseFigure) -> float:
    """Return the height of all rows of panels in inches, after a layout of the figure."""
    figure.lay_out()
    specs = [(axes, axes.get_subplotspec()) for axes in figure.axes]
    first = [axes for axes, spec in specs if spec is not None and spec.colspan.start == 0]
    return float(sum(axes.get_window_extent().height for axes in first)) / figure.dpi

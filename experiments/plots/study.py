"""Figure of a study: results of balance runs by narrowing and search method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from balance.statistics.intervals import CONFIDENCE, Floats, wilson
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BLUE,
    DARK,
    GREEN,
    ORANGE,
    PURPLE,
    VERMILION,
    counted,
    draw_intervals,
    drawn_width,
    panels,
    stacked,
)
from experiments.plots.text import SMALL, text_width
from experiments.results.grids import RunRow
from experiments.screen import level

_NARROW_NAMES = {"none": "all cards", "power": "power", "lever": "sensitivity", "random": "random"}
_MARKERS = "osD^vP"
_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, DARK)
_MEASURES = (
    ("imbalance_pp", "imbalance (pp)"),
    ("change", "change (steps)"),
    ("cards_touched", "cards touched\n(number of cards)"),
)
_SPREAD = 0.72  # part of the distance between two groups that the marks fill; chosen by eye


@house_style()
def study_plot(runs: Sequence[RunRow], *, title: str) -> Figure:
    """Draw certified share, imbalance, change and cards touched, by narrowing and method.

    Each measure has a panel. Methods have different colours or markers, in the order of the runs.

    Args:
        runs: runs of the study, at least one.
        title: title of the figure.
    """
    narrows = _in_order({run.narrow for run in runs})
    methods = [*dict.fromkeys(run.method for run in runs)]
    figure, grid = panels(7.0, 6.1, 4, height_ratios=(1.25, 1, 1, 1), sharex=True)
    sizes = []
    for place, method in enumerate(methods):
        # Methods beyond the number of colours repeat the colours with other markers.
        lap, turn = divmod(place, len(_COLOURS))
        marker = _MARKERS[(turn + lap) % len(_MARKERS)]
        colour = _COLOURS[turn]
        offset = _SPREAD * ((place + 0.5) / len(methods) - 0.5)
        of_method = [run for run in runs if run.method == method]
        groups = [[run for run in of_method if run.narrow == narrow] for narrow in narrows]
        here = [x for x, group in enumerate(groups) if group]
        groups = [groups[x] for x in here]
        sizes += [len(group) for group in groups]
        x = np.array(here) + offset
        _shares(
            grid[0], x, groups, marker, colour, method.replace("_", " "),
            room=0.8 * drawn_width(7.0) * _SPREAD / (len(methods) * len(narrows)),
        )  # fmt: skip
        for axes, (column, _) in zip(grid[1:], _MEASURES, strict=True):
            values = [np.array([getattr(run, column) for run in group]) for group in groups]
            _medians(axes, x, values, marker, colour)
    _format_axes(grid, narrows)
    return label(
        figure,
        title,
        f"n = {counted(sizes)} runs per point. Certified share: with its {level(CONFIDENCE)} "
        "Wilson interval. Elsewhere: median of the runs, whiskers from the least to the most; "
        "imbalance in the games of the certificate.",
        legend_of=grid[0],
    )


def _in_order(narrows: set[str]) -> list[str]:
    """Return scores of narrowing, sorted: built-in scores in fixed order, then others by name."""
    known = [name for name in _NARROW_NAMES if name in narrows]
    return known + sorted(narrows - set(known))


def _shares(
    axes: Axes,
    x: Floats,
    groups: Sequence[Sequence[RunRow]],
    marker: str,
    colour: str,
    name: str,
    *,
    room: float,
) -> None:
    """Draw the share of certified runs of each group of runs with one method.

    Args:
        axes: panel of the certified share.
        x: horizontal position of each group, shape ``[n]``.
        groups: runs of each group, `n` groups without an empty one.
        marker: marker of the method.
        colour: colour of the method.
        name: name of the method in the legend.
        room: maximum width of a label with counts, in points; wider labels are left out.
    """
    certified = [sum(run.certified for run in group) for group in groups]
    n_runs = [len(group) for group in groups]
    share = wilson(certified, n_runs)
    draw_intervals(
        axes, x, share, upright=True, fmt=marker, ms=5, color=colour, elinewidth=1.1, label=name,
        clip_on=False,
    )  # fmt: skip
    for place, high, k, n in zip(x, share.high, certified, n_runs, strict=True):
        if text_width(f"{n}/{n}") < room:
            axes.annotate(
                f"{k}/{n}", (place, float(high)), (0, 2), textcoords="offset points",
                ha="center", va="bottom", fontsize=SMALL,
            )  # fmt: skip


def _medians(axes: Axes, x: Floats, values: Sequence[Floats], marker: str, colour: str) -> None:
    """Draw the median of each group, with a whisker from the group's minimum to its maximum.

    Args:
        axes: panel of a measure.
        x: horizontal position of each group, shape ``[n]``.
        values: values of the measure in each group, `n` groups without an empty one.
        marker: marker of the method.
        colour: colour of the method.
    """
    ranges = stacked((np.median(group), np.min(group), np.max(group)) for group in values)
    draw_intervals(
        axes, x, ranges, upright=True, fmt=marker, ms=5, color=colour, elinewidth=1.1, capsize=2
    )


def _format_axes(grid: Sequence[Axes], narrows: Sequence[str]) -> None:
    """Set labels, limits and ticks of all panels, and draw lines between groups.

    Args:
        grid: panels of the figure, from the top, after all marks are drawn.
        narrows: scores of narrowing in the order of the groups.
    """
    grid[0].set(ylim=(-0.05, 1.12), ylabel="certified share (%)")
    grid[0].set_yticks([0, 0.25, 0.5, 0.75, 1])
    grid[0].yaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    for axes, (_, unit) in zip(grid[1:], _MEASURES, strict=True):
        axes.set_ylabel(unit)
        top = max(1.06 * axes.dataLim.y1, 1)
        axes.set_ylim(-0.04 * top, top)  # markers at 0 stay off the frame
        axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    for axes in grid:
        axes.grid(visible=False, axis="x")
        axes.tick_params(axis="x", length=0)
        for border in range(1, len(narrows)):
            axes.axvline(border - 0.5, color="#E4E4E4", lw=0.8)
    grid[-1].set_xticks(range(len(narrows)), [_NARROW_NAMES.get(name, name) for name in narrows])
    grid[-1].set(xlim=(-0.5, len(narrows) - 0.5), xlabel="cards the search may move (narrowed by)")
    grid[0].figure.align_ylabels(list(grid))

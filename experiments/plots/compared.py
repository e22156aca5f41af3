"""Win rates with several patches beside today's, and what each patch changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.plots.style import (
    BAND,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILION,
    draw_intervals,
    drawn_width,
    fit_columns,
    house_style,
    label,
    name_rows,
    panels,
    stacked,
    tick_name,
)
from experiments.results.compared import ChangeRow

_LOOKS = [
    *((BLUE, "o"), (ORANGE, "s"), (GREEN, "D"), (VERMILION, "^"), (PURPLE, "v")),
    *((DARK, "P"), (BLUE, "X"), (ORANGE, "<"), (GREEN, ">")),
]
"""By place; no two have both a colour and a marker in common."""
_SPREAD = 0.25  # rows from the middle to the outermost marker


@house_style()
def compared_plot(patches: Sequence[Sequence[ChangeRow]], *, title: str) -> Figure:
    """Each rate today and with every patch, and beside it the change.

    Args:
        patches: of each the rows of the same rates.
        title: of the figure.
    """
    first = patches[0]
    columns = fit_columns(2, most=2, narrowest=3.0)
    room = min(165.0, 0.36 * drawn_width(9.0) / columns)
    names = [tick_name(row.rate, room, most_lines=2) for row in first]
    height = 0.7 + (0.3 + 0.1 * len(patches)) * len(names)
    rows = 2 // columns
    figure, (rates, changes) = panels(9.0 if columns == 2 else 7.0, height * rows, rows, columns)
    _draw_bands(rates, patches)
    places = np.linspace(-_SPREAD, _SPREAD, len(patches) + 1)
    today = stacked((row.today for row in first), 100)
    where = np.arange(len(first), dtype=np.float64)
    draw_intervals(
        rates, where + places[0], today, fmt="o", ms=4.5, mec=GREY, mfc="white", ecolor=GREY,
        elinewidth=1.3, label="today",
    )  # fmt: skip
    changes.axvline(0, color=GREY, lw=0.8)
    whole = drawn_width(9.0 if columns == 2 else 7.0)
    for place, (colour, marker), rows_of in zip(places[1:], _LOOKS, patches, strict=False):
        name = tick_name(rows_of[0].patch, 0.75 * whole)
        for axes, intervals in (
            (rates, stacked((row.patched for row in rows_of), 100)),
            (changes, stacked(row.change for row in rows_of)),
        ):
            draw_intervals(
                axes, where + place, intervals, fmt=marker, ms=4.5, color=colour, elinewidth=1.3,
                label=name,
            )  # fmt: skip
    name_rows(rates, names, edge=0.5)
    name_rows(changes, names if columns == 1 else [""] * len(names), edge=0.5)
    rates.set(xlabel="win rate of the first-named player (%)", ylabel="matchup, or deck")
    changes.set(xlabel="change from today (pp)", ylabel="matchup, or deck" if columns == 1 else "")
    return label(figure, title, _caption(first), legend_of=rates)


def _draw_bands(axes: Axes, patches: Sequence[Sequence[ChangeRow]]) -> None:
    """Between which each rate is wanted, as far as rates reach."""
    bounds = {k: (row.least, row.most) for k, row in enumerate(patches[0])}
    wanted = [k for k, (least, most) in bounds.items() if least > 0 or most < 1]
    if not wanted:
        return
    least, most = 100 * np.array([bounds[k] for k in wanted]).T
    axes.barh(wanted, most - least, 1.0, least, color=BAND, lw=0, label="wanted")
    patched = [row.patched for rows_of in patches for row in rows_of]
    read = stacked([row.today for row in patches[0]] + patched, 100)
    low, high = min(read.low.min(), least.max()), max(read.high.max(), most.min())
    margin = 0.04 * (high - low) + 1
    axes.set_xlim(max(low - margin, -1), min(high + margin, 101))


def _caption(rows: Sequence[ChangeRow]) -> str:
    return (
        "Intervals of 95 %, each by itself; those of changes are of differences on equal seeds. "
        f"n = {rows[0].n:,} games per matchup of each."
    )

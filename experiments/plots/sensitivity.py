"""Figure of sensitivities: effect of one step of each number."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from balance.statistics.intervals import CONFIDENCE
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import BLUE, GREY, draw_intervals, name_rows, panels, stacked
from experiments.plots.text import row_height, row_names
from experiments.results.sensitivity import SensitivityRow
from experiments.screen import level


@house_style()
def sensitivity_plot(rows: Sequence[SensitivityRow], *, title: str) -> Figure:
    """Draw the effect of one step of each number on the matchup that it changes most.

    Args:
        rows: one row per number, from the top, at least one.
        title: title of the figure.
    """
    lines = row_names(f"{row.number}: {row.matchup}" for row in rows)
    figure, (axes,) = panels(7.0, row_height(lines, 0.22) * len(lines))
    axes.axvline(0, color=GREY, lw=1)
    draw_intervals(
        axes,
        range(len(rows)),
        stacked(row.effect for row in rows),
        fmt="o",
        color=BLUE,
    )
    name_rows(axes, lines, has_lines=True)
    axes.set(xlabel="change of the win rate per step (pp)", ylabel="number: matchup")
    return label(
        figure,
        title,
        f"Largest effect of each number on a matchup, with its {level(CONFIDENCE)} interval: mean "
        f"of one step down and one step up; n = {rows[0].n:,} games per matchup of each step, on "
        "equal seeds. The largest of many effects looks larger than it is.",
    )

"""Figure of the effects of past changes of cards."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from balance.statistics.intervals import CONFIDENCE
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import BLUE, GREY, counted, draw_intervals, name_rows, panels, stacked
from experiments.plots.text import row_height, row_names
from experiments.results.retrodiction import RetrodictionRow
from experiments.screen import level


@house_style()
def retrodiction_plot(rows: Sequence[RetrodictionRow], *, title: str) -> Figure:
    """Draw the effect of each past change, the most negative first.

    Args:
        rows: effects of the changes, at least one.
        title: title of the figure.
    """
    ordered = sorted(rows, key=lambda row: float(row.effect_pp.estimate))
    lines = row_names(f"{row.name}: {row.change}" for row in ordered)
    figure, (axes,) = panels(7.0, row_height(lines, 0.22) * len(lines))
    axes.axvline(0, color=GREY, lw=1)
    draw_intervals(
        axes, range(len(ordered)), stacked(row.effect_pp for row in ordered), fmt="o", color=BLUE
    )
    name_rows(axes, lines, has_lines=True)
    axes.set(xlabel="change of the deck's mean win rate (pp)", ylabel="card: change")
    return label(
        figure,
        title,
        f"Paired {level(CONFIDENCE)} intervals; each change alone, in the first deck that has the "
        f"card, n = {counted([row.n for row in rows])} games before and after, on equal seeds.",
    )

"""How a search went."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from balance.statistics.intervals import CONFIDENCE
from experiments.plots.style import (
    BAND,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    house_style,
    label,
    level,
    panels,
    stacked,
)
from experiments.results.convergence import ConvergenceRow


@house_style()
def convergence_plot(
    course: Sequence[ConvergenceRow], *, n_select: int, band_pp: float, title: str
) -> Figure:
    """What the search thought of its best patch, and what its patches proved to be worth.

    Args:
        course: of the search, generation by generation.
        n_select: games per matchup behind the hypervolume.
        band_pp: half-width of the band.
        title: of the figure.
    """
    n_games = np.array([row.games for row in course])
    change = [row.change for row in course]
    figure, (above, middle, below) = panels(7.0, 5.3, 3, height_ratios=(1.8, 1, 1.3), sharex=True)
    marker = "." if len(course) <= 60 else ""
    _draw_imbalance(above, course, band_pp, marker)
    middle.step(n_games, change, where="post", color=GREY)
    middle.plot(n_games, change, ls="none", marker=marker, color=GREY)
    middle.set(ylim=(0, 1.12 * max(*change, 1)), ylabel="change (steps)")
    middle.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    _draw_hypervolume(below, course, marker)
    below.set(xlim=(0, 1.02 * n_games.max()), xlabel="games played by the search (number of games)")
    below.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))  # 500 k, 2 M
    figure.align_ylabels([above, middle, below])
    n_generations = len(course) - 1
    after_it = ""
    if n_generations:
        after_it = f" and of each of {n_generations} generation{'s' * (n_generations > 1)} after it"
    caption = (
        f"Imbalance and change: best patch of the first population{after_it}, as the search saw "
        f"it; n = {n_games[-1]:,.0f} games in all. These estimates are lucky and have no "
        "intervals. Front so far (its hypervolume): share of all pairs of change and imbalance, up "
        "to a step beyond the largest change and to today's imbalance, that some patch seen so far "
        f"beats in both, by other games: n = {n_select:,} per matchup of each patch; band: if all "
        f"imbalances were at one end of their {level(CONFIDENCE)} intervals."
    )
    label(figure, title, caption, legend_of=above)
    return figure


def _draw_imbalance(
    axes: Axes, course: Sequence[ConvergenceRow], band_pp: float, marker: str
) -> None:
    n_games = [row.games for row in course]
    largest_pp = [row.imbalance_pp for row in course]
    mean_pp = [row.mean_imbalance_pp for row in course]
    axes.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    axes.plot(n_games, largest_pp, color=BLUE, marker=marker, label="largest distance (imbalance)")
    axes.plot(n_games, mean_pp, color=ORANGE, ls="--", marker=marker, label="mean distance")
    axes.set(ylim=(0, 1.06 * max(*largest_pp, band_pp)), ylabel="distance from target (pp)")


def _draw_hypervolume(axes: Axes, course: Sequence[ConvergenceRow], marker: str) -> None:
    known = [row for row in course if row.hypervolume is not None]
    n_games = [row.games for row in known]
    share = stacked(row.hypervolume for row in known if row.hypervolume)
    axes.fill_between(n_games, share.low, share.high, step="post", color=GREEN, alpha=0.2, lw=0)
    axes.step(n_games, share.estimate, where="post", color=GREEN)
    axes.plot(n_games, share.estimate, ls="none", marker=marker, color=GREEN)
    axes.set(ylim=(0, 1.02), ylabel="front so far (% of all pairs beaten)")
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=""))

"""How a search went."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from balance.intervals import Floats
from experiments.plots.style import (
    BAND,
    BLUE,
    GREY,
    ORANGE,
    house_style,
    label,
    panels,
)


@house_style()
def convergence_plot(history: Floats, *, band_pp: float, title: str) -> Figure:
    """Imbalance and change of each generation's best genome against games played.

    Args:
        history: ``[generations + 1, 4]`` games so far, imbalance in points (the largest and the
            mean) and change of the best genome.
        band_pp: half-width of the band.
        title: of the figure.
    """
    n_games, largest_pp, mean_pp, change = history.T
    figure, (above, below) = panels(7.0, 4.6, 2, height_ratios=(2.2, 1), sharex=True)
    marker = "." if len(history) <= 60 else ""
    above.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    above.plot(n_games, largest_pp, color=BLUE, marker=marker, label="largest distance (imbalance)")
    above.plot(n_games, mean_pp, color=ORANGE, ls="--", marker=marker, label="mean distance")
    above.set(ylim=(0, 1.06 * max(largest_pp.max(), band_pp)), ylabel="distance from target (pp)")
    below.step(n_games, change, where="post", color=GREY)
    below.plot(n_games, change, ls="none", marker=marker, color=GREY)
    below.set(ylim=(0, 1.12 * max(change.max(), 1)), ylabel="change (steps)")
    below.set_xlabel("games played by the search (number of games)")
    below.set_xlim(0, 1.02 * n_games.max())
    below.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))  # 500 k, 2 M
    below.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    figure.align_ylabels([above, below])
    caption = (
        f"Best genome of each of {len(history)} generations; n = {n_games[-1]:,.0f} games in all. "
        "These are the search's own lucky estimates, without intervals: progress, not results, "
        "which come from other games."
    )
    label(figure, title, caption, legend_of=above)
    return figure

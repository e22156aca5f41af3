"""The matrix of matchups."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from balance.contest import Contest
from balance.intervals import CONFIDENCE, Floats, Interval
from balance.matchups import MatchupCounts
from experiments.plots.style import (
    DARK,
    PALE,
    house_style,
    label,
    level,
    panels,
    shortened,
    wrapped,
)

_LEAST_SPAN_PP = 10.0  # so that a balanced matrix looks pale, not dramatic
_PALETTE = ListedColormap(
    colormaps["RdBu"](np.linspace(0.24, 0.76, 256))
)  # dark text stays readable


@house_style()
def matchup_heatmap(
    contest: Contest,
    counts: MatchupCounts,
    *,
    variant: int = 0,
    title: str,
    targets: Floats | None = None,
    band_pp: float | None = None,
) -> Figure:
    """Every player's win rate against every other, with intervals.

    Args:
        contest: the players.
        counts: the games.
        variant: which variant of the cards.
        title: of the figure.
        targets: ``[M]`` target win rates; default 0.5.
        band_pp: half-width of the band; win rates outside it get a bold outline.
    """
    n_players = len(contest.players)
    wanted = np.full(len(contest.matchups), 0.5) if targets is None else targets
    rates = Interval(*(bound[variant] for bound in counts.win_rate()))
    span_pp = max(_LEAST_SPAN_PP, 100 * float(np.abs(rates.estimate - 0.5).max(initial=0)))
    norm = Normalize(50 - span_pp, 50 + span_pp)
    side = 1.15 if n_players <= 8 else 0.95
    figure, (axes,) = panels(2.6 + side * max(n_players, 3), 1.8 + 0.72 * n_players)
    for player in range(n_players):
        _cell(axes, player, player, PALE, "mirror\n50", "")
    for position, (a, b) in enumerate(contest.matchups):
        rate = [100 * float(bound[position]) for bound in rates]
        target = 100 * float(wanted[position])
        outside = band_pp is not None and abs(rate[0] - target) > band_pp + 1e-9
        mirrored = [100 - rate[0], 100 - rate[2], 100 - rate[1]]
        for row, column, shown, goal in ((a, b, rate, target), (b, a, mirrored, 100 - target)):
            interval = f"{shown[1]:.1f} to {shown[2]:.1f}"
            if abs(target - 50) > 1e-9:
                interval += f"\ntarget {goal:g}"
            colour = _PALETTE(float(norm(shown[0])))
            _cell(axes, row, column, colour, f"{shown[0]:.1f}", interval, bold_outline=outside)
    _dress(axes, contest)
    bar = figure.colorbar(ScalarMappable(norm, _PALETTE), ax=axes, aspect=18, pad=0.02)
    bar.set_label("win rate of the row's player (%)")
    bar.outline.set_visible(False)
    caption = (
        f"Cells: win rate of the row's player over both seatings in %, with its "
        f"{level(CONFIDENCE)} Wilson interval; n = {counts.n_games:,} games per matchup."
    )
    if band_pp is not None:
        caption += f" Bold outline: more than {band_pp:g} pp from the target."
    label(figure, title, caption)
    return figure


def _cell(
    axes: Axes,
    row: int,
    column: int,
    colour: str | tuple[float, ...],
    large: str,
    small: str,
    *,
    bold_outline: bool = False,
) -> None:
    axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fc=colour, ec="white", lw=1.5))
    if bold_outline:
        inset = Rectangle((column - 0.46, row - 0.45), 0.92, 0.90, fc="none", ec=DARK, lw=2.2)
        axes.add_patch(inset)
    if not small:
        axes.text(column, row, large, ha="center", va="center", fontsize=8.5)
        return
    lift = 0.12 if "\n" not in small else 0.2
    axes.text(column, row - lift, large, ha="center", va="center", fontsize=10.5)
    axes.text(column, row + 0.17, small, ha="center", va="center", fontsize=7.5)


def _dress(axes: Axes, contest: Contest) -> None:
    n_players = len(contest.players)
    for place_ticks, width in ((axes.set_xticks, 15), (axes.set_yticks, 20)):
        names = [
            f"{wrapped(shortened(player.name, 42), width)}\n({shortened(player.agent.name, width)})"
            for player in contest.players
        ]
        place_ticks(range(n_players), names)
    axes.set(xlim=(-0.5, n_players - 0.5), ylim=(n_players - 0.5, -0.5))
    axes.set(xlabel="opponent: deck (agent)", ylabel="player: deck (agent)")
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)

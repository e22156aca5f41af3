"""The cheap measure of a card against the fair one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance.card_contest import CardContest
from balance.power import CardPower
from balance.statistics.intervals import CONFIDENCE, Floats, Interval
from balance.statistics.ranks import rank_correlation
from experiments.plots.power import BIASED, played_pp
from experiments.plots.style import (
    DARK,
    GREY,
    counted,
    house_style,
    label,
    level,
    panel_grid,
    stacked,
    whiskers,
)


@house_style()
def played_against_power(
    contest: CardContest, powers: Sequence[CardPower], *, title: str
) -> Figure:
    """Win rate when played against leave-one-out power, one panel per player.

    Args:
        contest: the players.
        powers: their cards' power.
        title: of the figure.
    """
    played = [power for power in powers if power.n_played]
    figure, grid = panel_grid(
        len(contest.players), most=2, narrowest=3.0, width=3.5, beside=0.9, height=2.8
    )
    cards = contest.table.pool.cards
    costs = [cards[power.card].cost for power in played]
    low, high = min(costs, default=0), max(costs, default=0)
    shades = ListedColormap(colormaps["viridis"](np.linspace(0.05, 0.92, high - low + 1)))
    norm = BoundaryNorm(np.arange(low, high + 2) - 0.5, shades.N)
    limits = _limits(played)
    for player, axes in enumerate(grid):
        mine = [power for power in played if power.player == player]
        colours = np.array(shades(norm([cards[power.card].cost for power in mine])))
        _panel(axes, mine, colours)
        one = contest.players[player]
        axes.set(
            title=f"{one.name} ({one.agent.name})\n{_rank_line(mine)}",
            xlim=limits[0],
            ylim=limits[1],
            xlabel="power per copy (pp)",
            ylabel="win rate when played, less 50 (pp)",
        )
        axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    bar = figure.colorbar(
        ScalarMappable(norm, shades), ax=figure.axes, aspect=35, shrink=0.9, pad=0.02
    )
    every = -(-(high - low + 1) // 12)
    bar.set_ticks([float(cost) for cost in range(low, high + 1, every)])
    bar.minorticks_off()
    bar.set_label("card cost (mana)")
    label(figure, title, _caption(powers, played))
    return figure


def _coordinates(powers: Sequence[CardPower]) -> tuple[Interval, Interval]:
    """``[n]`` power per copy and win rate when played less 50, in pp."""
    return stacked((power.per_copy for power in powers), 100), played_pp(powers)


def _limits(powers: Sequence[CardPower]) -> list[tuple[float, float]]:
    """One scale for all panels, from the estimates."""
    limits = []
    for values in _coordinates(powers):
        low, high = min([*values[0], 0.0]), max([*values[0], 0.0])
        margin = 0.1 * (high - low) or 1.0
        limits.append((low - margin, high + margin))
    return limits


def _panel(axes: Axes, powers: Sequence[CardPower], colours: Floats) -> None:
    x, y = _coordinates(powers)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.axvline(0, color=GREY, lw=0.8)
    axes.errorbar(
        x[0], y[0], xerr=whiskers(*x), yerr=whiskers(*y), fmt="none", ecolor=GREY, elinewidth=0.7
    )
    axes.scatter(x[0], y[0], s=28, c=colours, edgecolors=DARK, linewidths=0.6, zorder=3)


def _rank_line(powers: Sequence[CardPower]) -> str:
    """How well the two measures agree on the order of the cards."""
    x, y = _coordinates(powers)
    agreement = rank_correlation(x[0], y[0])
    if agreement is None:
        return f"rank correlation unknown, {len(powers)} cards"
    rho, low, high = map(float, agreement)
    interval = f"({low:+.2f} to {high:+.2f})".replace(" ", "\N{NO-BREAK SPACE}")
    return f"Spearman {rho:+.2f} {interval}, {len(powers)} cards"


def _caption(powers: Sequence[CardPower], played: Sequence[CardPower]) -> str:
    caption = (
        f"Whiskers: {level(CONFIDENCE)} intervals. Power: n = "
        f"{counted([power.n_games for power in powers])} games per card."
    )
    if played:
        caption += BIASED.format(n=counted([power.n_played for power in played]))
    return caption

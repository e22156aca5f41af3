"""Figures of card power, by deck and in comparison with the biased win rate when played."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance import CONFIDENCE, CardContest, CardPower, Floats, Interval, rank_correlation
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BLUE,
    DARK,
    GREY,
    ORANGE,
    PALE,
    counted,
    draw_intervals,
    fit_columns,
    limits_of,
    name_rows,
    panel_grid,
    panels,
    stacked,
    whiskers,
)
from experiments.plots.text import row_height, row_names
from experiments.screen import level

BIASED = " When played: n = {n}; biased, since only games in which the card was played count."
"""Format of a remark in captions on win rates when played; `n` is the number of played copies."""


@house_style()
def power_bars(
    contest: CardContest,
    powers: Sequence[CardPower],
    *,
    title: str,
    kept: Collection[int] | None = None,
) -> Figure:
    """Draw the power of each card in its deck, one panel per player, the strongest on top.

    Args:
        contest: contest with the players and their decks.
        powers: power of each card of each player.
        title: title of the figure.
        kept: indices of cards that narrowing kept, which have another colour than other cards;
            `None` for one colour.
    """
    best_first = sorted(powers, key=lambda power: -float(power.power.estimate))
    decks = [
        [power for power in best_first if power.player == player]
        for player in range(len(contest.players))
    ]
    columns = fit_columns(len(decks), most=2, narrowest=3.0)
    rows = -(-len(decks) // columns)
    longest = [max(map(len, decks[row * columns :][:columns])) for row in range(rows)]
    width = 4.2 * columns + (0.8 if columns == 1 else 0)
    names = [_names(contest, deck) for deck in decks]
    height = sum(longest) * row_height(name for deck in names for name in deck)
    figure, grid = panels(width, height, rows, columns, height_ratios=longest)
    limits = _limits(powers)
    for position, (axes, deck) in enumerate(zip(grid, decks, strict=False)):
        _draw_deck(axes, deck, kept)
        name_rows(axes, names[position], n_rows=longest[position // columns])
        player = contest.players[position]
        axes.set(
            title=f"{player.name} ({player.agent.name})",
            xlim=limits,
            xlabel="difference in win rate (pp)",
            ylabel="card and its copies",
        )
    for axes in grid[len(decks) :]:
        axes.remove()
    return label(figure, title, _caption(powers), legend_of=grid[0], columns=3)


def _limits(powers: Sequence[CardPower]) -> tuple[float, float]:
    """Return limits of the horizontal axis in percentage points that contain all values and 0."""
    shown = [0.0, *np.ravel(stacked((power.power for power in powers), 100))]
    shown += played_pp(powers).estimate.tolist()
    # The margin of 1.5 points contains the error bars of most win rates when played.
    return limits_of(shown, 0.05, more=1.5)


def played_pp(powers: Sequence[CardPower]) -> Interval:
    """Return win rates when played minus 50, in percentage points, with intervals.

    Cards that were never played are left out.
    """
    rates = stacked((power.when_played for power in powers if power.n_played), 100)
    return Interval(*(bound - 50 for bound in rates))


def _names(contest: CardContest, deck: Sequence[CardPower]) -> list[str]:
    """Return the name of each card of a deck, cut if it is too long, and its number of copies."""
    names = row_names(contest.table.pool.cards[power.card].name for power in deck)
    return [
        f"{name}\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}{power.n_copies}"
        for name, power in zip(names, deck, strict=True)
    ]


def _draw_deck(axes: Axes, deck: Sequence[CardPower], kept: Collection[int] | None) -> None:
    """Draw the cards of one deck: power as bars, win rates when played as marks.

    Args:
        axes: panel of the deck.
        deck: power of each card, in the order of the rows.
        kept: indices of cards that narrowing kept; `None` for bars of one colour.
    """
    groups = [("power", BLUE, deck)]
    if kept is not None:
        groups = [
            ("power, kept for the search", BLUE, [power for power in deck if power.card in kept]),
            ("power, other cards", PALE, [power for power in deck if power.card not in kept]),
        ]
    for name, colour, group in groups:
        where = [deck.index(power) for power in group]
        estimates = [100 * float(power.power.estimate) for power in group]
        axes.barh(where, estimates, height=0.72, color=colour, label=name)
    power_pp = stacked((power.power for power in deck), 100)
    # Both intervals of a card are shifted from the middle of its row, so that they do not overlap.
    above = np.arange(len(deck)) - 0.16
    draw_intervals(axes, above, power_pp, fmt="none", ecolor=DARK, elinewidth=1.1)
    below = [row + 0.18 for row, power in enumerate(deck) if power.n_played]
    draw_intervals(
        axes, below, played_pp(deck), fmt="D", ms=3.6, mfc="white", mec=ORANGE, mew=1.2,
        ecolor=ORANGE, elinewidth=0.9, label="win rate when played, less 50 (biased)",
    )  # fmt: skip
    axes.axvline(0, color=GREY, lw=0.8)


def _caption(powers: Sequence[CardPower]) -> str:
    """Return the caption of the bars: definition of power, intervals and sample sizes."""
    return (
        "Power: win rate lost when all copies leave the deck, with the paired "
        f"{level(CONFIDENCE)} interval; n = {counted([power.n_games for power in powers])} games "
        f"per card.{_biased(powers)}"
    )


def _biased(powers: Sequence[CardPower]) -> str:
    """Return the remark on win rates when played; empty if no card was played."""
    played = [power.n_played for power in powers if power.n_played]
    return BIASED.format(n=counted(played)) if played else ""


@house_style()
def played_against_power(
    contest: CardContest, powers: Sequence[CardPower], *, title: str
) -> Figure:
    """Draw the win rate when played against leave-one-out power, one panel per player.

    Cards that were never played are left out.

    Args:
        contest: contest with the players and their decks.
        powers: power of each card of each player.
        title: title of the figure.
    """
    played = [power for power in powers if power.n_played]
    figure, grid = panel_grid(
        len(contest.players), most=2, narrowest=3.0, width=3.5, beside=0.9, height=1.95
    )
    cards = contest.table.pool.cards
    costs = [cards[power.card].cost for power in played]
    low = min(costs, default=0)
    high = max(costs, default=0)
    shades = ListedColormap(colormaps["viridis"](np.linspace(0.05, 0.92, high - low + 1)))
    norm = BoundaryNorm(np.arange(low, high + 2) - 0.5, shades.N)
    limits = [limits_of([*shown.estimate, 0.0], 0.1) for shown in _coordinates(played)]
    for player, axes in enumerate(grid):
        of_player = [power for power in played if power.player == player]
        colours = np.array(shades(norm([cards[power.card].cost for power in of_player])))
        _draw_both(axes, of_player, colours)
        owner = contest.players[player]
        axes.set(
            title=f"{owner.name} ({owner.agent.name})\n{_rank_line(of_player)}",
            xlim=limits[0],
            ylim=limits[1],
            xlabel="power per copy (pp)",
            ylabel="win rate when played,\nless 50 (pp)",
        )
        axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    bar = figure.colorbar(
        ScalarMappable(norm, shades), ax=figure.axes, aspect=35, shrink=0.9, pad=0.02
    )
    every = -(-(high - low + 1) // 12)  # chosen by eye: at most 12 labels fit next to the bar
    bar.set_ticks([float(cost) for cost in range(low, high + 1, every)])
    bar.minorticks_off()
    bar.set_label("card cost (mana)")
    return label(
        figure,
        title,
        f"Whiskers: {level(CONFIDENCE)} intervals. Power: n = "
        f"{counted([power.n_games for power in powers])} games per card.{_biased(powers)}",
    )


def _coordinates(powers: Sequence[CardPower]) -> tuple[Interval, Interval]:
    """Return power per copy, and win rate when played minus 50, of `n` cards that were played.

    Both are in percentage points and have shape ``[n]``.
    """
    return stacked((power.per_copy for power in powers), 100), played_pp(powers)


def _draw_both(axes: Axes, powers: Sequence[CardPower], colours: Floats) -> None:
    """Draw the cards of one deck as points with error bars in both directions.

    Args:
        axes: panel of the deck.
        powers: power of each card, all of which were played.
        colours: colour of each card as red, green, blue and alpha, shape ``[n, 4]``.
    """
    x, y = _coordinates(powers)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.axvline(0, color=GREY, lw=0.8)
    axes.errorbar(
        x[0], y[0], xerr=whiskers(x), yerr=whiskers(y), fmt="none", ecolor=GREY, elinewidth=0.7
    )
    axes.scatter(x[0], y[0], s=28, c=colours, edgecolors=DARK, linewidths=0.6, zorder=3)


def _rank_line(powers: Sequence[CardPower]) -> str:
    """Return Spearman's rank correlation of power per copy and win rate when played, as text."""
    x, y = _coordinates(powers)
    agreement = rank_correlation(x[0], y[0])
    if agreement is None:
        return f"rank correlation unknown, {len(powers)} cards"
    rho, low, high = map(float, agreement)
    interval = f"({low:+.2f} to {high:+.2f})".replace(" ", "\N{NO-BREAK SPACE}")
    return f"Spearman {rho:+.2f} {interval}, {len(powers)} cards"

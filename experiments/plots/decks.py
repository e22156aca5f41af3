"""Decks: what their cards cost, and what to play instead of missing ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance import CONFIDENCE, Candidate, Substitution
from experiments.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    counted,
    draw_intervals,
    drawn_width,
    house_style,
    label,
    limits_of,
    name_rows,
    panel_grid,
    panels,
    stacked,
    tick_name,
)
from experiments.plots.text import SMALL
from experiments.screen.wording import level
from sim import Deck, InputError, Pool


@house_style()
def deck_curve(pool: Pool, decks: Sequence[Deck], *, title: str) -> Figure:
    """How many cards of each cost the decks hold, one panel per deck, all on one scale.

    Args:
        pool: the cards.
        decks: at least one.
        title: of the figure.

    Raises:
        InputError: there is no deck, or a card is not in the pool.
    """
    if not decks:
        raise InputError("decks: none given, must be at least 1")
    costs = [[pool.cards[card].cost for card in deck.slots(pool)] for deck in decks]
    figure, grid = panel_grid(len(decks), most=3, narrowest=2.2, width=3.3, alone=1.4, height=2.5)
    most_copies = max(int(np.bincount(mine).max()) for mine in costs)
    for axes, deck, mine in zip(grid, decks, costs, strict=True):
        _draw_costs(axes, mine, most_copies)
        axes.set(
            title=f"{deck.name}\n{len(mine)} cards, mean cost {np.mean(mine):.2f}",
            xlim=(-0.6, max(map(max, costs)) + 0.6),
        )
    return label(
        figure,
        title,
        f"n = {counted([len(mine) for mine in costs])} cards per deck, copies included.",
        legend_of=grid[0],
    )


def _draw_costs(axes: Axes, costs: Sequence[int], most_copies: int) -> None:
    n_cards = np.bincount(costs)
    where = np.flatnonzero(n_cards)
    axes.bar(where, n_cards[where], 0.8, color=BLUE, label="cards of this cost")
    for cost in where.tolist():
        n = int(n_cards[cost])
        axes.text(cost, n, str(n), ha="center", va="bottom", fontsize=SMALL)
    top = 1.32 * most_copies
    axes.plot([np.mean(costs)], [0.95 * top], "v", ms=7, color=ORANGE, label="average cost")
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.set(ylim=(0, top), xlabel="cost (mana)", ylabel="copies (number of cards)")


@house_style()
def substitutes_plot(pool: Pool, substitution: Substitution, *, title: str) -> Figure:
    """Both rankings of the measured stand-ins at once, the strongest on top.

    Args:
        pool: the cards.
        substitution: what was found.
        title: of the figure.
    """
    ranks = {k: rank for rank, k in enumerate(substitution.by_role, start=1)}
    shown = [k for k, one in enumerate(substitution.candidates) if one.gain is not None]
    candidates = [substitution.candidates[k] for k in shown]
    n_cards = max((len(one.cards) for one in candidates), default=1)
    height = 0.5 + (0.16 + 0.14 * n_cards) * max(len(shown), 2)
    figure, (left, right) = panels(7.0, height, 1, 2, width_ratios=(2.2, 1))
    _draw_gains(left, candidates)
    _draw_distances(right, candidates, [ranks[k] for k in shown])
    room = 0.27 * drawn_width(7.0)
    names = [[tick_name(pool.cards[card].name, room) for card in one.cards] for one in candidates]
    name_rows(left, [" +\n".join(cards) for cards in names])
    name_rows(right, [], n_rows=len(shown))
    left.set_ylabel("stand-in")
    missing = ", ".join(pool.cards[card].name for card in substitution.vacancies.missing)
    return label(
        figure,
        title,
        f"Instead of {missing}. Whiskers: paired {level(CONFIDENCE)} intervals; n = "
        f"{substitution.n_games:,} games per opponent. The strongest on top, by other games than "
        f"those shown; {len(shown)} of {len(substitution.candidates)} candidates were measured. "
        "Distance: steps of the printed numbers, and 2 for each keyword or effect that "
        "differs; no. 1 is most like the missing card.",
    )


def _draw_gains(axes: Axes, candidates: Sequence[Candidate]) -> None:
    axes.axvline(0, color=GREY, lw=1)
    gains = stacked((one.gain for one in candidates if one.gain is not None), 100)
    draw_intervals(axes, range(len(candidates)), gains, fmt="o", color=BLUE, elinewidth=1.3)
    limits = limits_of([0.0, *gains.low, *gains.high], 0.06)
    axes.set(xlim=limits, xlabel="change of the deck's win rate (pp)")


def _draw_distances(axes: Axes, candidates: Sequence[Candidate], ranks: Sequence[int]) -> None:
    distances = [one.distance for one in candidates]
    rows = range(len(distances))
    axes.hlines(rows, 0, distances, color=GREY, lw=1.2)
    axes.plot(distances, rows, "s", mec=GREY, mfc="white", mew=1.2, clip_on=False, zorder=3)
    for row, distance, rank in zip(rows, distances, ranks, strict=True):
        axes.annotate(
            f"no. {rank}", (distance, row), (6, 0), textcoords="offset points", va="center",
            fontsize=SMALL,
        )  # fmt: skip
    farthest = max([*distances, 1])
    axes.set(xlim=(-0.1 * farthest, 1.6 * farthest), xlabel="role distance (steps)")
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))

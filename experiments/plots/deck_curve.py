"""What the cards of a deck cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.plots.style import BLUE, ORANGE, counted, house_style, label, panel_grid
from experiments.plots.text import SMALL
from sim.cards.deck import Deck
from sim.cards.pool import Pool
from sim.errors import InputError


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
        _panel(axes, mine, most_copies)
        title_of_deck = f"{deck.name}\n{len(mine)} cards, mean cost {np.mean(mine):.2f}"
        axes.set(title=title_of_deck, xlim=(-0.6, max(map(max, costs)) + 0.6))
    caption = f"n = {counted([len(mine) for mine in costs])} cards per deck, copies included."
    label(figure, title, caption, legend_of=grid[0])
    return figure


def _panel(axes: Axes, costs: Sequence[int], most_copies: int) -> None:
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

"""Which cards a search may move, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.contest import Contest
from balance.intervals import CONFIDENCE
from balance.narrowing import Narrowing
from experiments.plots.style import (
    BLUE,
    DARK,
    GREY,
    house_style,
    label,
    level,
    panels,
    shortened,
    whiskers,
)

_MOST_ROWS = 30  # per column of cards
_SCALES = {
    "power": ("largest |power per copy| (pp)", 100.0),
    "lever": ("largest |lever| (pp per step)", 100.0),
    "random": ("random score (no unit)", 1.0),
    "none": ("score (none measured)", 1.0),
}
_WHY = {
    "power": "leave-one-out power",
    "lever": "levers",
    "random": "a random draw",
}


@house_style()
def narrowing_plot(
    contest: Contest,
    narrowing: Narrowing,
    *,
    title: str,
    n_games: int | None = None,
) -> Figure:
    """All cards by their score, kept and dropped ones told apart.

    Args:
        contest: the cards.
        narrowing: what was kept.
        title: of the figure.
        n_games: games behind each score, for the caption.
    """
    ranked = sorted(narrowing.scores, key=lambda card: (-_score(narrowing, card), card))
    columns = max(1, -(-len(ranked) // _MOST_ROWS))
    n_rows = max(1, -(-len(ranked) // columns))
    figure, grid = panels(max(6.0, 3.6 * columns), 2.0 + 0.18 * n_rows, 1, columns)
    bounds = _bounds(narrowing)
    unit, factor = _SCALES.get(narrowing.by, ("score (no unit)", 1.0))
    shown = [_score(narrowing, card) for card in ranked] + [bound[2] for bound in bounds.values()]
    longest = factor * max(shown, default=0.0)
    for position, axes in enumerate(grid):
        cards = ranked[position * n_rows :][:n_rows]
        _lollipops(axes, narrowing, cards, bounds, factor)
        names = [shortened(contest.table.pool.cards[card].name, 26) for card in cards]
        axes.set_yticks(range(len(cards)), names)
        axes.set(ylim=(n_rows - 0.3, -0.7), xlim=(0, 1.05 * longest or 1.0), xlabel=unit)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
    grid[0].set_title(_subtitle(narrowing), fontweight="normal", pad=9, parse_math=True)
    caption = _caption(narrowing, n_games)
    label(figure, title, caption, legend_of=grid[0])
    return figure


def _score(narrowing: Narrowing, card: int) -> float:
    score = narrowing.scores[card]
    return score if math.isfinite(score) else 0.0


def _bounds(narrowing: Narrowing) -> dict[int, tuple[float, float, float]]:
    """Card to its score and the interval of that, as sizes."""
    bounds = {}
    for card, interval in narrowing.intervals.items():
        estimate, low, high = (float(bound) for bound in interval)
        if estimate < 0:
            estimate, low, high = -estimate, -high, -low
        bounds[card] = (estimate, max(low, 0.0), high)
    return bounds


def _lollipops(
    axes: Axes,
    narrowing: Narrowing,
    cards: Sequence[int],
    bounds: Mapping[int, tuple[float, float, float]],
    factor: float,
) -> None:
    scores = factor * np.array([_score(narrowing, card) for card in cards])
    is_kept = np.array([card in narrowing.kept for card in cards], dtype=bool)
    for mask, colour, face, name in (
        (is_kept, BLUE, BLUE, "kept: the search may move it"),
        (~is_kept, GREY, "white", "dropped"),
    ):
        rows = np.flatnonzero(mask)
        axes.hlines(rows, 0, scores[mask], color=colour, lw=1.2 if face == "white" else 2.0)
        axes.plot(scores[mask], rows, "o", ms=5.5, mec=colour, mfc=face, mew=1.2, label=name)
    with_bounds = [row for row, card in enumerate(cards) if card in bounds]
    if with_bounds:
        lengths = factor * np.array([bounds[cards[row]] for row in with_bounds])
        axes.errorbar(
            lengths[:, 0], with_bounds, xerr=whiskers(*lengths.T),
            fmt="none", ecolor=DARK, elinewidth=0.9, zorder=3,
        )  # fmt: skip


def _subtitle(narrowing: Narrowing) -> str:
    before, after = narrowing.full, narrowing.space
    return (
        f"genes {len(before.genes)} → {len(after.genes)}, search space "
        f"$10^{{{before.log10_size:.1f}}}$ → $10^{{{after.log10_size:.1f}}}$ patches"
    )


def _caption(narrowing: Narrowing, n_games: int | None) -> str:
    n_cards = len(narrowing.scores)
    if narrowing.by == "none":
        return f"Nothing is scored; all n = {n_cards} cards are kept."
    caption = (
        f"Cards scored by {_WHY.get(narrowing.by, narrowing.by)}; n = {n_cards} "
        f"cards, {len(narrowing.kept)} kept. Each deck keeps its best, so a dropped card "
        "may score higher than a kept one."
    )
    if narrowing.intervals:
        caption += f" Whiskers: paired {level(CONFIDENCE)} intervals"
        caption += "." if n_games is None else f", n = {n_games:,} games each."
    return caption

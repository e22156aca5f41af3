"""Which cards a search may move, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.card_contest import CardContest
from balance.narrowing import Narrowing
from balance.statistics.intervals import CONFIDENCE
from experiments.plots.style import (
    BLUE,
    DARK,
    GREY,
    drawn_width,
    fit_columns,
    house_style,
    label,
    level,
    name_rows,
    panels,
    tick_name,
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
_LOOKS = {
    "kept": ("kept: the search may move it", "o", BLUE, BLUE),
    "dropped": ("dropped", "o", GREY, "white"),
    "locked": ("locked: it could not move anyway", "x", GREY, GREY),
}
"""Name, marker, its edge and its face."""


@house_style()
def narrowing_plot(
    contest: CardContest,
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
    columns = fit_columns(max(1, -(-len(ranked) // _MOST_ROWS)), most=3, narrowest=2.3)
    n_rows = max(1, -(-len(ranked) // columns))
    width = max(6.0, 3.6 * columns)
    figure, grid = panels(width, 0.8 + 0.18 * n_rows, 1, columns)
    bounds = _bounds(narrowing)
    unit, factor = _SCALES.get(narrowing.by, ("score (no unit)", 1.0))
    shown = [_score(narrowing, card) for card in ranked] + [bound[2] for bound in bounds.values()]
    longest = factor * max(shown, default=0.0)
    for position, axes in enumerate(grid):
        cards = ranked[position * n_rows :][:n_rows]
        _lollipops(axes, narrowing, cards, bounds, factor)
        room = min(0.4 * drawn_width(width) / columns, 130)
        names = [tick_name(contest.table.pool.cards[card].name, room) for card in cards]
        name_rows(axes, names, n_rows=n_rows, edge=0.7)
        axes.set_xlim(-0.03 * longest, 1.07 * longest or 1.0)
        axes.set(xlabel=unit, ylabel="card")
    grid[0].set_title(_subtitle(narrowing), pad=9, parse_math=True)
    label(figure, title, _caption(narrowing, n_games), legend_of=grid[0])
    return figure


def _fate(narrowing: Narrowing, card: int) -> str:
    if card in narrowing.kept:
        return "kept"
    return "dropped" if card in narrowing.full.cards else "locked"


def _fates(narrowing: Narrowing) -> list[str]:
    """Those that some card met."""
    met = {_fate(narrowing, card) for card in narrowing.scores}
    return [fate for fate in _LOOKS if fate in met]


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
    shown = [_fate(narrowing, card) for card in cards]
    for fate in _fates(narrowing):
        name, marker, colour, face = _LOOKS[fate]
        rows = [row for row, own in enumerate(shown) if own == fate]
        axes.hlines(rows, 0, scores[rows], color=colour, lw=2.0 if fate == "kept" else 1.2)
        axes.plot(
            scores[rows], rows, marker, ms=5.5, mec=colour, mfc=face, mew=1.2, label=name, ls="none"
        )
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
        f"{len(before.genes)} → {len(after.genes)} genes, "
        f"$10^{{{before.log10_size:.1f}}}$\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}"
        f"$10^{{{after.log10_size:.1f}}}$ patches"
    )


def _caption(narrowing: Narrowing, n_games: int | None) -> str:
    n_cards = len(narrowing.scores)
    if narrowing.by == "none":
        return f"Nothing is scored; all n = {n_cards} cards are kept."
    n_locked = sum(_fate(narrowing, card) == "locked" for card in narrowing.scores)
    caption = (
        f"Cards scored by {_WHY.get(narrowing.by, narrowing.by)}; n = {n_cards} "
        f"cards, {len(narrowing.kept)} kept"
        + (f", {n_locked} locked" if n_locked else "")
        + ". Each deck keeps its best, so a dropped card may score higher than a kept one."
    )
    if narrowing.intervals:
        caption += f" Whiskers: paired {level(CONFIDENCE)} intervals"
        caption += "." if n_games is None else f", n = {n_games:,} games each."
    return caption

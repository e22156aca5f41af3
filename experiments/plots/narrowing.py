"""Which cards a search may move, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
    stacked,
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
    unit, factor = _SCALES.get(narrowing.by, ("score (no unit)", 1.0))
    scores = {
        card: factor * score if math.isfinite(score) else 0.0
        for card, score in narrowing.scores.items()
    }
    fates = {card: _fate(narrowing, card) for card in scores}
    ranked = sorted(scores, key=lambda card: (-scores[card], card))
    columns = fit_columns(max(1, -(-len(ranked) // _MOST_ROWS)), most=3, narrowest=2.3)
    n_rows = max(1, -(-len(ranked) // columns))
    width = max(6.0, 3.6 * columns)
    figure, grid = panels(width, 0.8 + 0.18 * n_rows, 1, columns)
    sizes = _sizes(narrowing, factor)
    longest = max([*scores.values(), *(size[2] for size in sizes.values())], default=0.0)
    for position, axes in enumerate(grid):
        cards = ranked[position * n_rows :][:n_rows]
        _lollipops(axes, cards, scores, fates, sizes)
        room = min(0.4 * drawn_width(width) / columns, 130)
        names = [tick_name(contest.table.pool.cards[card].name, room) for card in cards]
        name_rows(axes, names, n_rows=n_rows, edge=0.7)
        axes.set(xlim=(-0.03 * longest, 1.07 * longest or 1.0), xlabel=unit, ylabel="card")
    grid[0].set_title(_subtitle(narrowing), pad=9, parse_math=True)
    n_locked = list(fates.values()).count("locked")
    label(figure, title, _caption(narrowing, n_locked, n_games), legend_of=grid[0])
    return figure


def _fate(narrowing: Narrowing, card: int) -> str:
    if card in narrowing.kept:
        return "kept"
    return "dropped" if card in narrowing.full.cards else "locked"


def _sizes(narrowing: Narrowing, factor: float) -> dict[int, list[float]]:
    """The size of each score that was measured, between the bounds of its interval."""
    sizes = {}
    for card, interval in narrowing.intervals.items():
        estimate, *bounds = (factor * float(bound) for bound in interval)
        low, high = sorted(-bound if estimate < 0 else bound for bound in bounds)
        sizes[card] = [abs(estimate), max(low, 0.0), high]
    return sizes


def _lollipops(
    axes: Axes,
    cards: Sequence[int],
    scores: Mapping[int, float],
    fates: Mapping[int, str],
    sizes: Mapping[int, Sequence[float]],
) -> None:
    for fate, (name, marker, colour, face) in _LOOKS.items():
        if fate in fates.values():
            rows = [row for row, card in enumerate(cards) if fates[card] == fate]
            lengths = [scores[cards[row]] for row in rows]
            axes.hlines(rows, 0, lengths, color=colour, lw=2.0 if fate == "kept" else 1.2)
            axes.plot(
                lengths, rows, marker, ms=5.5, mec=colour, mfc=face, mew=1.2, label=name, ls="none"
            )
    rows = [row for row, card in enumerate(cards) if card in sizes]
    if rows:
        measured = stacked(sizes[cards[row]] for row in rows)
        axes.errorbar(
            measured.estimate, rows, xerr=whiskers(*measured),
            fmt="none", ecolor=DARK, elinewidth=0.9, zorder=3,
        )  # fmt: skip


def _subtitle(narrowing: Narrowing) -> str:
    before, after = narrowing.full, narrowing.space
    return (
        f"{len(before.genes)} → {len(after.genes)} numbers, "
        f"$10^{{{before.log10_size:.1f}}}$\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}"
        f"$10^{{{after.log10_size:.1f}}}$ patches"
    )


def _caption(narrowing: Narrowing, n_locked: int, n_games: int | None) -> str:
    n_cards = len(narrowing.scores)
    if narrowing.by == "none":
        return f"Nothing is scored; all n = {n_cards} cards are kept."
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

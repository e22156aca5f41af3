"""Figures of a search: card scores of the narrowing, and convergence of the search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from balance import CONFIDENCE, CardContest, Narrowing
from balance.run.patch_rows import ConvergenceRow
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BAND,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    counted,
    draw_intervals,
    fit_columns,
    name_rows,
    panels,
    stacked,
)
from experiments.plots.text import row_names
from experiments.screen import level

_ROWS_MAX = 30  # maximum number of cards per column; chosen by eye
_SCALES = {
    "power": ("largest |power per copy| (pp)", 100.0),
    "lever": ("largest |sensitivity| (pp per step)", 100.0),
    "random": ("random score (no unit)", 1.0),
    "none": ("score (none measured)", 1.0),
}
_WHY = {
    "power": "leave-one-out power",
    "lever": "sensitivity to one step",
    "random": "a random draw",
}
# Text in the legend, marker, colour of the marker's edge, colour of the marker's face.
_LOOKS = {
    "kept": ("kept: the search may change it", "o", BLUE, BLUE),
    "dropped": ("dropped", "o", GREY, "white"),
    "locked": ("locked: never in the search space", "x", GREY, GREY),
}


@house_style()
def narrowing_plot(
    contest: CardContest,
    narrowing: Narrowing,
    *,
    title: str,
    n_games: int | None = None,
) -> Figure:
    """Draw the score of each card, and whether narrowing kept the card in the search space.

    Cards are sorted by score, the highest on top. A card without a finite score is drawn at 0.

    Args:
        contest: contest with the cards.
        narrowing: result of the narrowing.
        title: title of the figure.
        n_games: number of games behind each score, for the caption; `None` if unknown.
    """
    unit, factor = _SCALES.get(narrowing.by, ("score (no unit)", 1.0))
    scores = {
        card: factor * score if math.isfinite(score) else 0.0
        for card, score in narrowing.scores.items()
    }
    fates = (
        dict.fromkeys(scores, "locked")
        | dict.fromkeys(narrowing.full.cards, "dropped")
        | dict.fromkeys(narrowing.kept, "kept")
    )
    ranked = sorted(scores, key=lambda card: (-scores[card], card))
    columns = fit_columns(max(1, -(-len(ranked) // _ROWS_MAX)), most=3, narrowest=3.0)
    n_rows = max(1, -(-len(ranked) // columns))
    figure, grid = panels(max(6.0, 3.6 * columns), 0.18 * n_rows, 1, columns)
    sizes = _sizes(narrowing, factor)
    longest = max([*scores.values(), *(size[2] for size in sizes.values())], default=0.0)
    for position, axes in enumerate(grid):
        cards = ranked[position * n_rows :][:n_rows]
        _lollipops(axes, cards, scores, fates, sizes)
        names = row_names((contest.table.pool.cards[card].name for card in cards), most_lines=1)
        name_rows(axes, names, n_rows=n_rows, edge=0.7)
        axes.set(xlim=(-0.03 * longest, 1.07 * longest or 1.0), xlabel=unit, ylabel="card")
    grid[0].set_title(_subtitle(narrowing), parse_math=True)
    n_locked = list(fates.values()).count("locked")
    return label(figure, title, _caption(narrowing, n_locked, n_games), legend_of=grid[0])


def _sizes(narrowing: Narrowing, factor: float) -> dict[int, list[float]]:
    """Return the absolute value of each measured score, with its bounds, by card.

    The lower bound is 0 if the interval of the score contains 0.

    Args:
        narrowing: result of the narrowing; cards without an interval are left out.
        factor: factor that converts scores to the unit of the axis.
    """
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
    """Draw the scores of a column of cards as lines that end in marks.

    Args:
        axes: panel of the column.
        cards: indices of the cards in the order of the rows.
        scores: score of each card in the unit of the axis, by index.
        fates: result of narrowing for each card, a key of `_LOOKS`, by index.
        sizes: absolute value and bounds of each measured score, by index.
    """
    for fate, (name, marker, colour, face) in _LOOKS.items():
        if fate in fates.values():
            rows = [row for row, card in enumerate(cards) if fates[card] == fate]
            lengths = [scores[cards[row]] for row in rows]
            axes.hlines(rows, 0, lengths, color=colour, lw=2.0 if fate == "kept" else 1.2)
            axes.plot(
                lengths, rows, marker, ms=5.5, mec=colour, mfc=face, mew=1.2, label=name, ls="none"
            )
    rows = [row for row, card in enumerate(cards) if card in sizes]
    measured = stacked(sizes[cards[row]] for row in rows)
    draw_intervals(axes, rows, measured, fmt="none", ecolor=DARK, elinewidth=0.9, zorder=3)


def _subtitle(narrowing: Narrowing) -> str:
    """Return numbers and patches of the search space before and after narrowing, as math text."""
    before = narrowing.full
    after = narrowing.space
    return (
        f"{len(before.genes)} → {len(after.genes)} numbers,\n"
        f"$10^{{{before.log10_size:.1f}}}$\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}"
        f"$10^{{{after.log10_size:.1f}}}$ patches"
    )


def _caption(narrowing: Narrowing, n_locked: int, n_games: int | None) -> str:
    """Return the caption of a narrowing: kind of the score, numbers of cards, intervals.

    Args:
        narrowing: result of the narrowing.
        n_locked: number of cards that were locked before the narrowing.
        n_games: number of games behind each score; `None` if unknown.
    """
    n_cards = len(narrowing.scores)
    if narrowing.by == "none":
        return f"No card is scored; all n = {n_cards} cards are kept."
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


@house_style()
def convergence_plot(
    course: Sequence[ConvergenceRow], *, n_select: Sequence[int], band_pp: float, title: str
) -> Figure:
    """Draw the best patch of each round, as the search estimated it, and the front so far.

    Args:
        course: one row per round of the search, at least one.
        n_select: number of games per matchup of each patch behind the hypervolume.
        band_pp: half-width of the target band, in percentage points.
        title: title of the figure.
    """
    n_games = [row.games for row in course]
    change = [row.change for row in course]
    figure, (above, middle, below) = panels(7.0, 4.4, 3, height_ratios=(1.8, 1, 1.3), sharex=True)
    marker = "." if len(course) <= 60 else ""  # more marks would merge into a thick line
    _draw_imbalance(above, course, band_pp, marker)
    middle.step(n_games, change, where="post", color=GREY)
    middle.plot(n_games, change, ls="none", marker=marker, color=GREY)
    middle.set(ylim=(0, 1.12 * max(*change, 1)), ylabel="change (steps)")
    middle.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    _draw_hypervolume(below, course, marker)
    below.set(xlim=(0, 1.02 * max(n_games)), xlabel="games played by the search (number of games)")
    below.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))  # such as 500 k or 2 M
    figure.subfigs[0].align_ylabels([above, middle, below])
    rounds = f"of each of {len(course)} rounds" if len(course) > 1 else "of the only round"
    return label(
        figure,
        title,
        f"Imbalance and change: best patch {rounds} (generations of an evolution), as the search "
        f"estimated it; n = {n_games[-1]:,.0f} games in all. These estimates are biased by the "
        "choice of the best, and have no intervals. Front so far (its hypervolume): share of all "
        "pairs of size and imbalance, up to a step beyond the largest size and to today's "
        "imbalance, that a patch found so far improves on in both, in other games: n = "
        f"{counted(n_select)} per matchup of each patch; band: with all imbalances at one end of "
        f"their {level(CONFIDENCE)} intervals.",
        legend_of=above,
    )


def _draw_imbalance(
    axes: Axes, course: Sequence[ConvergenceRow], band_pp: float, marker: str
) -> None:
    """Draw the largest and the mean distance from the target of each round's best patch.

    Args:
        axes: panel of the distances.
        course: one row per round of the search.
        band_pp: half-width of the target band, in percentage points.
        marker: marker of each round; empty for a line without markers.
    """
    n_games = [row.games for row in course]
    largest_pp = [row.imbalance_pp for row in course]
    mean_pp = [row.mean_imbalance_pp for row in course]
    axes.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    axes.plot(n_games, largest_pp, color=BLUE, marker=marker, label="largest distance (imbalance)")
    axes.plot(n_games, mean_pp, color=ORANGE, ls="--", marker=marker, label="mean distance")
    axes.set(ylim=(0, 1.06 * max(*largest_pp, band_pp)), ylabel="distance from target (pp)")


def _draw_hypervolume(axes: Axes, course: Sequence[ConvergenceRow], marker: str) -> None:
    """Draw the hypervolume of the front after each round, with the band of its interval.

    Args:
        axes: panel of the hypervolume.
        course: one row per round of the search.
        marker: marker of each round; empty for a line without markers.
    """
    n_games = [row.games for row in course]
    share = stacked(row.hypervolume for row in course)
    axes.fill_between(n_games, share.low, share.high, step="post", color=GREEN, alpha=0.2, lw=0)
    axes.step(n_games, share.estimate, where="post", color=GREEN)
    axes.plot(n_games, share.estimate, ls="none", marker=marker, color=GREEN)
    axes.set(ylim=(0, 1.02), ylabel="front so far\n(% of all pairs beaten)")
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=""))

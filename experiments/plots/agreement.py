"""Figure of the agreement of simulated with observed win rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.statistics.intervals import CONFIDENCE, Interval
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BLUE,
    DARK,
    GREY,
    PALE,
    draw_intervals,
    limits_of,
    name_rows,
    panels,
    stacked,
    whiskers,
)
from experiments.plots.text import row_height, row_names
from experiments.results.agreement import AgreementCellRow, AgreementListRow, AgreementPlayerRow
from experiments.screen import level

_HEIGHT = 3.2  # minimum height of the panels in inches, so that the pairs have room
_ASIDE = 0.15  # distance in rows of two marks from the middle of their row; chosen by eye


@house_style()
def agreement_plot(
    cells: Sequence[AgreementCellRow],
    players: Sequence[AgreementPlayerRow],
    *,
    title: str,
    slope: float,
) -> Figure:
    """Draw simulated against observed win rates: the players' means, and all pairs.

    Args:
        cells: win rates of the pairs.
        players: mean win rates of the players.
        title: title of the figure.
        slope: factor of the simulated differences from 50 % that predicts the observed ones best.
    """
    names = row_names(row.player for row in players)
    height = max(_HEIGHT, row_height(names, 0.06) * len(names))
    figure, (means, pairs) = panels(7.6, height, columns=2, width_ratios=[1, 1.15])
    _draw_means(means, players, names)
    # A pair has no order: both its players are drawn, the second as the reflection of the first.
    _draw_pairs(
        pairs,
        _with_reflection(stacked((row.observed for row in cells), 100)),
        _with_reflection(stacked((row.simulated for row in cells), 100)),
        slope,
    )
    games = sorted({row.simulated_n for row in cells})
    between = " to ".join(f"{n:,}" for n in dict.fromkeys((games[0], games[-1])))
    return label(
        figure,
        title,
        f"Whiskers: {level(CONFIDENCE)} intervals, those of the observed rates widened by rounding "
        f"or bands; n = {between} simulated games per pair. Solid line: agreement. Dashed line: "
        "observed rates as the simulated ones predict them best.",
        legend_of=means,
    )


@house_style()
def list_agreement_plot(rows: Sequence[AgreementListRow], *, title: str) -> Figure:
    """Draw simulated against observed win rates of lists, over all and within archetypes.

    Args:
        rows: win rates of the lists.
        title: title of the figure.
    """
    figure, (over_all, within) = panels(7.6, _HEIGHT, columns=2)
    _draw_pairs(
        over_all,
        stacked((row.observed for row in rows), 100),
        stacked((row.simulated for row in rows), 100),
        slope=0,
    )
    over_all.set(xlabel="observed win rate (%)", ylabel="simulated win rate against the field (%)")
    kept = [row for row in rows if row.observed_within_pp is not None]
    within.axline((0, 0), slope=1, color=GREY, lw=1)
    within.plot(
        [row.observed_within_pp or 0.0 for row in kept],
        [row.simulated_within_pp or 0.0 for row in kept],
        ls="",
        marker="o",
        ms=3.5,
        color=BLUE,
    )
    within.set(
        xlabel="observed difference from the archetype (pp)",
        ylabel="simulated difference (pp)",
    )
    return label(
        figure,
        title,
        f"Left: n = {len(rows)} lists with {level(CONFIDENCE)} intervals. Right: differences from "
        f"the mean of the archetype's lists, n = {len(kept)} lists. Line: agreement.",
    )


def _draw_means(axes: Axes, players: Sequence[AgreementPlayerRow], names: Sequence[str]) -> None:
    """Draw the observed and the simulated mean rate of each player in one row."""
    observed = stacked((row.observed for row in players), 100)
    simulated = stacked((row.simulated for row in players), 100)
    rows = np.arange(len(players), dtype=np.float64)
    axes.axvline(50, color=GREY, lw=1)
    ends = [observed.estimate, simulated.estimate]
    axes.plot(ends, [rows - _ASIDE, rows + _ASIDE], color=PALE, lw=1.6)
    for rates, aside, marker, colour, face, name in (
        (observed, -_ASIDE, "o", GREY, "white", "observed"),
        (simulated, _ASIDE, "D", BLUE, BLUE, "simulated"),
    ):
        draw_intervals(
            axes, rows + aside, rates, fmt=marker, ms=4.5, mec=colour, mfc=face, color=colour,
            elinewidth=1.2, label=name,
        )  # fmt: skip
    axes.set_xlim(limits_of(np.concatenate([*observed, *simulated]), 0.04))
    name_rows(axes, names, edge=0.6)
    axes.set(xlabel="mean win rate over the pairs (%)", ylabel="player")


def _draw_pairs(axes: Axes, observed: Interval, simulated: Interval, slope: float) -> None:
    """Draw the pairs with whiskers in both directions, and the lines of agreement and slope."""
    axes.axline((50, 50), slope=1, color=GREY, lw=1)
    axes.errorbar(
        observed.estimate, simulated.estimate, xerr=whiskers(observed), yerr=whiskers(simulated),
        fmt="o", ms=3.5, mec=BLUE, mfc=BLUE, ecolor=PALE, elinewidth=0.8, zorder=3,
    )  # fmt: skip
    if np.isfinite(slope) and slope:
        axes.axline((50, 50), slope=1 / slope, color=DARK, lw=1, ls="--")
    reach = max(float(np.abs(bound - 50).max()) for bound in (*observed, *simulated))
    limits = 50 - 1.05 * reach, 50 + 1.05 * reach
    axes.set(
        xlim=limits,
        ylim=limits,
        xlabel="observed win rate of a pair (%)",
        ylabel="simulated win rate of the pair (%)",
    )


def _with_reflection(rates: Interval) -> Interval:
    """Return rates of first players in percent, followed by those of the second players."""
    mirrored = Interval(*(100 - bound for bound in (rates.estimate, rates.high, rates.low)))
    return Interval(*(np.concatenate(pair) for pair in zip(rates, mirrored, strict=True)))

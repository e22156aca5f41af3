"""Figures that compare win rates at the baseline with win rates of one or several patches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from balance.statistics.intervals import Interval
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BAND,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PURPLE,
    VERMILION,
    draw_intervals,
    drawn_width,
    fit_columns,
    limits_of,
    name_rows,
    panels,
    stacked,
)
from experiments.plots.text import SMALL, folded, row_height, row_names
from experiments.results.compared import ChangeRow
from experiments.results.verdict import MatchupVerdict, Verdict
from experiments.screen import level

_ASIDE = 0.15  # distance in rows of two marks from the middle of their row; chosen by eye


@house_style()
def before_after(verdict: Verdict, *, title: str) -> Figure:
    """Draw the win rate of each demanded matchup before and after a patch, with its target band.

    Args:
        verdict: certificate of the patch, with both win rates of each matchup.
        title: title of the figure.
    """
    verdict = verdict.demanded
    room = min(165.0, 0.33 * drawn_width(7.0))
    names = [_name(matchup, room) for matchup in verdict.matchups]
    rows = np.arange(len(names), dtype=np.float64)
    figure, (axes,) = panels(7.0, (0.1 + row_height(names)) * len(names))
    least, most = 100 * verdict.bounds
    width = most - least
    band = (
        f"target ± {width[0] / 2:.3g} pp"
        if np.ptp(width) < 1e-9 and 0 < least.min() <= most.max() < 100
        else "wanted"
    )
    axes.barh(rows, width, 1.0, least, color=BAND, lw=0, label=band)
    before = verdict.before.times(100)
    after = verdict.after.times(100)
    axes.plot([before.estimate, after.estimate], [rows - _ASIDE, rows + _ASIDE], color=PALE, lw=2.2)
    inside = np.array([matchup.inside for matchup in verdict.matchups])
    for rates, mask, aside, marker, colour, face, name in (
        (before, inside | True, -_ASIDE, "o", GREY, "white", "today"),
        (after, inside, _ASIDE, "o", GREEN, GREEN, "patched, inside"),
        (after, ~inside, _ASIDE, "D", VERMILION, VERMILION, "patched, outside or not shown"),
    ):
        draw_intervals(
            axes, rows[mask] + aside, rates.at(mask), fmt=marker, ms=5.5, mec=colour, mfc=face,
            mew=1.3, color=colour, elinewidth=1.6, capsize=3, label=name,
        )  # fmt: skip
    _write_numbers(axes, before, after)
    axes.set_xlim(limits_of(np.concatenate([*before, *after, least, most]), 0.04))
    name_rows(axes, names, edge=0.5)
    # At tables of more than two seats, a rate is the share of one player, without an opponent.
    are_shares = not any(matchup.b for matchup in verdict.matchups)
    axes.set(
        xlabel="share (%)" if are_shares else "win rate of the first-named player (%)",
        ylabel="player" if are_shares else "matchup",
    )
    return label(figure, title, _verdict_caption(verdict), legend_of=axes)


def _name(matchup: MatchupVerdict, room: float) -> str:
    """Return a matchup's name, with a player on each of two lines if wider than `room` points."""
    if "\n" not in folded(matchup.name, room, most_lines=2):
        return matchup.name
    a, b = (folded(name, 0.85 * room, most_lines=1) for name in (matchup.a, matchup.b))
    return f"{a}\nvs {b}"


def _write_numbers(axes: Axes, before: Interval, after: Interval) -> None:
    """Write both estimates of each matchup, in percent, to the right of the matchup's row."""
    axes.annotate(
        "today → patched (%)", (1.015, 1), (0, 4), xycoords="axes fraction",
        textcoords="offset points", fontsize=SMALL,
    )  # fmt: skip
    beside = blended_transform_factory(axes.transAxes, axes.transData)
    for row, (was, now) in enumerate(zip(before.estimate, after.estimate, strict=True)):
        axes.text(
            1.015, row, f"{was:.1f} → {now:.1f}", transform=beside, va="center", fontsize=SMALL
        )


def _verdict_caption(verdict: Verdict) -> str:
    """Return the caption for a certificate: verdict, failed guards, intervals, sample size."""
    failed = ", ".join(verdict.failed_guards)
    return (
        verdict.word.capitalize()
        + (f" (guard not shown to hold: {failed})" if failed else "")
        + f". Intervals of {level(verdict.confidence)} over seeds, as in the verdict; n = "
        f"{verdict.n:,} games per matchup, today and patched, on the same seeds."
    )


# Colour and marker of each patch, by its position. No two patches have the same pair.
_LOOKS = [
    *((BLUE, "o"), (ORANGE, "s"), (GREEN, "D"), (VERMILION, "^"), (PURPLE, "v")),
    *((DARK, "P"), (BLUE, "X"), (ORANGE, "<"), (GREEN, ">")),
]
# Distance in rows from the middle of a row to its outermost marks; half of the row stays free.
_SPREAD = 0.25


@house_style()
def compared_plot(patches: Sequence[Sequence[ChangeRow]], *, title: str) -> Figure:
    """Draw rates at the baseline and with each patch in one panel, and the changes in another.

    Args:
        patches: rows of each patch, at least one patch; all have the same rates in the same order.
        title: title of the figure.
    """
    first = patches[0]
    columns = fit_columns(2, most=2, narrowest=3.0)
    names = row_names(row.rate for row in first)
    width = 9.0 if columns == 2 else 7.0
    rows = 2 // columns
    height = (0.3 + 0.1 * len(patches)) * len(names)
    figure, (rates, changes) = panels(width, height * rows, rows, columns)
    _draw_bands(rates, patches)
    places = np.linspace(-_SPREAD, _SPREAD, len(patches) + 1)
    today = stacked((row.today for row in first), 100)
    where = np.arange(len(first), dtype=np.float64)
    draw_intervals(
        rates, where + places[0], today, fmt="o", ms=4.5, mec=GREY, mfc="white", ecolor=GREY,
        elinewidth=1.3, label="today",
    )  # fmt: skip
    changes.axvline(0, color=GREY, lw=0.8)
    for place, (colour, marker), rows_of in zip(places[1:], _LOOKS, patches, strict=False):
        name = folded(rows_of[0].patch, 0.75 * drawn_width(width), most_lines=1)
        for axes, intervals in (
            (rates, stacked((row.patched for row in rows_of), 100)),
            (changes, stacked(row.change for row in rows_of)),
        ):
            draw_intervals(
                axes, where + place, intervals, fmt=marker, ms=4.5, color=colour, elinewidth=1.3,
                label=name,
            )  # fmt: skip
    name_rows(rates, names, edge=0.5)
    name_rows(changes, names if columns == 1 else [""] * len(names), edge=0.5)
    rates.set(xlabel="win rate of the first-named player (%)", ylabel="matchup, or deck")
    changes.set(xlabel="change from today (pp)", ylabel="matchup, or deck" if columns == 1 else "")
    return label(figure, title, _caption(first), legend_of=rates)


def _draw_bands(axes: Axes, patches: Sequence[Sequence[ChangeRow]]) -> None:
    """Draw the band of each rate with bounds, and limit the axis to the shown rates and bands.

    Do nothing if no rate has bounds.
    """
    bounds = {k: (row.least, row.most) for k, row in enumerate(patches[0])}
    wanted = [k for k, (least, most) in bounds.items() if least > 0 or most < 1]
    if not wanted:
        return
    least, most = 100 * np.array([bounds[k] for k in wanted]).T
    axes.barh(wanted, most - least, 1.0, least, color=BAND, lw=0, label="wanted")
    patched = [row.patched for rows_of in patches for row in rows_of]
    shown = stacked([row.today for row in patches[0]] + patched, 100)
    # A band that reaches far beyond all rates, such as 0 to 55 %, need not be shown as a whole.
    low = min(shown.low.min(), least.max())
    high = max(shown.high.max(), most.min())
    margin = 0.04 * (high - low) + 1
    axes.set_xlim(max(low - margin, -1), min(high + margin, 101))


def _caption(rows: Sequence[ChangeRow]) -> str:
    """Return the caption of a comparison: kind of the intervals, and sample size."""
    return (
        "Separate 95 % intervals; intervals of changes are paired, on equal seeds. "
        f"n = {rows[0].n:,} games per matchup and patch."
    )

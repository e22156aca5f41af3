"""Win rates before and after a patch."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from balance.statistics.intervals import Interval
from experiments.plots.style import (
    BAND,
    GREEN,
    GREY,
    PALE,
    VERMILION,
    draw_intervals,
    drawn_width,
    house_style,
    label,
    limits_of,
    name_rows,
    panels,
    tick_name,
)
from experiments.plots.text import SMALL
from experiments.results.front import MatchupVerdict, Verdict
from experiments.screen.wording import level

_ASIDE = 0.15  # rows from the middle to today, above, and to the patch, below


@house_style()
def before_after(verdict: Verdict, *, title: str) -> Figure:
    """Each matchup's win rate today and with the certificate's patch, and its target band.

    Args:
        verdict: the games of the certificate.
        title: of the figure.
    """
    verdict = verdict.demanded
    room = min(165.0, 0.33 * drawn_width(7.0))
    names = [_name(matchup, room) for matchup in verdict.matchups]
    rows = np.arange(len(names), dtype=np.float64)
    row_height = 0.44 if any("\n" in name for name in names) else 0.3
    figure, (axes,) = panels(7.0, 0.7 + row_height * len(names))
    least, most = 100 * verdict.bounds
    width = most - least
    band = (
        f"target ± {width[0] / 2:.3g} pp"
        if np.ptp(width) < 1e-9 and 0 < least.min() <= most.max() < 100
        else "wanted"
    )
    axes.barh(rows, width, 1.0, least, color=BAND, lw=0, label=band)
    before, after = verdict.before.times(100), verdict.after.times(100)
    axes.plot([before.estimate, after.estimate], [rows - _ASIDE, rows + _ASIDE], color=PALE, lw=2.2)
    inside = np.array([matchup.inside for matchup in verdict.matchups])
    for rates, mask, aside, marker, colour, face, name in (
        (before, inside | True, -_ASIDE, "o", GREY, "white", "today"),
        (after, inside, _ASIDE, "o", GREEN, GREEN, "patched, interval inside"),
        (after, ~inside, _ASIDE, "D", VERMILION, VERMILION, "patched, interval not inside"),
    ):
        draw_intervals(
            axes, rows[mask] + aside, rates.at(mask), fmt=marker, ms=5.5, mec=colour, mfc=face,
            mew=1.3, ecolor=colour, elinewidth=1.6, capsize=3, label=name,
        )  # fmt: skip
    _write_numbers(axes, before, after)
    axes.set_xlim(limits_of(np.concatenate([*before, *after, least, most]), 0.04))
    name_rows(axes, names, edge=0.5)
    rate, name = "win rate of the first-named player (%)", "matchup"
    if not any(matchup.b for matchup in verdict.matchups):  # shares of a table
        rate, name = "share (%)", "who"
    axes.set(xlabel=rate, ylabel=name)
    return label(figure, title, _caption(verdict), legend_of=axes)


def _name(matchup: MatchupVerdict, room: float) -> str:
    """A matchup's name, on two lines if it is long."""
    if "\n" not in tick_name(matchup.name, room, most_lines=2):
        return matchup.name
    a, b = (tick_name(name, 0.85 * room) for name in (matchup.a, matchup.b))
    return f"{a}\nvs {b}"


def _write_numbers(axes: Axes, before: Interval, after: Interval) -> None:
    """Both estimates to the right of each row."""
    axes.text(1.015, 1.02, "today → patched (%)", transform=axes.transAxes, fontsize=SMALL)
    beside = blended_transform_factory(axes.transAxes, axes.transData)
    for row, (was, now) in enumerate(zip(before.estimate, after.estimate, strict=True)):
        axes.text(
            1.015, row, f"{was:.1f} → {now:.1f}", transform=beside, va="center", fontsize=SMALL
        )


def _caption(verdict: Verdict) -> str:
    failed = ", ".join(verdict.failed_guards)
    return (
        verdict.word.capitalize()
        + (f" (guard not shown to hold: {failed})" if failed else "")
        + f". Intervals of {level(verdict.confidence)} over seeds, as the verdict was by; n = "
        f"{verdict.n:,} games per matchup, today and patched, on the same seeds."
    )

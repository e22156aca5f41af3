"""Win rates before and after a patch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from balance.card_contest import CardContest, Matchup
from balance.certificate import Certificate
from balance.statistics.intervals import CONFIDENCE, Floats, Interval
from experiments.plots.style import (
    BAND,
    GREEN,
    GREY,
    PALE,
    VERMILION,
    drawn_width,
    house_style,
    label,
    level,
    panels,
    tick_name,
    whiskers,
)
from experiments.plots.text import SMALL

_ASIDE = 0.15  # rows from the middle to today, above, and to the patch, below


@house_style()
def before_after(
    contest: CardContest,
    certificate: Certificate,
    *,
    targets: Floats,
    band_pp: float,
    title: str,
) -> Figure:
    """Each matchup's win rate today and with the certificate's patch, and its target band.

    Args:
        contest: the players.
        certificate: the games and their verdict.
        targets: ``[M]`` target win rates.
        band_pp: half-width of the band.
        title: of the figure.
    """
    room = min(165.0, 0.33 * drawn_width(7.0))
    names = [_name(contest, matchup, room) for matchup in contest.matchups]
    rows: Floats = np.arange(len(names), dtype=np.float64)
    row_height = 0.44 if any("\n" in name for name in names) else 0.3
    figure, (axes,) = panels(7.0, 0.7 + row_height * len(names))
    axes.barh(
        rows, 2 * band_pp, 1.0, 100 * targets - band_pp,
        color=BAND, lw=0, label=f"target ± {band_pp:g} pp",
    )  # fmt: skip
    before = Interval(*(100 * bound for bound in certificate.before))
    after = Interval(*(100 * bound for bound in certificate.after))
    axes.plot([before.estimate, after.estimate], [rows - _ASIDE, rows + _ASIDE], color=PALE, lw=2.2)
    _points(axes, before, rows - _ASIDE, "o", GREY, "today", face="white")
    inside = certificate.inside
    for mask, marker, colour, name in (
        (inside, "o", GREEN, "patched, interval inside"),
        (~inside, "D", VERMILION, "patched, interval not inside"),
    ):
        if mask.any():
            part = Interval(*(bound[mask] for bound in after))
            _points(axes, part, rows[mask] + _ASIDE, marker, colour, name)
    _write_numbers(axes, before, after)
    shown = np.concatenate([*before, *after, 100 * targets - band_pp, 100 * targets + band_pp])
    margin = 0.04 * (shown.max() - shown.min())
    axes.set(xlim=(shown.min() - margin, shown.max() + margin), ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(rows, names)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set(xlabel="win rate of the first-named player (%)", ylabel="matchup")
    label(figure, title, _caption(certificate), legend_of=axes)
    return figure


def _name(contest: CardContest, matchup: Matchup, room: float) -> str:
    """A matchup's name, on two lines if it is long."""
    whole = contest.matchup_name(matchup)
    if "\n" not in tick_name(whole, room, most_lines=2):
        return whole
    a, b = (tick_name(contest.players[k].name, 0.85 * room) for k in matchup)
    return f"{a}\nvs {b}"


def _points(
    axes: Axes,
    rates: Interval,
    rows: npt.NDArray[np.floating],
    marker: str,
    colour: str,
    name: str,
    *,
    face: str | None = None,
) -> None:
    axes.errorbar(
        rates.estimate, rows, xerr=whiskers(*rates), fmt=marker, ms=5.5, mec=colour,
        mfc=face or colour, mew=1.3, ecolor=colour, elinewidth=1.6, capsize=3, label=name,
    )  # fmt: skip


def _write_numbers(axes: Axes, before: Interval, after: Interval) -> None:
    """Both estimates to the right of each row."""
    axes.text(1.015, 1.02, "today → patched (%)", transform=axes.transAxes, fontsize=SMALL)
    beside = blended_transform_factory(axes.transAxes, axes.transData)
    for row, (was, now) in enumerate(zip(before.estimate, after.estimate, strict=True)):
        text = f"{was:.1f} → {now:.1f}"
        axes.text(1.015, row, text, transform=beside, va="center", fontsize=SMALL)


def _caption(certificate: Certificate) -> str:
    failed = [guard.name for guard in certificate.guards if not guard.holds]
    verdict = "Certified" if certificate.certified else "Not certified"
    if failed:
        verdict += f" (guard not shown to hold: {', '.join(failed)})"
    return (
        f"{verdict}. Wilson intervals of {level(certificate.confidence)} each, "
        f"{level(CONFIDENCE)} for all matchups together; n = {certificate.n_games:,} games per "
        "matchup, today and patched, on the same seeds."
    )

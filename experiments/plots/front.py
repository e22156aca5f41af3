"""The front: how much imbalance is left for how much change."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from balance.certificate import Certificate, matchup_confidence
from balance.evaluation import imbalance_pp
from balance.intervals import CONFIDENCE, Floats, Interval, wilson
from balance.selection import Selection
from experiments.plots.style import (
    BAND,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    VERMILION,
    counted,
    house_style,
    label,
    level,
    panels,
    whiskers,
)

_SPREAD = 0.74  # of the gap between two changes, shared by the genomes of one change
_ASIDE = 11  # points between the recommended genome and its certificate


@house_style()
def front_plot(
    selection: Selection,
    certificate: Certificate | None,
    *,
    targets: Floats,
    band_pp: float,
    title: str,
) -> Figure:
    """What the search claimed, what was found when its genomes were played again, the verdict.

    Args:
        selection: the genomes played again.
        certificate: the verdict on the recommended one, if it has been played.
        targets: ``[M]`` target win rates.
        band_pp: half-width of the band.
        title: of the figure.
    """
    confidence = matchup_confidence(len(targets))
    claimed = imbalance_pp(selection.claimed, targets).max(axis=1)
    selected_rates = wilson(selection.points, selection.n_games, confidence)
    selected = _largest_distance_pp(selected_rates, targets)
    x = _side_by_side(selection.scores.change, selected.estimate)
    figure, (axes,) = panels(7.0, 4.6)
    axes.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    axes.vlines(x, claimed, selected.estimate, color=ORANGE, lw=0.9, alpha=0.7, zorder=2)
    axes.plot(x, claimed, "o", ms=4.6, color=ORANGE, label="claimed by the search", zorder=2.5)
    room = selection.has_room
    _points(axes, x[room], _take(selected, room), BLUE, "selected, with room to spare")
    _points(axes, x[~room], _take(selected, ~room), "white", "selected, no room or a guard broken")
    best = selection.recommended
    highest = max(float(claimed.max()), float(selected.high.max()), band_pp)
    if certificate is not None:
        highest = max(highest, _certified(figure, axes, x[best], certificate, targets))
    _point_out(axes, x, float(selected.estimate[best]), selection)
    axes.set(ylim=(-0.025 * highest, 1.22 * highest), xlabel="change (steps)")
    axes.set_ylabel("imbalance (pp)")
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
    label(figure, title, _caption(selection, certificate), legend_of=axes, columns=3)
    return figure


def _largest_distance_pp(rates: Interval, targets: Floats) -> Interval:
    """Imbalance of ``[..., M]`` win rates.

    As the intervals of all matchups hold together, so does that of the largest distance.
    """
    nearest = np.maximum(np.maximum(rates.low - targets, targets - rates.high), 0)
    farthest = np.maximum(np.abs(rates.low - targets), np.abs(rates.high - targets))
    distances = (np.abs(rates.estimate - targets), nearest, farthest)
    return Interval(*(100 * distance.max(axis=-1) for distance in distances))


def _side_by_side(change: Floats, imbalance: Floats) -> Floats:
    """``[S]`` places along the axis: genomes of one change side by side, by imbalance."""
    values, group, sizes = np.unique(change, return_inverse=True, return_counts=True)
    gap = float(np.diff(values).min()) if len(values) > 1 else 1.0
    rank = np.zeros(len(change))
    for one, size in enumerate(sizes):
        mine = np.flatnonzero(group == one)
        rank[mine[np.argsort(imbalance[mine], kind="stable")]] = np.arange(size) - (size - 1) / 2
    places: Floats = change + _SPREAD * gap * rank / max(sizes.max(), 4)
    return places


def _take(interval: Interval, mask: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Interval:
    return Interval(*(bound[mask] for bound in interval))


def _points(axes: Axes, x: Floats, distance: Interval, face: str, name: str) -> None:
    if not len(x):
        return
    axes.errorbar(
        x, distance.estimate, yerr=whiskers(*distance), fmt="s", ms=4.4, mec=BLUE, mfc=face,
        mew=1.1, ecolor=BLUE, elinewidth=0.6, label=name, zorder=2.5,
    )  # fmt: skip


def _point_out(axes: Axes, x: Floats, y: float, selection: Selection) -> None:
    """Ring the recommended genome, and say straight above it what it is."""
    best = selection.recommended
    axes.plot(x[best], y, "o", ms=11, mfc="none", mec=DARK, mew=1.3, zorder=4)
    n_cards = int(selection.scores.cards_touched[best])
    on_the_left = x[best] < (x.min() + x.max()) / 2
    axes.annotate(
        f" recommended: change {selection.scores.change[best]:g} \n"
        f" on {n_cards} {'card' if n_cards == 1 else 'cards'}, selected at {y:.1f} pp ",
        (x[best], y), (x[best], 0.98), textcoords=axes.get_xaxis_transform(),
        bbox={"fc": "white", "ec": "none", "pad": 1},
        ha="left" if on_the_left else "right", va="top", zorder=4,
        arrowprops={
            "arrowstyle": "-", "color": DARK, "lw": 0.8, "shrinkA": 0, "shrinkB": 5.5,
            "relpos": (0 if on_the_left else 1, 1),
        },
    )  # fmt: skip


def _certified(
    figure: Figure, axes: Axes, x: float, certificate: Certificate, targets: Floats
) -> float:
    """The certificate, left of its genome, and today; returns the highest value shown."""
    after = _largest_distance_pp(certificate.after, targets)
    before = _largest_distance_pp(certificate.before, targets)
    colour, name = (GREEN, "certified") if certificate.certified else (VERMILION, "not certified")
    aside = ScaledTranslation(-_ASIDE / 72, 0, figure.dpi_scale_trans)
    after_row = Interval(*(np.atleast_1d(bound) for bound in after))
    axes.errorbar(
        [x], after_row.estimate, yerr=whiskers(*after_row), fmt="*", ms=12, mec="white", mew=0.8,
        color=colour, elinewidth=1.8, capsize=3, label=name, zorder=5,
        transform=axes.transData + aside,
    )  # fmt: skip
    axes.axhline(float(before.estimate), color=GREY, lw=1.1, ls=(0, (5, 3)), label="today")
    return float(max(after.high, before.high))


def _caption(selection: Selection, certificate: Certificate | None) -> str:
    caption = (
        "Imbalance: largest distance of a matchup from its target. Whiskers: "
        f"{level(CONFIDENCE)} interval for all matchups together. Games per matchup: claimed n = "
        f"{counted(selection.claimed_n.tolist())}, selected n = {selection.n_games:,}"
    )
    if certificate is not None:
        caption += f", {'certified' if certificate.certified else 'not certified'} and today n = "
        caption += f"{certificate.n_games:,}"
    stand = "Genomes of one change stand side by side"
    if certificate is not None:
        stand += ", the certificate to the left of its genome"
    return f"{caption}. {stand}."

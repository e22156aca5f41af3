"""The front: how much imbalance is left for how much change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation, Transform

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
    drawn_width,
    house_style,
    label,
    level,
    panels,
    whiskers,
)
from experiments.plots.text import SMALL
from experiments.tables.imbalance import imbalance_interval_pp

_WIDTH = 7.0  # inches on a screen
_LARGE, _SMALL = 14.0, 3.0  # points across that a genome takes
_ASIDE = 2.6  # points from a genome's place to its claim and to its selection, left and right
_CERTIFICATE_ASIDE = 13.0  # points from the recommended genome to its certificate


class _Genomes(NamedTuple):
    """What is drawn of the ``S`` genomes played again."""

    x: Floats
    claimed: Floats
    selected: Interval
    is_large: npt.NDArray[np.bool_]
    has_room: npt.NDArray[np.bool_]

    def take(self, mask: npt.NDArray[np.bool_]) -> _Genomes:
        """Some of them."""
        selected = Interval(*(bound[mask] for bound in self.selected))
        return _Genomes(
            self.x[mask], self.claimed[mask], selected, self.is_large[mask], self.has_room[mask]
        )


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
    genomes = _genomes(selection, targets)
    best = selection.recommended
    figure, (axes,) = panels(_WIDTH, 3.6)
    axes.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    _draw_genomes(figure, axes, genomes)
    y = float(genomes.selected.estimate[best])
    highest = max(float(genomes.claimed.max()), float(genomes.selected.high.max()), band_pp)
    if certificate is not None:
        highest = max(highest, _draw_verdict(figure, axes, genomes.x[best], certificate, targets))
    _point_out(figure, axes, genomes.x, y, selection)
    axes.set(ylim=(-0.025 * highest, 1.3 * highest), xlabel="change (steps)")
    axes.set_ylabel("imbalance (pp)")
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
    label(figure, title, _caption(selection, certificate), legend_of=axes, columns=3)
    return figure


def _genomes(selection: Selection, targets: Floats) -> _Genomes:
    claimed = imbalance_pp(selection.claimed, targets).max(axis=1)
    rates = wilson(selection.points, selection.n_games, matchup_confidence(len(targets)))
    selected = imbalance_interval_pp(rates, targets)
    change = selection.scores.change
    is_large = _on_front(change, claimed) | _on_front(change, selected.estimate)
    is_large[selection.recommended] = True
    across = 0.85 * drawn_width(_WIDTH) / (float(np.ptp(change)) + 1)
    by_imbalance = np.argsort(selected.estimate, kind="stable")
    x = np.empty(len(change))
    best = int(np.flatnonzero(by_imbalance == selection.recommended)[0])
    x[by_imbalance] = _side_by_side(change[by_imbalance], is_large[by_imbalance], best, across)
    return _Genomes(x, claimed, selected, is_large, selection.has_room)


def _on_front(change: Floats, imbalance: Floats) -> npt.NDArray[np.bool_]:
    """``[S]`` the best genome of each change that is better than all with less change."""
    found = np.zeros(len(change), dtype=bool)
    least = np.inf
    for k in np.lexsort([imbalance, change]):
        if imbalance[k] < least:
            found[k], least = True, imbalance[k]
    return found


def _side_by_side(
    change: Floats, is_large: npt.NDArray[np.bool_], first: int, points_per_step: float
) -> Floats:
    """``[S]`` places along the axis, so that genomes of one change stand side by side.

    Large marks stand around their change, `first` on the left, as the certificate needs its left
    side; small ones stand to the right of them.
    """
    values, group = np.unique(change, return_inverse=True)
    gap = float(np.diff(values).min()) if len(values) > 1 else 1.0
    places: Floats = change.astype(np.float64)
    for one in range(len(values)):
        mine = np.flatnonzero(group == one)
        large, small = mine[is_large[mine]], mine[~is_large[mine]]
        large = large[np.argsort(large != first, kind="stable")]
        width = min(_LARGE / points_per_step, 0.8 * gap / max(len(large), 1))
        places[large] += width * (np.arange(len(large)) - (len(large) - 1) / 2)
        start = width * max(len(large), 1) / 2
        step = min(_SMALL / points_per_step, (0.66 * gap - start) / max(len(small), 1))
        places[small] += start + step * (np.arange(len(small)) + 0.5)
    return places


def _draw_genomes(figure: Figure, axes: Axes, genomes: _Genomes) -> None:
    """Large: claim on the left, selection on the right, a line between them. Small: selection."""
    left, right = (_shifted(figure, axes, points) for points in (-_ASIDE, _ASIDE))
    small = genomes.take(~genomes.is_large)
    if len(small.x):
        axes.plot(
            small.x, small.selected.estimate, "o", ms=2.2, mew=0, color=BLUE, alpha=0.45, zorder=2,
            label="selected, not on a front",
        )  # fmt: skip
    large = genomes.take(genomes.is_large)
    axes.vlines(
        large.x, large.claimed, large.selected.estimate, color=ORANGE, lw=0.9, alpha=0.7, zorder=2
    )
    axes.plot(
        large.x, large.claimed, "o", ms=4.4, color=ORANGE, transform=left, zorder=3,
        label="claimed by the search",
    )  # fmt: skip
    for mask, face, name in (
        (large.has_room, BLUE, "selected, with room to spare"),
        (~large.has_room, "white", "selected, no room or a guard broken"),
    ):
        some = large.take(mask)
        if len(some.x):
            axes.errorbar(
                some.x, some.selected.estimate, yerr=whiskers(*some.selected), fmt="s", ms=4.2,
                mec=BLUE, mfc=face, mew=1.1, ecolor=BLUE, elinewidth=0.8, transform=right,
                zorder=3, label=name,
            )  # fmt: skip
    axes.update_datalim(np.column_stack([genomes.x, genomes.selected.estimate]))
    axes.autoscale_view()


def _shifted(figure: Figure, axes: Axes, points: float) -> Transform:
    """Data places, some points to the right."""
    return axes.transData + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans)


def _point_out(figure: Figure, axes: Axes, x: Floats, y: float, selection: Selection) -> None:
    """Ring the recommended genome, and say straight above it what it is."""
    best = selection.recommended
    place = _shifted(figure, axes, _ASIDE)
    axes.plot(
        x[best], y, "o", ms=9, mfc="none", mec=DARK, mew=1.2, zorder=4, transform=place,
        label="recommended",
    )  # fmt: skip
    n_cards = int(selection.scores.cards_touched[best])
    on_the_left = x[best] < (x.min() + x.max()) / 2
    axes.annotate(
        f" change {selection.scores.change[best]:g} on {n_cards} "
        f"{'card' if n_cards == 1 else 'cards'}, \n selected at {y:.1f} pp ",
        (x[best], y), (x[best], 0.99), xycoords=place,
        textcoords=axes.get_xaxis_transform()
        + ScaledTranslation(_ASIDE / 72, 0, figure.dpi_scale_trans),
        bbox={"fc": "white", "ec": "none", "pad": 1}, fontsize=SMALL,
        ha="left" if on_the_left else "right", va="top", zorder=4,
        arrowprops={
            "arrowstyle": "-", "color": DARK, "lw": 0.8, "shrinkA": 0, "shrinkB": 5,
            "relpos": (0 if on_the_left else 1, 1),
        },
    )  # fmt: skip


def _draw_verdict(
    figure: Figure, axes: Axes, x: float, certificate: Certificate, targets: Floats
) -> float:
    """The certificate, left of its genome, and today; returns the highest value shown."""
    after = imbalance_interval_pp(certificate.after, targets)
    before = imbalance_interval_pp(certificate.before, targets)
    colour, name = (GREEN, "certified") if certificate.certified else (VERMILION, "not certified")
    after_row = Interval(*(np.atleast_1d(bound) for bound in after))
    axes.errorbar(
        [x], after_row.estimate, yerr=whiskers(*after_row), fmt="*", ms=10, mec="white", mew=0.6,
        color=colour, elinewidth=1.6, capsize=2.5, label=name, zorder=5,
        transform=_shifted(figure, axes, -_CERTIFICATE_ASIDE),
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
    stand = (
        "Large: genomes on the front as claimed or as selected, claim left, selection right; "
        "genomes of one change stand side by side"
    )
    if certificate is not None:
        stand += ", the certificate to the left of its genome"
    return f"{caption}. {stand}."

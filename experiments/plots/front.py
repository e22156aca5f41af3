"""The front: how much imbalance is left for how much change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation, Transform

from balance.certificate import Certificate
from balance.demands import Demands
from balance.selection import Selection
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, wilson
from balance.statistics.pareto import on_front
from experiments.plots.style import (
    BAND,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    PALE,
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

_WIDTH = 8.4  # inches on a screen
_LARGE, _SMALL = 13.0, 3.0  # points across that a genome takes
_ASIDE = 2.6  # points from a genome's place to its claim and to its selection, at most
_COLUMN = 0.8  # part of the distance between two changes in which their genomes stand
_LEAST_COLUMN = 8.0  # points across, below which lines between columns would hide the rest


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


class _Columns(NamedTuple):
    """Where ``S`` genomes stand along the axis, those of one change together.

    Attributes:
        x: ``[S]`` their places.
        certificate: the place of the certificate, left of its genome.
        slot: the narrowest room of a large mark, in steps.
    """

    x: Floats
    certificate: float
    slot: float


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
    change, best = selection.scores.change, selection.recommended
    unit = _unit(change)
    across = 0.88 * drawn_width(_WIDTH) / (float(np.ptp(change)) + unit)  # points per step
    demands = Demands.around(targets, band_pp)
    genomes, columns = _genomes(selection, demands, across, has_verdict=certificate is not None)
    aside = min(_ASIDE, 0.4 * across * columns.slot)
    figure, (axes,) = panels(_WIDTH, 3.6)
    axes.axhspan(0, band_pp, color=BAND, lw=0, zorder=0, label=f"band, {band_pp:g} pp")
    if unit * across >= _LEAST_COLUMN:
        for border in np.unique(np.round([change - unit / 2, change + unit / 2], 9)):
            axes.axvline(border, color=PALE, lw=0.7, ls=(0, (1, 2)), zorder=0)
    _draw_genomes(figure, axes, genomes, aside)
    y = float(genomes.selected.estimate[best])
    highest = max(float(genomes.claimed.max()), float(genomes.selected.high.max()), band_pp)
    if certificate is not None:
        highest = max(highest, _draw_verdict(axes, columns.certificate, certificate))
    _point_out(figure, axes, genomes.x, y, selection, aside)
    axes.set(ylim=(-0.025 * highest, 1.3 * highest), xlabel="change (steps)")
    axes.set_ylabel("imbalance (pp)")
    axes.set_xlim(change.min() - unit / 2, change.max() + unit / 2)
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
    label(figure, title, _caption(selection, certificate), legend_of=axes, columns=3)
    return figure


def _unit(change: Floats) -> float:
    """The distance of two changes that are neighbours, 1 step at most."""
    return min(1.0, float(np.diff(np.unique(change)).min(initial=1.0)))


def _genomes(
    selection: Selection, demands: Demands, points_per_step: float, *, has_verdict: bool
) -> tuple[_Genomes, _Columns]:
    claimed = demands.distance_pp(selection.claimed).max(axis=1)
    rates = wilson(selection.points, selection.n_games, demands.confidence)
    selected = demands.imbalance_pp(rates)
    change, best = selection.scores.change, selection.recommended
    is_large = on_front(change, claimed) | on_front(change, selected.estimate)
    is_large[best] = True
    columns = _side_by_side(
        change, selected.estimate, is_large, best if has_verdict else None, points_per_step
    )
    return _Genomes(columns.x, claimed, selected, is_large, selection.has_room), columns


def _side_by_side(
    change: Floats,
    imbalance: Floats,
    is_large: npt.NDArray[np.bool_],
    certified: int | None,
    points_per_step: float,
) -> _Columns:
    """Genomes of one change side by side around it, in a column of their own.

    From left to right: the certificate and its genome, other large marks, small ones, each kind by
    imbalance.
    """
    room = _COLUMN * _unit(change)
    by_imbalance = np.argsort(imbalance, kind="stable")
    x: Floats = change.astype(np.float64)
    certificate, narrowest = np.nan, _LARGE / points_per_step
    for value in np.unique(change):
        mine = by_imbalance[change[by_imbalance] == value]
        large, small = mine[is_large[mine]], mine[~is_large[mine]]
        large = large[np.argsort(large != certified, kind="stable")]
        n_slots = len(large) + (certified in large)
        most = (0.75 if len(small) else 1.0) * room
        slot = min(_LARGE / points_per_step, most / max(n_slots, 1))
        step = min(_SMALL / points_per_step, (room - slot * n_slots) / max(len(small), 1))
        start = value - (slot * n_slots + step * len(small)) / 2
        slots = start + slot * (np.arange(n_slots) + 0.5)
        if certified in large:
            certificate = float(slots[0])
        x[large] = slots[n_slots - len(large) :]
        x[small] = start + slot * n_slots + step * (np.arange(len(small)) + 0.5)
        narrowest = min(narrowest, slot)
    return _Columns(x, certificate, narrowest)


def _draw_genomes(figure: Figure, axes: Axes, genomes: _Genomes, aside: float) -> None:
    """Large: claim on the left, selection on the right, a line between them. Small: selection."""
    left, right = (_shifted(figure, axes, points) for points in (-aside, aside))
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
        (~large.has_room, "white", "selected, no room to spare"),
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


def _point_out(
    figure: Figure, axes: Axes, x: Floats, y: float, selection: Selection, aside: float
) -> None:
    """Ring the recommended genome, and say straight above it what it is."""
    best = selection.recommended
    place = _shifted(figure, axes, aside)
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
        + ScaledTranslation(aside / 72, 0, figure.dpi_scale_trans),
        bbox={"fc": "white", "ec": "none", "pad": 1}, fontsize=SMALL,
        ha="left" if on_the_left else "right", va="top", zorder=4,
        arrowprops={
            "arrowstyle": "-", "color": DARK, "lw": 0.8, "shrinkA": 0, "shrinkB": 5,
            "relpos": (0 if on_the_left else 1, 1),
        },
    )  # fmt: skip


def _draw_verdict(axes: Axes, x: float, certificate: Certificate) -> float:
    """The certificate, left of its genome, and today; returns the highest value shown."""
    after = certificate.demands.imbalance_pp(certificate.after)
    before = certificate.demands.imbalance_pp(certificate.before)
    colour, name = (GREEN, "certified") if certificate.certified else (VERMILION, "not certified")
    after_row = Interval(*(np.atleast_1d(bound) for bound in after))
    axes.errorbar(
        [x], after_row.estimate, yerr=whiskers(*after_row), fmt="*", ms=10, mec="white", mew=0.6,
        color=colour, elinewidth=1.6, capsize=2.5, label=name, zorder=5,
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
        "Large: genomes on the front as claimed or as selected, claim left, selection right. "
        "Between two dotted lines all genomes have the same change; they stand side by side only "
        "to be told apart"
    )
    if certificate is not None:
        stand += ", the certificate to the left of its genome"
    return f"{caption}. {stand}."

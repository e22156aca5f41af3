"""Figure of the front of a balance run: imbalance of patches against their change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation, Transform

from balance import CONFIDENCE, Floats, Interval, on_front
from balance.run.front_rows import FrontRow
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
    VERMILION,
    counted,
    draw_intervals,
    drawn_width,
    panels,
    stacked,
)
from experiments.plots.text import SMALL
from experiments.results.verdict import Verdict
from experiments.screen import level

# All these sizes were chosen by eye.
_WIDTH = 8.4  # width of the figure on a screen, in inches
_LARGE = 13.0  # maximum width of a large mark (claim, selection and interval), in points
_SMALL = 3.0  # maximum width of a small mark (a dot), in points
_ASIDE = 2.6  # maximum distance of claim and selection from a patch's position, in points
_COLUMN = 0.8  # maximum part of the distance between two sizes that marks fill
_COLUMN_MIN = 8.0  # minimum distance of two sizes for lines between them, in points


@house_style()
def front_plot(
    front: Sequence[FrontRow], verdict: Verdict, *, title: str, parts: str = "cards"
) -> Figure:
    """Draw the imbalance of all patches against their cards: claimed, selected and certified.

    Patches of games without cards are drawn against their change.

    Args:
        front: patches that were evaluated again, exactly one of them recommended.
        verdict: certificate of the recommended patch.
        title: title of the figure.
        parts: word for the edited parts of the game, such as `groups` in games without cards.
    """
    cards = np.array([row.cards_touched for row in front], dtype=np.float64)
    change = np.array([row.change for row in front])
    has_cards = bool(cards.any())
    size = cards if has_cards else change
    claimed, selected = (
        stacked(getattr(row, stage) for row in front) for stage in ("claimed", "selected")
    )
    (best,) = (k for k, row in enumerate(front) if row.recommended)
    is_large = on_front(cards, change, claimed.estimate)
    is_large |= on_front(cards, change, selected.estimate)
    is_large[best] = True
    unit = _unit(size)
    across = 0.88 * drawn_width(_WIDTH) / (float(np.ptp(size)) + unit)  # points per card or step
    x, certificate, slot = _side_by_side(size, selected.estimate, is_large, best, across)
    aside = min(_ASIDE, 0.4 * across * slot)
    figure, (axes,) = panels(_WIDTH, 3.1)
    axes.axhspan(0, verdict.band_pp, color=BAND, lw=0, zorder=0,
                 label=f"band, {verdict.band_pp:g} pp")  # fmt: skip
    if unit * across >= _COLUMN_MIN:
        for border in np.unique(np.round([size - unit / 2, size + unit / 2], 9)):
            axes.axvline(border, color=PALE, lw=0.7, ls=(0, (1, 2)), zorder=0)
    has_room = np.array([row.has_room for row in front])
    _draw_patches(figure, axes, x, claimed, selected, has_room, is_large, aside)
    if has_cards:
        _write_changes(axes, x[is_large], selected.high[is_large], change[is_large])
    _draw_verdict(axes, certificate, verdict)
    chosen = "recommended" if verdict.certified else "tried, not certified"
    _point_out(axes, x, best, front[best], _shift(figure, aside), chosen, parts)
    shown = (verdict.today_pp.high, verdict.patched_pp.high, claimed.estimate, selected.high)
    highest = float(max(verdict.band_pp, *map(np.max, shown)))
    axes.set(
        xlim=(size.min() - unit / 2, size.max() + unit / 2),
        ylim=(-0.025 * highest, 1.3 * highest),
        xlabel=f"changed {parts} (number)" if has_cards else "change (steps)",
        ylabel="imbalance (pp)",
    )
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axes.grid(visible=False, axis="x")
    return label(figure, title, _caption(front, verdict, parts), legend_of=axes, columns=3)


def _unit(size: Floats) -> float:
    """Return the smallest distance between two different sizes, at most 1."""
    return min(1.0, float(np.diff(np.unique(size)).min(initial=1.0)))


def _side_by_side(
    size: Floats,
    imbalance: Floats,
    is_large: npt.NDArray[np.bool_],
    certified: int,
    points_per_unit: float,
) -> tuple[Floats, float, float]:
    """Return horizontal positions of patches; patches of equal size are placed side by side.

    From left to right, a size has the certificate and its patch, other large marks, and small
    marks. Large marks and small marks are each sorted by imbalance. The group is centred on the
    size.

    Args:
        size: number of cards or change of each patch, shape ``[S]``.
        imbalance: imbalance of each patch, shape ``[S]``.
        is_large: whether each patch has a large mark, shape ``[S]``.
        certified: index of the recommended patch, which must have a large mark.
        points_per_unit: width of a card or a step in points.

    Returns:
        Positions of the patches, shape ``[S]``; position of the certificate; minimum width of a
        large mark. All are in the unit of `size`.
    """
    room = _COLUMN * _unit(size)
    by_imbalance = np.argsort(imbalance, kind="stable")
    x: Floats = size.astype(np.float64)
    certificate = np.nan
    narrowest = _LARGE / points_per_unit
    for value in np.unique(size):
        patches = by_imbalance[size[by_imbalance] == value]
        large = patches[is_large[patches]]
        small = patches[~is_large[patches]]
        large = large[np.argsort(large != certified, kind="stable")]
        n_slots = len(large) + (certified in large)
        most = (0.75 if len(small) else 1.0) * room  # small marks get at least a quarter
        slot = min(_LARGE / points_per_unit, most / max(n_slots, 1))
        step = min(_SMALL / points_per_unit, (room - slot * n_slots) / max(len(small), 1))
        start = value - (slot * n_slots + step * len(small)) / 2
        slots = start + slot * (np.arange(n_slots) + 0.5)
        if certified in large:
            certificate = float(slots[0])
        x[large] = slots[n_slots - len(large) :]
        x[small] = start + slot * n_slots + step * (np.arange(len(small)) + 0.5)
        narrowest = min(narrowest, slot)
    return x, certificate, narrowest


def _draw_patches(
    figure: Figure,
    axes: Axes,
    x: Floats,
    claimed: Interval,
    selected: Interval,
    has_room: npt.NDArray[np.bool_],
    is_large: npt.NDArray[np.bool_],
    aside: float,
) -> None:
    """Draw the patches of the front.

    A large mark shows the claim on the left, the selection on the right and a line between both. A
    small mark shows only the selection.

    Args:
        figure: figure that contains the panel.
        axes: panel of the front.
        x: horizontal position of each patch, shape ``[S]``.
        claimed: imbalance of each patch in the games of the search, shape ``[S]``.
        selected: imbalance of each patch in the games of the selection, shape ``[S]``.
        has_room: whether the margins of each patch make a certificate likely, shape ``[S]``.
        is_large: whether each patch has a large mark, shape ``[S]``.
        aside: distance of claim and selection from the position, in points.
    """
    left, right = (axes.transData + _shift(figure, points) for points in (-aside, aside))
    if not is_large.all():
        axes.plot(
            x[~is_large], selected.estimate[~is_large], "o", ms=2.2, mew=0, color=BLUE, alpha=0.45,
            zorder=2, label="selected, another is better in all",
        )  # fmt: skip
    ends = (claimed.estimate[is_large], selected.estimate[is_large])
    axes.vlines(x[is_large], *ends, color=ORANGE, lw=0.9, alpha=0.7, zorder=2)
    axes.plot(
        x[is_large], ends[0], "o", ms=4.4, color=ORANGE, transform=left, zorder=3,
        label="claimed by the search",
    )  # fmt: skip
    for mask, face, name in (
        (is_large & has_room, BLUE, "selected, with room to spare"),
        (is_large & ~has_room, "white", "selected, no room to spare"),
    ):
        draw_intervals(
            axes, x[mask], selected.at(mask), upright=True, fmt="s", ms=4.2, mec=BLUE, mfc=face,
            mew=1.1, ecolor=BLUE, elinewidth=0.8, transform=right, zorder=3, label=name,
        )  # fmt: skip
    axes.update_datalim(np.column_stack([x, selected.estimate]))
    axes.autoscale_view()


def _write_changes(axes: Axes, x: Floats, top: Floats, change: Floats) -> None:
    """Write the change of each patch above the upper end of its interval.

    Args:
        axes: panel of the front.
        x: horizontal position of each patch, shape ``[S]``.
        top: upper end of each patch's interval, shape ``[S]``.
        change: change of each patch, shape ``[S]``.
    """
    for position, end, steps in zip(x.tolist(), top.tolist(), change.tolist(), strict=True):
        axes.annotate(
            f"{steps:g}", (position, end), (2.5, 1), textcoords="offset points", ha="center",
            va="bottom", fontsize=SMALL, color=BLUE, zorder=3,
        )  # fmt: skip


def _shift(figure: Figure, points: float) -> Transform:
    """Return a transformation that shifts to the right by a number of points."""
    return ScaledTranslation(points / 72, 0, figure.dpi_scale_trans)


def _point_out(
    axes: Axes, x: Floats, best: int, row: FrontRow, aside: Transform, name: str, parts: str
) -> None:
    """Draw a ring around the recommended patch, and write its change and imbalance above.

    Args:
        axes: panel of the front.
        x: horizontal position of each patch, shape ``[S]``.
        best: index of the recommended patch.
        row: row of the recommended patch.
        aside: shift from the patch's position to the mark of its selection.
        name: name of the ring in the legend.
        parts: word for the edited parts of the game.
    """
    y = float(row.selected.estimate)
    n_cards = row.cards_touched
    only_rules = row.patch and not n_cards
    where = "" if only_rules else f" on {n_cards} {parts[:-1] if n_cards == 1 else parts}"
    place = axes.transData + aside
    axes.plot(
        x[best], y, "o", ms=9, mfc="none", mec=DARK, mew=1.2, zorder=4, transform=place,
        label=name,
    )  # fmt: skip
    on_the_left = x[best] < (x.min() + x.max()) / 2
    axes.annotate(
        f" change {row.change:g}{where}, \n"
        f" selected at {y:.1f} pp ",
        (x[best], y), (x[best], 0.99), xycoords=place,
        textcoords=axes.get_xaxis_transform() + aside,
        bbox={"fc": "white", "ec": "none", "pad": 1}, fontsize=SMALL,
        ha="left" if on_the_left else "right", va="top", zorder=4,
        arrowprops={
            "arrowstyle": "-", "color": DARK, "lw": 0.8, "shrinkA": 0, "shrinkB": 5,
            "relpos": (0 if on_the_left else 1, 1),
        },
    )  # fmt: skip


def _draw_verdict(axes: Axes, x: float, verdict: Verdict) -> None:
    """Draw the certificate's imbalance as a mark at `x`, and the baseline's as a dashed line."""
    marker = "X"
    size = 8.5
    colour = VERMILION
    name = "played once more"
    if verdict.certified:
        marker = "*"
        size = 10
        colour = GREEN
        name = "certified"
    draw_intervals(
        axes, [x], stacked([verdict.patched_pp]), upright=True, fmt=marker, ms=size, mec="white",
        mew=0.6, color=colour, elinewidth=1.6, capsize=2.5, label=name, zorder=5,
    )  # fmt: skip
    axes.axhline(
        float(verdict.today_pp.estimate), color=GREY, lw=1.1, ls=(0, (5, 3)), label="today"
    )


def _caption(front: Sequence[FrontRow], verdict: Verdict, parts: str) -> str:
    """Return the caption of the front: definitions, intervals and sample sizes."""
    return (
        "Imbalance: largest distance of a matchup from its target. Whiskers: "
        f"{level(CONFIDENCE)} interval for all matchups together. Games per matchup: claimed n = "
        f"{counted([row.claimed_n for row in front])}, selected n = "
        f"{counted([row.selected_n for row in front])}, "
        f"{verdict.word} and today n = {verdict.n:,}. "
        f"Large, with the change in steps above: no other patch is better in {parts}, change and "
        "imbalance, as claimed or as selected, whatever its guards; claim left, selection right. "
        "Room to spare: margins inside the band and the guards' limits that make a certificate "
        "likely. Patches between two dotted lines stand next to each other only to be visible, "
        "the certificate to the left of its patch."
    )

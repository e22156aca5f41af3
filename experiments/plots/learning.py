"""How learners came along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from balance.intervals import CONFIDENCE
from experiments.plots.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    counted,
    house_style,
    label,
    level,
    panels,
    shortened,
    wrapped,
)

_TITLE_WIDTH = 48  # letters

SCRIPTED_STYLES = {
    "random": (GREY, ":", "x"),
    "greedy": (GREEN, "-.", "s"),
    "aggro": (ORANGE, "--", "D"),
    "control": (PURPLE, (0, (6, 1.5)), "^"),
}
"""Colour, line and marker of each scripted agent, the same in all figures."""


class CurvePoint(Protocol):
    """What is drawn of an evaluation; see `experiments.learner_run.CurveRow`."""

    @property
    def steps(self) -> int:
        """Decisions learned from."""

    @property
    def win_rate(self) -> float:
        """Of the pilot."""

    @property
    def low(self) -> float:
        """Lower bound of its interval."""

    @property
    def high(self) -> float:
        """Upper bound."""

    @property
    def n(self) -> int:
        """Games."""


@dataclass(frozen=True)
class LearningCurve:
    """One learner's panel.

    Attributes:
        name: the learner's.
        places: its pairings, in words.
        points: its evaluations.
        scripted: mean win rates of the scripted agents in its place, in percent.
    """

    name: str
    places: Sequence[str]
    points: Sequence[CurvePoint]
    scripted: dict[str, float]


@house_style()
def learning_curves(curves: Sequence[LearningCurve], *, title: str, n_scripted: int) -> Figure:
    """Win rate against steps, one panel per learner, with the scripted agents in its place.

    Args:
        curves: the learners.
        title: of the figure.
        n_scripted: games per pairing behind the scripted agents' lines.
    """
    columns = min(2, len(curves))
    rows = -(-len(curves) // columns)
    width = 3.9 * columns + (1.2 if columns == 1 else 0)
    figure, grid = panels(width, 1.5 + 2.5 * rows, rows, columns)
    for axes, curve in zip(grid, curves, strict=False):
        _panel(axes, curve)
    for axes in grid[len(curves) :]:
        axes.set_visible(False)
    n_games = [point.n for curve in curves for point in curve.points]
    caption = (
        f"Band: {level(CONFIDENCE)} interval of the learner's pilot without random actions, mean "
        f"over its pairings; n = {counted(n_games)} games per point, the same games at every "
        f"point. Lines: scripted agents with its deck, opponents and seat; n = {n_scripted:,} "
        "games per pairing."
    )
    label(figure, title, caption, legend_of=grid[0], columns=6)
    return figure


def _panel(axes: Axes, curve: LearningCurve) -> None:
    steps = np.array([point.steps for point in curve.points])
    rate, low, high = (
        100 * np.array([getattr(point, name) for point in curve.points])
        for name in ("win_rate", "low", "high")
    )
    axes.fill_between(steps, low, high, color=BLUE, alpha=0.22, lw=0)
    axes.plot(steps, rate, color=BLUE, marker="." if len(steps) <= 40 else "", label="learned")
    for agent, percent in curve.scripted.items():
        colour, line, _ = SCRIPTED_STYLES[agent]
        axes.axhline(percent, color=colour, ls=line, lw=1.3, label=agent)
    places = [wrapped(place, _TITLE_WIDTH) for place in curve.places]
    if len(places) > 2:
        places[1:] = [f"and {len(places) - 1} more pairings"]
    name = shortened(curve.name, 40)
    axes.set_title("\n".join([name, *places]), fontweight="normal", fontsize=8.8)
    axes.set(ylim=(-1.5, 101.5), xlim=(0, max(1.02 * float(steps.max()), 1)))
    axes.set(xlabel="steps (decisions learned from)", ylabel="win rate (%)")
    axes.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))

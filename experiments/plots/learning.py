"""Figures of learning curves of trained agents, and of tuning curves of search agents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from balance.statistics.intervals import CONFIDENCE
from experiments.learning.learning_curve import LearningCurve
from experiments.learning.tuning_run import TuningRow
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILION,
    counted,
    panel_grid,
    stacked,
)
from experiments.screen import level

SCRIPTED_STYLES = {
    "random": (GREY, ":", "x"),
    "greedy": (GREEN, "-.", "s"),
    "aggro": (ORANGE, "--", "D"),
    "control": (PURPLE, (0, (6, 1.5)), "^"),
}
"""Colour, line style and marker of each scripted agent, the same in all figures."""


VARIANT_STYLES = {"improved": (BLUE, "learned"), "dqn": (VERMILION, "learned by plain DQN")}
"""Colour of the curve, and text in the legend, of each variant of the learning method."""


@house_style()
def learning_curves(curves: Sequence[LearningCurve], *, title: str, n_scripted: int) -> Figure:
    """Draw win rates of learners against training steps, with win rates of scripted agents.

    Each learner has its own panel, but variants with the same pairings share a panel.

    Args:
        curves: learning curve of each learner.
        title: title of the figure.
        n_scripted: number of games per pairing behind the lines of the scripted agents.
    """
    shared = _by_panel(curves)
    figure, grid = panel_grid(len(shared), most=2, narrowest=3.0, width=3.9, alone=1.2, height=1.7)
    for axes, curves_of_panel in zip(grid, shared, strict=True):
        _draw_panel(axes, curves_of_panel)
    n_games = [point.n for curve in curves for point in curve.points]
    return label(
        figure,
        title,
        f"Band: {level(CONFIDENCE)} interval of the learner's pilot without random actions, mean "
        f"over its pairings; n = {counted(n_games)} games per point, the same games at every "
        f"point. Lines: scripted agents with its deck, opponents and seat; n = {n_scripted:,} "
        "games per pairing.",
        legend_of=grid[0],
        columns=6,
    )


def _by_panel(curves: Sequence[LearningCurve]) -> list[list[LearningCurve]]:
    """Return the curves of each panel, grouped by pairings.

    A second curve of the same variant and pairings starts a new panel.
    """
    panels = defaultdict[Any, list[LearningCurve]](list)
    n_before = Counter[Any]()  # curves of the same pairings and variant
    for curve in curves:
        places = tuple(curve.places)
        panels[places, n_before[places, curve.variant]].append(curve)
        n_before[places, curve.variant] += 1
    return list(panels.values())


def _draw_panel(axes: Axes, curves: Sequence[LearningCurve]) -> None:
    """Draw the curves of a panel, and the win rates of scripted agents as horizontal lines.

    The lines and the named pairings are those of the first curve.
    """
    for curve in curves:
        _draw_curve(axes, curve)
    first = curves[0]
    for agent, percent in first.scripted.items():
        colour, line, _ = SCRIPTED_STYLES[agent]
        axes.axhline(percent, color=colour, ls=line, lw=1.3, label=agent)
    places = list(first.places)
    if len(places) > 2:
        places[1:] = [f"and {len(places) - 1} more pairings"]
    steps = max(point.steps for curve in curves for point in curve.points)
    axes.set(
        title="\n".join([", ".join(curve.name for curve in curves), *places]),
        xlim=(0, max(1.02 * steps, 1)),
        ylim=(-1.5, 101.5),
        xlabel="steps (decisions learned from)",
        ylabel="win rate (%)",
    )
    axes.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))


def _draw_curve(axes: Axes, curve: LearningCurve) -> None:
    """Draw the win rates of a learner with the band of their intervals."""
    steps = [point.steps for point in curve.points]
    rates = stacked((point.win_rate for point in curve.points), 100)
    colour, name = VARIANT_STYLES[curve.variant]
    axes.fill_between(steps, rates.low, rates.high, color=colour, alpha=0.22, lw=0)
    marker = "." if len(steps) <= 40 else ""  # more marks would merge into a thick line
    axes.plot(steps, rates.estimate, color=colour, marker=marker, label=name)


@house_style()
def tuning_curves(
    curves: Mapping[str, Sequence[TuningRow]], *, title: str, panel: Sequence[str]
) -> Figure:
    """Draw the win rate of the best weights so far against the number of games used for tuning.

    Args:
        curves: points of the curve of each tuned agent, by the agent's name.
        title: title of the figure.
        panel: names of the opponents; `self`, for the agent itself, is left out of the caption.
    """
    figure, grid = panel_grid(len(curves), most=2, narrowest=3.0, width=3.9, alone=1.2, height=1.7)
    for axes, (name, rows) in zip(grid, curves.items(), strict=True):
        games = [row.games for row in rows]
        rates = stacked((row.win_rate for row in rows), 100)
        axes.fill_between(games, rates.low, rates.high, color=BLUE, alpha=0.22, lw=0)
        axes.plot(games, rates.estimate, color=BLUE, marker=".")
        axes.set(title=name, xlabel="games used (number of games)", ylabel="win rate (%)")
        axes.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
    n_games = [row.n for rows in curves.values() for row in rows]
    return label(
        figure,
        title,
        f"Band: {level(CONFIDENCE)} interval of the best weights so far, as the method ranks them, "
        f"against {', '.join(name for name in panel if name != 'self')}; n = "
        f"{counted(n_games)} games per point, the same games at every point, not used for tuning.",
    )

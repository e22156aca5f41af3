"""Figures of results: functions from results to figures, and nothing computed here is a result."""

from experiments.plots.actions import action_histogram
from experiments.plots.card_plays import card_plays
from experiments.plots.convergence import convergence_plot
from experiments.plots.dumbbell import before_after
from experiments.plots.front import front_plot
from experiments.plots.heatmap import matchup_heatmap
from experiments.plots.learning import LearningCurve, learning_curves
from experiments.plots.narrowing import narrowing_plot
from experiments.plots.played import played_against_power
from experiments.plots.png import figure_png
from experiments.plots.power import power_bars
from experiments.plots.study import study_plot
from experiments.plots.substitutes import substitutes_plot

__all__ = [
    "LearningCurve",
    "action_histogram",
    "before_after",
    "card_plays",
    "convergence_plot",
    "figure_png",
    "front_plot",
    "learning_curves",
    "matchup_heatmap",
    "narrowing_plot",
    "played_against_power",
    "power_bars",
    "study_plot",
    "substitutes_plot",
]

"""Figures of results: functions from results to figures, and nothing computed here is a result."""

from experiments.plots.actions import action_histogram
from experiments.plots.attack import attack_plot
from experiments.plots.card_plays import card_plays
from experiments.plots.convergence import convergence_plot
from experiments.plots.deck_curve import deck_curve
from experiments.plots.dumbbell import before_after
from experiments.plots.files import figure_file, figure_png
from experiments.plots.front import front_plot
from experiments.plots.learning import learning_curves
from experiments.plots.matrix import before_after_matrix, matchup_heatmap
from experiments.plots.metagame import metagame_plot
from experiments.plots.narrowing import narrowing_plot
from experiments.plots.played import played_against_power
from experiments.plots.power import power_bars
from experiments.plots.study import study_plot
from experiments.plots.style import Size, figure_size
from experiments.plots.substitutes import substitutes_plot

__all__ = [
    "Size",
    "action_histogram",
    "attack_plot",
    "before_after",
    "before_after_matrix",
    "card_plays",
    "convergence_plot",
    "deck_curve",
    "figure_file",
    "figure_png",
    "figure_size",
    "front_plot",
    "learning_curves",
    "matchup_heatmap",
    "metagame_plot",
    "narrowing_plot",
    "played_against_power",
    "power_bars",
    "study_plot",
    "substitutes_plot",
]

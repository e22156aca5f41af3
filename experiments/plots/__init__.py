"""Functions that draw results as figures of matplotlib.

A module is loaded on the first use of one of its functions, since matplotlib is slow to load.
"""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
if TYPE_CHECKING:
    from experiments.plots.agreement import agreement_plot, list_agreement_plot
    from experiments.plots.compared import before_after, compared_plot
    from experiments.plots.decks import attack_plot, deck_curve, metagame_plot, substitutes_plot
    from experiments.plots.files import figure_file, figure_png
    from experiments.plots.front_figure import front_plot
    from experiments.plots.house_style import Size, figure_size
    from experiments.plots.learning import learning_curves, tuning_curves
    from experiments.plots.matrix import (
        before_after_matrix,
        matchup_heatmap,
        observed_heatmap,
    )
    from experiments.plots.playing import action_histogram, card_plays
    from experiments.plots.power import played_against_power, power_bars
    from experiments.plots.retrodiction import retrodiction_plot
    from experiments.plots.search_progress import convergence_plot, narrowing_plot
    from experiments.plots.sensitivity import sensitivity_plot
    from experiments.plots.study import study_plot

__all__ = [
    "Size",
    "action_histogram",
    "agreement_plot",
    "attack_plot",
    "before_after",
    "before_after_matrix",
    "card_plays",
    "compared_plot",
    "convergence_plot",
    "deck_curve",
    "figure_file",
    "figure_png",
    "figure_size",
    "front_plot",
    "learning_curves",
    "list_agreement_plot",
    "matchup_heatmap",
    "metagame_plot",
    "narrowing_plot",
    "observed_heatmap",
    "played_against_power",
    "power_bars",
    "retrodiction_plot",
    "sensitivity_plot",
    "study_plot",
    "substitutes_plot",
    "tuning_curves",
]

on_demand(__name__)

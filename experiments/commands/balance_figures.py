"""The figures of a balance run."""

from __future__ import annotations

from typing import Any

from balance.pipeline import BalanceRun
from balance.statistics.hypervolume import hypervolume_of
from experiments import plots
from experiments.commands.power import draw_power
from experiments.experiment import Experiment
from experiments.results.front import front_rows
from experiments.results.verdict import verdict_of
from experiments.runs.run_folder import RunFolder


def draw_balance(experiment: Experiment, run: BalanceRun, folder: RunFolder) -> None:
    """Write all figures as PNG files; a matrix before and after only where it is more than a row.

    Args:
        experiment: what was balanced.
        run: what was found.
        folder: where to.
    """
    settings = experiment.settings
    name, target, games = settings.name, settings.target, settings.games
    contest, narrowing = run.contest, run.measurement.narrowing
    band: dict[str, Any] = {"targets": run.evaluator.targets, "band_pp": target.band_pp}
    verdict = verdict_of(run, target.band_pp)
    figures = {
        "matchups_today.png": plots.matchup_heatmap(
            contest, run.measurement.matchups, title=f"{name}: win rates today", **band
        ),
        "matchups_patched.png": plots.matchup_heatmap(
            contest, run.certified_counts, title=f"{name}: win rates with the patch", **band
        ),
        "front.png": plots.front_plot(front_rows(run), verdict, title=f"{name}: smallest patches"),
        "before_after.png": plots.before_after(verdict, title=f"{name}: before and after"),
        "convergence.png": plots.convergence_plot(
            run.state.history,
            hypervolume_of(run),
            n_select=run.selection.n_games,
            band_pp=target.band_pp,
            title=f"{name}: search",
        ),
        "narrowing.png": plots.narrowing_plot(
            contest,
            narrowing,
            title=f"{name}: cards that may move",
            n_games={"power": games.power, "lever": games.lever}.get(narrowing.by),
        ),
    }
    if len(contest.players) > 2:
        figures["before_after_matrix.png"] = plots.before_after_matrix(
            contest, verdict, title=f"{name}: before and after"
        )
    for file, figure in figures.items():
        folder.write_bytes(file, plots.figure_png(figure))
    if run.measurement.powers:
        measuring, powers = run.measurement.power_contest, run.measurement.powers
        baseline = settings.narrow.baseline
        draw_power(measuring, powers, folder, "power.png", name, baseline, kept=narrowing.kept)

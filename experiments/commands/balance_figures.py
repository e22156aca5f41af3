"""The figures of a balance run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from balance.pipeline import BalanceRun
from experiments.commands.lazy_plots import plots
from experiments.commands.power import draw_power
from experiments.experiment import Experiment
from experiments.results.front import front_rows, verdict_of
from experiments.results.stages import convergence_rows


def balance_figures(experiment: Experiment, run: BalanceRun) -> dict[str, Callable[[], Any]]:
    """What draws each figure, by file; a matrix before and after only where it is more than a row.

    Args:
        experiment: what was balanced.
        run: what was found.
    """
    settings, contest, narrowing = experiment.settings, run.contest, run.measurement.narrowing
    name, band_pp, games = settings.name, settings.target.band_pp, settings.games
    band: dict[str, Any] = {"targets": run.evaluator.targets, "band_pp": band_pp}
    verdict = verdict_of(run, band_pp)
    figures: dict[str, Callable[[], Any]] = {
        "matchups_today.png": lambda: plots.matchup_heatmap(
            contest, run.measurement.matchups, title=f"{name}: win rates today", **band
        ),
        "matchups_patched.png": lambda: plots.matchup_heatmap(
            contest, run.certified_counts, title=f"{name}: win rates with the patch", **band
        ),
        "front.png": lambda: plots.front_plot(
            front_rows(run), verdict, title=f"{name}: smallest patches"
        ),
        "before_after.png": lambda: plots.before_after(verdict, title=f"{name}: before and after"),
        "convergence.png": lambda: plots.convergence_plot(
            convergence_rows(run),
            n_select=run.selection.n_games,
            band_pp=band_pp,
            title=f"{name}: search",
        ),
        "narrowing.png": lambda: plots.narrowing_plot(
            contest,
            narrowing,
            title=f"{name}: cards that may move",
            n_games={"power": games.power, "lever": games.lever}.get(narrowing.by),
        ),
    }
    if len(contest.players) > 2:
        figures["before_after_matrix.png"] = lambda: plots.before_after_matrix(
            contest, verdict, title=f"{name}: before and after"
        )
    if run.measurement.powers:
        figures["power.png"] = partial(
            draw_power,
            run.measurement.power_contest,
            run.measurement.powers,
            name,
            settings.narrow.baseline,
            kept=narrowing.kept,
        )
    return figures

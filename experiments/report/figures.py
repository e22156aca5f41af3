"""Figures of a balance run for its page, drawn from the tables in the run's folder."""

from __future__ import annotations

from balance.run.front_rows import FrontRow
from balance.run.patch_rows import ConvergenceRow
from experiments import plots
from experiments.report.attack import ATTACK
from experiments.report.inline_svg import inline_svg
from experiments.results.attacks import attack_phase_in
from experiments.results.verdict import verdict_in
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import read_object

_TITLE = ""  # each figure stands below a heading of the page


def matchups_figure(run: FinishedRun) -> str:
    """Return the figure of the demanded matchups before and after the patch, as SVG elements."""
    return inline_svg(
        lambda: plots.before_after(verdict_in(run.summary), title=_TITLE), "before-after"
    )


def front_figure(run: FinishedRun) -> str:
    """Return the figure of the front as SVG elements, for readers without JavaScript."""
    rows = run.rows("front.csv", FrontRow)
    return inline_svg(
        lambda: plots.front_plot(rows, verdict_in(run.summary), title=_TITLE), "front"
    )


def search_figure(run: FinishedRun) -> str:
    """Return the figure of the search as SVG elements."""
    course = run.rows("convergence.csv", ConvergenceRow)
    n_select = [row.selected_n for row in run.rows("front.csv", FrontRow)]
    band_pp = run.summary["band_pp"]
    return inline_svg(
        lambda: plots.convergence_plot(course, n_select=n_select, band_pp=band_pp, title=_TITLE),
        "search",
    )


def attack_figure(run: FinishedRun) -> str:
    """Return the figure of a finished attack on the run's patch as SVG elements."""
    attack = read_object(run.path / ATTACK)
    phases = [attack_phase_in(entry) for entry in attack["phases"]]
    margin_pp = attack["margin_pp"]
    return inline_svg(
        lambda: plots.attack_plot(phases, margin_pp=margin_pp, title=_TITLE), "attack"
    )

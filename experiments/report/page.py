"""The page: everything in one file that asks the network for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from plotly.offline import get_plotlyjs, get_plotlyjs_version  # type: ignore[import-untyped]

from experiments.report.attack import attack
from experiments.report.cards import card_power, narrowing
from experiments.report.figures import convergence_figure, front_figure, rounds_figure
from experiments.report.front import front
from experiments.report.guards import guards
from experiments.report.matchups import before_after
from experiments.report.provenance import provenance
from experiments.report.verdict import verdict
from experiments.report.wording import FILTERS
from experiments.runs.finished_run import FinishedRun
from sim.errors import InputError

_TEMPLATES = Path(__file__).parent / "templates"
GENERATOR = "evenhand report"


def report_page(run: FinishedRun) -> str:
    """The report of a finished balance run as HTML.

    The same folder gives the same bytes.

    Raises:
        InputError: the folder lacks a file, or holds what this version cannot read.
    """
    try:
        context = _context(run)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise InputError(
            f"{run.path}: damaged, or made by an earlier version ({error!r}); run the experiment "
            "again"
        ) from error
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment.get_template("page.html.j2").render(
        **context,
        generator=GENERATOR,
        style=_source("style.css"),
        script=_source("script.js"),
        plotly=get_plotlyjs(),
        plotly_version=get_plotlyjs_version(),
    )


def _context(run: FinishedRun) -> dict[str, Any]:
    """Everything that the template shows; `data` is what the script reads."""
    patches, attacked = front(run), attack(run)
    figures = {
        "front": front_figure(patches),
        "convergence": convergence_figure(run.rows("convergence.csv"), patches["band_pp"]),
    }
    if attacked is not None:
        figures["rounds"] = rounds_figure(attacked["phases"])
    return {
        "verdict": verdict(run),
        "matchups": before_after(run),
        "guards": guards(run),
        "power": card_power(run),
        "narrowing": narrowing(run),
        "search": run.resolved["experiment"]["search"],
        "games": run.resolved["experiment"]["games"],
        "band_pp": patches["band_pp"],
        "n_points": len(patches["points"]),
        "drift": run.summary.get("drift"),
        "attack": attacked,
        "provenance": provenance(run),
        "data": {"front": patches, "figures": figures},
    }


def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")

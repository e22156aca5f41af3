"""The page: everything in one file that asks the network for nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import UndefinedError
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from experiments.report.figures import convergence_figure, rounds_figure
from experiments.report.findings import (
    ATTACK,
    attack,
    before_after,
    card_power,
    edits,
    guards,
    narrowing,
    verdict,
)
from experiments.report.front import front, front_figure
from experiments.report.provenance import provenance
from experiments.report.template import page_template
from experiments.results.stages import ConvergenceRow
from experiments.runs.attack_progress import PROGRESS
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import WHY
from sim.errors import InputError

_TEMPLATES = Path(__file__).parent / "templates"
GENERATOR = "evenhand report"

_Part = TypeVar("_Part")
_DAMAGE = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration,
    UndefinedError,
)  # fmt: skip
_FRONT = ("front.csv", "front_matchups.csv", "front_edits.csv")
# What makes each part of the page, and of which files.
_PARTS: dict[str, tuple[Any, ...]] = {
    "verdict": (verdict,),
    "matchups": (before_after, "stages.csv"),
    "guards": (guards, "guards.csv"),
    "edits": (edits, "edits.csv"),
    "power": (card_power, "power.csv", "narrowing.csv"),
    "narrowing": (narrowing, "narrowing.csv"),
    "provenance": (provenance, "run.json"),
}


def report_page(run: FinishedRun) -> str:
    """The report of a finished balance run as HTML.

    The same folder gives the same bytes.

    Raises:
        InputError: the folder lacks a file, or holds what this version cannot read.
    """
    context = _context(run)
    sources = {
        name.partition(".")[0]: (_TEMPLATES / name).read_text(encoding="utf-8")
        for name in ("style.css", "script.js")
    }
    template = page_template(_TEMPLATES / "page.html.j2")
    return _made_of(
        run,
        lambda _: template.render(
            **context,
            **sources,
            plotly=get_plotlyjs(),
            plotly_version=get_plotlyjs_version(),
            generator=GENERATOR,
        ),
        "its files",
    )


def _made_of(run: FinishedRun, part: Callable[[FinishedRun], _Part], *files: str) -> _Part:
    """A part of the page, or which files it cannot be made of."""
    try:
        return part(run)
    except InputError:
        raise
    except _DAMAGE as error:
        listed = " or ".join(files)
        raise InputError(f"{run.path}: cannot make sense of {listed}; {WHY}") from error


def _context(run: FinishedRun) -> dict[str, Any]:
    """Everything that the template shows; `data` is what the script reads."""
    experiment = run.resolved["experiment"]
    parts = {
        name: _made_of(run, part, *files, "summary.json", "resolved.json")
        for name, (part, *files) in _PARTS.items()
    }
    attacked = _made_of(run, attack, ATTACK)
    patches = _made_of(run, front, *_FRONT, "summary.json")
    figures = {
        "front": _made_of(run, lambda _: front_figure(patches), *_FRONT, "summary.json"),
        "convergence": _made_of(
            run,
            lambda run: convergence_figure(
                run.rows("convergence.csv", ConvergenceRow), patches["band_pp"]
            ),
            "convergence.csv",
        ),
    }
    if attacked is not None:
        figures["rounds"] = _made_of(run, lambda _: rounds_figure(attacked["phases"]), ATTACK)
    return {
        **parts,
        "search": experiment["search"],
        "games": experiment["games"],
        "band_pp": patches["band_pp"],
        "n_points": len(patches["points"]),
        "drift": run.summary.get("drift"),
        "opinion": run.summary.get("second_opinion"),
        "attack": attacked,
        "attack_is_begun": (run.path / PROGRESS).is_file(),
        "data": {"front": patches, "figures": figures},
    }

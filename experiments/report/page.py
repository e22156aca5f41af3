"""HTML page of a report, a single file that loads no other files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from xml.etree.ElementTree import ParseError

from jinja2 import UndefinedError
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from balance.settings.tables import Search
from experiments.report.attack import ATTACK, attack
from experiments.report.figures import (
    attack_figure,
    front_figure,
    matchups_figure,
    search_figure,
)
from experiments.report.findings import (
    before_after,
    card_power,
    edits,
    guards,
    narrowing,
    verdict,
)
from experiments.report.front import front
from experiments.report.provenance import provenance
from experiments.report.template import page_template
from experiments.report.wording import has_cards
from experiments.runs.attack_progress import PROGRESS
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import WHY
from experiments.screen import BAND_LEGEND, VERDICT_WORDS
from sim.errors import InputError, listed

_TEMPLATES = Path(__file__).parent / "templates"
GENERATOR = "evenhand report"

_Part = TypeVar("_Part")
# Exceptions that code for the files of a finished run raises if the files have other content, such
# as names with control characters, with which a figure is no valid SVG.
_DAMAGE = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration,
    UndefinedError, ParseError,
)  # fmt: skip
_FRONT = ("front.csv", "front_matchups.csv", "front_edits.csv")
# For each part of the page, the function that computes it and the files that the function reads.
# The error message for a damaged run names these files.
_PARTS: dict[str, tuple[Any, ...]] = {
    "verdict": (verdict,),
    "matchups": (before_after, "stages.csv"),
    "guards": (guards, "guards.csv"),
    "edits": (edits, "edits.csv"),
    "power": (card_power, "power.csv", "narrowing.csv"),
    "narrowing": (narrowing, "narrowing.csv"),
    "front": (front, *_FRONT),
    "matchups_figure": (matchups_figure,),
    "front_figure": (front_figure, "front.csv"),
    "search_figure": (search_figure, "convergence.csv", "front.csv"),
    "provenance": (provenance, "run.json"),
}


def report_page(run: FinishedRun) -> str:
    """Return the report of a finished balance run as HTML.

    The same run folder always gives the same text.

    Raises:
        InputError: the folder lacks a file, or a file has content that this version cannot read.
    """
    context = _context(run)
    sources = {
        name.partition(".")[0]: (_TEMPLATES / name).read_text(encoding="utf-8")
        for name in ("style.css", "script.js")
    }
    template = page_template(_TEMPLATES / "page.html.j2")
    return _part_of(
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


def _part_of(run: FinishedRun, part: Callable[[FinishedRun], _Part], *files: str) -> _Part:
    """Return a part of the page; report damaged files of the run as an `InputError`.

    Args:
        run: finished balance run.
        part: function that computes the part from the run.
        files: names of the files that the function reads, for the error message.

    Raises:
        InputError: a file is missing, or its content is not as this version expects.
    """
    try:
        return part(run)
    except InputError:
        raise
    except _DAMAGE as error:
        problem = f"the values in {listed(files, 'or')} cannot be read"
        raise InputError(problem, place=run.path, remedy=WHY) from error


def _context(run: FinishedRun) -> dict[str, Any]:
    """Return the variables of the page's template; the page's script reads the variable `data`."""
    experiment = run.resolved["experiment"]
    parts = {
        name: _part_of(run, part, *files, "summary.json", "resolved.json")
        for name, (part, *files) in _PARTS.items()
    }
    attacked = _part_of(run, attack, ATTACK)
    return {
        **parts,
        "has_cards": has_cards(run),
        # With a total number of games, only the settings that the file gives are recorded.
        "search": Search().model_dump(mode="json") | experiment["search"],
        "games": experiment["games"],
        "drift": run.summary.get("drift"),
        "opinion": run.summary.get("second_opinion"),
        "attack": attacked,
        "attack_figure": attacked and _part_of(run, attack_figure, ATTACK),
        "attack_is_begun": (run.path / PROGRESS).is_file(),
        "data": {
            "front": parts["front"],
            "marks": {verdict: words.mark for verdict, words in VERDICT_WORDS.items()},
            "legend": BAND_LEGEND,
        },
    }

"""HTML page on observed games, a single file that loads no other files and runs no script."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from jinja2 import UndefinedError

from experiments.report.template import page_template
from experiments.results.observed import (
    ObservedCardRow,
    ObservedChangeRow,
    ObservedMatchupRow,
    ObservedPlayerRow,
)
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import WHY
from experiments.screen.observed_words import (
    assumed_words,
    card_words,
    change_words,
    cyclic_words,
    draw_words,
    missing_words,
    named,
    origin_words,
    rated_words,
    seat_words,
)
from sim.errors import InputError

_TEMPLATES = Path(__file__).parent / "templates"
_FIGURE = "matchups.png"
_GENERATOR = "evenhand report"
# Exceptions that code for the files of a finished run raises if the files have other content.
_DAMAGE = (LookupError, TypeError, ValueError, AttributeError, UndefinedError)


def observed_page(run: FinishedRun) -> str:
    """Return the report of a finished run of `matchups` on a table of results, as HTML.

    The same run folder always gives the same text.

    Raises:
        InputError: the folder lacks a file, or a file has content that this version cannot read.
    """
    template = page_template(_TEMPLATES / "observed.html.j2")
    style = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
    try:
        return template.render(**_context(run), style=style, generator=_GENERATOR)
    except InputError:
        raise
    except _DAMAGE as error:
        raise InputError("its files cannot be read", place=run.path, remedy=WHY) from error


def _context(run: FinishedRun) -> dict[str, Any]:
    """Return the variables of the page's template."""
    summary = run.summary
    figure = run.path / _FIGURE
    matchups = run.rows("matchups.csv", ObservedMatchupRow)
    players = run.rows("players.csv", ObservedPlayerRow)
    has_changes = bool(summary["changes"])
    cards = summary.get("card_effects")
    names = [player.player for player in players]
    pairs = [f"{pair['a']} vs {pair['b']}" for pair in summary["missing"]]
    left_out = [name for name in names if name not in summary["equilibrium_of"]]
    return {
        "name": run.resolved["experiment"]["name"],
        "lead": origin_words(summary),
        "warnings": [warning["text"] for warning in summary["warnings"]],
        "figure": base64.b64encode(figure.read_bytes()).decode() if figure.is_file() else "",
        "matchups": matchups,
        "notes": [
            *assumed_words(summary["assumed_games"]),
            *missing_words(pairs, len(matchups) + len(pairs)),
            seat_words(summary["first_seat"], is_given="first" in summary["columns"]),
            draw_words(summary["draw_rate"]),
        ],
        "players": sorted(players, key=_rank),
        "player_notes": [
            *rated_words([name for name in names if name not in summary["rated"]]),
            *cyclic_words(summary["cyclic"]),
        ],
        "mixed": summary["equilibrium_of"],
        "left_out": named(left_out or ["none"]),
        "changes": run.rows("changes.csv", ObservedChangeRow) if has_changes else [],
        "change_notes": change_words(summary["changes"]),
        "cards": run.rows("card_effects.csv", ObservedCardRow) if cards else [],
        "card_notes": card_words(cards) if cards else [],
        "columns": summary["columns"],
        "provenance": {
            **run.provenance,
            "file": run.resolved["file"][:12],
            "folder": run.path.resolve().name,
        },
    }


def _rank(row: ObservedPlayerRow) -> float:
    """Return the place of a player: by decreasing rating, players without one last."""
    return float("inf") if row.rating is None else -float(row.rating.estimate)

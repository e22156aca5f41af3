"""`evenhand whatif` and `evenhand compare`: what other cards and rules come to, beside today's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any, cast

from balance import CardContest
from balance.whatif import Exploration, Explored
from experiments import plots
from experiments.commands.compare_tables import edits_shown, rates_shown
from experiments.comparison import Compared, Comparison
from experiments.files.option_errors import blaming
from experiments.results.compared import (
    ChangeRow,
    change_rows,
    edit_table,
    patch_entry,
    rate_entry,
    told_rates,
)
from experiments.runs.patched_files import write_patched
from experiments.runs.run import Findings, Run
from sim.play import pack_table

_DRAWN = 30  # rates; of more only those that can change
Rows = list[list[ChangeRow]]


def run_whatif(run: Run) -> Findings:
    """Today beside some edits; finds `changes.csv`, a figure, and the edited cards as a file."""
    comparison = cast("Comparison", run.experiment)
    rows = _compared(run, comparison)
    (one,) = comparison.compared
    if one.edits is not None:
        write_patched(comparison, one.patch.edits if one.patch else (), run.folder.path)
    summary = _summary("whatif", comparison) | _entry(one, rows[0])
    return _findings(comparison, rows, [one.name], summary)


def run_compare(run: Run) -> Findings:
    """Several runs and pools beside today; finds the same, and `edits.csv`."""
    comparison = cast("Comparison", run.experiment)
    rows = _compared(run, comparison)
    for note in comparison.told:
        run.screen.note(note)
    patches = [
        {"name": one.name, **_entry(one, of_one)}
        for one, of_one in zip(comparison.compared, rows, strict=True)
    ]
    summary = _summary("compare", comparison) | {"patches": patches}
    found = _findings(comparison, rows, [*ascii_uppercase[: len(rows)]], summary)
    names = [one.name for one in comparison.compared]
    edits = edit_table(names, [one.patch for one in comparison.compared])
    return replace(found, tables={**found.tables, "edits.csv": edits})


def _compared(run: Run, comparison: Comparison) -> Rows:
    """Play today's cards and all others on the same seeds."""
    contest, n_games = comparison.contest(), comparison.n_games
    n_expected = n_games * len(contest.matchups) * (1 + len(comparison.compared))
    with run.watched("playing", contest, n_expected) as watched:
        exploration = Exploration(watched, comparison.settings.seed, run.threads)
        today = exploration.explore({}, n_games)
        explored = [_explored(exploration, watched, one, n_games) for one in comparison.compared]
    told, kinds = told_rates(comparison.settings, contest)
    names = [one.name for one in comparison.compared]
    return change_rows(names, explored, today, told, kinds)


def _explored(
    exploration: Exploration, contest: CardContest, one: Compared, n_games: int
) -> Explored:
    with blaming(one.name):  # cards that never end
        if one.edits is not None:
            return exploration.explore(one.edits, n_games)
        other = replace(contest, table=pack_table(one.pool, one.ruleset))
        return exploration.beside(other).explore({}, n_games)


def _summary(command: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "command": command,
        "experiment": comparison.settings.name,
        "seed": comparison.settings.seed,
        "n": comparison.n_games,
    }


def _entry(one: Compared, rows: Sequence[ChangeRow]) -> dict[str, Any]:
    """A patch and its rates; of cards that differ in more than numbers there is no patch."""
    return {
        **patch_entry(one.patch),
        "rates": [rate_entry(row) for row in rows],
    }


def _findings(
    comparison: Comparison, rows: Rows, letters: Sequence[str], summary: dict[str, Any]
) -> Findings:
    name, patches = comparison.settings.name, [one.patch for one in comparison.compared]
    names = [one.name for one in comparison.compared]
    is_weighted = bool(comparison.settings.field.weights)
    rates = rates_shown(letters, rows, is_weighted=is_weighted)
    return Findings(
        summary=summary,
        tables={"changes.csv": (ChangeRow, [row for of_one in rows for row in of_one])},
        figures={
            "changes.png": lambda: plots.compared_plot(
                _worth_drawing(rows), title=f"{name}: {' and '.join(names)} beside today"
            )
        },
        shown=[*edits_shown(letters, names, patches), *rates],
    )


def _worth_drawing(rows: Rows) -> Rows:
    """All rates, or of many those that something can change."""
    moved = [any(row.can_change for row in of_rate) for of_rate in zip(*rows, strict=True)]
    if len(moved) <= _DRAWN or not any(moved):
        return rows
    return [[row for row, moves in zip(one, moved, strict=True) if moves] for one in rows]

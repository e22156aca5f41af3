"""`evenhand whatif` and `evenhand compare`: what other cards and rules come to, beside today's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any, cast

from balance import CardContest
from balance.pool_edits import SizedPatch
from balance.whatif import Exploration, Explored
from experiments import plots
from experiments.comparison import Compared, Comparison
from experiments.files.output_file import counted
from experiments.results.compared import (
    WATCHED_SEAT,
    ChangeRow,
    change_rows,
    edit_table,
    patch_entry,
    rate_entry,
    reported_rates,
)
from experiments.runs.run import Findings, Run
from experiments.screen import BAND_LEGEND, Bounds, Shown, Table, mark_of, percent, wanted_words
from sim.errors import error_place
from sim.play import pack_table

_DRAWN = 30  # rates; of more only those that can change
_LISTED = 15  # rates of a kind; of more those that move most
_EXPLORED = (
    "Explored, not certified: of many edits tried on the same games the best looks better than it "
    "is. `evenhand matchups` plays other games; `evenhand balance` certifies"
)
_TITLES = {
    "matchup": "Win rate of the first-named",
    "deck": "Win rate of each deck against all others",
    "else": "What else is demanded",
    WATCHED_SEAT: "Share of the games that the first seat wins, over all matchups",
}
Rows = list[list[ChangeRow]]


def run_whatif(run: Run) -> Findings:
    """Today beside some edits; finds `changes.csv`, a figure, and the edited cards as a file."""
    comparison = cast("Comparison", run.experiment)
    rows = _compared(run, comparison)
    (one,) = comparison.compared
    if one.edits is not None:
        comparison.write_patched(one.patch.edits if one.patch else (), run.folder.path)
    summary = _summary("whatif", comparison) | _entry(one, rows[0])
    return _findings(comparison, rows, [one.name], summary)


def run_compare(run: Run) -> Findings:
    """Several runs and pools beside today; finds the same, and `edits.csv`."""
    comparison = cast("Comparison", run.experiment)
    rows = _compared(run, comparison)
    for note in comparison.all_notes:
        run.screen.note(note)
    compared = comparison.compared
    patches = [
        {"name": one.name, **_entry(one, of_one)}
        for one, of_one in zip(compared, rows, strict=True)
    ]
    summary = _summary("compare", comparison) | {"patches": patches}
    found = _findings(comparison, rows, [*ascii_uppercase[: len(rows)]], summary)
    edits = edit_table([one.name for one in compared], [one.patch for one in compared])
    return replace(found, tables={**found.tables, "edits.csv": edits})


def _compared(run: Run, comparison: Comparison) -> Rows:
    """Play today's cards and all others on the same seeds."""
    contest = comparison.contest()
    n_games = comparison.n_games
    n_expected = n_games * len(contest.matchups) * (1 + len(comparison.compared))
    with run.watched("playing", contest, n_expected) as watched:
        exploration = Exploration(watched, comparison.settings.seed, run.threads)
        today = exploration.explore({}, n_games)
        explored = [_explored(exploration, watched, one, n_games) for one in comparison.compared]
    shown = reported_rates(comparison.settings, contest)
    return change_rows([one.name for one in comparison.compared], explored, today, shown)


def _explored(
    exploration: Exploration, contest: CardContest, one: Compared, n_games: int
) -> Explored:
    with error_place(one.name):  # cards that never end
        if one.edits is not None:
            return exploration.explore(one.edits, n_games)
        other = replace(contest, table=pack_table(one.pool, one.ruleset))
        return exploration.with_contest(other).explore({}, n_games)


def _summary(command: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "command": command,
        "experiment": comparison.settings.name,
        "seed": comparison.settings.seed,
        "n": comparison.n_games,
    }


def _entry(one: Compared, rows: Sequence[ChangeRow]) -> dict[str, Any]:
    """A patch and its rates; of cards that differ in more than numbers there is no patch."""
    return patch_entry(one.patch) | {"rates": [rate_entry(row) for row in rows]}


def _findings(
    comparison: Comparison, rows: Rows, letters: Sequence[str], summary: dict[str, Any]
) -> Findings:
    name = comparison.settings.name
    patches = [one.patch for one in comparison.compared]
    names = [one.name for one in comparison.compared]
    rates = _rates_shown(letters, rows, is_weighted=bool(comparison.settings.field.weights))
    return Findings(
        summary=summary,
        tables={"changes.csv": (ChangeRow, [row for of_one in rows for row in of_one])},
        figures={
            "changes.png": lambda: plots.compared_plot(
                _worth_drawing(rows), title=f"{name}: {' and '.join(names)} beside today"
            )
        },
        shown=[*_edits_shown(letters, names, patches), *rates],
    )


def _worth_drawing(rows: Rows) -> Rows:
    """All rates, or of many those that something can change."""
    moved = [any(row.can_change for row in of_rate) for of_rate in zip(*rows, strict=True)]
    if len(moved) <= _DRAWN or not any(moved):
        return rows
    return [[row for row, moves in zip(one, moved, strict=True) if moves] for one in rows]


def _edits_shown(
    letters: Sequence[str], names: Sequence[str], patches: Sequence[SizedPatch | None]
) -> list[Shown]:
    """What is compared: of one the patch notes, of several all edits side by side."""
    sizes = [_size(patch) for patch in patches]
    if len(letters) == 1 and letters[0] == names[0]:
        (patch,) = patches
        edits = [str(edit) for edit in patch.edits] if patch else []
        return [*edits, f"{'' if edits else f'{names[0]}: '}{sizes[0]}", ""]
    said = [f"{a}: {name} ({size})" for a, name, size in zip(letters, names, sizes, strict=True)]
    _, rows = edit_table(letters, patches)
    cells = [
        (f"{card} {field}", *("?" if one is None else str(one) for one in values))
        for card, field, *values in rows
    ]
    table = Table("Edits side by side", ("number", "today", *letters), cells)
    shown = list[Shown]([*said, ""])
    return [*shown, table, ""] if rows else shown


def _size(patch: SizedPatch | None) -> str:
    if patch is None:
        return "differs in more than numbers"
    if not patch.edits:
        return "no number differs from today's"
    cards = f" on {counted(patch.cards_touched, 'card')}" if patch.cards_touched else ""
    return f"change {patch.change:g}{cards}"


def _rates_shown(
    letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]], *, is_weighted: bool
) -> list[Shown]:
    """A table for each kind of rates, and how to read them.

    Args:
        letters: what is compared.
        patches: of each its rates.
        is_weighted: whether some decks count more in the field than others.
    """
    shown = list[Shown]()
    for kind, title in _TITLES.items():
        of_kind = [[row for row in rows if row.of == kind] for rows in patches]
        more = ", as [field] weights them" if is_weighted and kind == "deck" else ""
        if of_kind[0]:
            shown += [*_of_kind(title + more, letters, of_kind), ""]
    rows = (row for of_one in patches for row in of_one)
    is_any_marked = any(mark_of(one) for row in rows for one in (row.verdict_today, row.verdict))
    return [*shown, *([BAND_LEGEND] if is_any_marked else []), _EXPLORED]


def _of_kind(
    title: str, letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]
) -> list[Shown]:
    rates = [*zip(*patches, strict=True)]
    largest = [max(abs(float(row.change.estimate)) for row in rate) for rate in rates]
    most = sorted(range(len(rates)), key=lambda n: -largest[n])[:_LISTED]
    listed = [rates[n] for n in sorted(most)]
    n_games = rates[0][0].n
    header = _header(letters, patches)
    cells = [*map(_row, listed)]
    if not any(row[1] for row in cells):  # nothing of it is wanted
        header, *cells = ([name, *rest] for name, _, *rest in (header, *cells))
    how = f"{n_games:,} games per matchup, on equal seeds; ± half of the 95 % interval"
    table = Table(f"{title} ({how})", header, cells)
    if len(listed) == len(rates):
        return [table]
    n_fixed = sum(not any(row.can_change for row in rate) for rate in rates)
    return [
        table,
        f"The {_LISTED} of {len(rates)} that move most; {n_fixed} cannot have changed at all. "
        "changes.csv has all",
    ]


def _header(letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]) -> list[str]:
    what = {"matchup": "matchup", "deck": "deck"}.get(patches[0][0].of, "rate")
    header = [what, "wanted", "today, %"]
    for letter in letters:
        whose = f"{letter} " if len(letters) > 1 else ""
        header += [f"{letter}, %", f"{whose}change, pp"]
    return header + [f"{letter} - {letters[0]}, pp" for letter in letters[1:]]


def _row(rate: Sequence[ChangeRow]) -> list[str]:
    first = rate[0]
    name = first.rate.removesuffix(" vs the field") if first.of == "deck" else first.rate
    cells = [name, wanted_words(first.least, first.most), _marked(first.today, first.verdict_today)]
    for row in rate:
        cells += [_marked(row.patched, row.verdict), _points(row.change)]
    return cells + [_points(row.beyond_first) for row in rate if row.beyond_first is not None]


def _points(difference: Iterable[Any]) -> str:
    """`+3.1 ±1.1`, of percentage points; `same` of games none of which can be another."""
    estimate, low, high = map(float, difference)
    return f"{estimate:+.1f} ±{(high - low) / 2:.1f}" if low < high else "same"


def _marked(rate: Bounds, verdict: str) -> str:
    return f"{percent(rate)} {mark_of(verdict)}".rstrip()

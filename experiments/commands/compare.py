"""`evenhand compare`: win rates with several patches, next to the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

import typer

from balance import CardContest, Interval
from balance.cards.pool_edits import SizedPatch
from balance.contest.whatif import Exploration, Explored
from experiments import plots
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.pilots import with_pilots_named
from experiments.comparison import (
    Compared,
    ComparedCards,
    Comparison,
    ContestComparison,
    load_comparison,
)
from experiments.results.compared import (
    WATCHED_SEAT,
    ChangeRow,
    change_rows,
    edit_table,
    patch_entry,
    rate_entry,
    reported_rates,
)
from experiments.runs.run import Findings, RunOf
from experiments.screen import (
    Shown,
    Table,
    counted,
    legend_of,
    marked,
    percent,
    plus_minus,
    wanted_words,
)
from sim.errors import error_place
from sim.play import pack_table

# Maximum number of rates in the figure, chosen by hand so that the figure fits a page. If there
# are more, only the rates that a patch can change are drawn.
_DRAWN = 30
# Maximum number of rates of one kind in a table, chosen by hand so that the table fits a screen. If
# there are more, those that change most are listed.
_LISTED = 15
_EXPLORED = (
    "Explored, not certified: if many edits are tried on the same games, the best one looks better "
    "than it is. `evenhand matchups` plays other games; `evenhand balance` certifies"
)
_TITLES = {
    "matchup": "Win rate of the first-named",
    "deck": "Win rate of each deck against all others",
    "else": "Other demands of [target]",
    WATCHED_SEAT: "Share of the games that the first seat wins, over all matchups",
}
AnyComparison = Comparison | ContestComparison
Rows = list[list[ChangeRow]]
"""Rows of each compared patch, one per rate; all patches have the same order of rates."""


@session_command(*MEASURING, "agent", "games")
def compare(
    session: Session,
    compared: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN_OR_POOL",
            help="The patches: run folders of balance or whatif, balanced experiments, or pool "
            "files.",
        ),
    ],
    *,
    experiment: Annotated[
        str | None,
        typer.Option(
            help="The experiment with the decks that play; default that of the first run."
        ),
    ] = None,
) -> Work:
    """Compare several patches with the current cards.

    All versions play on equal game seeds. Their rates are shown in one table and one figure, and
    their edits side by side.
    """

    def load(_: str, results: Path) -> Any:
        # `session.run` passes the name of an experiment, which a comparison need not have.
        return load_comparison(
            compared, results, of=experiment, games=session.games, agent=session.agent
        )

    work = with_pilots_named(run_compare)
    return partial(session.run, "compare", "", lambda _: None, work, load)


def run_compare(run: RunOf[Any]) -> Findings:
    """Compare several runs and pools with the baseline; return tables, a figure and lines."""
    comparison: AnyComparison = run.experiment
    rows = play_versions(run, comparison)
    for note in comparison.notes_of_seed(comparison.settings.seed):
        run.screen.note(note)
    compared = comparison.compared
    patches = [
        {"name": patch.name, **rates_of_patch(patch, rows_of_patch)}
        for patch, rows_of_patch in zip(compared, rows, strict=True)
    ]
    summary = base_entries("compare", comparison) | {"patches": patches}
    findings = findings_of(comparison, rows, [*ascii_uppercase[: len(rows)]], summary)
    edits = edit_table([patch.name for patch in compared], [patch.patch for patch in compared])
    return replace(findings, tables={**findings.tables, "edits.csv": edits})


def play_versions(run: RunOf[Any], comparison: AnyComparison) -> Rows:
    """Play the baseline and all patches on the same game seeds; return the rows of each patch."""
    contest: Any = comparison.contest()
    n_games = comparison.n_games
    n_expected = n_games * len(contest.matchups) * (1 + len(comparison.compared))
    is_watched = isinstance(contest, CardContest)
    watching = run.watched("playing", contest, n_expected) if is_watched else nullcontext(contest)
    with watching as watched:
        exploration = Exploration(watched, comparison.settings.seed)
        baseline = exploration.explore({}, n_games)
        explored = [_explore(exploration, watched, patch, n_games) for patch in comparison.compared]
    shown = reported_rates(comparison.balance_settings(), contest)
    return change_rows([patch.name for patch in comparison.compared], explored, baseline, shown)


def _explore(exploration: Exploration, contest: Any, patch: Compared, n_games: int) -> Explored:
    """Play a patch and return its results.

    Edits are played as another variant of the same cards. Any other change is played as a separate
    contest.
    """
    with error_place(patch.name):  # the patch's cards may not end a game
        if not isinstance(patch, ComparedCards) or patch.edits is not None:
            return exploration.explore(patch.edits or {}, n_games)
        other = replace(contest, table=pack_table(patch.pool, patch.ruleset))
        return exploration.with_contest(other).explore({}, n_games)


def base_entries(command: str, comparison: AnyComparison) -> dict[str, Any]:
    """Return the summary entries that both commands have."""
    return {
        "command": command,
        "experiment": comparison.settings.name,
        "seed": comparison.settings.seed,
        "n": comparison.n_games,
    }


def rates_of_patch(compared: Compared, rows: Sequence[ChangeRow]) -> dict[str, Any]:
    """Return the entry of a patch with its rates in the summary.

    Cards that differ in more than numbers have rates, but no patch.
    """
    return patch_entry(compared.patch) | {"rates": [rate_entry(row) for row in rows]}


def findings_of(
    comparison: AnyComparison, rows: Rows, letters: Sequence[str], summary: dict[str, Any]
) -> Findings:
    """Return the findings of both commands: the table and the figure of changes, and the lines.

    Args:
        comparison: the baseline and the patches.
        rows: rates of each patch.
        letters: short name of each patch, for the columns of tables.
        summary: content of `summary.json`.
    """
    name = comparison.settings.name
    patches = [compared.patch for compared in comparison.compared]
    names = [compared.name for compared in comparison.compared]
    is_weighted = bool(comparison.balance_settings().field.weights)
    rates = _rates_shown(letters, rows, is_weighted=is_weighted)
    return Findings(
        summary=summary,
        tables={"changes.csv": (ChangeRow, [row for of_patch in rows for row in of_patch])},
        figures={
            "changes.png": lambda: plots.compared_plot(
                _rates_to_draw(rows), title=f"{name}: {' and '.join(names)} beside today"
            )
        },
        shown=[*_edits_shown(letters, names, patches, _sizes(comparison)), *rates],
    )


def _rates_to_draw(rows: Rows) -> Rows:
    """Return the rates to draw: all of them, or those that a patch can change.

    Rates are left out only if there are more than `_DRAWN`, and at least one of them can change.
    """
    can_change = [any(row.can_change for row in of_rate) for of_rate in zip(*rows, strict=True)]
    if len(can_change) <= _DRAWN or not any(can_change):
        return rows
    return [
        [row for row, is_drawn in zip(of_patch, can_change, strict=True) if is_drawn]
        for of_patch in rows
    ]


def _edits_shown(
    letters: Sequence[str],
    names: Sequence[str],
    patches: Sequence[SizedPatch | None],
    sizes: Sequence[str],
) -> list[Shown]:
    """Return the edits of one patch as patch notes, or those of several patches in a table."""
    if len(letters) == 1 and letters[0] == names[0]:
        (patch,) = patches
        edits = [str(edit) for edit in patch.edits] if patch else []
        return [*edits, f"{'' if edits else f'{names[0]}: '}{sizes[0]}", ""]
    legend = [
        f"{letter}: {name} ({size})"
        for letter, name, size in zip(letters, names, sizes, strict=True)
    ]
    _, rows = edit_table(letters, patches)
    cells = [
        (f"{card} {field}", *("?" if value is None else str(value) for value in values))
        for card, field, *values in rows
    ]
    table = Table("Edits side by side", ("number", "today", *letters), cells)
    shown = list[Shown]([*legend, ""])
    return [*shown, table, ""] if rows else shown


def _sizes(comparison: AnyComparison) -> list[str]:
    """Return the size of each patch in words, on cards or, without cards, on numbers."""
    patches = [compared.patch for compared in comparison.compared]
    if isinstance(comparison, Comparison):
        return [_size(patch, patch.cards_touched if patch else 0, "card") for patch in patches]
    return [_size(patch, len(patch.edits) if patch else 0, "number") for patch in patches]


def _size(patch: SizedPatch | None, n_touched: int, what: str) -> str:
    """Return the size of a patch in words.

    Args:
        patch: patch; `None` if more than numbers differ.
        n_touched: number of touched cards or numbers.
        what: noun for what is touched.
    """
    if patch is None:
        return "differs in more than numbers"
    if not patch.edits:
        return "no number differs from the baseline"
    touched = f" on {counted(n_touched, what)}" if n_touched else ""
    return f"change {patch.change:g}{touched}"


def _rates_shown(
    letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]], *, is_weighted: bool
) -> list[Shown]:
    """Return a table for each kind of rates, a legend if rates have marks, and a remark.

    Args:
        letters: short name of each patch.
        patches: rates of each patch, in the same order for every patch.
        is_weighted: whether `[field]` gives some decks more weight than others.
    """
    shown = list[Shown]()
    for kind, title in _TITLES.items():
        of_kind = [[row for row in rows if row.of == kind] for rows in patches]
        more = ", as [field] weights them" if is_weighted and kind == "deck" else ""
        if of_kind[0]:
            shown += [*_rates_table(title + more, letters, of_kind), ""]
    rows = (row for of_patch in patches for row in of_patch)
    verdicts = (verdict for row in rows for verdict in (row.verdict_today, row.verdict))
    return [*shown, *legend_of(verdicts), _EXPLORED]


def _rates_table(
    title: str, letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]
) -> list[Shown]:
    """Return the table of one kind of rates, with a line on the rates that the table leaves out.

    The table lists at most `_LISTED` rates: those that change most by any patch.
    """
    rates = [*zip(*patches, strict=True)]
    largest = [max(abs(float(row.change.estimate)) for row in rate) for rate in rates]
    most_changed = sorted(range(len(rates)), key=lambda n: -largest[n])[:_LISTED]
    listed = [rates[n] for n in sorted(most_changed)]
    n_games = rates[0][0].n
    header = _header(letters, patches)
    cells = [*map(_row, listed)]
    # The column of targets is left out if no rate has a target.
    if not any(row[1] for row in cells):
        header, *cells = ([name, *rest] for name, _, *rest in (header, *cells))
    conditions = f"{n_games:,} games per matchup, on equal seeds; ± half of the 95 % interval"
    table = Table(f"{title} ({conditions})", header, cells)
    if len(listed) == len(rates):
        return [table]
    n_fixed = sum(not any(row.can_change for row in rate) for rate in rates)
    return [
        table,
        f"These are the {_LISTED} of {len(rates)} rates that change most; {n_fixed} cannot have "
        "changed at all. changes.csv lists all of them",
    ]


def _header(letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]) -> list[str]:
    """Return the titles of the columns of `_rates_table`."""
    kind = {"matchup": "matchup", "deck": "deck"}.get(patches[0][0].of, "rate")
    header = [kind, "wanted", "today, %"]
    for letter in letters:
        prefix = f"{letter} " if len(letters) > 1 else ""
        header += [f"{letter}, %", f"{prefix}change, pp"]
    return header + [f"{letter} - {letters[0]}, pp" for letter in letters[1:]]


def _row(rate: Sequence[ChangeRow]) -> list[str]:
    """Return the cells of a rate: name, target, baseline, rate and change with each patch.

    For several patches, the differences from the first patch follow.
    """
    first = rate[0]
    name = first.rate.removesuffix(" vs the field") if first.of == "deck" else first.rate
    today = marked(percent(first.today), first.verdict_today)
    cells = [name, wanted_words(first.least, first.most), today]
    for row in rate:
        cells += [marked(percent(row.patched), row.verdict), _points(row.change)]
    return cells + [_points(row.beyond_first) for row in rate if row.beyond_first is not None]


def _points(difference: Interval) -> str:
    """Return a difference in points as text: `+3.1 ±1.1`, or `same` if no game can have changed."""
    return plus_minus(difference, "+.1f") if difference.low < difference.high else "same"

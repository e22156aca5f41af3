"""`evenhand suite score`: score search methods by their runs on instances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from balance import Interval
from experiments.cli.session import Session, Work, session_command
from experiments.results.grids import ScoreRow, SuiteRow, score_rows
from experiments.runs.cells import kept_cells
from experiments.runs.json_file import to_json
from experiments.runs.run import Findings
from experiments.screen import Screen, Table, between, in_pp
from sim import entry, read_rows, write_atomically
from sim.files.row_file import write_rows

RUNS = "runs.csv"
SCORES = "scores.csv"
_LEGEND = (
    "Size <= known: certified and not larger than the hidden edits; for controls, with no "
    "change. Excess: median size beyond that of the hidden edits. Truth: distance of the worst "
    "matchup from its target by the reference estimate from many more games, median and maximum. "
    "False: certified, but a demand or a guard does not hold by the reference estimate"
)


@session_command("json")
def score(
    session: Session,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder of suite run.")],
) -> Work:
    """Score the finished runs of a folder.

    The output has one line per method and kind of instance.
    """
    return partial(session.measure, partial(score_suite, folder=folder))


def score_suite(_screen: Screen, folder: Path) -> Findings:
    """Score the finished runs of a folder, and write the scores into the folder.

    The files are `runs.csv`, `scores.csv` and `scores.json`. If the folder has no finished cells,
    the runs are read from an existing `runs.csv`.

    Raises:
        InputError: the folder has neither `cells` nor `runs.csv`, or one of them is damaged.
    """
    runs = list(kept_cells(folder, SuiteRow)) or read_rows(folder / RUNS, SuiteRow)
    findings = score_findings(runs, folder.name)
    for name, (kind, rows) in findings.tables.items():
        write_rows(folder / name, kind, rows)
    write_atomically(folder / "scores.json", to_json(findings.summary))
    return findings


def score_findings(runs: Sequence[SuiteRow], name: str) -> Findings:
    """Return the findings on runs: tables of the runs and of their scores.

    Args:
        runs: results of the runs of a suite.
        name: name of the suite, for the title of the table.
    """
    scores = score_rows(runs)
    return Findings(
        summary={"command": "suite", "runs": len(runs), "scores": [entry(row) for row in scores]},
        tables={RUNS: (SuiteRow, runs), SCORES: (ScoreRow, scores)},
        shown=[
            Table(
                f"{name}: shares of runs, 95 % intervals; games and CPU time of the median run",
                (
                    "method: instances", "runs", "certified, %", "size <= known, %", "excess",
                    "games", "CPU, s", "false", "truth, pp",
                ),
                [_line(row) for row in scores],
            ),
            _LEGEND,
        ],
    )  # fmt: skip


def _line(row: ScoreRow) -> tuple[str, ...]:
    """Return the table cells of a score; unknown values become `-`."""
    truth = "-"
    n_false = "-"
    if row.truth_pp is not None and row.false is not None:
        truth = f"{row.truth_pp.estimate:.1f}, {row.truth_pp.high:.1f}"
        n_false = f"{round(row.judged * float(row.false.estimate))}/{row.judged}"
    return (
        f"{row.method}: {row.kind}, {row.half}",
        str(row.runs),
        _percent(row.certified),
        _percent(row.small),
        "-" if row.excess is None else f"{row.excess:+g}",
        f"{row.games / 1e6:.2f} M",
        f"{row.cpu_s:.1f}",
        n_false,
        truth,
    )


def _percent(share: Interval) -> str:
    """Return a share in whole percent with its 95 % interval, such as `57 (48 to 66)`."""
    return between(in_pp(share), form=".0f")

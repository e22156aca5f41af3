"""`evenhand suite score`: what each method came to on the instances of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from balance import Interval
from experiments.results.suite import ScoreRow, SuiteRow, score_rows
from experiments.runs.cells import kept_cells
from experiments.runs.json_file import to_json
from experiments.runs.run import Findings
from experiments.screen.console import Screen, Table
from experiments.screen.wording import in_pp
from sim.files.atomic_file import write_atomically
from sim.files.row_file import entry, read_rows, write_rows

RUNS, SCORES = "runs.csv", "scores.csv"
_LEGEND = (
    "Change <= known: certified with no more change than the hidden edits; of controls, those left "
    "alone. Excess: median change beyond that. False: certified, but in the games of the truth a "
    "demand or a guard does not hold. Truth: the worst matchup there, in the median and at most"
)


def score_suite(folder: Path, _screen: Screen) -> Findings:
    """Score the finished runs of a folder; writes `runs.csv`, `scores.csv` and `scores.json` there.

    Raises:
        InputError: the folder has neither `cells` nor `runs.csv`, or one of them is damaged.
    """
    runs = list(kept_cells(folder, SuiteRow)) or read_rows(folder / RUNS, SuiteRow)
    findings = scored(runs, folder.name)
    for name, (kind, rows) in findings.tables.items():
        write_rows(folder / name, kind, rows)
    write_atomically(folder / "scores.json", to_json(findings.summary))
    return findings


def scored(runs: Sequence[SuiteRow], name: str) -> Findings:
    """The scores of runs, as data and as a table for people.

    Args:
        runs: of a suite.
        name: what the table calls it.
    """
    scores = score_rows(runs)
    return Findings(
        summary={"command": "suite", "runs": len(runs), "scores": [entry(row) for row in scores]},
        tables={RUNS: (SuiteRow, runs), SCORES: (ScoreRow, scores)},
        shown=[
            Table(
                f"{name}: shares of runs, 95 % intervals; games and CPU time of the median run",
                (
                    "method: instances", "runs", "certified, %", "change <= known, %", "excess",
                    "games", "CPU, s", "false", "truth, pp",
                ),
                [_line(row) for row in scores],
            ),
            _LEGEND,
        ],
    )  # fmt: skip


def _line(row: ScoreRow) -> tuple[str, ...]:
    truth, n_false = "-", "-"
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
    estimate, low, high = in_pp(share)
    return f"{estimate:.0f} ({low:.0f}-{high:.0f})"

"""A run: a command at work on an experiment, and its findings as data.

A command computes and returns what it found; here it is written, drawn and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.experiment import Experiment
from experiments.runs.checkpoint import remove_checkpoint
from experiments.runs.run_folder import RunFolder, open_run_folder
from experiments.screen.console import Screen, Shown
from sim.files.row_file import Kind

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = tuple[Kind[Any], Iterable[Any]]
"""What the rows of a table are (`sim.files.row_file`), and the rows."""


@dataclass(frozen=True)
class Findings:
    """What a command found.

    Attributes:
        summary: what `--json` prints and `summary.json` holds; `None` where more is to follow.
        tables: by the names of their CSV files.
        texts: by the names of their files.
        figures: what draws them, by the names of their PNG files.
        shown: tables and lines for people, in their order.
    """

    summary: dict[str, Any] | None = None
    tables: Mapping[str, Table] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    shown: Sequence[Shown] = ()


@dataclass(frozen=True)
class Run:
    """A command at work on an experiment.

    Attributes:
        experiment: what it works on.
        folder: where its results go.
        screen: where to report.
        threads: threads to use; default all cores.
        resume: whether to continue a run that was stopped.
        plots: whether to draw the figures.
    """

    experiment: Experiment
    folder: RunFolder
    screen: Screen
    threads: int | None = None
    resume: bool = False
    plots: bool = True

    def carry_out(self, work: Callable[[Run], Findings]) -> dict[str, Any]:
        """Do a command's work; returns its summary, the last file that is written."""
        findings = work(self)
        self.publish(findings)
        remove_checkpoint(self.folder.path)
        self.folder.log("done")
        return findings.summary or {}

    def publish(self, findings: Findings) -> None:
        """Write, draw and show what was found."""
        for name, (kind, rows) in findings.tables.items():
            self.folder.write_rows(name, kind, rows)
        for name, text in findings.texts.items():
            self.folder.write_text(name, text)
        if self.plots and findings.figures:
            from experiments.plots import figure_png  # noqa: PLC0415 (loads matplotlib)

            for name, draw in findings.figures.items():
                self.folder.write_bytes(name, figure_png(draw()))
        self.screen.show(*findings.shown)
        if findings.summary is not None:
            self.folder.write_json("summary.json", findings.summary)

    def say_where(self) -> None:
        """Say where the results are."""
        self.screen.say(f"Tables and plots: {self.folder.path}")
        if self.folder.earlier is not None:
            self.screen.say(f"The run that was there before is now {self.folder.earlier}")


def open_run(
    command: str,
    experiment: Experiment,
    results: Path,
    screen: Screen,
    *,
    resume: bool = False,
    plots: bool = True,
    threads: int | None = None,
) -> Run:
    """A run of `command` in a folder below `results`, which is locked until it is closed."""
    folder = open_run_folder(results, experiment, command, resume=resume)
    folder.log(f"{command}, seed {experiment.settings.seed}")
    for agent, pilot in experiment.pilots.items():
        folder.log(f"{agent} is {pilot.path} (sha256 {pilot.content[:12]})")
    return Run(experiment, folder, screen, threads, resume, plots)

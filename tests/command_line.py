"""Running the command as people do: through `main()` here, or in a process of its own."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from experiments.cli import main

ROOT = Path(__file__).parent.parent

TINY = """\
name = "tiny"
seed = 7

[[player]]
deck = "ember_rush"
agent = "aggro"

[[player]]
deck = "tide_keep"
agent = "control"

[target]
band_pp = 40

[tune]
max_steps = 2

[guards]
max_draw_rate = 1.0
max_first_seat_pp = 100
median_turns = 100

[games]
matchups = 40
power = 20
lever = 20
search = 20
select = 100
certify = 200

[narrow]
by = "power"

[search]
method = "nsga2"
population = 8
generations = 6
"""
"""An experiment that takes a fraction of a second; its wide band is certified."""


@dataclass(frozen=True)
class Outcome:
    """What a shell sees of a command."""

    status: int
    out: str
    err: str


def command(*arguments: str | Path) -> Outcome:
    """Run the command in this process, through the function that the console script calls."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with (
        mock.patch.object(sys, "argv", ["evenhand", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            status = stop.code
    assert status is None or isinstance(status, int)
    return Outcome(status or 0, out.getvalue(), err.getvalue())


def done(outcome: Outcome) -> Outcome:
    """The outcome of a command that ended well."""
    assert outcome.status == 0, outcome.err
    return outcome


def rows_of(table: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, as text."""
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def refusal(outcome: Outcome) -> str:
    """The message of a command that was refused as it should be."""
    assert outcome.status == 2, (outcome.status, outcome.err)
    assert outcome.out == ""
    assert outcome.err.startswith("evenhand: ")
    assert outcome.err.count("\n") == 1, outcome.err
    assert outcome.err.endswith("\n")
    return outcome.err


def start(code: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A process of its own that runs `code`, with `arguments` as those of the command."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> Outcome:
    """Wait for a process and read what it wrote."""
    out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out, err)


def write_experiment(folder: Path, text: str = TINY, file: str = "tiny.toml") -> Path:
    """Write an experiment file; returns its path."""
    path = folder / file
    path.write_text(text, encoding="utf-8")
    return path


def balance(experiment: Path, results: Path, *options: str) -> Path:
    """Run `balance` without figures; returns the one run folder in `results`."""
    outcome = command("balance", experiment, "--results", results, "--no-plots", *options)
    assert outcome.status in {0, 1}, outcome.err
    return only_folder(results)


def only_folder(results: Path) -> Path:
    """The single run folder in `results`; a killed run leaves its lock beside it."""
    (folder,) = (path for path in results.iterdir() if path.is_dir())
    return folder


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: files with their bytes, folders with `None`."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }

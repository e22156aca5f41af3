"""Runs of the command as users start it: through `main()` here, or in a process of its own."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from experiments.cli import main
from experiments.cli.command_list import PANELS, Listed

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

[second_opinion]
pilots = ["greedy"]
games = 64

[narrow]
by = "power"

[search]
method = "nsga2"
population = 8
generations = 6
"""
"""An experiment that takes a fraction of a second; its wide band is certified."""

THREE = TINY.replace("[target]", '[[player]]\ndeck = "grove_march"\nagent = "control"\n\n[target]')
"""The experiment `TINY` with a third deck."""

LISTED: dict[str, Listed] = {
    f"{command.name} {member.name}" if command.members else command.name: member
    for commands in PANELS.values()
    for command in commands
    for member in command.members or (command,)
}
"""Declarations of all commands by their words, such as `cards import`."""

CLOCKED = {"seconds", "cpu_seconds", "cpu_s"}
"""Keys and columns that hold durations."""


@dataclass(frozen=True)
class Outcome:
    """Result of a command as a shell sees it.

    Attributes:
        status: exit status.
        out: standard output.
        err: standard error.
    """

    status: int
    out: str
    err: str


def command(*arguments: str | Path) -> Outcome:
    """Run the command in this process, through the function that the console script calls."""
    out = io.StringIO()
    err = io.StringIO()
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
    """Return the outcome of a command, which must have succeeded."""
    assert outcome.status == 0, outcome.err
    return outcome


def rows_of(table: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, as text by column."""
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def refusal(outcome: Outcome) -> str:
    """Return the message of a refused command: one line on standard error, exit status 2."""
    assert outcome.status == 2, (outcome.status, outcome.err)
    assert outcome.out == ""
    assert outcome.err.startswith("evenhand: ")
    assert outcome.err.count("\n") == 1, outcome.err
    assert outcome.err.endswith("\n")
    return outcome.err


def start(code: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a process that runs `code`, with `arguments` as those of the command."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> Outcome:
    """Wait for a process and return its outcome."""
    out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out, err)


def write_experiment(folder: Path, text: str = TINY, file: str = "tiny.toml") -> Path:
    """Write an experiment file; returns its path."""
    path = folder / file
    path.write_text(text, encoding="utf-8")
    return path


def ask(
    name: str,
    folder: Path,
    *options: str | Path,
    text: str = TINY,
    results: str = "results",
) -> Outcome:
    """Run a command on an experiment in `folder`, where its results lie too."""
    return command(name, write_experiment(folder, text), "--results", folder / results, *options)


def run_folder(
    name: str,
    folder: Path,
    *options: str | Path,
    text: str = TINY,
    results: str = "results",
) -> Path:
    """Run a command without figures; returns its run folder, the only one in the results."""
    outcome = ask(name, folder, "--no-plots", *options, text=text, results=results)
    assert outcome.status in {0, 1}, outcome.err
    return only_folder(folder / results)


def balance(experiment: Path, results: Path, *options: str) -> Path:
    """Run `balance` without figures; returns the only run folder in `results`."""
    outcome = command("balance", experiment, "--results", results, "--no-plots", *options)
    assert outcome.status in {0, 1}, outcome.err
    return only_folder(results)


def json_of(outcome: Outcome, *, has_notes: bool = False) -> Any:
    """Return the summary on standard output, which must contain nothing else.

    Args:
        outcome: outcome of a command with `--json`.
        has_notes: whether it may write lines to standard error, as one that resumes does.
    """
    assert has_notes or outcome.err == ""
    return json.loads(done(outcome).out)


def read_json(path: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def summary_of(folder: Path) -> dict[str, Any]:
    """Return the summary of a finished run."""
    return read_json(folder / "summary.json")


def assert_refused(
    name: str, folder: Path, says: str, *options: str | Path, text: str = TINY
) -> str:
    """Assert that a command on an experiment is refused and changes no file; returns the message.

    Args:
        name: name of the command.
        folder: folder of the experiment.
        says: text that the message must contain.
        options: options of the command.
        text: content of the experiment.
    """
    write_experiment(folder, text)
    with unchanged(contents, folder):
        message = refusal(ask(name, folder, *options, text=text))
    assert says in message
    return message


@contextlib.contextmanager
def unchanged(look: Callable[..., Any], *of: Any, **how: Any) -> Iterator[None]:
    """Assert that `look(*of, **how)` returns the same before and after the block."""
    before = look(*of, **how)
    yield
    assert look(*of, **how) == before


def assert_says(text: str, *parts: str) -> None:
    """Assert that all parts occur in the text."""
    assert [part for part in parts if part not in text] == [], text


def assert_in_order(text: str, parts: Iterable[str]) -> None:
    """Assert that all parts occur in the text, one after the other."""
    position = 0
    for part in parts:
        position = text.find(part, position)
        assert position >= 0, f"{part!r} is missing from, or in the wrong place of: {text}"


def only_folder(results: Path) -> Path:
    """Return the only run folder in `results`; a killed run leaves its lock file next to it."""
    (folder,) = (path for path in results.iterdir() if path.is_dir())
    return folder


def contents(folder: Path, *, logs: bool = True) -> dict[str, bytes | None]:
    """Return everything below a folder: files with their bytes, folders with `None`.

    Args:
        folder: where to look.
        logs: whether to include the logs of runs, which record refused commands too.
    """
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if logs or path.name != "log.txt"
    }


def timeless(path: Path) -> Any:
    """Return the content of a file, or of all files of a run by name, without durations.

    Logs and hidden files are left out.
    """
    if path.is_dir():
        files = [file for file in sorted(path.rglob("[!.]*")) if file.is_file()]
        return {file.relative_to(path).as_posix(): timeless(file) for file in files}
    content = path.read_bytes()
    if path.suffix == ".json":
        return json.loads(content, object_pairs_hook=_without_times)
    if path.suffix == ".csv" and any(
        column.encode() in content.partition(b"\n")[0] for column in CLOCKED
    ):
        return [_without_times(row.items()) for row in rows_of(path)]
    return None if path.name == "log.txt" else content


def _without_times(items: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in items if key not in CLOCKED]

"""Finished runs as they lie on disk, for commands that read what another command wrote."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.commands import RESUMABLE
from experiments.pilots import FINISHED, results_option
from sim.errors import InputError, nearest_spelling
from sim.files.row_file import Row, read_lines, read_rows
from sim.files.toml_file import read_toml

if TYPE_CHECKING:
    import pandas as pd

_PROVENANCE = "run.json"
_LISTED = 12


@dataclass(frozen=True)
class FinishedRun:
    """A run folder that is complete.

    Attributes:
        path: where it is.
        command: what made it.
        summary: its `summary.json`.
        resolved: its `resolved.json`: everything that the results depend on.
        provenance: its `run.json`: seed, versions, engine hash.
    """

    path: Path
    command: str
    summary: dict[str, Any]
    resolved: dict[str, Any]
    provenance: dict[str, Any]

    def frame(self, name: str) -> pd.DataFrame:
        """One of its tables, as pandas has it.

        Raises:
            InputError: the file is missing or damaged.
        """
        from balance.frames import read_frame  # noqa: PLC0415 (loads pandas)

        return read_frame(read_lines(self._table(name)))

    def rows(self, name: str, row_type: type[Row]) -> list[Row]:
        """The rows of one of its tables.

        Args:
            name: of the file, such as `front.csv`.
            row_type: what they are.

        Raises:
            InputError: the file is missing or damaged.
        """
        return read_rows(self._table(name), row_type)

    def _table(self, name: str) -> Path:
        path = self.path / name
        if not path.exists():
            raise InputError(
                f"{path}: no such file; was it deleted, or made by an earlier version? "
                f"Run `evenhand {self.command}` again"
            )
        return path


def open_finished_run(reference: str, results: Path, command: str | None = None) -> FinishedRun:
    """Open the run that `reference` stands for.

    Args:
        reference: the path of a run folder, its name below `results`, or the name or the file of
            an experiment, which stands for its newest finished run (of `command`).
        results: parent of the run folders.
        command: the command that must have made it; default any.

    Raises:
        InputError: there is no such run, or it is not finished, damaged, or another command's.
    """
    path = _find(reference, results, command)
    provenance = read_object(path / _PROVENANCE)
    made_by = provenance.get("command")
    if not isinstance(made_by, str):
        raise InputError(f"{path / _PROVENANCE}: damaged: it names no command")
    if command not in {None, made_by}:
        raise InputError(f"{path} is a run of `{made_by}`; needed is a run of `{command}`")
    if not (path / FINISHED).is_file():
        raise _not_finished(path, made_by, provenance)
    summary, resolved = (read_object(path / file) for file in (FINISHED, "resolved.json"))
    return FinishedRun(path, made_by, summary, resolved, provenance)


def _find(reference: str, results: Path, command: str | None) -> Path:
    """The folder that `reference` names, finished or not."""
    if not reference.strip():
        raise InputError("RUN is empty; name a run folder, or an experiment")
    folders = [path for path in (Path(reference), results / reference) if path.is_dir()]
    for path in folders:
        if (path / _PROVENANCE).is_file():
            return path
    runs = dict(_runs(results))
    wanted = _experiment_name(Path(reference))
    named = [path for path, (name, by) in runs.items() if name == wanted and command in {None, by}]
    finished = [path for path in named if (path / FINISHED).is_file()]
    if finished:
        return max(finished, key=lambda path: ((path / FINISHED).stat().st_mtime_ns, path.name))
    if named:
        return named[0]
    if folders:
        raise InputError(f"{folders[0]} is not a run folder: it has no {_PROVENANCE}")
    if Path(reference).is_file() and wanted == str(Path(reference)):
        raise InputError(f"{reference} is a file; a run is named by its folder or its experiment")
    raise _no_such_run(wanted, results, command, runs)


def _runs(results: Path) -> Iterator[tuple[Path, tuple[str, str]]]:
    """Run folders below `results` with the experiment and the command of each."""
    if not results.is_dir():
        return
    for path in sorted(results.iterdir()):
        try:
            provenance = read_object(path / _PROVENANCE)
        except InputError:  # something else lies here
            continue
        yield path, (str(provenance.get("experiment")), str(provenance.get("command")))


def _experiment_name(reference: Path) -> str:
    """The name that an experiment's file gives it; of anything else, itself."""
    if reference.suffix != ".toml" or not reference.is_file():
        return str(reference)
    return str(read_toml(reference).get("name", reference))


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{path}: damaged: is no JSON ({place})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: damaged: byte {error.start} is no UTF-8") from error
    except RecursionError as error:
        raise InputError(f"{path}: damaged: is nested too deeply") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}: damaged: it must hold a JSON object")
    return content


def _not_finished(path: Path, made_by: str, provenance: dict[str, Any]) -> InputError:
    """What to do about a run that was stopped."""
    name = provenance.get("experiment")
    again = f"evenhand {made_by} {shlex.quote(str(name))}{results_option(path.parent)}"
    if made_by in RESUMABLE:
        again += " --resume"
    return InputError(
        f"{path} is not finished: it has no {FINISHED}; run: {again} "
        f"(or with the file whose name is {name!r})"
    )


def _no_such_run(
    reference: str,
    results: Path,
    command: str | None,
    runs: dict[Path, tuple[str, str]],
) -> InputError:
    """Says what there is instead."""
    words = " ".join(
        filter(None, ("run folder or experiment", command and f"with a `{command}` run"))
    )
    fitting = [path for path, (_, by) in runs.items() if command in {None, by}]
    known = sorted({path.name for path in fitting} | {runs[path][0] for path in fitting})
    nearest = nearest_spelling(reference, known)
    if nearest:
        help_text = f"did you mean {nearest!r}?"
    elif known:
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        help_text = f"there are: {', '.join(known[:_LISTED])}{more}"
    else:
        make = f"evenhand {command or 'balance'} EXPERIMENT{results_option(results)}"
        help_text = f"there are none; one is made by: {make}"
    return InputError(f"no {words} is called {reference!r} in {results}; {help_text}")

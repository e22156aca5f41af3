"""Runs below a results folder: which there are, and finished ones for commands that read them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.runs import RESUMABLE
from experiments.runs.json_file import read_object
from sim.errors import InputError, nearest_spelling
from sim.files.row_file import Row, read_lines, read_rows
from sim.files.toml_file import read_toml
from sim.names import Names

if TYPE_CHECKING:
    import pandas as pd


FINISHED = "summary.json"  # the last file that a run writes
PROVENANCE = "run.json"
_LISTED = 12


class KeptRun(NamedTuple):
    """A run folder, and what its `run.json` says of it."""

    path: Path
    experiment: str
    command: str

    @property
    def is_finished(self) -> bool:
        """Whether its command came to its end."""
        return (self.path / FINISHED).is_file()


def kept_runs(
    results: Path, experiment: str | None = None, command: str | None = None
) -> Iterator[KeptRun]:
    """Runs below `results` by their folders' names, kept earlier ones too.

    Args:
        results: the parent of the run folders.
        experiment: the name of theirs; default any.
        command: what made them; default any.
    """
    for path in sorted(results.iterdir()) if results.is_dir() else ():
        try:
            provenance = read_object(path / PROVENANCE)
        except InputError:  # something else lies here
            continue
        run = KeptRun(path, str(provenance.get("experiment")), str(provenance.get("command")))
        if experiment in {None, run.experiment} and command in {None, run.command}:
            yield run


def finished_runs(results: Path, experiment: str, command: str | None = None) -> list[Path]:
    """Folders of the finished runs of an experiment, the newest first."""
    finished = [run.path for run in kept_runs(results, experiment, command) if run.is_finished]
    return sorted(
        finished, key=lambda run: ((run / FINISHED).stat().st_mtime_ns, run.name), reverse=True
    )


def trained_files(results: Path, experiment: str, name: str) -> list[Path]:
    """What the finished training runs of an experiment left under a name, the newest first."""
    files = [run / name for run in finished_runs(results, experiment, "train")]
    return [file for file in files if file.is_file()]


def results_option(results: Path) -> str:
    """What a suggested command must add so that it looks in the same place."""
    return "" if results == Path("results") else f" --results {results}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first dozen of them."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


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

    def require_cards(self) -> None:
        """Refuse a run of another game.

        Raises:
            InputError: it is one.
        """
        told = self.resolved.get("experiment")
        if isinstance(told, dict) and "game" in told:
            game = told["game"]
            raise InputError(f"{self.path}: is of the game {game!r}, this is for games of cards")

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
    provenance = read_object(path / PROVENANCE)
    made_by = provenance.get("command")
    if not isinstance(made_by, str):
        raise InputError(f"{path / PROVENANCE}: damaged: it names no command")
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
        if (path / PROVENANCE).is_file():
            return path
    wanted = _as_kept(_experiment_name(Path(reference)), results)
    named = [
        *finished_runs(results, wanted, command),
        *(run.path for run in kept_runs(results, wanted, command)),
    ]
    if named:
        return named[0]
    if folders:
        raise InputError(f"{folders[0]} is not a run folder: it has no {PROVENANCE}")
    if Path(reference).is_file() and wanted == str(Path(reference)):
        raise InputError(f"{reference} is a file; a run is named by its folder or its experiment")
    raise _no_such_run(wanted, results, command)


def _as_kept(experiment: str, results: Path) -> str:
    """An experiment's name as the runs of one experiment spell it, if those are of one alone."""
    kept = dict.fromkeys(run.experiment for run in kept_runs(results))
    found = Names("experiment", [*kept]).matches(experiment)
    return found[0] if len(found) == 1 else experiment


def _experiment_name(reference: Path) -> str:
    """The name that an experiment's file gives it; of anything else, itself."""
    if reference.suffix != ".toml" or not reference.is_file():
        return str(reference)
    return str(read_toml(reference).get("name", reference))


def _not_finished(path: Path, made_by: str, provenance: dict[str, Any]) -> InputError:
    """What to do about a run that was stopped."""
    name = provenance.get("experiment")
    resume = " --resume" if made_by in RESUMABLE else ""
    return InputError(
        f"{path} is not finished: it has no {FINISHED}; run: evenhand {made_by} "
        f"{shlex.quote(str(name))}{results_option(path.parent)}{resume} "
        f"(or with the file whose name is {name!r})"
    )


def _no_such_run(reference: str, results: Path, command: str | None) -> InputError:
    """Says what there is instead."""
    words = "run folder or experiment" + (f" with a `{command}` run" if command else "")
    fitting = list(kept_runs(results, command=command))
    known = sorted({run.path.name for run in fitting} | {run.experiment for run in fitting})
    make = f"evenhand {command or 'balance'} EXPERIMENT{results_option(results)}"
    if nearest := nearest_spelling(reference, known):
        help_text = f"did you mean {nearest!r}?"
    elif known:
        help_text = f"there are: {listed(known)}"
    else:
        help_text = f"there are none; one is made by: {make}"
    return InputError(f"no {words} is called {reference!r} in {results}; {help_text}")

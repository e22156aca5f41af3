"""Runs below a results folder: all of them, and finished ones for commands that read them."""

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
PROVENANCE = "run.json"  # the first file that a run writes
_LISTED = 12  # names in one message: two lines of a terminal


class KeptRun(NamedTuple):
    """A run folder and its provenance.

    Attributes:
        path: the folder.
        experiment: name of the experiment.
        command: command that made the run.
    """

    path: Path
    experiment: str
    command: str

    @property
    def is_finished(self) -> bool:
        """Whether the command finished."""
        return (self.path / FINISHED).is_file()


def kept_runs(
    results: Path, experiment: str | None = None, command: str | None = None
) -> Iterator[KeptRun]:
    """Yield the runs below a results folder by the names of their folders, renamed ones included.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment; default any.
        command: command that made the run; default any.
    """
    for path in sorted(results.iterdir()) if results.is_dir() else ():
        try:
            provenance = read_object(path / PROVENANCE)
        except InputError:  # not a run folder
            continue
        run = KeptRun(path, str(provenance.get("experiment")), str(provenance.get("command")))
        if experiment in {None, run.experiment} and command in {None, run.command}:
            yield run


def finished_runs(results: Path, experiment: str, command: str | None = None) -> list[Path]:
    """Return the folders of an experiment's finished runs, newest first.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        command: command that made the run; default any.
    """
    finished = [run.path for run in kept_runs(results, experiment, command) if run.is_finished]
    return sorted(
        finished, key=lambda run: ((run / FINISHED).stat().st_mtime_ns, run.name), reverse=True
    )


def trained_files(results: Path, experiment: str, name: str) -> list[Path]:
    """Return the files of a name in an experiment's finished training runs, newest first.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        name: name of the file.
    """
    files = [run / name for run in finished_runs(results, experiment, "train")]
    return [file for file in files if file.is_file()]


def results_option(results: Path) -> str:
    """Return the option that a suggested command needs to use the same results folder."""
    return "" if results == Path("results") else f" --results {results}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, the first dozen of them."""
    rest = f" and {len(names) - _LISTED} rest" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{rest}"


@dataclass(frozen=True)
class FinishedRun:
    """A complete run folder.

    Attributes:
        path: the folder.
        command: command that made the run.
        summary: content of `summary.json`.
        resolved: content of `resolved.json`: everything that the results depend on.
        provenance: content of `run.json`: seed, versions, engine hash.
    """

    path: Path
    command: str
    summary: dict[str, Any]
    resolved: dict[str, Any]
    provenance: dict[str, Any]

    def require_cards(self) -> None:
        """Check that the run is of a card game.

        Raises:
            InputError: it is of another game.
        """
        experiment = self.resolved.get("experiment")
        if isinstance(experiment, dict) and "game" in experiment:
            game = experiment["game"]
            raise InputError(
                f"is of the game {game!r}; this command needs a run of a card game",
                place=self.path,
                value=game,
                separator=" ",
            )

    def frame(self, name: str) -> pd.DataFrame:
        """Return one of the run's tables as a pandas data frame.

        Args:
            name: name of the file, such as `front.csv`.

        Raises:
            InputError: the file is missing or damaged.
        """
        from balance.frames import read_frame  # noqa: PLC0415 (loads pandas)

        return read_frame(read_lines(self._table(name)))

    def rows(self, name: str, row_type: type[Row]) -> list[Row]:
        """Return the rows of one of the run's tables.

        Args:
            name: name of the file, such as `front.csv`.
            row_type: type of the rows.

        Raises:
            InputError: the file is missing or damaged.
        """
        return read_rows(self._table(name), row_type)

    def _table(self, name: str) -> Path:
        """Return the path of a table.

        Raises:
            InputError: the file is missing.
        """
        path = self.path / name
        if not path.exists():
            raise InputError(
                "no such file: it was deleted, or an earlier version made the run",
                place=path,
                remedy=f"run `evenhand {self.command}` again",
            )
        return path


def open_finished_run(reference: str, results: Path, command: str | None = None) -> FinishedRun:
    """Open a finished run.

    Args:
        reference: path of a run folder, its name below `results`, or the name or file of an
            experiment, which stands for its newest finished run (of `command`).
        results: parent of the run folders.
        command: command that must have made the run; default any.

    Raises:
        InputError: there is no such run, or it is unfinished, damaged, or of another command.
    """
    path = _find(reference, results, command)
    provenance = read_object(path / PROVENANCE)
    made_by = provenance.get("command")
    if not isinstance(made_by, str):
        raise InputError("damaged: it names no command", place=path / PROVENANCE)
    if command not in {None, made_by}:
        raise InputError(
            f"is a run of `{made_by}`",
            place=path,
            value=made_by,
            limit=command,
            remedy=f"name a run of `{command}`",
            separator=" ",
        )
    if not (path / FINISHED).is_file():
        raise _unfinished_error(path, made_by, provenance)
    summary = read_object(path / FINISHED)
    resolved = read_object(path / "resolved.json")
    return FinishedRun(path, made_by, summary, resolved, provenance)


def _find(reference: str, results: Path, command: str | None) -> Path:
    """Return the run folder of a reference, finished or not.

    Raises:
        InputError: there is none.
    """
    if not reference.strip():
        raise InputError(
            "must not be empty", place="RUN", remedy="name a run folder, or an experiment"
        )
    folders = [path for path in (Path(reference), results / reference) if path.is_dir()]
    for path in folders:
        if (path / PROVENANCE).is_file():
            return path
    wanted = _spelling_of_runs(_experiment_name(Path(reference)), results)
    named = [
        *finished_runs(results, wanted, command),
        *(run.path for run in kept_runs(results, wanted, command)),
    ]
    if named:
        return named[0]
    if folders:
        raise InputError(
            f"is not a run folder: it has no {PROVENANCE}", place=folders[0], separator=" "
        )
    if Path(reference).is_file() and wanted == str(Path(reference)):
        raise InputError(
            "is a file",
            place=reference,
            remedy="name the run's folder or its experiment",
            separator=" ",
        )
    raise _unknown_run_error(wanted, results, command)


def _spelling_of_runs(experiment: str, results: Path) -> str:
    """Return an experiment's name as the runs spell it, if exactly one experiment matches."""
    names = dict.fromkeys(run.experiment for run in kept_runs(results))
    matches = Names("experiment", [*names]).matches(experiment)
    return matches[0] if len(matches) == 1 else experiment


def _experiment_name(reference: Path) -> str:
    """Return the name in an experiment's file; the reference itself if it is no such file."""
    if reference.suffix != ".toml" or not reference.is_file():
        return str(reference)
    return str(read_toml(reference).get("name", reference))


def _unfinished_error(path: Path, made_by: str, provenance: dict[str, Any]) -> InputError:
    """Return the error for a run that was stopped, with the command that continues it."""
    name = provenance.get("experiment")
    resume = " --resume" if made_by in RESUMABLE else ""
    return InputError(
        f"is not finished: it has no {FINISHED}",
        place=path,
        remedy=f"run: evenhand {made_by} {shlex.quote(str(name))}{results_option(path.parent)}"
        f"{resume} (or name the file of experiment {name!r})",
        separator=" ",
    )


def _unknown_run_error(reference: str, results: Path, command: str | None) -> InputError:
    """Return the error for a reference without a run, with the nearest or all existing ones."""
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
    return InputError(
        f"no {words} is called {reference!r} in {results}",
        value=reference,
        limit=tuple(known),
        remedy=help_text,
    )

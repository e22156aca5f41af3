"""Runs below a results folder: search for runs, and access to the files of finished runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from balance.result.frame import read_frame
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
OR_FILE = " (if the experiment is not a shipped one, give its file instead of its name)"
"""End of a message with a command that names an experiment."""
_LISTED = 12  # maximum number of names in a message, about two lines of a terminal


class KeptRun(NamedTuple):
    """Run folder, finished or not, with the experiment and the command of the run.

    Attributes:
        path: path of the folder.
        experiment: name of the experiment.
        command: name of the command that made the run.
    """

    path: Path
    experiment: str
    command: str

    @property
    def is_finished(self) -> bool:
        """Whether the run was finished: its summary exists."""
        return (self.path / FINISHED).is_file()


def kept_runs(
    results: Path, experiment: str | None = None, command: str | None = None
) -> Iterator[KeptRun]:
    """Yield the runs below a results folder, in the order of the names of their folders.

    Folders are recognised by their provenance file, whatever their names.

    Args:
        results: parent of the run folders; it need not exist.
        experiment: name of the experiment to select; by default all experiments.
        command: name of the command to select; by default all commands.
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
    """Return the folders of an experiment's finished runs, most recently finished first.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        command: name of the command to select; by default all commands.
    """
    finished = [run.path for run in kept_runs(results, experiment, command) if run.is_finished]
    return sorted(
        finished, key=lambda run: ((run / FINISHED).stat().st_mtime_ns, run.name), reverse=True
    )


def trained_files(results: Path, experiment: str, name: str) -> list[Path]:
    """Return the existing files with a name in an experiment's finished training runs.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        name: name of the file in each run folder.

    Returns:
        Paths of the files, most recently finished run first.
    """
    files = [run / name for run in finished_runs(results, experiment, "train")]
    return [file for file in files if file.is_file()]


def results_option(results: Path) -> str:
    """Return ` --results FOLDER` for a suggested command; `""` for the default results folder."""
    return "" if results == Path("results") else f" --results {results}"


def listed(names: Sequence[str]) -> str:
    """Return names separated by commas; after twelve names only the number of the rest."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


@dataclass(frozen=True)
class FinishedRun:
    """Finished run, with the content of its JSON files.

    Attributes:
        path: path of the run folder.
        command: name of the command that made the run.
        summary: content of `summary.json`: the results.
        resolved: content of `resolved.json`: everything that the results depend on.
        provenance: content of `run.json`: seed, versions and engine hash.
    """

    path: Path
    command: str
    summary: dict[str, Any]
    resolved: dict[str, Any]
    provenance: dict[str, Any]

    def require_cards(self) -> None:
        """Check that the run is of a card game.

        Raises:
            InputError: the experiment of the run is of another game.
        """
        experiment = self.resolved.get("experiment")
        if isinstance(experiment, dict) and "game" in experiment:
            game = experiment["game"]
            raise InputError(
                f"is a run of the game {game!r}, but this command is for card games",
                place=self.path,
                value=game,
                remedy="name a run of a card game",
                separator=" ",
            )

    def frame(self, name: str) -> pd.DataFrame:
        """Return one of the run's tables as a pandas data frame.

        Args:
            name: name of the file, such as `front.csv`.

        Raises:
            InputError: the file is missing or damaged.
        """
        return read_frame(read_lines(self._table(name)))

    def rows(self, name: str, row_type: type[Row]) -> list[Row]:
        """Return the rows of one of the run's tables as named tuples.

        Args:
            name: name of the file, such as `front.csv`.
            row_type: type of the rows.

        Raises:
            InputError: the file is missing or damaged.
        """
        return read_rows(self._table(name), row_type)

    def _table(self, name: str) -> Path:
        """Return the path of an existing table of the run.

        Raises:
            InputError: the file is missing.
        """
        path = self.path / name
        if not path.exists():
            raise InputError(
                "no such file: it was deleted, or an earlier version of evenhand made the run",
                place=path,
                remedy=f"run `evenhand {self.command}` again",
            )
        return path


def open_finished_run(reference: str, results: Path, command: str | None = None) -> FinishedRun:
    """Return a finished run, after reading its JSON files.

    Args:
        reference: path of a run folder, its name below `results`, or the name or file of an
            experiment, which selects the newest finished run of the experiment and `command`.
        results: parent of the run folders.
        command: name of the command that must have made the run; by default any command.

    Raises:
        InputError: the run does not exist, is unfinished or damaged, or was made by another
            command.
    """
    path = _find(reference, results, command)
    provenance = read_object(path / PROVENANCE)
    made_by = provenance.get("command")
    if not isinstance(made_by, str):
        raise InputError(
            "damaged: it does not name the command of the run",
            place=path / PROVENANCE,
            remedy="repeat the run",
        )
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
    """Return the run folder of a reference, as in `open_finished_run`; it may be unfinished.

    Raises:
        InputError: the reference is blank, or matches no run folder and no experiment with a run.
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
    # A finished run of the experiment is preferred to an unfinished one.
    named = [
        *finished_runs(results, wanted, command),
        *(run.path for run in kept_runs(results, wanted, command)),
    ]
    if named:
        return named[0]
    if folders:
        raise InputError(
            f"is not a run folder: it has no {PROVENANCE}",
            place=folders[0],
            remedy="name the folder of a run, or its experiment",
            separator=" ",
        )
    if Path(reference).is_file() and wanted == str(Path(reference)):
        raise InputError(
            "is a file, not a run folder",
            place=reference,
            remedy="name the folder of a run, or its experiment",
            separator=" ",
        )
    raise _unknown_run_error(wanted, results, command)


def _spelling_of_runs(experiment: str, results: Path) -> str:
    """Return the name of the experiment with stored runs that a given spelling matches.

    The spelling is returned unchanged if no experiment or more than one matches.
    """
    names = dict.fromkeys(run.experiment for run in kept_runs(results))
    matches = Names("experiment", [*names]).matches(experiment)
    return matches[0] if len(matches) == 1 else experiment


def _experiment_name(reference: Path) -> str:
    """Return the name in an experiment file; the reference itself if it is not a TOML file."""
    if reference.suffix != ".toml" or not reference.is_file():
        return str(reference)
    return str(read_toml(reference).get("name", reference))


def _unfinished_error(path: Path, made_by: str, provenance: dict[str, Any]) -> InputError:
    """Return the error for an unfinished run, with the command that continues or repeats it.

    Args:
        path: run folder.
        made_by: name of the command that made the run.
        provenance: content of the run's `run.json`.
    """
    name = provenance.get("experiment")
    resume = " --resume" if made_by in RESUMABLE else ""
    return InputError(
        f"is not finished: it has no {FINISHED}",
        place=path,
        remedy=f"run: evenhand {made_by} {shlex.quote(str(name))}{results_option(path.parent)}"
        f"{resume}{OR_FILE}",
        separator=" ",
    )


def _unknown_run_error(reference: str, results: Path, command: str | None) -> InputError:
    """Return the error for a reference without a run.

    Its remedy is the nearest existing name, all existing names, or the command that makes a run.

    Args:
        reference: reference as given by the user.
        results: parent of the run folders.
        command: name of the command that must have made the run; `None` for any command.
    """
    words = f"run of `{command}`" if command else "run"
    fitting = list(kept_runs(results, command=command))
    known = sorted({run.path.name for run in fitting} | {run.experiment for run in fitting})
    make = f"evenhand {command or 'balance'} EXPERIMENT{results_option(results)}"
    if nearest := nearest_spelling(reference, known):
        help_text = f"did you mean {nearest!r}?"
    elif known:
        help_text = f"name one of: {listed(known)}"
    else:
        help_text = f"to make one, run: {make}"
    return InputError(
        f"no {words} found for {reference!r} in {results}",
        value=reference,
        limit=tuple(known),
        remedy=help_text,
    )

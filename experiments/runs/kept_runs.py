"""Runs that lie below a results folder: which there are, and which of them are finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.runs.json_file import read_object
from sim.errors import InputError

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
    return sorted(finished, key=_age, reverse=True)


def _age(run: Path) -> tuple[int, str]:
    return (run / FINISHED).stat().st_mtime_ns, run.name


def results_option(results: Path) -> str:
    """What a suggested command must add so that it looks in the same place."""
    return "" if results == Path("results") else f" --results {results}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first dozen of them."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"

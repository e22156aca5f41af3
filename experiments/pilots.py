"""Which file a player's agent `dqn:...` stands for.

Either a path that ends in `.pt`, or `dqn:EXPERIMENT/LEARNER`: what the newest finished
`evenhand train` run of the experiment of that name made of that learner.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from experiments.file_names import file_label, pilot_file_name
from sim.errors import InputError, did_you_mean

PREFIX = "dqn:"
FINISHED = "summary.json"  # the last file that a run writes
_FORMS = "'dqn:PATH.pt' or 'dqn:EXPERIMENT/LEARNER'"
_LISTED = 12


@dataclass(frozen=True)
class PilotFile:
    """A pilot that an experiment refers to.

    Attributes:
        path: its file.
        content: SHA-256 of the file (64 hex digits).
    """

    path: Path
    content: str

    @classmethod
    def at(cls, path: Path) -> PilotFile:
        """The pilot in the file `path`.

        Raises:
            InputError: it cannot be read.
        """
        try:
            return cls(path, hashlib.sha256(path.read_bytes()).hexdigest())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def is_pilot(agent: str) -> bool:
    """Whether an agent's name refers to a pilot."""
    return agent.partition(":")[0] == PREFIX.rstrip(":")


def find_pilot(agent: str, *, near: Path, results: Path) -> PilotFile:
    """The pilot that the agent's name `agent` refers to.

    Args:
        agent: `dqn:` and a reference.
        near: the experiment file, whose folder paths begin in; then the working directory.
        results: parent of the run folders.

    Raises:
        InputError: there is none; says what there is, and which command makes it.
    """
    reference = agent.removeprefix(PREFIX)
    experiment, _, learner = reference.rpartition("/")
    if reference.endswith(".pt"):
        found = _file_at(reference, near, results)
    elif is_pilot(agent) and experiment and learner:
        found = _trained(experiment, learner, results)
    else:
        raise InputError(f"{agent!r} names no pilot; it must be {_FORMS}")
    return PilotFile.at(found)


def _file_at(reference: str, near: Path, results: Path) -> Path:
    places = list(dict.fromkeys([near.parent / reference, Path(reference)]))
    for place in places:
        if place.is_file():
            return place
    folders = {place.parent for place in places if place.parent.is_dir()}
    there = sorted(str(file) for folder in folders for file in folder.glob("*.pt"))
    raise InputError(
        f"{PREFIX + reference!r}: no such file: looked for "
        f"{', '.join(map(str, places))}{_listed('pilots there', there)}"
        f"{_listed('trained', _all_trained(results))}; `evenhand train` makes pilots"
    )


def _trained(experiment: str, learner: str, results: Path) -> Path:
    runs = list(finished_runs(results, experiment))
    for run in runs:
        file = run / pilot_file_name(learner)
        if file.is_file():
            return file
    agent = f"'{PREFIX}{experiment}/{learner}'"
    train = f"evenhand train {experiment}{results_option(results)}"
    if runs:
        learners = _learners_of(runs[0])
        raise InputError(
            f"{agent}: no learner {learner!r} in {runs[0]}{did_you_mean(learner, learners)}"
            f"{_listed('it has', learners)}; add a [[learner]] of that name and run: {train}"
        )
    begun = sorted(path for path in _runs(results, experiment) if path not in runs)
    unfinished = f"; {begun[0]} is not finished: {train} --resume" if begun else ""
    raise InputError(
        f"{agent}: no finished training run of {experiment!r} in {results}{unfinished}"
        f"{_listed('trained', _all_trained(results))}; "
        f"run: {train} (or the file whose name is {experiment!r})"
    )


def finished_runs(results: Path, experiment: str) -> Iterator[Path]:
    """Folders of the finished training runs of an experiment, the newest first."""
    finished = [run for run in _runs(results, experiment) if (run / FINISHED).is_file()]
    finished.sort(key=lambda run: ((run / FINISHED).stat().st_mtime_ns, run.name), reverse=True)
    yield from finished


def _runs(results: Path, experiment: str | None = None) -> Iterator[Path]:
    """Folders of training runs, kept earlier ones too; of one experiment, or of any."""
    label = ".+" if experiment is None else re.escape(file_label(experiment))
    pattern = re.compile(rf"{label}-train-[0-9a-f]{{8}}(\.[0-9]+)?")
    if not results.is_dir():
        return
    for path in results.iterdir():
        if pattern.fullmatch(path.name) and experiment in {None, _experiment_of(path)}:
            yield path


def _experiment_of(run: Path) -> str | None:
    """The experiment's name, which its folder's name may not tell from similar ones."""
    try:
        name = json.loads((run / "run.json").read_text(encoding="utf-8"))["experiment"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def _learners_of(run: Path) -> list[str]:
    names = (path.name.removesuffix(".pt") for path in run.glob("*.pt"))
    return sorted(name for name in names if not name.endswith(".state"))


def _all_trained(results: Path) -> list[str]:
    """Everything that `dqn:EXPERIMENT/LEARNER` may refer to."""
    return sorted(
        {
            f"{_experiment_of(run)}/{learner}"
            for run in _runs(results)
            if (run / FINISHED).is_file()
            for learner in _learners_of(run)
        }
    )


def _listed(what: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"; {what}: {', '.join(names[:_LISTED])}{more}"


def results_option(results: Path) -> str:
    """What a suggested command must add so that it looks in the same place."""
    return "" if results == Path("results") else f" --results {results}"

"""Which files agents' names stand for: pilots, as trained agents are called, and weights.

A pilot, `dqn:...` or a search `rollout:...:dqn:...` on one, is a path that ends in `.pt`, or
`dqn:EXPERIMENT/LEARNER`: what the newest finished `evenhand train` run of the experiment of that
name made of that learner. Weights of a search, `turn:200:mine.toml` or
`turn:200:EXPERIMENT/LEARNER`, likewise; the agent's own name stays as it is written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from agents import agent_named, require_torch
from experiments.files.output_file import pilot_file_name, weights_file_name
from experiments.runs.finished_run import (
    finished_runs,
    kept_runs,
    listed,
    results_option,
    trained_files,
)
from sim import InputError, did_you_mean, error_place, system_error_place
from sim.play import Agent, CompiledAgent

PREFIX = "dqn:"
SEARCH_PREFIX = "rollout:"
_NAME = re.compile(r"(?:rollout:.*?:)?dqn(?::(?P<reference>.*))?")
_FORMS = "'dqn:PATH.pt' or 'dqn:EXPERIMENT/LEARNER'"


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
        with system_error_place(path, "read"), path.open("rb") as file:
            return cls(path, hashlib.file_digest(file, "sha256").hexdigest())


def is_pilot(agent: str) -> bool:
    """Whether an agent's name refers to a pilot: that plays, or that a search plays on by."""
    return _NAME.fullmatch(agent) is not None


def reference_of(agent: str) -> str:
    """What stands behind `dqn:` in the name of an agent that refers to a pilot, else `""`."""
    found = _NAME.fullmatch(agent)
    return (found["reference"] or "") if found else ""


def find_pilots(
    named: Iterable[tuple[str, str]], *, near: Path, results: Path
) -> dict[str, PilotFile]:
    """The files of those agents that are pilots, by their names; see `find_pilot`.

    Args:
        named: agents' names, each with the place to blame.
        near: the file that names them.
        results: parent of the run folders.
    """
    pilots = {}
    for agent, place in named:
        if is_pilot(agent):
            with error_place(place):
                pilots[agent] = find_pilot(agent, near=near, results=results)
    return pilots


def find_pilot(agent: str, *, near: Path, results: Path) -> PilotFile:
    """The pilot that the agent's name `agent` refers to.

    Args:
        agent: a name with `dqn:` and a reference.
        near: the experiment file, whose folder paths begin in; then the working directory.
        results: parent of the run folders.

    Raises:
        InputError: there is none; says what there is, and which command makes it. Or torch, which
            plays pilots, is not installed; or what else a search is told is wrong.
    """
    if agent.startswith(SEARCH_PREFIX):
        from agents.roster.rollout import parse_name  # noqa: PLC0415 (few need it)

        parse_name(agent)  # refuses what else is wrong
    require_torch(f"agent {agent!r}")
    reference = reference_of(agent)
    experiment, _, learner = reference.rpartition("/")
    if reference.endswith(".pt"):
        found = _file_at(reference, near, results)
    elif experiment and learner:
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
    if files := trained_files(results, experiment, pilot_file_name(learner)):
        return files[0]
    runs = finished_runs(results, experiment, "train")
    agent = f"'{PREFIX}{experiment}/{learner}'"
    train = f"evenhand train {experiment}{results_option(results)}"
    if runs:
        learners = _learners_of(runs[0])
        raise InputError(
            f"{agent}: no learner {learner!r} in {runs[0]}{did_you_mean(learner, learners)}"
            f"{_listed('it has', learners)}; add a [[learner]] of that name and run: {train}"
        )
    begun = next(kept_runs(results, experiment, "train"), None)
    unfinished = f"; {begun.path} is not finished: {train} --resume" if begun else ""
    raise InputError(
        f"{agent}: no finished training run of {experiment!r} in {results}{unfinished}"
        f"{_listed('trained', _all_trained(results))}; "
        f"run: {train} (or the file whose name is {experiment!r})"
    )


def _learners_of(run: Path) -> list[str]:
    names = (path.name.removesuffix(".pt") for path in run.glob("*.pt"))
    return sorted(name for name in names if not name.endswith((".state", ".partial")))


def _all_trained(results: Path) -> list[str]:
    """Everything that `dqn:EXPERIMENT/LEARNER` may refer to."""
    return sorted(
        {
            f"{run.experiment}/{learner}"
            for run in kept_runs(results, command="train")
            if run.is_finished
            for learner in _learners_of(run.path)
        }
    )


def _listed(what: str, names: list[str]) -> str:
    return f"; {what}: {listed(names)}" if names else ""


_TURN = "turn:"
_WEIGHTS = ".toml"
_TUNED = re.compile(r"turn:(?P<nodes>[^:]*):(?P<experiment>.+)/(?P<learner>[^/]+)(?<!\.toml)")


def names_file(name: str) -> bool:
    """Whether an agent's name ends with a file of weights."""
    return name.startswith(_TURN) and name.endswith(_WEIGHTS)


def with_file_beside(name: str, near: Path) -> str:
    """An agent's name, with the path of its file of weights where that lies beside another file.

    Args:
        name: of any agent.
        near: the experiment file, whose folder paths begin in; then the working directory.

    Raises:
        InputError: there is no such file.
    """
    if not names_file(name):
        return name
    head, _, file = name.rpartition(":")
    beside = near.parent / file
    here = Path(file)
    if beside.is_file() and not (here.is_file() and beside.samefile(here)):
        return f"{head}:{beside}"
    if here.is_file():
        return name
    places = ", ".join(map(str, dict.fromkeys([beside, here])))
    raise InputError(f"agent {name!r}: no such file: looked for {places}")


def without_folder(name: str, near: Path) -> str:
    """An agent's name as the file `near` tells it: undoes `with_file_beside`."""
    head, _, file = name.rpartition(":")
    if not (head.startswith(_TURN) and Path(file).is_relative_to(near.parent)):
        return name
    return f"{head}:{Path(file).relative_to(near.parent)}"


def agent_near(name: str, near: Path, results: Path | None = None) -> Agent:
    """The agent that an experiment calls `name`, no trained one.

    Args:
        name: of a script or a search; its file of weights may lie beside the experiment.
        near: the experiment file.
        results: parent of the run folders, in which weights may have been tuned.

    Raises:
        InputError: as `agents.agent_named`, or there is no such file or run.
    """
    if results is not None and (tuned := _TUNED.fullmatch(name)):
        file = _tuned_file(name, tuned["experiment"], tuned["learner"], results)
        found = agent_named(f"{_TURN}{tuned['nodes']}:{file}")
    else:
        found = agent_named(with_file_beside(name, near))
    if isinstance(found, CompiledAgent) and found.name != name:
        return replace(found, name=name)
    return found


def _tuned_file(agent: str, experiment: str, learner: str, results: Path) -> Path:
    """The weights that the newest finished run has tuned."""
    if files := trained_files(results, experiment, weights_file_name(learner)):
        return files[0]
    train = f"evenhand train {experiment}{results_option(results)}"
    runs = finished_runs(results, experiment, "train")
    if not runs:
        raise InputError(
            f"{agent!r}: no finished training run of {experiment!r} in {results}; run: {train}"
        )
    names = sorted(path.stem for path in runs[0].glob("*.toml"))
    raise InputError(
        f"{agent!r}: no tuned weights {learner!r} in {runs[0]}, which has "
        f"{', '.join(names) or 'none'}{did_you_mean(learner, names)}"
    )

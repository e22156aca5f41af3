"""Files of agents: trained agents ("pilots") and tuned weights of searches.

The name of a pilot (`dqn:REFERENCE`), or of a search that a pilot guides
(`rollout:...:dqn:REFERENCE`), ends with a reference. A reference is a path that ends in `.pt`, or
`EXPERIMENT/LEARNER`: the pilot of that learner in the newest finished `evenhand train` run that
trained it. References to weights of a search have the same two forms, `turn:200:mine.toml` and
`turn:200:EXPERIMENT/LEARNER`. So have
references to networks, `policy:EXPERIMENT/LEARNER`. An agent keeps its name as written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from agents import agent_named, require_torch
from experiments.files.output_file import network_file_name, pilot_file_name, weights_file_name
from experiments.runs.finished_run import (
    OR_FILE,
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
# A pilot's name alone, or as the last part of a search's name; the reference may contain colons.
_NAME = re.compile(r"(?:rollout:.*?:)?dqn(?::(?P<reference>.*))?")
_FORMS = "'dqn:PATH.pt' or 'dqn:EXPERIMENT/LEARNER'"


@dataclass(frozen=True)
class PilotFile:
    """File of a pilot that an experiment refers to.

    Attributes:
        path: path of the file.
        content: SHA-256 hash of the file's content, 64 hexadecimal digits.
    """

    path: Path
    content: str

    @classmethod
    def at(cls, path: Path) -> PilotFile:
        """Return the record of a pilot's file, with the hash of its current content.

        Raises:
            InputError: the file cannot be read.
        """
        with system_error_place(path, "read"), path.open("rb") as file:
            return cls(path, hashlib.file_digest(file, "sha256").hexdigest())


def is_pilot(agent: str) -> bool:
    """Return whether an agent's name refers to a pilot, alone or as the guide of a search."""
    return _NAME.fullmatch(agent) is not None


def reference_of(agent: str) -> str:
    """Return the reference after `dqn:` in an agent's name.

    It is `""` if the name does not refer to a pilot or has no reference.
    """
    match = _NAME.fullmatch(agent)
    return (match["reference"] or "") if match else ""


def find_pilots(
    named: Iterable[tuple[str, str]], *, near: Path, results: Path
) -> dict[str, PilotFile]:
    """Return the files of all pilots among several agents, by the agent's name.

    Args:
        named: names of agents, each with its place for error messages.
        near: file that contains the names, from which relative paths are resolved.
        results: parent of the run folders.

    Raises:
        InputError: a pilot has no file (see `find_pilot`).
    """
    pilots = {}
    for agent, place in named:
        if is_pilot(agent):
            with error_place(place):
                pilots[agent] = find_pilot(agent, near=near, results=results)
    return pilots


def find_pilot(agent: str, *, near: Path, results: Path) -> PilotFile:
    """Return the file of a pilot.

    Args:
        agent: name of the agent, with `dqn:` and a reference.
        near: experiment file. A relative path is searched from its folder, then from the working
            directory.
        results: parent of the run folders.

    Raises:
        InputError: the file does not exist, torch is not installed, or another part of the name is
            invalid. For a missing file the message lists existing pilots and the command that
            creates one.
    """
    if agent.startswith(SEARCH_PREFIX):
        from agents.roster.rollout import parse_name  # noqa: PLC0415 (only for searches)

        parse_name(agent)  # raises errors in the other parts of the name
    require_torch(f"agent {agent!r}")
    reference = reference_of(agent)
    experiment, _, learner = reference.rpartition("/")
    if reference.endswith(".pt"):
        path = _file_at(reference, near, results)
    elif experiment and learner:
        path = _trained_file(experiment, learner, results)
    else:
        raise InputError(f"{agent!r} does not name a pilot", value=agent, remedy=f"write {_FORMS}")
    return PilotFile.at(path)


def _file_at(reference: str, near: Path, results: Path) -> Path:
    """Return the path of an existing pilot file.

    A relative reference is searched from the folder of `near`, then from the working directory.

    Raises:
        InputError: no such file exists; the message lists the searched paths and existing pilots.
    """
    # The experiment's folder comes first, so that a game can be moved with its files.
    places = list(dict.fromkeys([near.parent / reference, Path(reference)]))
    for place in places:
        if place.is_file():
            return place
    folders = {place.parent for place in places if place.parent.is_dir()}
    existing = sorted(str(file) for folder in folders for file in folder.glob("*.pt"))
    raise InputError(
        f"no such file: looked for {', '.join(map(str, places))}"
        f"{_listed('existing files', existing)}"
        f"{_listed('trained learners', _all_trained(results))}",
        place=repr(PREFIX + reference),
        value=reference,
        limit=tuple(existing),
        remedy="to make a pilot, run `evenhand train`",
    )


def _trained_file(experiment: str, learner: str, results: Path) -> Path:
    """Return the most recent file of a learner in the finished training runs of an experiment.

    Raises:
        InputError: no such run or learner exists; the message lists existing learners and the
            command that trains the missing one.
    """
    if files := trained_files(results, experiment, pilot_file_name(learner)):
        return files[0]
    runs = finished_runs(results, experiment, "train")
    agent = f"'{PREFIX}{experiment}/{learner}'"
    train = f"evenhand train {experiment}{results_option(results)}"
    if runs:
        learners = _learners_of(runs[0])
        raise InputError(
            f"no learner {learner!r} in {runs[0]}{did_you_mean(learner, learners)}"
            f"{_listed('learners of that run', learners)}",
            place=agent,
            value=learner,
            limit=tuple(learners),
            remedy=f"add a [[learner]] of that name and run: {train}",
        )
    begun = next(kept_runs(results, experiment, "train"), None)
    unfinished = (
        f"; {begun.path} is not finished; to continue it, run: {train} --resume" if begun else ""
    )
    raise InputError(
        f"no finished training run of {experiment!r} in {results}{unfinished}"
        f"{_listed('trained learners', _all_trained(results))}",
        place=agent,
        value=experiment,
        remedy=f"run: {train}{OR_FILE}",
    )


def _learners_of(run: Path) -> list[str]:
    """Return the names of the learners with a finished pilot in a training run, sorted."""
    names = (path.name.removesuffix(".pt") for path in run.glob("*.pt"))
    return sorted(name for name in names if not name.endswith((".state", ".partial")))


def _all_trained(results: Path) -> list[str]:
    """Return all valid references `EXPERIMENT/LEARNER` to finished training runs, sorted."""
    return sorted(
        {
            f"{run.experiment}/{learner}"
            for run in kept_runs(results, command="train")
            if run.is_finished
            for learner in _learners_of(run.path)
        }
    )


def _listed(what: str, names: list[str]) -> str:
    """Return a part of a message that lists names after a heading; `""` if there are no names.

    Args:
        what: heading of the list.
        names: names to list.
    """
    return f"; {what}: {listed(names)}" if names else ""


_WITH_FILES = ("turn:", "policy:")  # beginnings of names that may end with a file of weights
_WEIGHTS = (".toml", ".npz")  # files of weights, and of networks
# Tuned weights or the networks of a learner. A path of a file, which may contain slashes too, does
# not match.
_TUNED = re.compile(
    r"(?P<head>turn:\d+(?::\w+=\d+)*|policy)"
    r":(?P<experiment>.+)/(?P<learner>[^/]+)(?<!\.toml)(?<!\.npz)"
)


_ROUND = re.compile(r"_(value|policy)_\d+$")  # end of the name of a network after one round


def names_file(name: str) -> bool:
    """Return whether an agent's name ends with the path of a file of weights."""
    return name.startswith(_WITH_FILES) and name.endswith(_WEIGHTS)


def with_file_beside(name: str, near: Path) -> str:
    """Return an agent's name with the path of its file of weights from the working directory.

    The name is returned unchanged if it has no file of weights, or if its path already denotes this
    file from the working directory.

    Args:
        name: name of any agent.
        near: experiment file. A relative path is searched from its folder, then from the working
            directory.

    Raises:
        InputError: the file of weights does not exist.
    """
    if not names_file(name):
        return name
    head, _, file = name.rpartition(":")
    beside = near.parent / file
    local = Path(file)
    if beside.is_file() and not (local.is_file() and beside.samefile(local)):
        return f"{head}:{beside}"
    if local.is_file():
        return name
    places = ", ".join(map(str, dict.fromkeys([beside, local])))
    raise InputError(
        f"no such file: looked for {places}",
        place=f"agent {name!r}",
        value=file,
        remedy="name an existing file of weights",
    )


def without_folder(name: str, near: Path) -> str:
    """Return an agent's name with its file of weights relative to the experiment's folder.

    This is the inverse of `with_file_beside`. Other names are returned unchanged.

    Args:
        name: name of any agent.
        near: experiment file.
    """
    head, _, file = name.rpartition(":")
    if not (f"{head}:".startswith(_WITH_FILES) and Path(file).is_relative_to(near.parent)):
        return name
    return f"{head}:{Path(file).relative_to(near.parent)}"


def agent_near(name: str, near: Path, results: Path | None = None) -> Agent:
    """Return the script or search with the given name in an experiment.

    Args:
        name: name of the agent, which must not be a pilot. Its file of weights may be relative to
            the experiment file.
        near: experiment file.
        results: parent of the run folders, in which tuned weights `EXPERIMENT/LEARNER` are
            searched; if `None`, such a name is not recognised.

    Raises:
        InputError: the agent, its file of weights or its training run does not exist.
    """
    if results is not None and (tuned := _TUNED.fullmatch(name)):
        file = _tuned_file(name, tuned["experiment"], tuned["learner"], results)
        agent = agent_named(f"{tuned['head']}:{file}")
    else:
        agent = agent_named(with_file_beside(name, near))
    # Results contain the name as written, because a path would differ between machines.
    if isinstance(agent, CompiledAgent) and agent.name != name:
        return replace(agent, name=name)
    return agent


def _tuned_file(agent: str, experiment: str, learner: str, results: Path) -> Path:
    """Return the newest file of a learner's weights or value in an experiment's finished runs.

    Args:
        agent: name of the agent, for messages.
        experiment: name of the experiment that tuned the weights.
        learner: name of the learner in that experiment.
        results: parent of the run folders.

    Raises:
        InputError: no finished run has weights of this learner.
    """
    for file_name in (weights_file_name(learner), network_file_name(learner)):
        if files := trained_files(results, experiment, file_name):
            return files[0]
    train = f"evenhand train {experiment}{results_option(results)}"
    runs = finished_runs(results, experiment, "train")
    if not runs:
        raise InputError(
            f"no finished training run of {experiment!r} in {results}",
            place=repr(agent),
            value=experiment,
            remedy=f"run: {train}",
        )
    kept = (path.stem for ending in _WEIGHTS for path in runs[0].glob(f"*{ending}"))
    names = sorted(name for name in kept if not _ROUND.search(name))
    raise InputError(
        f"no weights of {learner!r} in {runs[0]}, which has {', '.join(names) or 'none'}",
        place=repr(agent),
        value=learner,
        limit=tuple(names),
        remedy=did_you_mean(learner, names),
    )

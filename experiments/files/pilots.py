"""Which file a player's agent `dqn:...`, or a search `rollout:...:dqn:...` on one, stands for.

Either a path that ends in `.pt`, or `dqn:EXPERIMENT/LEARNER`: what the newest finished
`evenhand train` run of the experiment of that name made of that learner.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agents import require_torch
from experiments.files.output_file import pilot_file_name
from experiments.runs.finished_run import finished_runs, kept_runs, listed, results_option
from sim.errors import InputError, blaming, blaming_system, did_you_mean

PREFIX, SEARCH_PREFIX = "dqn:", "rollout:"
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
        with blaming_system(path, "read"):
            return cls(path, hashlib.sha256(path.read_bytes()).hexdigest())


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
            with blaming(place):
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
        from agents.roster.rollout import told_by  # noqa: PLC0415 (few need it)

        told_by(agent)  # refuses what else is wrong
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
    runs = finished_runs(results, experiment, "train")
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
    begun = next(kept_runs(results, experiment, "train"), None)
    unfinished = f"; {begun.path} is not finished: {train} --resume" if begun else ""
    raise InputError(
        f"{agent}: no finished training run of {experiment!r} in {results}{unfinished}"
        f"{_listed('trained', _all_trained(results))}; "
        f"run: {train} (or the file whose name is {experiment!r})"
    )


def _learners_of(run: Path) -> list[str]:
    names = (path.name.removesuffix(".pt") for path in run.glob("*.pt"))
    return sorted(name for name in names if not name.endswith(".state"))


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

"""Weights that agents' names end with: files (`turn:200:mine.toml`), looked for as pilots are.

`turn:NODES:EXPERIMENT/LEARNER` stands for what the newest finished `evenhand train` run of the
experiment of that name made of that learner; the agent's own name stays as it is written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from agents import agent_named
from experiments.files.output_file import weights_file_name
from experiments.runs.finished_run import finished_runs, results_option
from sim import InputError, did_you_mean
from sim.play import Agent, CompiledAgent

_PREFIX, _SUFFIX = "turn:", ".toml"
_TUNED = re.compile(r"turn:(?P<nodes>[^:]*):(?P<experiment>.+)/(?P<learner>[^/]+)(?<!\.toml)")


def names_file(name: str) -> bool:
    """Whether an agent's name ends with a file of weights."""
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


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
    beside, here = near.parent / file, Path(file)
    if beside.is_file() and not (here.is_file() and beside.samefile(here)):
        return f"{head}:{beside}"
    if here.is_file():
        return name
    places = ", ".join(map(str, dict.fromkeys([beside, here])))
    raise InputError(f"agent {name!r}: no such file: looked for {places}")


def without_folder(name: str, near: Path) -> str:
    """An agent's name as the file `near` tells it: undoes `with_file_beside`."""
    head, _, file = name.rpartition(":")
    if not (head.startswith(_PREFIX) and Path(file).is_relative_to(near.parent)):
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
        found = agent_named(f"{_PREFIX}{tuned['nodes']}:{file}")
    else:
        found = agent_named(with_file_beside(name, near))
    if isinstance(found, CompiledAgent) and found.name != name:
        return replace(found, name=name)
    return found


def _tuned_file(agent: str, experiment: str, learner: str, results: Path) -> Path:
    """The weights that the newest finished run has tuned."""
    train = f"evenhand train {experiment}{results_option(results)}"
    runs = finished_runs(results, experiment, "train")
    for run in runs:
        file = run / weights_file_name(learner)
        if file.is_file():
            return file
    if not runs:
        raise InputError(
            f"{agent!r}: no finished training run of {experiment!r} in {results}; run: {train}"
        )
    names = sorted(path.stem for path in runs[0].glob("*.toml"))
    raise InputError(
        f"{agent!r}: no tuned weights {learner!r} in {runs[0]}, which has "
        f"{', '.join(names) or 'none'}{did_you_mean(learner, names)}"
    )

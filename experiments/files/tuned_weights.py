"""Which file an agent `turn:NODES:EXPERIMENT/LEARNER` stands for: weights that were tuned.

It is what the newest finished `evenhand train` run of the experiment of that name made of that
learner; the agent's own name stays as it is written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from agents.registry import compiled_agent_named
from experiments.files.output_file import weights_file_name
from experiments.runs.finished_run import finished_runs, results_option
from sim.errors import InputError, did_you_mean
from sim.play import CompiledAgent

_NAME = re.compile(r"turn:(?P<nodes>[^:]*):(?P<experiment>.+)/(?P<learner>[^/]+)(?<!\.toml)")


def is_tuned(agent: str) -> bool:
    """Whether an agent's name refers to weights of a run, not to a file or to shipped ones."""
    return _NAME.fullmatch(agent) is not None


def tuned_agent(agent: str, results: Path) -> CompiledAgent:
    """The turn search by the weights that a run has tuned, called `agent`.

    Args:
        agent: its name.
        results: parent of the run folders.

    Raises:
        InputError: there is no such run or learner, or its file is damaged.
    """
    found = _NAME.fullmatch(agent)
    if found is None:
        raise ValueError(f"{agent!r} names no run")
    file = _weights_file(agent, found["experiment"], found["learner"], results)
    return replace(compiled_agent_named(f"turn:{found['nodes']}:{file}"), name=agent)


def _weights_file(agent: str, experiment: str, learner: str, results: Path) -> Path:
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

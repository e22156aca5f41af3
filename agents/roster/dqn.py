"""The family of agents `dqn:PILOT.pt`: trained networks, named by their files."""

from __future__ import annotations

from pathlib import Path

from agents.declaration import AgentFamily
from agents.dqn import require_torch
from sim.play.agent import LearnedAgent


def dqn(path: str) -> LearnedAgent:
    """Return the agent that plays with the network in a file that evenhand train wrote.

    Args:
        path: path of the pilot's file. Names such as `dqn:EXPERIMENT/LEARNER` in experiment files
            are replaced by the path before this function is called.

    Raises:
        InputError: torch is not installed, the file is missing or damaged, or it contains no pilot.
    """
    name = f"dqn:{path}"
    require_torch(f"agent {name!r}")
    from agents.dqn.checkpoint import load_pilot  # noqa: PLC0415 (loads torch)

    return load_pilot(Path(path), name=name)


AGENT = AgentFamily("dqn:PILOT.pt", dqn, is_fixed=False)  # not fixed: the file may change

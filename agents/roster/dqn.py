"""The family of agents `dqn:PILOT.pt`: trained pilots, named by their files."""

from __future__ import annotations

from pathlib import Path

from agents.declaration import AgentFamily
from agents.dqn import require_torch
from sim.play.agent import LearnedAgent


def dqn(path: str) -> LearnedAgent:
    """Return the agent that plays by the network in a file of evenhand train.

    In experiments, `dqn:EXPERIMENT/LEARNER` names the pilot that a learner of an experiment became.

    Args:
        path: path of the pilot's file.

    Raises:
        InputError: torch is not installed, or the file is missing, damaged or holds no pilot.
    """
    name = f"dqn:{path}"
    require_torch(f"agent {name!r}")
    from agents.dqn.checkpoint import load_pilot  # noqa: PLC0415 (loads torch)

    return load_pilot(Path(path), name=name)


AGENT = AgentFamily("dqn:PILOT.pt", dqn, is_fixed=False)  # not fixed: the file may change

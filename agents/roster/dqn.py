"""The agents `dqn:PILOT.pt`: pilots by their files."""

from __future__ import annotations

from pathlib import Path

from agents.declaration import AgentFamily
from agents.dqn import require_torch
from sim.play.agent import LearnedAgent


def dqn(path: str) -> LearnedAgent:
    """A network that evenhand train made: its file, or in experiments dqn:EXPERIMENT/LEARNER.

    Args:
        path: of the file.

    Raises:
        InputError: torch is not installed, or the file is missing, damaged or no pilot.
    """
    name = f"dqn:{path}"
    require_torch(f"agent {name!r}")
    from agents.dqn.checkpoint import load_pilot  # noqa: PLC0415 (loads torch)

    return load_pilot(Path(path), name=name)


AGENT = AgentFamily("dqn:PILOT.pt", dqn, is_fixed=False)  # a file may change

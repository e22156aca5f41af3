"""The registry of names that experiments of Big Two may give to agents."""

from __future__ import annotations

from pathlib import Path

from agents.big_two.scripts import AGENTS
from agents.declaration import KnownAgent
from sim.big_two.games import BigTwoAgent
from sim.errors import known_word

TRAINED = "dqn:"


def agent_named(name: str) -> BigTwoAgent:
    """The agent that an experiment calls `name`; `dqn:FILE` is a trained one.

    Raises:
        InputError: nobody has this name, or the file is no pilot of Big Two.
    """
    if name.startswith(TRAINED):
        from agents.big_two.training import load_big_two_pilot  # noqa: PLC0415 - loads torch

        return load_big_two_pilot(Path(name.removeprefix(TRAINED)))
    return AGENTS[known_word("agent of Big Two", name, AGENTS)]


def agent_names() -> list[str]:
    """The names of all agents but the trained ones."""
    return list(AGENTS)


def known_agents() -> list[KnownAgent]:
    """All that may be named."""
    scripts = [
        KnownAgent(name, str(agent.chooser.__doc__).partition("\n")[0], example=name)
        for name, agent in AGENTS.items()
    ]
    pilots = "The trained network in the file."
    return [*scripts, KnownAgent(f"{TRAINED}PILOT.pt", pilots)]

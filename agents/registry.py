"""The names that experiments may give to agents."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

from agents.scripted.aggro import aggro
from agents.scripted.control import control
from agents.scripted.greedy import greedy
from agents.scripted.uniform import uniform
from sim.agent import CompiledAgent, Policy
from sim.errors import InputError, did_you_mean

ENTRY_POINT_GROUP = "evenhand.agents"
_agents: dict[str, CompiledAgent] = {}


def register_agent(name: str, policy: Policy) -> Policy:
    """Make `policy` the agent `name`.

    Args:
        name: what experiment files will call it.
        policy: plain function of (state, table); see `sim.agent.CompiledAgent`.

    Raises:
        InputError: the name is taken.
    """
    if name in _agents:
        raise InputError(f"agent {name!r} is already registered")
    _agents[name] = CompiledAgent(name, policy)
    return policy


def agent_named(name: str) -> CompiledAgent:
    """The agent that an experiment calls `name`.

    A name that is not registered is looked for among the entry points of installed packages
    (group `evenhand.agents`, each a policy), so that an agent from outside can stand in an
    experiment file.

    Raises:
        InputError: nobody has this name.
    """
    if name not in _agents:
        for entry_point in entry_points(group=ENTRY_POINT_GROUP, name=name):
            register_agent(name, entry_point.load())
            return _agents[name]
        known = ", ".join(agent_names())
        raise InputError(f"no agent {name!r}; known: {known}{did_you_mean(name, _agents)}")
    return _agents[name]


def agent_names() -> list[str]:
    """Every registered name, in order of registration."""
    return list(_agents)


_SCRIPTED: dict[str, Callable[..., int]] = {
    "random": uniform,
    "greedy": greedy,
    "aggro": aggro,
    "control": control,
}
for _name, _policy in _SCRIPTED.items():
    register_agent(_name, _policy)

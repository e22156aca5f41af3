"""The names that experiments may give to agents.

A name is that of one agent (`control`), or of a family followed by what its maker is told
(`rollout:50`, `dqn:ember.pt`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import NamedTuple

from sim.errors import InputError, did_you_mean
from sim.play.agent import Agent, CompiledAgent, Policy

ENTRY_POINT_GROUP = "evenhand.agents"
_agents: dict[str, CompiledAgent] = {}


class _Family(NamedTuple):
    """Agents that one maker builds from the text behind the colon of their name."""

    usage: str
    maker: str  # "module:function"; loaded when first asked for, as it may be heavy
    is_fixed: bool  # whether a name means the same agent for ever; the file of a pilot may change


_FAMILIES = {
    "rollout": _Family("rollout:WORLDS[:OPPONENT]", "agents.search.rollout:rollout", is_fixed=True),
    "dqn": _Family("dqn:PILOT.pt", "agents.dqn.named:dqn", is_fixed=False),
}


def register_agent(name: str, policy: Policy) -> Policy:
    """Make `policy` the agent `name`.

    Args:
        name: what experiment files will call it.
        policy: plain function of (state, table) that plays any game; see
            `sim.play.agent.CompiledAgent`.

    Raises:
        InputError: the name is taken, or a family's.
    """
    _register(CompiledAgent(name, policy))
    return policy


def _register(agent: CompiledAgent) -> None:
    if agent.name in _agents or agent.name.partition(":")[0] in _FAMILIES:
        raise InputError(f"agent {agent.name!r} is already registered")
    _agents[agent.name] = agent


def agent_named(name: str) -> Agent:
    """The agent that an experiment calls `name`.

    A name that is neither registered nor of a family is looked for among the entry points of
    installed packages (group `evenhand.agents`, each a policy), so that an agent from outside
    can stand in an experiment file.

    Raises:
        InputError: nobody has this name, or its family's maker refuses the text in it.
    """
    family = name.partition(":")[0]
    if family in _FAMILIES:
        return _the_one(name) if _FAMILIES[family].is_fixed else _made(name)
    if name not in _agents:
        for entry_point in entry_points(group=ENTRY_POINT_GROUP, name=name):
            register_agent(name, entry_point.load())
            return _agents[name]
        known = ", ".join([*_agents, *(family.usage for family in _FAMILIES.values())])
        hint = did_you_mean(family, [*_agents, *_FAMILIES])
        raise InputError(f"no agent {name!r}; known: {known}{hint}")
    return _agents[name]


def _made(name: str) -> Agent:
    """An agent of a family, made now."""
    family, _, parameters = name.partition(":")
    maker: Callable[[str], Agent] = resolve_name(_FAMILIES[family].maker)
    return maker(parameters)


@cache
def _the_one(name: str) -> Agent:
    """The agent of this name in a family whose names never change their meaning."""
    return _made(name)


def compiled_agent_named(name: str) -> CompiledAgent:
    """As `agent_named`, for what only compiled agents can do.

    Raises:
        InputError: nobody has this name, or it is a learned agent's.
    """
    agent = agent_named(name)
    if not isinstance(agent, CompiledAgent):
        raise InputError(f"agent {name!r}: is no compiled agent")
    return agent


def agent_names() -> list[str]:
    """Every registered name, in order of registration; families are not listed."""
    return list(_agents)


_SCRIPTED = {  # "module:function", in agents.scripted and, the shortcut, in its folder plain
    "random": "uniform:uniform",
    "greedy": "greedy:greedy",
    "aggro": "aggro:aggro",
    "control": "control:control",
}
for _name, _place in _SCRIPTED.items():
    _shortcut = f"agents.scripted.plain.{_place}"
    _register(CompiledAgent(_name, f"agents.scripted.{_place}", shortcut=_shortcut))

"""Declarations of agents: objects that define an agent, or a family of agents, under a name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from inspect import isfunction, signature
from typing import Any, NamedTuple

from sim import InputError
from sim.play import Agent, CompiledAgent, Policy

OURS = "evenhand"


@dataclass(frozen=True)
class AgentFamily:
    """Family of agents, which one function builds from the text after the colon of their names.

    Attributes:
        usage: pattern of the names, such as `rollout:WORLDS[:OPPONENT]`.
        make: function from the text after the colon to a policy or an agent. The function may
            raise `InputError`.
        is_fixed: whether a name always means the same agent; `False` if the name refers to a file.
        example: name of a member that needs no file, for measurements of all agents; `""` if every
            member needs a file.
    """

    usage: str
    make: Callable[[str], Policy | Agent]
    is_fixed: bool = True
    example: str = ""


class KnownAgent(NamedTuple):
    """Description of an agent, or of a family of agents, for lists of the available agents.

    Attributes:
        usage: pattern of the name in experiment files.
        line: description in one line.
        package: name of the package that declares the agent; `evenhand` for built-in agents.
        is_fair: whether the conformance suite (`agents.conformance`) checks that the agent uses
            only information that its seat may see; `False` for agents of other packages, which only
            the tests of those packages can check.
        example: name of the agent, or of a family's member that needs no file; `""` if every
            member of the family needs a file.
    """

    usage: str
    line: str
    package: str = OURS
    is_fair: bool = True
    example: str = ""


def declared_agent(name: str, declaration: Any) -> Agent | AgentFamily:
    """Return the agent or the family of agents that a declaration describes.

    Args:
        name: name of the agent or family in experiments.
        declaration: an `AgentFamily`, or a declaration that `agent_of` accepts.

    Raises:
        InputError: the declaration describes neither an agent nor a family.
    """
    return declaration if isinstance(declaration, AgentFamily) else agent_of(name, declaration)


def agent_of(name: str, declaration: Any) -> Agent:
    """Return the agent that a declaration describes.

    Args:
        name: name of the agent in experiments.
        declaration: a compiled or learned agent with this name as its attribute `name`, or a
            policy: a plain function of (state, table), which becomes a `CompiledAgent`.

    Raises:
        InputError: the declaration is neither an agent nor a policy, the policy does not take two
            parameters, or the agent's attribute `name` is not `name`.
    """
    if isfunction(declaration):
        parameters = tuple(signature(declaration).parameters)
        if len(parameters) != 2:
            raise InputError(
                f"the policy takes ({', '.join(parameters)})",
                value=parameters,
                limit=("state", "table"),
                remedy="a policy must take (state, table)",
            )
        return CompiledAgent(name, declaration)
    is_class = isinstance(declaration, type)
    is_learned = callable(getattr(declaration, "choose", None)) and not is_class
    if not (is_learned or isinstance(declaration, CompiledAgent)):
        kind = type(declaration).__name__
        if is_class:
            kind = f"the class {declaration.__name__}"
        raise InputError(
            f"the declaration is {kind}, not an agent",
            value=kind,
            remedy="declare a policy of (state, table), a CompiledAgent, an object with `name` "
            "and `choose`, or an AgentFamily",
        )
    agent: Agent = declaration
    own_name = getattr(agent, "name", None)
    if own_name != name:
        raise InputError(
            f"the agent's attribute `name` is {own_name!r}",
            value=own_name,
            limit=name,
            remedy=f"it must be {name!r}",
        )
    return agent


def number_in_name(what: str, text: str, most: int, example: str) -> int:
    """Return the whole number in the name of an agent, such as 20 in `rollout:20`.

    Args:
        what: noun for the counted things in the message, such as `worlds`.
        text: digits in the name, without leading zeros.
        most: maximum permitted number.
        example: valid name, for the message.

    Raises:
        InputError: the text is not a whole number from 1 to `most`.
    """
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= most:
        return int(text)
    raise InputError(
        f"the number of {what} is {text!r}",
        value=text,
        limit=(1, most),
        remedy=f"it must be a whole number from 1 to {most}, as in {example!r}",
    )

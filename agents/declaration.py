"""Declarations of agents: what may stand behind a name, ours or somebody else's."""

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
    """Agents that one maker builds from the text behind the colon of their name.

    Attributes:
        usage: how to name one of them, such as `rollout:WORLDS[:OPPONENT]`.
        make: from that text to a policy or an agent; may raise `InputError`.
        is_fixed: whether a name means the same agent for ever; what a file holds may change.
        example: one of them that needs no file, to be measured beside the others; `""` for none.
    """

    usage: str
    make: Callable[[str], Policy | Agent]
    is_fixed: bool = True
    example: str = ""


class KnownAgent(NamedTuple):
    """What people are told of an agent, or of a family of them, that they may name.

    Attributes:
        usage: how it is written in an experiment file.
        line: what it is.
        package: whose it is; `evenhand` for ours.
        is_fair: whether the suite of agents (`agents.conformance`) holds it to what its seat may
            see; of those of other packages only these know.
        example: the agent, or one of the family that needs no file; `""` for none.
    """

    usage: str
    line: str
    package: str = OURS
    is_fair: bool = True
    example: str = ""


def declared(name: str, found: Any) -> Agent | AgentFamily:
    """What the declaration `found` makes of `name`; see `agent_of`.

    Raises:
        InputError: as `agent_of`.
    """
    return found if isinstance(found, AgentFamily) else agent_of(name, found)


def agent_of(name: str, found: Any) -> Agent:
    """The agent `name`.

    Args:
        name: what experiments call it.
        found: an agent of that name, compiled or learned, or a policy: a plain function of
            (state, table) that plays any game (`sim.play.agent.CompiledAgent`).

    Raises:
        InputError: it is neither; says what it is.
    """
    if isfunction(found):
        given = ", ".join(signature(found).parameters)
        if len(signature(found).parameters) != 2:
            raise InputError(f"a policy takes (state, table), not ({given})")
        return CompiledAgent(name, found)
    is_learned = callable(getattr(found, "choose", None)) and not isinstance(found, type)
    if not (is_learned or isinstance(found, CompiledAgent)):
        kind = f"the class {found.__name__}" if isinstance(found, type) else type(found).__name__
        raise InputError(
            f"declared is no agent but {kind}; needed is a policy of (state, table), a "
            "CompiledAgent, an object with `name` and `choose`, or an AgentFamily"
        )
    agent: Agent = found
    if getattr(agent, "name", None) != name:
        raise InputError(f"it calls itself {getattr(agent, 'name', None)!r}, not {name!r}")
    return agent


def number_in_name(what: str, text: str, most: int, example: str) -> int:
    """The whole number that the name of an agent of a family gives.

    Args:
        what: of what, such as `worlds`.
        text: as it stands in the name.
        most: the largest that may.
        example: a name with one.

    Raises:
        InputError: it is none, or out of range.
    """
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= most:
        return int(text)
    raise InputError(
        f"the number of {what} is {text!r}; "
        f"it must be a whole number from 1 to {most}, as in {example!r}"
    )

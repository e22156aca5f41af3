"""Registry of agents by the names that experiments use.

A name denotes one agent (`control`), or a member of a family: the family's name, a colon and
parameters (`rollout:50`, `dqn:ember.pt`). Built-in names are the modules of `agents.roster`, each
of which declares an `AGENT`. Installed packages declare agents by entry points (`agents.plugins`),
notebooks by `register_agent`. An agent is loaded when it is first requested.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pkgutil import iter_modules
from typing import Any, TypeVar

import agents.roster
from agents.declaration import OURS, AgentFamily, KnownAgent, agent_of, declared_agent
from agents.plugins import load_plugin, plugins
from sim.arguments import Arguments
from sim.errors import InputError, did_you_mean, error_place
from sim.files.validation import Name
from sim.names import Names
from sim.play import Agent, CompiledAgent, Policy
from sim.plugins import refuse

Declared = TypeVar("Declared", bound=Policy | Agent | AgentFamily)

_OURS = [module.name for module in iter_modules(agents.roster.__path__)]
_NAMED = Arguments(name=Name)
_loaded: dict[str, Agent | AgentFamily] = {}
_HEAD = re.compile(r"The \w+ agent: |Return the agent that ")


def register_agent(name: str, agent: Declared) -> Declared:
    """Register an agent or a family of agents under a name for this process.

    Args:
        name: name in experiments; for a family, the part before the colon.
        agent: a policy, an agent with this name as its attribute `name`, or a family; see
            `agents.declaration.agent_of`.

    Returns:
        The argument `agent`, so that the function can be used as a decorator.

    Raises:
        InputError: the name is already registered or not valid, or `agent` declares no agent.
    """
    _NAMED.check("register_agent()", {"name": name})
    word, colon, _ = name.partition(":")
    if _load(word) is not None:
        raise InputError(
            "the name is already registered",
            place=f"agent {name!r}",
            value=name,
            remedy="choose another name",
        )
    if colon:
        raise InputError(
            "the name must not contain a colon",
            place=f"agent {name!r}",
            value=name,
            remedy=f"register the family {word!r}, which reads the text after the colon",
        )
    with error_place(f"agent {name!r}"):
        _loaded[name] = declared_agent(name, agent)
    return agent


def agent_named(name: str) -> Agent:
    """Return the agent with a given name, such as `control` or `rollout:50`.

    The case and the punctuation of the part before the colon may differ from the declared name, if
    exactly one declared name matches.

    Raises:
        InputError: no agent has this name, the family does not accept the parameters, or the
            package that declares the agent cannot be loaded.

    Example:
        >>> agent_named("Turn:200").name
        'turn:200'
    """
    if not isinstance(name, str):
        raise InputError("must be a name, such as 'aggro'", place=f"agent {name!r}", value=name)
    name = known_spelling(name)
    word, colon, _ = name.partition(":")
    agent = _load(word)
    if isinstance(agent, AgentFamily):
        return _make_once(name, agent) if agent.is_fixed else _make(name, agent)
    if agent is None or colon:
        raise _unknown_agent_error(name)
    return agent


def known_spelling(name: str) -> str:
    """Return an agent's name with the part before the colon spelt as it is declared.

    The name is returned unchanged if this part matches no declared name, or several.
    """
    word, colon, rest = name.partition(":")
    if word in _OURS:
        return name
    matches = Names("agent", [*_OURS, *_loaded, *plugins()]).matches(word)
    return f"{matches[0]}{colon}{rest}" if len(matches) == 1 else name


def _load(word: str) -> Agent | AgentFamily | None:
    """Return the agent or family with a name without parameters; `None` if the name is unknown.

    The first request imports the module or package that declares the agent.

    Raises:
        InputError: the declaration is not valid, its package cannot be loaded, or several packages
            declare the name.
    """
    if word not in _loaded:
        if word in _OURS:
            refuse(f"agent {word!r}", plugins().get(word, ()))
            _loaded[word] = declared_agent(word, import_module(f"agents.roster.{word}").AGENT)
        elif word in plugins():
            _loaded[word] = load_plugin(word)
    return _loaded.get(word)


def _make(name: str, family: AgentFamily) -> Agent:
    """Build the member of a family that has the given full name, such as `rollout:50`.

    Raises:
        InputError: the family does not accept the parameters in the name.
    """
    return agent_of(name, family.make(name.partition(":")[2]))


# Only for families in which a name always means the same agent (`AgentFamily.is_fixed`).
_make_once = cache(_make)


def _unknown_agent_error(name: str) -> InputError:
    """Return the error for an unknown agent, with all known names and the most similar one."""
    names = list(dict.fromkeys([*_OURS, *_loaded, *plugins()]))
    ours = {word: _load(word) for word in [*_OURS, *_loaded]}
    usages = {word: agent.usage for word, agent in ours.items() if isinstance(agent, AgentFamily)}
    known = ", ".join(usages.get(word, word) for word in names)
    suggestion = did_you_mean(name.partition(":")[0], names)
    return InputError(
        f"no agent {name!r}",
        value=name,
        limit=tuple(names),
        remedy=f"{suggestion} (known: {known})" if suggestion else f"known: {known}",
    )


def compiled_agent_named(name: str) -> CompiledAgent:
    """Return the compiled agent with a given name, such as `control` or `rollout:50`.

    Raises:
        InputError: `agent_named` raises an error for this name, or the agent is a learned agent,
            which is not compiled.
    """
    agent = agent_named(name)
    if not isinstance(agent, CompiledAgent):
        raise InputError(
            "a learned agent cannot be used here",
            place=f"agent {name!r}",
            value=name,
            remedy="name a scripted or a searching agent",
        )
    return agent


def agent_names() -> list[str]:
    """Return the names of the built-in agents and of the agents loaded so far, without families."""
    words = dict.fromkeys([*_OURS, *_loaded])
    return [word for word in words if not isinstance(_load(word), AgentFamily)]


def known_agents() -> list[KnownAgent]:
    """Return descriptions of all agents and families, built-in ones first.

    This loads all installed packages that declare agents.

    Raises:
        InputError: a package cannot be loaded or declares no agent.
    """
    return [_describe(word) for word in dict.fromkeys([*_OURS, *_loaded, *plugins()])]


def agent_line(name: str) -> str:
    """Return the one-line description of an agent or its family, or `""` for an unknown name."""
    word = name.partition(":")[0]
    return "" if _load(word) is None else _describe(word).line


def _describe(word: str) -> KnownAgent:
    """Return the description of a built-in, installed or registered agent or family.

    The line is the first line of a docstring: for a family that of the function `make`, for a
    built-in agent that of its module, and for another agent that of its policy or class.
    """
    agent = _load(word)
    is_ours = word in _OURS
    entries = plugins().get(word, ())
    package = entries[0].module.partition(".")[0] if entries else "registered here"
    package = OURS if is_ours else package
    if isinstance(agent, AgentFamily):
        return KnownAgent(agent.usage, _first_line(agent.make), package, is_ours, agent.example)
    policy = getattr(agent, "policy", agent)
    line = _first_line(import_module(f"agents.roster.{word}") if is_ours else policy)
    return KnownAgent(word, line, package, is_ours, word)


def _first_line(described: Any) -> str:
    """Return the first line of an object's docstring, without words such as "The aggro agent:".

    The line begins with a capital letter; it is `""` if the object has no docstring.
    """
    line = cleandoc(getattr(described, "__doc__", None) or "").partition("\n")[0]
    line = _HEAD.sub("", line, count=1)
    return line[:1].upper() + line[1:]

"""The registry of names that experiments may give to agents.

A name is that of one agent (`control`), or of a family followed by what its maker is told
(`rollout:50`, `dqn:ember.pt`). Ours are the modules of `agents.roster`, each of which declares an
`AGENT`; an installed package declares the same by an entry point (`agents.plugins`), a notebook
by `register_agent`. All are loaded when first named.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pkgutil import iter_modules
from typing import Any, TypeVar

import agents.roster
from agents.declaration import OURS, AgentFamily, KnownAgent, agent_of, declared
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
_HEAD = re.compile(r"The \w+ agent: ")


def register_agent(name: str, agent: Declared) -> Declared:
    """Make `agent` the agent, or the family, `name`; returns it.

    Args:
        name: what experiments will call it; what stands before the colon, for a family.
        agent: a policy, an agent of that name, or a family; see `agents.declaration.agent_of`.

    Raises:
        InputError: the name is taken or is none, or `agent` is nothing of these.
    """
    _NAMED.fitting("register_agent()", {"name": name})
    word, colon, _ = name.partition(":")
    if _declared(word) is not None:
        raise InputError(f"agent {name!r} is already registered")
    if colon:
        raise InputError(f"agent {name!r}: what stands behind a colon is for a family to read")
    with error_place(f"agent {name!r}"):
        _loaded[name] = declared(name, agent)
    return agent


def agent_named(name: str) -> Agent:
    """The agent that an experiment calls `name`.

    Raises:
        InputError: nobody has this name, its family's maker refuses the text in it, or the
            package that declares it is at fault.
    """
    if not isinstance(name, str):
        raise InputError(f"agent {name!r}: must be a name, such as 'aggro'")
    name = known_spelling(name)
    word, colon, _ = name.partition(":")
    found = _declared(word)
    if isinstance(found, AgentFamily):
        return _the_one(name, found) if found.is_fixed else _made(name, found)
    if found is None or colon:
        raise _unknown(name)
    return found


def known_spelling(name: str) -> str:
    """An agent's name with its first word as it is declared; unchanged where nobody has it."""
    word, colon, rest = name.partition(":")
    if word in _OURS:
        return name
    found = Names("agent", [*_OURS, *_loaded, *plugins()]).matches(word)
    return f"{found[0]}{colon}{rest}" if len(found) == 1 else name


def _declared(word: str) -> Agent | AgentFamily | None:
    """What is declared for a name without parameters."""
    if word not in _loaded:
        if word in _OURS:
            refuse(f"agent {word!r}", plugins().get(word, ()))
            _loaded[word] = declared(word, import_module(f"agents.roster.{word}").AGENT)
        elif word in plugins():
            _loaded[word] = load_plugin(word)
    return _loaded.get(word)


def _made(name: str, family: AgentFamily) -> Agent:
    """An agent of a family, made now."""
    return agent_of(name, family.make(name.partition(":")[2]))


_the_one = cache(_made)  # of a family whose names never change their meaning


def _unknown(name: str) -> InputError:
    names = list(dict.fromkeys([*_OURS, *_loaded, *plugins()]))
    ours = {word: _declared(word) for word in [*_OURS, *_loaded]}
    usages = {w: found.usage for w, found in ours.items() if isinstance(found, AgentFamily)}
    known = ", ".join(usages.get(word, word) for word in names)
    return InputError(
        f"no agent {name!r}; known: {known}{did_you_mean(name.partition(':')[0], names)}"
    )


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
    """The names of single agents: ours, and those loaded since; families are not listed."""
    words = dict.fromkeys([*_OURS, *_loaded])
    return [word for word in words if not isinstance(_declared(word), AgentFamily)]


def known_agents() -> list[KnownAgent]:
    """All that may be named, ours first; packages that declare some are loaded.

    What is said of one is the first line of its maker, its module (ours) or its policy.

    Raises:
        InputError: a package that declares an agent is at fault.
    """
    return [_known(word) for word in dict.fromkeys([*_OURS, *_loaded, *plugins()])]


def agent_line(name: str) -> str:
    """What the agent called `name`, or its family, is, in a line; empty for one of no registry."""
    word = name.partition(":")[0]
    return "" if _declared(word) is None else _known(word).line


def _known(word: str) -> KnownAgent:
    agent = _declared(word)
    is_ours = word in _OURS
    entries = plugins().get(word, ())
    package = entries[0].module.partition(".")[0] if entries else "registered here"
    package = OURS if is_ours else package
    if isinstance(agent, AgentFamily):
        return KnownAgent(agent.usage, _first_line(agent.make), package, is_ours, agent.example)
    told = getattr(agent, "policy", agent)
    line = _first_line(import_module(f"agents.roster.{word}") if is_ours else told)
    return KnownAgent(word, line, package, is_ours, word)


def _first_line(described: Any) -> str:
    """The first line of what is written of a module or an object, without its own name."""
    line = cleandoc(getattr(described, "__doc__", None) or "").partition("\n")[0]
    line = _HEAD.sub("", line, count=1)
    return line[:1].upper() + line[1:]

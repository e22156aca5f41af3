"""Agents, who choose for a seat: one registry of names, from fixed rules to learned ones.

A notebook needs no more than these:

    from agents import agent_named, register_agent

They are loaded when first asked for, so that this package costs nothing to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.registry import AgentFamily, agent_named, agent_names, register_agent

__all__ = ["AgentFamily", "agent_named", "agent_names", "register_agent"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("agents.registry"), name)

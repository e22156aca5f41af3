"""Agents, which choose the actions of a seat: scripted, searching and learned agents.

    >>> from agents import agent_named, agent_names
    >>> agent_named("aggro").name
    'aggro'
    >>> {"aggro", "control", "greedy", "light", "random"} <= {*agent_names()}
    True

Packages: `roster` declares one agent name, or family of names, per module; `scripted` holds the
code that scripted agents share; `search` and `dqn` hold the searching and the learning agents;
`conformance` holds the tests that every agent should pass.
"""

from sim.on_demand import on_demand

# Type checkers treat this name as True. It is not imported, since importing `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agents.declaration import AgentFamily
    from agents.dqn import require_torch
    from agents.dqn.checkpoint import load_pilot, save_pilot
    from agents.dqn.pilot import DQNPilot
    from agents.dqn.settings import TrainSettings
    from agents.dqn.trainer import Progress, Trainer, pilot_of
    from agents.registry import agent_named, agent_names, compiled_agent_named, register_agent

__all__ = [
    "AgentFamily",
    "DQNPilot",
    "Progress",
    "TrainSettings",
    "Trainer",
    "agent_named",
    "agent_names",
    "compiled_agent_named",
    "load_pilot",
    "pilot_of",
    "register_agent",
    "require_torch",
    "save_pilot",
]

on_demand(__name__)

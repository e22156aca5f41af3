"""Agents, who choose for a seat: one registry of names, from fixed rules to learned ones.

    from agents import agent_named, register_agent

Rooms: `roster` has a module for each name, `scripted` what scripted agents share, `search` and
`dqn` how others search and learn, `conformance` the tests that all inherit.
"""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
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

__getattr__ = on_demand(__name__)

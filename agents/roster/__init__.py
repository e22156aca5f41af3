"""Roster of built-in agents, with one module for each agent or family of agents.

A module has the name of its agent and declares the agent as `AGENT`; a new agent needs nothing else
(`agents.declaration.agent_of`). A scripted agent is a function over the list of legal actions
(`sim.engine.listing`) for all games. The agent may also have a shortcut: a function that makes the
same choices in plain games without the list. A test compares both position by position.
"""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(_HERE.parent / 'scripted', _HERE)}")

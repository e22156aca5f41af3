"""The roster: one module for each name, or family of names, that experiments may give to agents.

A module is called as its agent is, and declares it as `AGENT`; that is all it takes to bring a
new one (`agents.declaration.agent_of`). Scripted agents are one function over the list of legal
actions (`sim.engine.listing`), for every game, and may have a shortcut: the same choices in plain
games, found without the list. A test holds the two to the same choices, position by position.
"""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(_HERE.parent / 'scripted', _HERE)}")

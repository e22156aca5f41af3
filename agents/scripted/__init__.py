"""Agents that follow fixed rules, compiled: (state, table) in, action out.

Each is one function over the list of legal actions (`sim.engine.listing`), for every game. They
score actions and clone nothing: a score follows from what the cards in play say. Read `values`
(what an effect row is worth), `scores` (what an action is worth), then the agents. Nothing here
looks at what a seat may not see.

`plain` holds a shortcut for each: the same choices in plain games, found without the list.
"""

from __future__ import annotations

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")

"""A policy network: one network that scores the actions of every deck by reading the cards."""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

_AGENTS = Path(__file__).parent.parent
_CALLED = ("policy", "reading", "scripted", "search")  # packages with compiled code that is called

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(*(_AGENTS / name for name in _CALLED))}")

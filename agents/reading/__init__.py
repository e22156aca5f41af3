"""Positions and cards as inputs of networks: what a seat may see, and the texts of the cards."""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

_AGENTS = Path(__file__).parent.parent

# Compiled code of both packages calls that of the other.
use_cache(__name__, f"{ENGINE_HASH}-{source_hash(_AGENTS / 'reading', _AGENTS / 'search')}")

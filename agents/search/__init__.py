"""Agents that search, which try actions in imagined games before they choose an action.

`worlds` creates the imagined games from information that the seat to move may see.
"""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

_AGENTS = Path(__file__).parent.parent

# Compiled code of both packages calls that of the other.
use_cache(__name__, f"{ENGINE_HASH}-{source_hash(_AGENTS / 'reading', _AGENTS / 'search')}")

"""Agents that search, which try actions in imagined games before they choose an action.

`worlds` creates the imagined games from information that the seat to move may see.
"""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")

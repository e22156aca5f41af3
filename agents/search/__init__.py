"""Agents that search: they try actions in imagined games before they choose one.

Imagined games come from `worlds`, which keeps only the information that the seat to move may see.
"""

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")

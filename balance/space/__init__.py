"""Search spaces: numbers that may move, their ranges, and constraints on whole patches."""

from pathlib import Path

from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"space-{source_hash(Path(__file__).parent)}")

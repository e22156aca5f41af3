"""Agents that follow fixed rules, compiled: (state, table) in, action out.

They read the state through `board_view` only, which looks at nothing a seat may not see.
"""

from __future__ import annotations

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")

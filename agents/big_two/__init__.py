"""Agents of Big Two: scripts, and the names by which experiments know them.

from agents.big_two import agent_named
"""

from __future__ import annotations

from pathlib import Path

from agents.big_two.registry import agent_named, agent_names
from sim.big_two import BIG_TWO_HASH
from sim.engine.cache import source_hash, use_cache

__all__ = ["agent_named", "agent_names"]

use_cache(__name__, f"big-two-{BIG_TWO_HASH}-{source_hash(Path(__file__).parent)}")

"""Agents that learn by deep Q-learning (DQN): train one, keep it, let it play.

Read in this order: `settings` (what may be told), `encoding` and `network` (what the learner
sees and thinks), `replay` with `sampler` (what it remembers), `learner` (how it learns),
`trainer` with `exploration` and `past_self` (how it meets its games), `pilot`, `provenance` and
`checkpoint` (what is left when training ends).

This module and `extra` load without torch; all others need it.
"""

from __future__ import annotations

from pathlib import Path

from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")

"""Laws of the general rules, and random games that are checked against them."""

from __future__ import annotations

from pathlib import Path

import sim.engine
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, source_hash(Path(__file__).parent, Path(sim.engine.__file__).parent))

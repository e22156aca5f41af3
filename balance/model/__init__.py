"""The model search: small patches from few games, by a model of what numbers do to win rates.

Read in this order: `search` (the rounds), `groundwork` (what they stand on), `design` and `slopes`
(what every number does), `response` (the model), `beam` (what it proposes), `wishes` (what is
hoped for).
"""

from pathlib import Path

from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"model-{source_hash(Path(__file__).parent)}")

"""Model-based search: small patches from few games, by a surrogate of the numbers' effects.

Read in this order: `search` (the rounds), `initial_design` (the games before them), `design`,
`strengths` and `slopes` (the effect of every number), `response` (the surrogate), `sensitivities`
(effects around a candidate), `beam` (the candidates), `requirements` (the objective and the
probability of feasibility).
"""

from pathlib import Path

from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"model-{source_hash(Path(__file__).parent)}")

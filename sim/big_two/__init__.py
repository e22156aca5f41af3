"""Big Two, a climbing game for four players: cards, rules and compiled games.

The package uses the card engine only for the compilation of code and for random numbers. Suggested
reading order: `cards` (cards and actions as numbers), `rules` (options of a game), `sets`
(comparison of sets), `layout` and `play` (one game, compiled), and `games` (many games at once).
Learners use `observers` (observations of a seat), `episodes` (games with rewards), `environment`
and `turns`. `game_log` writes the log of a game, and `game_session` has interactive games.
"""

from __future__ import annotations

from pathlib import Path

import sim.engine
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent
_ENGINE = Path(sim.engine.__file__).parent

BIG_TWO_HASH = source_hash(_HERE, also=(_ENGINE / "compiled.py", _ENGINE / "streams.py"))
"""Hash of the sources of this package and of the modules that compile them and draw numbers."""

use_cache(__name__, f"big-two-{BIG_TWO_HASH}")

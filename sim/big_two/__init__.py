"""Big Two, a climbing game for four: its cards, rules and compiled games.

A package of its own beside the card engine, of which it takes only how code is compiled and how
random numbers are counted. Read in this order: `cards` (and what actions stand for), `rules` (what
a game may be told), `sets` (what beats what), `layout` and `play` (one game, compiled), `many` and
`games` (many at once). For learners there are `observers` (what a seat sees), `episodes` (and
rewards), `environment` and `turns`; `story` and `sitting` tell a game as text.
"""

from __future__ import annotations

from pathlib import Path

import sim.engine
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent
_ENGINE = Path(sim.engine.__file__).parent

BIG_TWO_HASH = source_hash(_HERE, also=(_ENGINE / "compiled.py", _ENGINE / "streams.py"))
"""Names these games: the hash of their sources and of how they are compiled."""

use_cache(__name__, f"big-two-{BIG_TWO_HASH}")

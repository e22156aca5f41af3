"""The compiled engine: a flat game state, effect rows, and the loop that plays games.

Read in this order: `layout` (the words of a game's state and of a table), `zones`, `draws`, `rules`
(plain games), `kernel` (the loop). Then, as needed: `general` plays all other games, `handlers`
holds the actions of cards, `lockstep` and `episodes` ask agents outside the engine, `viewing` shows
games to agents, and `stepping` plays one game from Python. `compiled` defines how engine code is
compiled, and `cache` where its machine code is kept.
"""

from __future__ import annotations

from pathlib import Path

from sim.cards.vocabulary import NUMBERS
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent

ENGINE_HASH = source_hash(_HERE, also=(_HERE.parent / "ruleset.py",), constants=NUMBERS)
"""Identifier of this engine: the hash of its sources and of the constants compiled into them.

Of the vocabulary only the numbers count: the phrases of a word are not compiled.
"""

use_cache(__name__, ENGINE_HASH)

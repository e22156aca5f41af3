"""Compiled engine: a flat game state, effect rows, and the loop that plays games.

Read in this order: `layout` (the words of a game's state and of a table), `zones`, `draws`, `rules`
(plain games), `kernel` (the loop). Then read as needed:

* `general` plays all other games, and `handlers` holds the actions of cards;
* `lockstep` and `episodes` play games with agents outside the engine, `viewing` computes
  observations for agents, and `stepping` plays one game from Python;
* `compiled` defines how engine code is compiled, and `cache` chooses the folder of its machine
  code.
"""

from __future__ import annotations

from pathlib import Path

from sim.cards.vocabulary import NUMBERS
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent

ENGINE_HASH = source_hash(_HERE, also=(_HERE.parent / "ruleset.py",), constants=NUMBERS)
"""Identifier of this engine: the hash of its sources and of the constants compiled into them.

Of the card vocabulary only the numbers are hashed, since its words and phrases are not compiled.
"""

use_cache(__name__, ENGINE_HASH)

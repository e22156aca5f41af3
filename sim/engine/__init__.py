"""The compiled engine: one flat state, effect rows, and the loop that plays games.

Read in this order: `layout` (what lies where in a game's state and in a table), `zones`, `draws`,
`rules` (plain games), `kernel` (the loop). Then, as needed: `general` plays all other games,
`handlers` say what each action of a card does, `lockstep` and `episodes` ask agents outside,
`viewing` shows games to them, `stepping` is one game from Python. `compiled` says how all of it is
compiled, `cache` where the machine code is kept.
"""

from __future__ import annotations

from pathlib import Path

from sim.cards.vocabulary import NUMBERS
from sim.engine.cache import source_hash, use_cache

_HERE = Path(__file__).parent

ENGINE_HASH = source_hash(_HERE, also=(_HERE.parent / "ruleset.py",), constants=NUMBERS)
"""Names this engine: the hash of its sources and of the constants they are compiled with.

Of the vocabulary these are the numbers: what goes for a word beside them is not compiled.
"""

use_cache(__name__, ENGINE_HASH)

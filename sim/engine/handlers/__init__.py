"""The built-in actions: one function for each word, called through the jump table.

A handler is told the row, the record that acts and one record that it acts on; the rules call it
once for each member of the row's group.
"""

from sim.engine.handlers.bodies import ON_BODIES
from sim.engine.handlers.cards import ON_CARDS
from sim.engine.handlers.players import ON_PLAYERS

BUILT_IN = {**ON_BODIES, **ON_CARDS, **ON_PLAYERS}

__all__ = ["BUILT_IN"]

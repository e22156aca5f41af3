"""Built-in actions: one handler for each word, called through the jump table.

A handler receives the row, the record that acts and one record that it acts on. The rules call it
once for each member of the row's group. The declaration above the handler contains all other
properties of the word. A new action is a handler that is declared as an `Action`, with the next
free number, in the module of its topic.
"""

from sim.cards.action import Action
from sim.engine.handlers import bodies, cards, fates, players

_DECLARED = [
    value
    for module in (bodies, cards, fates, players)
    for value in vars(module).values()
    if isinstance(value, Action)
]
BUILT_IN = {action.word: action for action in sorted(_DECLARED, key=lambda action: action.number)}
"""Built-in actions by their word, in the order of their numbers."""
NUMBERS = {action.word: int(action.number) for action in BUILT_IN.values()}
"""Number of each built-in action by its word, as used in compiled code."""

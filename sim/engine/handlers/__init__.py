"""The built-in actions: one function for each word, called through the jump table.

A handler is told the row, the record that acts and one record that it acts on; the rules call it
once for each member of the row's group. Above it stands all else that there is to say about the
word: a new action is a handler that is made an `Action`, with the next number, in the file of its
theme.
"""

from sim.cards.action import Action
from sim.engine.handlers import bodies, cards, fates, players

_DECLARED = [
    value
    for theme in (bodies, cards, fates, players)
    for value in vars(theme).values()
    if isinstance(value, Action)
]
BUILT_IN = {action.word: action for action in sorted(_DECLARED, key=lambda one: one.number)}
NUMBERS = {action.word: int(action.number) for action in BUILT_IN.values()}
"""As compiled code wants them."""

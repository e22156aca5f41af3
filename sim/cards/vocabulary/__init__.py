"""The words that card files may use, with their numbers in compiled code and their meanings.

Declared once, here: card models validate against these tables, the packer turns words into numbers
with them, compiled code imports the numbers, phrases are composed from them, and `docs/rules.md`
lists them. Actions and measures, which are compiled code themselves, are declared with their
functions, see `sim.cards.action` and `sim.cards.measure`.
"""

from sim.cards.vocabulary.events import GOING_ON, Event
from sim.cards.vocabulary.features import (
    BODY_KEYWORDS,
    KEYWORD_MEANINGS,
    LASTING_PHRASES,
    STAT_NOUNS,
    STATE_ADJECTIVES,
    STATES_BEHIND,
    Keyword,
    Lasting,
    Opcode,
    Stat,
    State,
)
from sim.cards.vocabulary.receivers import PLAYABLE, Kind, Receiver
from sim.cards.vocabulary.selectors import Body, Selector, Side

NUMBERS = {
    vocabulary.__name__: {word: int(member) for word, member in vocabulary.__members__.items()}
    for vocabulary in (Body, Event, Keyword, Kind, Lasting, Opcode, Selector, Side, Stat, State)
}
"""The vocabulary that compiled code reads: numbers by word, by name of the enum."""

__all__ = [
    "BODY_KEYWORDS",
    "GOING_ON",
    "KEYWORD_MEANINGS",
    "LASTING_PHRASES",
    "NUMBERS",
    "PLAYABLE",
    "STATES_BEHIND",
    "STATE_ADJECTIVES",
    "STAT_NOUNS",
    "Body",
    "Event",
    "Keyword",
    "Kind",
    "Lasting",
    "Opcode",
    "Receiver",
    "Selector",
    "Side",
    "Stat",
    "State",
]

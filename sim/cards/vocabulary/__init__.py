"""Vocabulary of card files: words, their numbers in compiled code, and their meanings.

The tables are the single source of the words: card models validate against them, the packer
replaces words by numbers, compiled code imports the numbers, phrases are composed from them, and
`docs/rules.md` lists them. Actions and measures are declared with their compiled functions instead,
see `sim.cards.action` and `sim.cards.measure`.
"""

from sim.cards.vocabulary.events import GOING_ON, Event
from sim.cards.vocabulary.features import (
    BODY_KEYWORDS,
    KEYWORD_MEANINGS,
    KEYWORD_READS,
    KEYWORD_SENTENCES,
    KIND_REMARKS,
    LASTING_PHRASES,
    REMARKS,
    STAT_NOUNS,
    STATE_PHRASES,
    Keyword,
    Lasting,
    Opcode,
    Stat,
    State,
)
from sim.cards.vocabulary.receivers import PLAYABLE, Kind, Receiver
from sim.cards.vocabulary.selectors import Selector
from sim.cards.vocabulary.sides import Body, Side

NUMBERS = {
    vocabulary.__name__: {word: int(member) for word, member in vocabulary.__members__.items()}
    for vocabulary in (Body, Event, Keyword, Kind, Lasting, Opcode, Selector, Side, Stat, State)
}
"""Numbers of the words for compiled code: by name of the enum, then by upper-case word."""

__all__ = [
    "BODY_KEYWORDS",
    "GOING_ON",
    "KEYWORD_MEANINGS",
    "KEYWORD_READS",
    "KEYWORD_SENTENCES",
    "KIND_REMARKS",
    "LASTING_PHRASES",
    "NUMBERS",
    "PLAYABLE",
    "REMARKS",
    "STATE_PHRASES",
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

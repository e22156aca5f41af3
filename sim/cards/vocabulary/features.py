"""Keywords, states and numbers of cards, durations of results, and numbers of engine actions."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple


class Keyword(IntFlag):
    """Standing abilities of minions, weapons and players (`keywords = ["..."]`), one bit each."""

    HASTE = 1  # may attack in the turn in which it arrives
    TAUNT = 2  # enemies must attack it first
    DIVINE_SHIELD = 4  # prevents the first damage
    WINDFURY = 8  # may attack twice a turn
    STEALTH = 16  # enemies cannot attack or choose it until it has attacked
    POISONOUS = 32  # destroys any minion that it damages
    CANNOT_ATTACK = 64
    ELUSIVE = 128  # no spell or hero power can choose it
    IMMUNE = 256  # takes no damage, and enemies cannot attack or choose it
    FREEZING = 512  # freezes each character that it damages
    MINIONS_ONLY = 1024  # cannot attack players
    STURDY_SIDE = 2048  # for players; `KEYWORD_MEANINGS` explains this and the following keywords
    DOUBLING = 4096  # for players
    HARMFUL_HEALING = 8192  # for players
    BLUNT = 16384  # for weapons


_OF_PLAYERS = Keyword.STURDY_SIDE | Keyword.DOUBLING | Keyword.HARMFUL_HEALING
BODY_KEYWORDS = tuple(keyword for keyword in Keyword if keyword not in _OF_PLAYERS | Keyword.BLUNT)
"""Keywords that minions and weapons may have; `BLUNT` is for weapons, the others for players."""

KEYWORD_MEANINGS = {
    Keyword.STURDY_SIDE: "damage leaves minions of this side 1 health",
    Keyword.DOUBLING: "spells and hero powers of this side damage and heal twice as much",
    Keyword.HARMFUL_HEALING: "cards of this side damage instead of healing",
    Keyword.BLUNT: "an attack on a minion costs 1 attack instead of 1 durability",
}
"""Explanations, for cards' texts, of keywords that players of other games may not know."""


KIND_REMARKS = {
    "secret": "Stays hidden; is revealed once, in the enemy's turn, "
    "if its first effect would do something.",
    "attachment": "Belongs to the card that it is attached to.",
}
"""Remarks that are printed in parentheses with cards of some kinds, by the word of the kind."""

REMARKS = frozenset({*KEYWORD_MEANINGS.values(), *KIND_REMARKS.values()})
"""All remarks that are printed in parentheses, which the reader of texts skips."""

KEYWORD_READS = {
    Keyword.HASTE: ("charge",),
    Keyword.DIVINE_SHIELD: ("divine shields",),
    Keyword.CANNOT_ATTACK: ("can't attack",),
    Keyword.POISONOUS: ("poison",),
}
"""Further names of keywords in published texts."""

KEYWORD_SENTENCES = {
    Keyword.CANNOT_ATTACK: ("can't attack",),
    Keyword.MINIONS_ONLY: ("can't attack heroes", "can only attack minions"),
    Keyword.ELUSIVE: ("can't be targeted by spells or hero powers",),
    Keyword.FREEZING: (
        "any <character|minion|creature> damaged by this [minion|weapon|creature] is frozen",
        "freeze <any character|a minion|any minion|characters> damaged by this [minion|weapon]",
    ),
    Keyword.POISONOUS: ("destroy any minion damaged by this [minion|weapon]",),
    Keyword.IMMUNE: ("immune",),
    Keyword.DOUBLING: ("double the damage and healing of your spells and hero power",),
    Keyword.HARMFUL_HEALING: ("your cards and powers that restore health now deal damage instead",),
    Keyword.BLUNT: ("attacking a minion costs 1 attack instead of 1 durability",),
}
"""Sentences of published texts that state a keyword, as templates."""


class State(IntFlag):
    """Changing properties of cards and players, as filters of groups, one bit each."""

    FROZEN = 1  # misses its next attack
    SILENCED = 2  # its text is void
    DAMAGED = 4
    UNDAMAGED = 8
    DEAD = 16  # has no health left, or is marked for destruction
    OTHER = 32  # not the card that has the row
    UNTARGETED = 64  # not the target that the player chose
    OVERLOAD = 128  # locks mana when it is played
    TARGETED = 256  # the target that the player chose
    OWN = 512  # on the side of the card that has the row
    HERO = 1024  # a player, not a minion
    IN_PLAY = 2048  # on a board, or wielded, or a player
    BYSTANDER = 4096  # neither attacks nor is attacked


class StatePhrase(NamedTuple):
    """Phrases for a state, as a filter of several cards and as a predicate of one card.

    Attributes:
        before: adjective before the noun, as in `frozen minions`; `""` if the state has none.
        after: phrase after the noun, as in `minions in play`; `""` if the state has none.
        predicate: phrase after `is` or `is not`, as in `the target is frozen`.
    """

    before: str
    after: str
    predicate: str


STATE_PHRASES = {
    State.FROZEN: StatePhrase("frozen", "", "frozen"),
    State.SILENCED: StatePhrase("silenced", "", "silenced"),
    State.DAMAGED: StatePhrase("damaged", "", "damaged"),
    State.UNDAMAGED: StatePhrase("undamaged", "", "undamaged"),
    State.DEAD: StatePhrase("dead", "", "dead"),
    State.OTHER: StatePhrase("other", "", "another one"),
    State.UNTARGETED: StatePhrase("", "other than the target", "other than the target"),
    State.OVERLOAD: StatePhrase("", "with overload", "with overload"),
    State.TARGETED: StatePhrase("", "chosen as the target", "chosen as the target"),
    State.OWN: StatePhrase("", "on your side", "friendly"),
    State.HERO: StatePhrase("", "who are heroes", "a hero"),
    State.IN_PLAY: StatePhrase("", "in play", "in play"),
    State.BYSTANDER: StatePhrase(
        "", "neither attacking nor attacked", "neither attacking nor attacked"
    ),
}
"""Phrases for the states of cards and players, in the order in which texts name them."""


class Stat(IntEnum):
    """Numbers of cards and players, for filters of groups and for measures."""

    ATTACK = 0
    HEALTH = 1
    COST = 2
    DAMAGE = 3  # health lost
    ARMOR = 4
    DURABILITY = 5
    CRYSTALS = 6  # mana that a player has after the refill at the start of a turn


STAT_NOUNS = {
    Stat.DAMAGE: "lost health",
    Stat.CRYSTALS: "mana crystals",
    Stat.ARMOR: "armor",
}
"""Nouns in phrases, for numbers with a noun that is not their own word."""


class Lasting(IntEnum):
    """Durations of the result of an effect row (`lasts = "..."`)."""

    ALWAYS = 0
    TURN = 1  # until the end of the turn
    UNTIL_OWN_TURN = 2  # until the owner's next turn begins
    NEXT_TURN = 3  # through the whole of the owner's next turn


LASTING_PHRASES = {
    Lasting.ALWAYS: "",
    Lasting.TURN: " this turn",
    Lasting.UNTIL_OWN_TURN: " until your next turn",
    Lasting.NEXT_TURN: " next turn",
}
"""Endings of the sentence for an effect row, by the duration of its result."""


class Opcode(IntEnum):
    """Numbers of the actions that engine code refers to; `sim.actions` lists all actions."""

    DAMAGE = 0
    HEAL = 1
    SUMMON = 3
    BUFF = 4
    GRANT = 5
    SET = 12
    CLONE = 25
    AIM = 32
    COUNTER = 33

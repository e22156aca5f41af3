"""Keywords, states and numbers that filters ask of cards and rows give, and durations."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Keyword(IntFlag):
    """Standing abilities of a body (`keywords = ["..."]`), one bit each."""

    HASTE = 1  # may attack in the turn in which it arrives
    TAUNT = 2  # enemies must attack it first
    DIVINE_SHIELD = 4  # the first damage does nothing
    WINDFURY = 8  # may attack twice a turn
    STEALTH = 16  # enemies cannot attack or choose it until it has attacked
    POISONOUS = 32  # destroys any minion that it damages
    CANNOT_ATTACK = 64
    ELUSIVE = 128  # no spell or hero power can choose it
    IMMUNE = 256  # takes no damage, and enemies cannot attack or choose it
    FREEZING = 512  # freezes each character that it damages
    MINIONS_ONLY = 1024  # cannot attack players
    STURDY_SIDE = 2048  # of a player, as the next two; `KEYWORD_MEANINGS` explains them
    DOUBLING = 4096
    HARMFUL_HEALING = 8192
    BLUNT = 16384  # of a weapon; `KEYWORD_MEANINGS` explains it


_OF_PLAYERS = Keyword.STURDY_SIDE | Keyword.DOUBLING | Keyword.HARMFUL_HEALING
BODY_KEYWORDS = tuple(keyword for keyword in Keyword if keyword not in _OF_PLAYERS | Keyword.BLUNT)
"""The keywords that bodies may have; the others are for players and weapons."""

KEYWORD_MEANINGS = {
    Keyword.STURDY_SIDE: "damage leaves its minions 1 health",
    Keyword.DOUBLING: "its spells and hero power damage and heal twice as much",
    Keyword.HARMFUL_HEALING: "what its cards would heal they damage",
    Keyword.BLUNT: "against minions it loses 1 attack instead of durability",
}
"""Explanations of the keywords that players of other card games may not know."""


class State(IntFlag):
    """Properties that a filter may ask of a card in addition to its keywords and numbers."""

    FROZEN = 1  # misses its next attack
    SILENCED = 2  # its text is void
    DAMAGED = 4
    UNDAMAGED = 8
    DEAD = 16  # no health left, or doomed
    OTHER = 32  # not the card that has the row
    UNTARGETED = 64  # not the target that the player chose
    OVERLOAD = 128  # locks mana when it is played
    TARGETED = 256  # the target that the player chose
    OWN = 512  # on the side of the card that has the row
    HERO = 1024  # a player, not a minion
    IN_PLAY = 2048  # on a board, or wielded, or a player
    BYSTANDER = 4096  # neither attacks nor is attacked


STATE_ADJECTIVES = {State.OVERLOAD: "overloading"}
"""Adjectives in phrases for the states that are not called by their own words."""

STATES_BEHIND = {
    State.UNTARGETED: "other than the target",
    State.IN_PLAY: "in play",
    State.BYSTANDER: "neither attacking nor attacked",
}
"""Phrases for the states that follow the noun: `minions in play`."""


class Stat(IntEnum):
    """A number of a card in play or in a hand, for filters and measures."""

    ATTACK = 0
    HEALTH = 1
    COST = 2
    DAMAGE = 3  # health lost
    ARMOR = 4
    DURABILITY = 5
    CRYSTALS = 6  # number that a player's mana is refilled to


STAT_NOUNS = {
    Stat.DAMAGE: "lost health",
    Stat.CRYSTALS: "mana crystals",
    Stat.ARMOR: "armour",
}
"""Nouns in phrases for the numbers that are not called by their own words."""


class Lasting(IntEnum):
    """How long the result of a row is kept (`lasts = "..."`)."""

    ALWAYS = 0
    TURN = 1  # until the end of the turn
    UNTIL_OWN_TURN = 2  # until the owner's next turn begins
    NEXT_TURN = 3  # through the whole of the owner's next turn


LASTING_PHRASES = {
    Lasting.ALWAYS: "",
    Lasting.TURN: " until the end of the turn",
    Lasting.UNTIL_OWN_TURN: " until the next own turn",
    Lasting.NEXT_TURN: " through the whole next own turn",
}
"""The end of a sentence about a row, by its duration."""


class Opcode(IntEnum):
    """Numbers of the actions that the engine itself uses; `sim.cards.actions` has all actions."""

    DAMAGE = 0
    HEAL = 1
    SUMMON = 3
    BUFF = 4
    GRANT = 5
    SET = 12
    CLONE = 25
    AIM = 32
    COUNTER = 33

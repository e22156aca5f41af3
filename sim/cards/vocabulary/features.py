"""Keywords, states and numbers of cards, durations of results, and numbers of engine actions."""

from __future__ import annotations

from enum import IntEnum, IntFlag


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
    Keyword.STURDY_SIDE: "damage leaves its minions 1 health",
    Keyword.DOUBLING: "its spells and hero power damage and heal twice as much",
    Keyword.HARMFUL_HEALING: "what its cards would heal they damage",
    Keyword.BLUNT: "against minions it loses 1 attack instead of durability",
}
"""Explanations, for cards' texts, of keywords that players of other games may not know."""


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


STATE_ADJECTIVES = {State.OVERLOAD: "overloading"}
"""Adjectives in phrases, for states with an adjective that is not their own word."""

STATES_BEHIND = {
    State.UNTARGETED: "other than the target",
    State.IN_PLAY: "in play",
    State.BYSTANDER: "neither attacking nor attacked",
}
"""Phrases for states that follow the noun instead of preceding it, as in `minions in play`."""


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
    Stat.ARMOR: "armour",
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
    Lasting.TURN: " until the end of the turn",
    Lasting.UNTIL_OWN_TURN: " until the next own turn",
    Lasting.NEXT_TURN: " through the whole next own turn",
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

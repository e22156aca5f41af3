"""The words that card files may use, and the number the engine knows each one by.

Declared once, here: card models validate against these tables, the packer turns words into
numbers with them, compiled code imports the numbers, and `docs/rules.md` lists them. Numbers
are positions, so new words go at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, IntFlag

from sim.errors import InputError


class Event(IntEnum):
    """What sets an effect row off (`on = "..."`)."""

    PLAY = 0  # the card is played, the spell cast, the weapon wielded, the hero power used
    DEATHRATTLE = 1  # the minion has died
    AURA = 2  # holds as long as the card is in play
    OWN_COST = 3  # holds while the card is in the hand
    TURN_START = 4  # somebody's turn begins, before the draw
    TURN_END = 5  # somebody's turn ends
    CARD_PLAYED = 6  # somebody plays a card, before it does anything
    CAST = 7  # somebody casts a spell, before it does anything
    AFTER_CAST = 8  # a spell has done what it does
    SUMMON = 9  # a minion arrives, before it does anything
    AFTER_SUMMON = 10  # a minion has arrived and done what it does
    DEATH = 11  # a minion dies
    DAMAGE = 12  # a character has taken damage
    HEAL = 13  # a character has been healed
    ATTACK = 14  # a character attacks, before any damage
    REVEAL = 15  # a secret has come to light
    GAME_START = 16  # the game begins; heard by cards in the deck, before the mulligan
    LETHAL = 17  # a player is about to lose its last life, and does not; heard by secrets only
    ARRIVAL = 18  # a minion that was played has arrived and done what it does; by secrets only


class Side(IntEnum):
    """Whose the members of a group are."""

    OWN = 0
    ENEMY = 1
    BOTH = 2


class Body(IntEnum):
    """What the members of a group of characters are."""

    PLAYER = 0
    MINION = 1
    ANY = 2


class Selector(IntEnum):
    """Whom a row acts on (`to = "..."`), seen from the card's owner."""

    OWN_PLAYER = 0
    ENEMY_PLAYER = 1
    PLAYERS = 2
    OWN_MINIONS = 3
    ENEMY_MINIONS = 4
    MINIONS = 5
    OWN_CHARACTERS = 6  # the player and the minions
    ENEMY_CHARACTERS = 7
    CHARACTERS = 8
    OWN_WEAPON = 9
    ENEMY_WEAPON = 10
    OWN_HAND = 11
    ENEMY_HAND = 12
    HANDS = 13
    OWN_CARDS = 14  # the subject of an event only: a card somebody plays
    ENEMY_CARDS = 15
    CARDS = 16
    TARGET = 17  # what the player chose
    SELF = 18  # the card whose row it is
    SUBJECT = 19  # what the event happened to
    PREVIOUS = 20  # what the row before this one made, drew or moved
    NEIGHBOURS = 21  # the minions next to the card
    TARGET_NEIGHBOURS = 22  # the minions next to the target
    OWN_SECRETS = 23
    ENEMY_SECRETS = 24
    OWN_DECK = 25
    ENEMY_DECK = 26
    AIM = 27  # whom the attack or the spell that is going on is aimed at

    @property
    def side(self) -> Side:
        """Whose they are, of a selector that names a set."""
        first = self.name.partition("_")[0]
        return Side[first] if first in Side.__members__ else Side.BOTH

    @property
    def body(self) -> Body:
        """What they are, of a selector that names characters."""
        last = self.name.rpartition("_")[2].rstrip("S")
        return Body[last] if last in Body.__members__ else Body.ANY


class Kind(IntEnum):
    """What a card is (`kind = "..."`)."""

    MINION = 0  # leaves a body on the board
    SPELL = 1
    WEAPON = 2  # lets the player attack, as often as it has durability
    POWER = 3  # a hero power: once a turn, never in a hand
    OPTION = 4  # one of the two things that a card with a choice may do
    SECRET = 5  # lies hidden until something in the enemy's turn brings it to light
    ATTACHMENT = 6  # text that a row attaches to a minion or a player; in no zone


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
    FREEZING = 512  # freezes whatever it damages
    MINIONS_ONLY = 1024  # cannot attack players
    STURDY_SIDE = 2048  # of a player: damage leaves its minions 1 health
    DOUBLING = 4096  # of a player: its spells and hero power damage and heal twice as much
    HARMFUL_HEALING = 8192  # of a player: what its cards would heal they damage
    BLUNT = 16384  # of a weapon: against minions it loses attack instead of durability


BODY_KEYWORDS = tuple(keyword for keyword in Keyword if keyword < Keyword.STURDY_SIDE)
"""Those that bodies may have; the others are for players and weapons."""


class State(IntFlag):
    """What a filter may ask of a card beyond its keywords and numbers."""

    FROZEN = 1  # misses its next attack
    SILENCED = 2  # its text is void
    DAMAGED = 4
    UNDAMAGED = 8
    DEAD = 16  # no health left, or doomed
    OTHER = 32  # not the card whose row it is
    UNTARGETED = 64  # not what the player chose
    OVERLOAD = 128  # locks mana when it is played
    TARGETED = 256  # what the player chose
    OWN = 512  # on the side of the card whose row it is
    HERO = 1024  # a player, not a minion
    IN_PLAY = 2048  # on a board, or wielded, or a player
    BYSTANDER = 4096  # neither attacks nor is attacked


class Stat(IntEnum):
    """A number of a card in play or in a hand, for filters and measures."""

    ATTACK = 0
    HEALTH = 1
    COST = 2
    DAMAGE = 3  # health lost
    ARMOR = 4
    DURABILITY = 5
    CRYSTALS = 6  # what a player's mana is refilled to


class Measure(IntEnum):
    """What a row may count by (`times = "..."`) or ask about (`when = "..."`)."""

    ONE = 0
    COUNT = 1  # how many of a group there are
    STAT = 2  # a number of the first of a group, 0 if there is none
    EVENT = 3  # how much the event was about
    CARDS_PLAYED = 4  # cards that the owner has played in this turn before this one
    COIN_FLIP = 5  # 0 or 1, each half of the time
    ATTACKING = 6  # 1 while the owner's hero is attacking
    ODD_DECK = 7  # 1 if no card left in the owner's deck has an even cost
    EVEN_DECK = 8
    MINIONS_PLAYED = 9  # in this turn, by the owner
    HAND_GAP = 10  # cards that the enemy's hand has more than the owner's
    ABSENT = 11  # cards that the card's `absent` rows could still summon


class Lasting(IntEnum):
    """How long what a row gives is kept (`lasts = "..."`)."""

    ALWAYS = 0
    TURN = 1  # until the end of the turn
    UNTIL_OWN_TURN = 2  # until the owner's next turn begins
    NEXT_TURN = 3  # through the whole of the owner's next turn


class ActionNames:
    """The action words in number order; the only vocabulary a user's code may extend.

    An action is carried out by a compiled handler, and handlers live in a jump table
    (`sim/engine/opcodes.py`), so a new action needs a name here and a handler there, and no
    change to the rules that are already there.
    """

    def __init__(self, *names: str) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, name: str) -> int:
        """The number of action `name`; raises `KeyError` for a word not in the vocabulary."""
        return self._numbers[name]

    def add(self, name: str) -> int:
        """Append `name` and return its number.

        Raises:
            InputError: the word is taken.
        """
        if name in self._numbers:
            raise InputError(f"action {name!r} is already in the vocabulary")
        self._numbers[name] = len(self._numbers)
        return self._numbers[name]


ACTIONS = ActionNames(
    "damage",
    "heal",
    "draw",
    "summon",
    "buff",  # raise attack and health (a weapon's durability)
    "grant",  # give keywords
    "destroy",
    "armor",
    "equip",
    "transform",
    "discard",
    "choose",  # draw one of the top cards of the deck, discard the others
    "set",  # change attack or health to a number
    "freeze",
    "return",  # to its owner's hand
    "cost",  # change what a card costs
    "silence",
    "give",  # put a card into a hand
    "steal",  # take control
    "mana",  # in this turn only
    "strip",  # take keywords away
    "swap",  # attack and health
    "crystals",  # change what mana is refilled to; new ones come empty
    "attach",  # give a minion or a player text; a player keeps it until the end of the turn
    "copy",  # put a fresh copy into the hand of the row's owner
    "clone",  # summon a copy: exact of what is in play, else fresh
    "become",  # turn into an exact copy
    "discount",  # change what the next card of a kind costs, in this turn
    "power",  # change the hero power
    "exchange",  # swap places with a card of the hand
    "double",  # health
    "voice",  # give spell damage
    "aim",  # let the attack or the spell that is going on be aimed at another
    "counter",  # let the spell that is going on do nothing
    "wound",  # leave so much health, without damage
    "embody",  # let the player be the minion, which goes: so much life, and no armour
)

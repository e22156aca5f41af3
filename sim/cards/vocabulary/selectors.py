"""Selectors: the places where rows look for whom they act on, and all that goes for each."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from sim.cards.vocabulary.events import GOING_ON, HAPPENED, Word
from sim.cards.vocabulary.receivers import (
    BODY,
    CARD,
    CHARACTER,
    DECK,
    MINION,
    NOTHING,
    PLAYER,
    SECRET,
    WEAPON,
    Receiver,
)


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


class Members(NamedTuple):
    """What goes for a selector.

    Attributes:
        finds: what it may yield; of `self`, `subject` and `target` the row's card says.
        one: what one of them is called.
        many: what several are called; `""` for a selector that yields one at the most.
        whose: the word in front of that.
        where: the words behind it.
        power: what the hero power of such players is called.
        in_auras: whether it means anything to a row that holds all the time.
    """

    finds: Receiver
    one: str
    many: str = ""
    whose: str = ""
    where: str = ""
    power: str = ""
    in_auras: bool = True


class Selector(Word):
    """Whom a row acts on (`to = "..."`), seen from the card's owner."""

    about: Members

    OWN_PLAYER = 0, Members(PLAYER, "the own player", power="the own hero power")
    ENEMY_PLAYER = 1, Members(PLAYER, "the enemy player", power="the enemy hero power")
    PLAYERS = 2, Members(PLAYER, "player", "players", power="the hero power of all players")
    OWN_MINIONS = 3, Members(MINION, "minion", "minions", "own")
    ENEMY_MINIONS = 4, Members(MINION, "minion", "minions", "enemy")
    MINIONS = 5, Members(MINION, "minion", "minions")
    OWN_CHARACTERS = 6, Members(CHARACTER, "character", "characters", "own")
    ENEMY_CHARACTERS = 7, Members(CHARACTER, "character", "characters", "enemy")
    CHARACTERS = 8, Members(CHARACTER, "character", "characters")
    OWN_WEAPON = 9, Members(WEAPON, "the own weapon")
    ENEMY_WEAPON = 10, Members(WEAPON, "the enemy weapon")
    OWN_HAND = 11, Members(CARD, "card", "cards", where="in the own hand")
    ENEMY_HAND = 12, Members(CARD, "card", "cards", where="in the enemy hand")
    HANDS = 13, Members(CARD, "card", "cards", where="in the hands")
    # The subject of an event only: a card somebody plays.
    OWN_CARDS = 14, Members(NOTHING, "card", "cards", "own")
    ENEMY_CARDS = 15, Members(NOTHING, "card", "cards", "enemy")
    CARDS = 16, Members(NOTHING, "card", "cards")
    # What the player chose.
    TARGET = 17, Members(CHARACTER, "the target", in_auras=False)
    # The card whose row it is.
    SELF = 18, Members(NOTHING, "this card")
    # What the event happened to.
    SUBJECT = 19, Members(NOTHING, HAPPENED, in_auras=False)
    # What the row before this one made, drew or moved.
    PREVIOUS = 20, Members(PLAYER | BODY, "what the row before brought", in_auras=False)
    # The minions next to the card.
    NEIGHBOURS = 21, Members(MINION, "minion", "minions", where="next to it")
    # The minions next to the target.
    TARGET_NEIGHBOURS = (
        22,
        Members(MINION, "minion", "minions", where="next to the target", in_auras=False),
    )
    OWN_SECRETS = 23, Members(SECRET, "secret", "secrets", "own")
    ENEMY_SECRETS = 24, Members(SECRET, "secret", "secrets", "enemy")
    OWN_DECK = 25, Members(DECK, "card", "cards", where="in the own deck")
    ENEMY_DECK = 26, Members(DECK, "card", "cards", where="in the enemy deck")
    # Whom the attack or the spell that is going on is aimed at.
    AIM = 27, Members(CHARACTER, f"whom {GOING_ON} is aimed at", in_auras=False)

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

    @property
    def is_single(self) -> bool:
        """Whether it yields one at the most."""
        return not self.about.many

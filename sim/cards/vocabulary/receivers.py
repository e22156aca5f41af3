"""Kinds of cards, and kinds of receivers: the things that actions can act on."""

from __future__ import annotations

from enum import Flag, IntEnum, auto

from sim.errors import listed


class Kind(IntEnum):
    """Kinds of cards (`kind = "..."`)."""

    MINION = 0  # leaves a body on the board
    SPELL = 1
    WEAPON = 2  # allows the player as many attacks as the weapon has durability
    POWER = 3  # a hero power: usable once a turn, never in a hand
    OPTION = 4  # one of the two effects that the player of a card with options chooses from
    SECRET = 5  # hidden until an event in the enemy's turn reveals it
    ATTACHMENT = 6  # text that a row attaches to a minion or a player; in no zone


PLAYABLE = ("minion", "spell", "weapon", "secret")  # kinds of cards in hands and decks


class Receiver(Flag):
    """Kinds of things that an action can act on or a group can hold, one bit each."""

    PLAYER = auto()
    MINION = auto()  # in play, or dying
    WEAPON = auto()  # wielded
    CARD = auto()  # in a hand, or being played
    SECRET = auto()  # in play and not yet revealed
    DECK = auto()  # a card in a deck


PLAYER = Receiver.PLAYER
MINION = Receiver.MINION
WEAPON = Receiver.WEAPON
CARD = Receiver.CARD
SECRET = Receiver.SECRET
DECK = Receiver.DECK
NOTHING = Receiver(0)
ANYTHING = ~Receiver(0)
CHARACTER = PLAYER | MINION
WITH_RECORDS = ANYTHING & ~DECK
BODY = MINION | WEAPON | CARD  # receivers with an attack, and with a health or a durability

_NAMED = {
    PLAYER: "players",
    MINION: "minions",
    WEAPON: "weapons",
    CARD: "cards in hands",
    SECRET: "secrets",
    DECK: "cards in decks",
}


def receiver_words(receivers: Receiver) -> str:
    """Return a list of receivers in words, such as `players and minions`; `anything` if all."""
    if receivers == ANYTHING:
        return "anything"
    return listed(word for receiver, word in _NAMED.items() if receiver in receivers)

"""Kinds of cards, and the receivers that an action may act on and a group may hold."""

from __future__ import annotations

from enum import Flag, IntEnum, auto

from sim.errors import listed


class Kind(IntEnum):
    """The kind of a card (`kind = "..."`)."""

    MINION = 0  # leaves a body on the board
    SPELL = 1
    WEAPON = 2  # lets the player attack, as often as it has durability
    POWER = 3  # a hero power: once a turn, never in a hand
    OPTION = 4  # one of the two things that a card with a choice may do
    SECRET = 5  # hidden until an event in the enemy's turn reveals it
    ATTACHMENT = 6  # text that a row attaches to a minion or a player; in no zone


PLAYABLE = ("minion", "spell", "weapon", "secret")  # kinds that hands, and so decks, can hold


class Receiver(Flag):
    """Things that an action may act on, one bit each."""

    PLAYER = auto()
    MINION = auto()  # in play, or dying
    WEAPON = auto()  # wielded
    CARD = auto()  # in a hand, or being played
    SECRET = auto()  # that waits
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
BODY = MINION | WEAPON | CARD  # these have an attack and a health or durability of their own

_NAMED = {
    PLAYER: "players",
    MINION: "minions",
    WEAPON: "weapons",
    CARD: "cards in hands",
    SECRET: "secrets",
    DECK: "cards in decks",
}


def receiver_words(receivers: Receiver) -> str:
    """Return receivers in words: `players and minions`."""
    if receivers == ANYTHING:
        return "anything"
    return listed(word for receiver, word in _NAMED.items() if receiver in receivers)

"""Receivers: what an action may act on, and what a group may yield."""

from __future__ import annotations

from enum import Flag, auto


class Receiver(Flag):
    """What an action may act on."""

    PLAYER = auto()
    MINION = auto()  # in play, or dying
    WEAPON = auto()  # wielded
    CARD = auto()  # in a hand, or being played
    SECRET = auto()  # that waits
    DECK = auto()  # a card in a deck


PLAYER, MINION, WEAPON = Receiver.PLAYER, Receiver.MINION, Receiver.WEAPON
CARD, SECRET, DECK = Receiver.CARD, Receiver.SECRET, Receiver.DECK
NOTHING, ANYTHING = Receiver(0), ~Receiver(0)
CHARACTER = PLAYER | MINION
WITH_RECORDS = ANYTHING & ~DECK
BODY = MINION | WEAPON | CARD  # what has an attack and a health or durability of its own

_NAMED = {
    PLAYER: "players",
    MINION: "minions",
    WEAPON: "weapons",
    CARD: "cards in hands",
    SECRET: "secrets",
    DECK: "cards in decks",
}


def receiver_words(receivers: Receiver) -> str:
    """What an action acts on, in words: `players and minions`."""
    if receivers == ANYTHING:
        return "anything"
    *most, last = (word for receiver, word in _NAMED.items() if receiver in receivers)
    return f"{', '.join(most)} and {last}" if most else last

"""Kinds of cards."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """What a card is (`kind = "..."`)."""

    MINION = 0  # leaves a body on the board
    SPELL = 1
    WEAPON = 2  # lets the player attack, as often as it has durability
    POWER = 3  # a hero power: once a turn, never in a hand
    OPTION = 4  # one of the two things that a card with a choice may do
    SECRET = 5  # lies hidden until something in the enemy's turn brings it to light
    ATTACHMENT = 6  # text that a row attaches to a minion or a player; in no zone


PLAYABLE = ("minion", "spell", "weapon", "secret")  # what can be in a hand, and so in a deck

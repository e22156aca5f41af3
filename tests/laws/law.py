"""The laws by name: conditions that must hold after every action."""

from __future__ import annotations

from enum import IntEnum


class Law(IntEnum):
    """Laws that a check may find broken; `KEPT`, which is 0, stands for none."""

    KEPT = 0
    NO_FAULT = 1  # no space was missing, no action illegal
    NOTHING_WAITS = 2  # tasks, events and removed records are empty between actions
    HAND_LIMIT = 3
    BOARD_LIMIT = 4
    MANA = 5  # mana and crystals are from 0 to the cap, overload is not negative
    PLAYER = 6  # armour, spell damage and counts are not negative, life is not above its limit
    LIVING_PLAYERS = 7  # players of a running game have life left
    NUMBERS = 8  # attack, cost and readiness are not negative, health is not above its limit
    LIVING_MINIONS = 9  # no dead or doomed minion stands on a board of a running game
    WEAPON = 10  # a wielded weapon has durability left in a running game
    KEYWORDS = 11  # printed, granted and lent keywords hold
    ATTACKS_MADE = 12  # no character has attacked more than twice in a turn
    CARD_NUMBER = 13  # records have cards of the table
    HEARD = 14  # events that cards of the game listen to are heard
    ONE_PLACE = 15  # a record is free, or in one hand, on one board, wielded or a secret
    ZONE_WORDS = 16  # a record's zone and owner are those of the place where it lies
    SERIALS = 17  # no two records share a serial
    ORDERS = 18  # no two records in play share an order
    MARKS = 19  # cards are marked only in a mulligan
    CARDS_LEFT = 20  # the count of a deck's cards is right
    DECK_SLOTS = 21  # a slot is in its deck at most once, and belongs to it
    NO_WAY_BACK = 22  # slots return into the deck only in a mulligan
    FROM_NOWHERE = 23  # a card comes from the deck, a choice, or a card that was there
    TWO_PLACES = 24  # a slot in the deck has no record
    CHOICES = 25  # an offered slot is neither in the deck nor in the hand
    COUNTS = 26  # turns, cards played, attacks made and powers used are counted right
    LISTED_LEGAL = 27  # every listed action is legal
    LISTED_ONCE = 28
    LISTED_ALL = 29  # every legal action is listed
    PLACES = 30  # a minion may be put at any place of the board, and no other card may
    CLONE = 31  # a copy plays on as the original does
    SECRETS = 32  # at most five secrets wait, no two of the same card
    ATTACHMENTS = 33  # an attachment belongs to a record in play
    HANDS = 34  # no card in a hand is damaged, doomed, frozen or silenced


KEPT = Law.KEPT.value

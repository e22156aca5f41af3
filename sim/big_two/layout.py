"""Layout of a game: offsets of its parts among its 64-bit words."""

from __future__ import annotations

from sim.big_two.cards import HAND_SIZE, N_CARDS, N_SEATS

HANDS = 0
"""Offset of the set of cards that each seat holds."""

GONE = HANDS + N_SEATS
"""Offset of the set of cards that each seat has played."""

TABLE, BEATEN, OWNER = range(GONE + N_SEATS, GONE + N_SEATS + 3)
"""The set to beat, or 0 if the active seat leads; its strength; the seat that played it."""

ACTIVE, PASSED, OPENER, WINNER = range(OWNER + 1, OWNER + 5)
"""The seat to move; the seats that passed since the last play, as bits; the seat that began; the
seat that won, or `NOBODY`."""

NEEDED, ALONE, LOCKS, FOURS = range(WINNER + 1, WINNER + 5)
"""The card that the first lead must hold, as a set, or 0; whether it must be led alone; whether a
pass locks a seat out; whether fours need no fifth card."""

SEED = FOURS + 1
N_TURNS = FOURS + 2
"""The seed of the game; the number of plays and passes so far."""

N_SORTED = N_TURNS + 1
SORTED = N_TURNS + 2
"""Work area: the number of the active seat's cards, and the cards, the lowest first."""

LOG = SORTED + HAND_SIZE
"""All plays and passes in turn order: the set that was played, and above its bits the seat."""

LOG_SIZE = N_SEATS * N_CARDS  # at most one play per card, and three passes after each
LOG_SEAT = N_CARDS
"""The first bit of the seat in an entry of the log."""

GAME_SIZE = LOG + LOG_SIZE

NOBODY = -1
AGENTS_STREAM = 100
"""Number of the first of a game's random streams for agents, one per seat.

The deal uses numbers 1 to 52 of the game's own stream, so these keys are free.
"""

ACTION_BITS = 11  # 1,375 actions need eleven bits
ACTION = (1 << ACTION_BITS) - 1
"""Mask of the low bits of a move that hold its action; the strength of its set lies above them."""

OPENING_CARD, OPENING_LEAD, PASS_LOCKS, FOURS_ALONE, CARDS = range(5)
"""Offsets of the numbers of the rules that a deal needs; `CARDS` has one number per seat."""

N_NUMBERS = CARDS + N_SEATS
"""Number of these numbers."""

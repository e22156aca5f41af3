"""Layout of a game of Big Two: offsets of its parts within a block of 64-bit words."""

from __future__ import annotations

from sim.big_two.cards import HAND_SIZE, N_CARDS, N_SEATS

HANDS = 0
"""Offset of four words: the set of cards that each seat holds."""

GONE = HANDS + N_SEATS
"""Offset of four words: the set of cards that each seat has played."""

TABLE, BEATEN, OWNER = range(GONE + N_SEATS, GONE + N_SEATS + 3)
"""Offsets of the set to beat (0 if the active seat leads), its strength, and its player's seat."""

ACTIVE, PASSED, OPENER, WINNER = range(OWNER + 1, OWNER + 5)
"""Offsets of the seat to move, the seats that have passed (as bits), the seat that led first, and
the seat that won (`NOBODY` in a running game).

Passes are forgotten when the table is cleared and, unless passes lock, when a set is played.
"""

NEEDED, ALONE, LOCKS, FOURS = range(WINNER + 1, WINNER + 5)
"""Offsets of the card that the first lead must include (as a set; 0 if there is none), and of three
flags: whether it must be led alone, `pass_locks` and `fours_alone` of the rules."""

SEED = FOURS + 1
"""Offset of the seed of the game."""

N_TURNS = FOURS + 2
"""Offset of the number of plays and passes so far."""

N_SORTED = N_TURNS + 1
"""Offset of a work area: the number of cards that the active seat holds."""

SORTED = N_TURNS + 2
"""Offset of a work area: the cards that the active seat holds, in rising order."""

LOG = SORTED + HAND_SIZE
"""Offset of the log, which has a word for each play or pass in turn order.

The low `LOG_SEAT` bits of a word are the set that was played (0 for a pass), and the bits above
them are the seat.
"""

LOG_SIZE = N_SEATS * N_CARDS  # at most one play for each card, and three passes after each play
LOG_SEAT = N_CARDS
"""Lowest bit of the seat in a word of the log."""

GAME_SIZE = LOG + LOG_SIZE
"""Number of words of a game."""

NOBODY = -1
"""Value that means no seat, such as the winner of a running game."""

AGENTS_STREAM = 100
"""First of four numbers of a game's stream; each number seeds the random choices of one seat.

The deal uses numbers 1 to 52 of the same stream.
"""

ACTION_BITS = 11  # 1,375 actions need eleven bits
ACTION = (1 << ACTION_BITS) - 1
"""Mask of the low bits of a move, which are its action; the bits above are the set's strength."""

OPENING_CARD, OPENING_LEAD, PASS_LOCKS, FOURS_ALONE, CARDS = range(5)
"""Offsets of the numbers of the rules that a deal needs; `CARDS` has one number per seat."""

N_NUMBERS = CARDS + N_SEATS
"""Length of the array of rule numbers that a deal needs."""

"""Layout of one game: what lies where among its words of 64 bits."""

from __future__ import annotations

from sim.big_two.cards import HAND_SIZE, N_CARDS, N_SEATS

HANDS = 0
"""The set of cards that each seat holds."""

GONE = HANDS + N_SEATS
"""The set of cards that each seat has played."""

TABLE, BEATEN, OWNER = range(GONE + N_SEATS, GONE + N_SEATS + 3)
"""The set to be beaten, or 0 where the active seat leads; its number; whose it is."""

ACTIVE, PASSED, OPENER, WINNER = range(OWNER + 1, OWNER + 5)
"""Who moves, who passed since the latest play (as bits), who began, who won or `NOBODY`."""

NEEDED, ALONE, LOCKS, FOURS = range(WINNER + 1, WINNER + 5)
"""The card that the opening lead must hold, as a set, if any; whether it must be that alone;
whether passing locks one out; whether fours go alone."""

SEED = FOURS + 1
N_TURNS = FOURS + 2
"""The game's seed; how many plays and passes there were."""

N_SORTED = N_TURNS + 1
SORTED = N_TURNS + 2
"""Work area: the active seat's cards, lowest first."""

LOG = SORTED + HAND_SIZE
"""Every play and pass in turn: the set, and above its bits who played it."""

LOG_SIZE = N_SEATS * N_CARDS  # each card is a play at most, which three may pass
LOG_SEAT = N_CARDS
"""The first bit of the seat in an entry of the log."""

GAME_SIZE = LOG + LOG_SIZE

NOBODY = -1
AGENTS_STREAM = 100
"""Number of a game's stream, and of those after it, that seeds the stream of a seat's agent; the
first 52 deal."""

ACTION_BITS = 11
ACTION = (1 << ACTION_BITS) - 1
"""A move in a list is the number of its set, and in these low bits its action."""

OPENING_CARD, OPENING_LEAD, PASS_LOCKS, FOURS_ALONE, CARDS = range(5)
"""Where the numbers of the rules lie that a game is dealt with; of cards there is one a seat."""

N_NUMBERS = CARDS + N_SEATS

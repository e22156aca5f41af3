"""Where everything lies: the words of a game's state, of a card table, and of an action.

Offsets are named here and nowhere else. A state is one flat vector of 16-bit words, so that
copying a game is one memory copy; a table is one such vector per variant, so that the numbers
of a thousand variants are one matrix.

A *character* (a player or a unit) is a record of `RECORD_SIZE` words and is referred to by
the offset of its record; players and units share the record, so an effect that hurts a
character need not ask which it is. A *zone* (deck, hand, board) is a length followed by
items, oldest first: slot numbers in the deck, records in hand and board. Behind each zone
lies as much padding as it has room, so that removing an item may move a fixed number of words.
"""

from __future__ import annotations

from sim.ruleset import (
    BOARD_CAPACITY,
    DECK_CAPACITY,
    HAND_CAPACITY,
    N_SEATS,
    TURN_CAP_MAX,
)

# --- record of a card in hand, a unit on the board, or a player ---
CARD = 0  # row of the card in the table; unused by players
COST = 1
ATTACK = 2
HEALTH = 3  # what is left; a player's life
MAX_HEALTH = 4  # healing stops here
KEYWORDS = 5
READY = 6  # attacks left in this turn
SLOT = 7  # deck slot it came from; a token has its maker's
OWNER = 8  # seat
RECORD_SIZE = 9

# --- state ---
STATE_LENGTH = 0  # word 0 of state and table is its length
RESULT = 1
ACTIVE = 2  # seat to act
TURN = 3  # turns begun, both seats together; 0 while opening hands are dealt
N_ACTIONS = 4
N_ATTACKS = 5  # attacks made in this turn
FAULT = 6  # FAULT_* bits: what must never happen, reported by `play`
N_FREE = 7  # records on the free stack
QUEUE_LENGTH = 8
SEATS = 9  # first player's block

# a player's block: its record, then
MANA = RECORD_SIZE
MANA_CAP = RECORD_SIZE + 1
FATIGUE = RECORD_SIZE + 2
N_DRAWS = RECORD_SIZE + 3  # numbers taken from the draw stream
N_DECISIONS = RECORD_SIZE + 4  # actions chosen by this seat
N_CARDS_LEFT = RECORD_SIZE + 5  # cards in the deck, blanks not counted
DRAW_STREAM = RECORD_SIZE + 6  # four words, lowest first
AGENT_STREAM = RECORD_SIZE + 10
HAND = RECORD_SIZE + 14
BOARD = HAND + 1 + 2 * HAND_CAPACITY
DECK = BOARD + 1 + 2 * BOARD_CAPACITY
CARD_OF_SLOT = DECK + 1 + 2 * DECK_CAPACITY  # BLANK where the card has been left out
SEAT_SIZE = CARD_OF_SLOT + DECK_CAPACITY

MAX_RECORDS = (
    N_SEATS * (HAND_CAPACITY + BOARD_CAPACITY) + 4
)  # every zone full, and a few in between
RECORDS = SEATS + N_SEATS * SEAT_SIZE
FREE = RECORDS + MAX_RECORDS * RECORD_SIZE
QUEUE = FREE + MAX_RECORDS
MAX_QUEUE = 32
QUEUE_ITEM = 2  # event, source record
CLONE_SIZE = QUEUE + MAX_QUEUE * QUEUE_ITEM  # what a search copies: all but the statistics

SEEN = CLONE_SIZE  # per seat and slot, SEEN_* bits of what became of the card in this game
STATE_SIZE = SEEN + N_SEATS * DECK_CAPACITY

RUNNING = -1
DRAWN = 2  # a result of 0 or 1 is the seat that won
BLANK = -1
SEEN_OPENING = 1
SEEN_LATER = 2
SEEN_PLAYED = 4
N_SEEN_CODES = 8
N_RESULTS = 3
FAULT_ILLEGAL = 1  # an agent chose an illegal action
FAULT_QUEUE = 2  # an event found the queue full
FAULT_RECORDS = 4  # no free record

# --- table ---
TABLE_LENGTH = 0
LIFE = 1
HAND_LIMIT = 2
BOARD_LIMIT = 3
MANA_MAX = 4
TURN_CAP = 5
SKIP_FIRST_DRAW = 6
DECK_OUT = 7  # 0: drawing from an empty deck loses; 1: fatigue damage
OPENING_HAND = 8  # one word per seat
HANDLERS = OPENING_HAND + N_SEATS  # addresses of effect handlers, four words each, by opcode
MAX_OPCODES = 64
CARDS = HANDLERS + 4 * MAX_OPCODES

# a card of the table
CARD_COST = 0
CARD_ATTACK = 1
CARD_HEALTH = 2
CARD_KEYWORDS = 3
CARD_ROWS = 4  # offset of its first effect row
CARD_N_ROWS = 5
CARD_SIZE = 6

# an effect row of the table
ROW_EVENT = 0
ROW_CONDITION = 1
ROW_SELECTOR = 2
ROW_OPCODE = 3
ROW_AMOUNT = 4
ROW_ARGUMENT = 5  # what the opcode makes of it: the card to summon
ROW_SIZE = 6

# --- action ---
# One integer: what to do, with which of one's cards, to whom. A position counts from the oldest.
END_TURN = 0
PLAY = 1 << 12
ATTACK_WITH = 2 << 12
SOURCE_SHIFT = 6  # hand position of a play, board position of an attack
POSITION_MASK = 63
AT_PLAYER = 63  # an attack's target when it is the enemy player

# --- row of a batch ---
GAMES_VARIANT = 0
GAMES_SEAT_0 = 1  # player that moves first
GAMES_SEAT_1 = 2
GAMES_FIRST_INDEX = 3  # of its games in their stream
GAMES_SIZE = 4

# --- aggregates of a batch row ---
WINS_FIRST = 0  # games won by seat 0
WINS_SECOND = 1
DRAWS = 2
SUM_TURNS = 3
SUM_ACTIONS = 4
SUM_LIFE_FIRST = 5
SUM_LIFE_SECOND = 6
FAULTS = 7
N_TOTALS = 8
TURN_BINS = TURN_CAP_MAX + 1

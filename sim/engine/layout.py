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

# --- record of a card in hand, a minion on the board, a weapon, or a player ---
CARD = 0  # its number in the table; a player's is the hero power, or BLANK
COST = 1  # what it costs now
ATTACK = 2  # all that counts now, auras included
HEALTH = 3  # what is left; a player's life, a weapon's durability
MAX_HEALTH = 4  # healing stops here
KEYWORDS = 5  # all that hold now, auras included
READY = 6  # attacks that it may make now
SLOT = 7  # deck slot it came from; a token has its maker's
OWNER = 8  # seat
STATUS = 9  # IS_* bits
ORDER = 10  # when it came into play; smaller is older
SERIAL = 11  # tells it from all other records of the game, in whatever zone it is
ZONE = 12  # IN_*
OWN_KEYWORDS = 13  # printed and granted for good
TURN_KEYWORDS = 14  # granted until the end of the turn
NEXT_KEYWORDS = 15  # granted until the owner's next turn
TURN_ATTACK = 16  # part of ATTACK that goes at the end of the turn
LAST_RANK = 16  # of a minion in limbo: where it stood among those that died with it
AURA_ATTACK = 17  # part of ATTACK that auras give
AURA_HEALTH = 18  # part of MAX_HEALTH that auras give
NEW_AURA_HEALTH = 19  # the same, while auras are being added up
LAST_PLACE = 19  # of a minion in limbo: where it stood, counted in minions on the board by now
COST_CHANGE = 20  # what has been added to its cost for good
N_MADE = 21  # attacks made in this turn
HEARS = 22  # bits of the events that it listens to: its own text unless silenced, and attachments
SPELL_POWER = 23  # what it adds to the damage of its owner's spells
RECORD_SIZE = 24

IS_FROZEN = 1
IS_SILENCED = 2
IS_NEW = 4  # arrived in this turn, so it may attack only with haste
IS_DOOMED = 8  # dies at the next death step, whatever its health
IS_MARKED = 16  # to be replaced in the mulligan
IS_BORROWED = 32  # goes back to the other side at the end of the turn

IN_NO_ZONE = 0
IN_HAND = 1
IN_PLAY = 2  # on a board, or wielded
IN_LIMBO = 3  # out of the game, its record kept until the action is over
IN_SECRET = 4  # a secret that waits

# --- state ---
STATE_LENGTH = 0  # word 0 of state and table is its length
RESULT = 1
ACTIVE = 2  # seat to act
TURN = 3  # turns begun, both seats together; 0 while opening hands are dealt
N_ACTIONS = 4
N_ATTACKS = 5  # attacks made in this turn
FAULT = 6  # FAULT_* bits: what must never happen, reported by `play`; but for one they end the game
N_FREE = 7  # records on the free stack
PHASE = 8
NEXT_ORDER = 9
NEXT_SERIAL = 10
ATTACKER = 11  # the player whose hero is attacking, while it does
PREVIOUS = 12  # record that the last effect row made, drew or moved; 0 for none
N_TASKS = 13
N_EVENTS = 14
N_LIMBO = 15
N_GROUP = 16
NOW_AMOUNT = 17  # what the effect row at work comes to: its amount,
NOW_ATTACK = 18  # its attack
NOW_HEALTH = 19  # and its health
HEARD = 20  # bits of the events that cards of this game listen to, so far; two words
AURAS_LIVE = 22  # AURAS_* bits: what there was when auras were brought up to date
BOARD_CHANGED = 23  # BOARD_IS_NEW once something has come, gone or turned; then how far that went
DEATHS_DUE = 24  # whether anything may have died since the last death step
USED_SIZE = 25  # words up to the last record that has been used: what a search copies
AIM = 26  # record that the attack or the spell that is going on is aimed at
IS_COUNTERED = 27  # whether the spell that is going on does nothing
N_ATTACHED = 28
N_STEPS = 29  # of resolution in this action, see `sim.engine.faults`
TURN_ALLOWS = 30  # what N_ACTIONS may come to in this turn
ROW_AT_WORK = 31  # the effect row being carried out, 0 for none
LAST_PLAYED = 32  # 1 + number of the card that was played last, secrets left out; 0 for none
GENERAL = 33  # 1: the general rules play this game; 0: it is plain (`sim.engine.rules`)
CHOICES = 34  # how many cards there are to choose from, then their slots
CHOICE_CAPACITY = 4
SEATS = CHOICES + 1 + CHOICE_CAPACITY  # first player's block

BOARD_IS_NEW = 1
AURAS_ARE_DONE = 2  # but readiness and spell damage are not

AURAS_GIVEN = 1  # something that may have to be taken back
AURAS_VOLATILE = 2  # something that may change while the boards stay as they are
AURAS_ON_COSTS = 4  # something that changes what cards cost
AURAS_GRANT = 8  # keywords
AURAS_CHANGE = 16  # numbers that are added to
AURAS_SET = 32  # numbers that are set

MAIN_PHASE = 0
MULLIGAN_PHASE = 1
CHOICE_PHASE = 2

# a player's block: its record, then
MANA = RECORD_SIZE
MANA_CAP = RECORD_SIZE + 1
FATIGUE = RECORD_SIZE + 2
N_DRAWS = RECORD_SIZE + 3  # numbers taken from the draw stream
N_DECISIONS = RECORD_SIZE + 4  # actions chosen by this seat
N_CARDS_LEFT = RECORD_SIZE + 5  # cards in the deck, blanks not counted
N_KNOWN_TOP = RECORD_SIZE + 6  # so many of the deck's first slots are drawn first, in order
ARMOR = RECORD_SIZE + 7
WEAPON = RECORD_SIZE + 8  # record of the weapon, 0 for none
POWER_USED = RECORD_SIZE + 10
N_PLAYED = RECORD_SIZE + 11  # cards played in this turn
N_MINIONS_PLAYED = RECORD_SIZE + 9  # likewise minions
OVERLOAD_OWED = RECORD_SIZE + 12  # mana to be locked in the next turn
OVERLOAD_LOCKED = RECORD_SIZE + 13
SPELL_DAMAGE = RECORD_SIZE + 14
DRAW_STREAM = RECORD_SIZE + 15  # four words, lowest first
AGENT_STREAM = RECORD_SIZE + 19
EFFECT_STREAM = RECORD_SIZE + 23
NEXT_SPELL = RECORD_SIZE + 27  # what is added to the cost of the next spell of this turn
NEXT_SECRET = RECORD_SIZE + 28  # and of the next secret
SPELLS_NOW = RECORD_SIZE + 29  # and of all spells of this turn
SPELLS_LATER = RECORD_SIZE + 30  # and of the owner's next turn
GUARDIAN = RECORD_SIZE + 31  # the secret that keeps the player alive once, 0 for none
HAND = RECORD_SIZE + 32
BOARD = HAND + 1 + 2 * HAND_CAPACITY
SECRETS = BOARD + 1 + 2 * BOARD_CAPACITY
SECRET_CAPACITY = 5
DECK = SECRETS + 1 + 2 * SECRET_CAPACITY
CARD_OF_SLOT = DECK + 1 + 2 * DECK_CAPACITY  # BLANK where the card has been left out
POWER_SLOT = DECK_CAPACITY  # what the hero power, and what it makes, have as their slot
COIN_SLOT = DECK_CAPACITY + 1
USES = CARD_OF_SLOT + DECK_CAPACITY  # per slot, random numbers that its effects have used
SEAT_SIZE = USES + DECK_CAPACITY + 2

MAX_RECORDS = N_SEATS * (HAND_CAPACITY + BOARD_CAPACITY + SECRET_CAPACITY + 2) + 4  # and limbo
FREE = SEATS + N_SEATS * SEAT_SIZE
RECORDS = FREE + MAX_RECORDS  # the first ones are used first
SPARE_RECORD = RECORDS + MAX_RECORDS * RECORD_SIZE  # nobody's: where there is no free one
ATTACHED = SPARE_RECORD + RECORD_SIZE  # record and card of each text that is attached
MAX_ATTACHED = 256  # two of a million random games went beyond 64
CLONE_SIZE = ATTACHED + 2 * MAX_ATTACHED  # all but the statistics and the work

SEEN = CLONE_SIZE  # per seat and slot, SEEN_* bits of what became of the card in this game
GAME_SIZE = SEEN + N_SEATS * DECK_CAPACITY

# --- work: empty between actions ---
TASKS = GAME_SIZE  # effect rows waiting to be carried out, the next ones last
MAX_TASKS = 256
TASK_ROW = 0  # offset of the next row in the table
TASK_N_ROWS = 1  # rows left
TASK_EVENT = 2  # rows of other events are passed over
TASK_SOURCE = 3  # whose rows they are
TASK_TARGET = 4  # what the player chose, 0 for nothing
TASK_SUBJECT = 5  # what the event happened to
TASK_AMOUNT = 6  # how much it was about
TASK_SIZE = 7
EVENTS = TASKS + MAX_TASKS * TASK_SIZE  # what has happened and nobody has been told yet
MAX_EVENTS = 128
EVENT_SIZE = 3  # event, subject, amount
GROUP = EVENTS + MAX_EVENTS * EVENT_SIZE  # members of the group that was looked up last
MAX_GROUP = 64
LIMBO = GROUP + MAX_GROUP  # records that are given back when the action is over
N_LISTED = LIMBO + MAX_RECORDS  # legal actions, listed for an agent
N_LISTED_PLAYS = N_LISTED + 1  # how many of them play a card: they come first,
N_LISTED_ATTACKS = N_LISTED + 2  # then those that attack, then the hero power, the end of the turn
LISTED = N_LISTED + 3
MAX_LISTED = 1024  # more than two ways to play each card of a full hand on everybody, and the rest
LISTED_ACTION = 0  # two words, the lower first
LISTED_SOURCE = 2  # record of the card or attacker
LISTED_TARGET = 3  # and of the target, 0 for nobody
LISTED_SIZE = 4
_LINE = 32  # words of a cache line: states that follow each other begin alike
STATE_SIZE = -(-(LISTED + LISTED_SIZE * MAX_LISTED) // _LINE) * _LINE

RUNNING = -1
DRAWN = 2  # a result of 0 or 1 is the seat that won
FAULTED = 3  # nobody's win and no draw: a card's texts have stopped the game
BLANK = -1
SEEN_OPENING = 1
SEEN_LATER = 2
SEEN_PLAYED = 4
N_SEEN_CODES = 8
N_RESULTS = 3
FAULT_ILLEGAL = 1  # an agent chose an illegal action
FAULT_QUEUE = 2  # a task or an event found no room
FAULT_RECORDS = 4  # no free record
FAULT_ATTACHED = 8  # an attachment found no room
FAULT_STEPS = 16  # an action took more steps than the ruleset allows
FAULT_TURN = 32  # a turn took more actions
FAULT_COUNT = 64  # something was counted beyond COUNT_MAX
COUNT_MAX = 32_000  # of actions, cards made, arrivals, and a card's random choices in one game
NUMBER_MAX = 9_999  # what any number of a game grows to, and shrinks to below 0

# --- table ---
TABLE_LENGTH = 0
LIFE = 1
HAND_LIMIT = 2
BOARD_LIMIT = 3
MANA_MAX = 4
TURN_CAP = 5
SKIP_FIRST_DRAW = 6
DECK_OUT = 7  # 0: drawing from an empty deck loses; 1: fatigue damage
FULL_BOARD = 8  # 0: a minion without room is destroyed; 1: it cannot be played
DEATHS = 9  # 0: after each effect row; 1: after the whole action
MULLIGAN = 10
COIN = 11  # card number of the coin, BLANK for none
HERO_POWERS = 12
IDLE_ATTACKERS = 13  # 0: minions without attack cannot attack
TOKENS = 14  # 1: beside the minion that summons them
ALL_GENERAL = 15  # 1: no game is plain; 0: those are whose decks hold no card that says otherwise
STARTS = 16  # whether any card says something of the beginning of the game
ACTIONS_PER_TURN = 17
STEPS_PER_ACTION = 18
OPENING_HAND = 19  # one word per seat
BEGIN = OPENING_HAND + N_SEATS  # address of the general rules' `begin`, 0 where all games are plain
ACT = BEGIN + 4  # likewise of their `act`
LEGAL = ACT + 4  # and of their `is_legal`
REFRESH = LEGAL + 4  # and of their `refresh`
RESOLVE = REFRESH + 4  # and of their `resolve_all`
LIST = RESOLVE + 4  # and of their `list_legal`
HANDLERS = LIST + 4  # addresses of effect handlers, four words each, by opcode
MAX_OPCODES = 64
CARDS = HANDLERS + 4 * MAX_OPCODES

# a card of the table
CARD_COST = 0
CARD_ATTACK = 1
CARD_HEALTH = 2  # a weapon's durability
CARD_KEYWORDS = 3
CARD_ROWS = 4  # offset of its first effect row
CARD_N_ROWS = 5
CARD_KIND = 6
CARD_TRIBE = 7  # 0 for none
CARD_SPELL_DAMAGE = 8
CARD_OVERLOAD = 9
CARD_TARGET = 10  # offset of the group to choose from, 0 for no target
CARD_TARGET_MODE = 11
CARD_NEEDS = 12  # offset of a condition, 0 for none
CARD_TEXTS = 13  # offset of the card whose text counts, by option: 0 where there is no such option
CARD_EVENTS = 17  # bits of the events that its rows listen to; two words
CARD_TARGET_WHEN = 19  # offset of the condition under which it chooses, 0 for always
CARD_AURAS = 20  # AURAS_* bits: what it gives while it is in play
CARD_HERO = 21  # whose decks may hold it, 0 for all
CARD_IS_GENERAL = 22  # 1: games in which a deck holds it are not plain
CARD_SIZE = 23

MUST_CHOOSE = 1  # it cannot be played without a target
CHOOSES_IF_ANY = 2

# an effect row of the table
ROW_EVENT = 0
ROW_OF = 1  # offset of the group that the event's subject must belong to
ROW_WHEN = 2  # offset of the condition, 0 for none
ROW_SELECTOR = 3
ROW_TO = 4  # offset of the group to act on
ROW_PICK = 5
ROW_SPARE = 6
ROW_REPEAT = 7
ROW_OPCODE = 8
ROW_AMOUNT = 9
ROW_AMOUNT_TO = 10  # 0 if the amount is not random
ROW_ATTACK = 11
ROW_HEALTH = 12
ROW_TIMES = 13  # offset of the measure that multiplies, 0 for none
ROW_AT_LEAST = 14
ROW_KEYWORDS = 15
ROW_LASTS = 16
ROW_BY_TARGET = 17
ROW_GIVEN = 18  # GIVES_* bits: which of the two numbers the row gives
ROW_N_CARDS = 19
ROW_ARGUMENT = 20  # the card to summon, give, ...; of several, the offset of their numbers
ROW_ABSENT = 21
ROW_KIND = 22  # which cards a discount is for
ROW_FLAGS = 23  # FOR_ENEMY, OF_ENEMY_HERO, UNCONDITIONAL
ROW_SIZE = 24

FOR_ENEMY = 1  # what is copied goes to the enemy's hand
OF_ENEMY_HERO = 2  # only cards of the enemy's class
UNCONDITIONAL = 4  # it does the same to the same player whenever the card is played

GIVES_ATTACK = 1
GIVES_HEALTH = 2

# a group of the table (`sim.cards.notation.Group`)
GROUP_SELECTOR = 0
GROUP_TRIBE = 1
GROUP_KEYWORDS = 2
GROUP_STATES = 3
GROUP_KIND = 4  # BLANK for any
GROUP_STAT = 5  # BLANK for none
GROUP_LOW = 6
GROUP_HIGH = 7
GROUP_ASKS = 8  # ASKS_*: whether anything is asked of its members
GROUP_SIDE = 9  # whose they are, and
GROUP_BODY = 10  # what, where the selector says so
GROUP_WITHOUT = 11  # number of the card that is left out, BLANK for none

ASKS_NOTHING = 0
ASKS_FOR_OTHERS = 1  # only that they are not the card itself
ASKS_MORE = 2

# a condition of the table, or a measure, whose bounds mean nothing
CONDITION_MEASURE = 0
CONDITION_GROUP = 1
CONDITION_STAT = 2
CONDITION_LOW = 3
CONDITION_HIGH = 4
CONDITION_ALSO = 5  # offset of what else must hold, 0 for nothing

# --- deck of a batch: number of slots, the card of each, the hero power ---
DECK_POWER = 1 + DECK_CAPACITY
DECK_ROW_SIZE = 2 + DECK_CAPACITY

ASK = -1  # in place of an agent's address: its moves come from outside

# --- action ---
# One integer: what to do, with which of one's cards, to whom. A position counts from the oldest
# card in the hand and from the left on the board.
END_TURN = 0
PLAY = 1 << 20  # in a mulligan: replace; before a choice: choose
ATTACK_WITH = 2 << 20
USE_POWER = 3 << 20
SOURCE_SHIFT = 6  # hand position of a play, board position of an attack
OPTION_SHIFT = 12  # 1 or 2: which of a card's two options
PLACE_SHIFT = 14  # 1 + where on the board, 0 for the right end
POSITION_MASK = 63
OPTION_MASK = 3
PLACE_MASK = 15
BY_PLAYER = 63  # an attack's source when it is the player
AT_OWN_MINION = 16  # a target: enemy minions count from 0, own minions from here
AT_OWN_PLAYER = 61
AT_NOBODY = 62
AT_PLAYER = 63  # the enemy player

# --- view: how learned agents see the games of a table (`sim.observation.view`) ---
VIEW_LENGTH = 0
VIEW_GENERAL = 1  # 0: the duel's view, which the engine knows by itself
VIEW_N_VALUES = 2
VIEW_N_ACTIONS = 3
VIEW_SEE = 4  # addresses of the general view's functions: what observes,
VIEW_MARK = 8  # what marks legal actions,
VIEW_TO_ENGINE = 12  # what translates actions, from the view's numbers
VIEW_FROM_ENGINE = 16  # and to them
VIEW_HAND_PLACES = 20  # cards that actions can name
VIEW_OPTIONS = 21  # ways to play a card: 1, or 3 where cards have options
VIEW_TARGETS = 22  # whom a card may choose: 1 (nobody), or everybody
VIEW_CHOICES = 23  # cards that a choice can be between
VIEW_SCALES = 24  # offset of the values' scales
VIEW_CODES = 25  # of each card: the duel's effect code, or the number of its text

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
FAULTS = 7  # FAULT_* bits of all its games, and of the first of them that a card stopped:
FAULT_ROW = 8  # ROW_AT_WORK,
FAULT_CARD = 9  # LAST_PLAYED,
FAULT_AT_TURN = 10  # its turn,
FAULT_GAME = 11  # 1 + its number in the batch, 0 if there is none
N_TOTALS = 12
TURN_BINS = TURN_CAP_MAX + 1

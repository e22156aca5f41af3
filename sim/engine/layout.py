"""Where everything lies: the words of a game's state, of a card table, and of an action.

Offsets are named here and nowhere else. A state is one flat vector of 16-bit words, so that
copying a game is one memory copy; a table is one such vector per variant, so that the numbers
of a thousand variants are one matrix.

A *character* (a player or a unit) is a record of `RECORD_SIZE` words and is referred to by
the offset of its record; players and units share the record, so an effect that hurts a
character need not ask which it is. A *zone* (deck, hand, board) is a length followed by
items, oldest first: slot numbers in the deck, records in hand and board. Behind each zone
lies as much padding as it has room, so that removing an item may move a fixed number of words.

What follows in order is declared in order, and numbered by that: a word that is put in between
moves the rest. Modules import this one as `at` (`state[record + at.ATTACK]`), or by themselves
the names that they need where these are three at most.
"""

from __future__ import annotations

from sim.ruleset import BOARD_CAPACITY, DECK_CAPACITY, HAND_CAPACITY, N_SEATS, TURN_CAP_MAX


def numbered(start: int = 0, *, each: int = 1) -> range:
    """Numbers for names in order, more than any declaration takes.

    Args:
        start: the first name's.
        each: how many words each name stands for.
    """
    return range(start, start + 100 * each, each)


def bits() -> list[int]:
    """The bits of a word, lowest first."""
    return [1 << k for k in range(15)]


# --- record of a card in hand, a minion on the board, a weapon, or a player ---
(
    CARD,  # its number in the table; a player's is the hero power, or BLANK
    COST,  # what it costs now
    ATTACK,  # all that counts now, auras included
    HEALTH,  # what is left; a player's life, a weapon's durability
    MAX_HEALTH,  # healing stops here
    KEYWORDS,  # all that hold now, auras included
    READY,  # attacks that it may make now
    SLOT,  # deck slot it came from; a token has its maker's
    OWNER,  # seat
    STATUS,  # IS_* bits
    ORDER,  # when it came into play; smaller is older
    SERIAL,  # tells it from all other records of the game, in whatever zone it is
    ZONE,  # IN_*
    OWN_KEYWORDS,  # printed and granted for good
    TURN_KEYWORDS,  # granted until the end of the turn
    NEXT_KEYWORDS,  # granted until the owner's next turn
    TURN_ATTACK,  # part of ATTACK that goes at the end of the turn
    AURA_ATTACK,  # part of ATTACK that auras give
    AURA_HEALTH,  # part of MAX_HEALTH that auras give
    NEW_AURA_HEALTH,  # the same, while auras are being added up
    COST_CHANGE,  # what has been added to its cost for good
    N_MADE,  # attacks made in this turn
    HEARS,  # bits of the events that it listens to: its own text unless silenced, and attachments
    SPELL_POWER,  # what it adds to the damage of its owner's spells
    RECORD_SIZE,
    *_,
) = numbered()
LAST_RANK = TURN_ATTACK  # of a removed minion: where it stood among those that died with it
LAST_PLACE = NEW_AURA_HEALTH  # likewise: where it stood, counted in minions on the board by now

(
    IS_FROZEN,
    IS_SILENCED,
    IS_NEW,  # arrived in this turn, so it may attack only with haste
    IS_DOOMED,  # dies at the next death step, whatever its health
    IS_MARKED,  # to be replaced in the mulligan
    IS_BORROWED,  # goes back to the other side at the end of the turn
    *_,
) = bits()

(
    IN_NO_ZONE,
    IN_HAND,
    IN_PLAY,  # on a board, or wielded
    IN_REMOVED,  # out of the game, its record kept until the action is over
    IN_SECRET,  # a secret that waits
    *_,
) = numbered()

# --- state ---
(
    STATE_LENGTH,  # word 0 of state and table is its length
    RESULT,
    ACTIVE,  # seat to act
    TURN,  # turns begun, both seats together; 0 while opening hands are dealt
    N_ACTIONS,
    N_ATTACKS,  # attacks made in this turn
    FAULT,  # FAULT_* bits: what must never happen, told by `play`; but for one they end the game
    N_FREE,  # records on the free stack
    PHASE,
    NEXT_ORDER,
    NEXT_SERIAL,
    ATTACKER,  # the player whose hero is attacking, while it does
    PREVIOUS,  # record that the last effect row made, drew or moved; 0 for none
    N_TASKS,
    N_EVENTS,
    N_REMOVED,
    N_GROUP,
    NOW_AMOUNT,  # what the effect row at work comes to: its amount,
    NOW_ATTACK,  # its attack
    NOW_HEALTH,  # and its health
    HEARD,  # bits of the events that cards of this game listen to, so far; two words
    *_,
) = numbered()
(
    AURAS_LIVE,  # AURAS_* bits: what there was when auras were brought up to date
    BOARD_CHANGED,  # BOARD_IS_NEW once something has come, gone or turned; then how far that went
    DEATHS_DUE,  # whether anything may have died since the last death step
    USED_SIZE,  # words up to the last record that has been used: what a search copies
    AIM,  # record that the attack or the spell that is going on is aimed at
    IS_COUNTERED,  # whether the spell that is going on does nothing
    N_ATTACHED,
    N_STEPS,  # of resolution in this action, see `sim.engine.faults`
    TURN_ALLOWS,  # what N_ACTIONS may come to in this turn
    ROW_AT_WORK,  # the effect row being carried out, 0 for none
    LAST_PLAYED,  # 1 + number of the card that was played last, secrets left out; 0 for none
    GENERAL,  # 1: the general rules play this game; 0: it is plain (`sim.engine.rules`)
    CHOICES,  # how many cards there are to choose from, then their slots
    *_,
) = numbered(HEARD + 2)
CHOICE_CAPACITY = 4
SEATS = CHOICES + 1 + CHOICE_CAPACITY  # first player's block

BOARD_IS_NEW = 1
AURAS_ARE_DONE = 2  # but readiness and spell damage are not

(
    AURAS_GIVEN,  # something that may have to be taken back
    AURAS_VOLATILE,  # something that may change while the boards stay as they are
    AURAS_ON_COSTS,  # something that changes what cards cost
    AURAS_GRANT,  # keywords
    AURAS_CHANGE,  # numbers that are added to
    AURAS_SET,  # numbers that are set
    *_,
) = bits()

MAIN_PHASE, MULLIGAN_PHASE, CHOICE_PHASE, *_ = numbered()

# a player's block: its record, then
(
    MANA,
    MANA_CAP,
    FATIGUE,
    N_DRAWS,  # numbers taken from the draw stream
    N_DECISIONS,  # actions chosen by this seat
    N_CARDS_LEFT,  # cards in the deck, blanks not counted
    N_KNOWN_TOP,  # so many of the deck's first slots are drawn first, in order
    ARMOR,
    WEAPON,  # record of the weapon, 0 for none
    N_MINIONS_PLAYED,  # minions played in this turn
    POWER_USED,
    N_PLAYED,  # likewise cards
    OVERLOAD_OWED,  # mana to be locked in the next turn
    OVERLOAD_LOCKED,
    SPELL_DAMAGE,
    DRAW_STREAM,  # four words, lowest first
    *_,
) = numbered(RECORD_SIZE)
AGENT_STREAM = DRAW_STREAM + 4
EFFECT_STREAM = AGENT_STREAM + 4
(
    NEXT_SPELL,  # what is added to the cost of the next spell of this turn
    NEXT_SECRET,  # and of the next secret
    SPELLS_NOW,  # and of all spells of this turn
    SPELLS_LATER,  # and of the owner's next turn
    GUARDIAN,  # the secret that keeps the player alive once, 0 for none
    HAND,
    *_,
) = numbered(EFFECT_STREAM + 4)
BOARD = HAND + 1 + 2 * HAND_CAPACITY
SECRETS = BOARD + 1 + 2 * BOARD_CAPACITY
SECRET_CAPACITY = 5
DECK = SECRETS + 1 + 2 * SECRET_CAPACITY
CARD_OF_SLOT = DECK + 1 + 2 * DECK_CAPACITY  # BLANK where the card has been left out
POWER_SLOT = DECK_CAPACITY  # what the hero power, and what it makes, have as their slot
COIN_SLOT = DECK_CAPACITY + 1
USES = CARD_OF_SLOT + DECK_CAPACITY  # per slot, random numbers that its effects have used
SEAT_SIZE = USES + DECK_CAPACITY + 2

MAX_RECORDS = N_SEATS * (HAND_CAPACITY + BOARD_CAPACITY + SECRET_CAPACITY + 2) + 4  # and removed
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
(
    TASK_ROW,  # offset of the next row in the table
    TASK_N_ROWS,  # rows left
    TASK_EVENT,  # rows of other events are passed over
    TASK_SOURCE,  # whose rows they are
    TASK_TARGET,  # what the player chose, 0 for nothing
    TASK_SUBJECT,  # what the event happened to
    TASK_AMOUNT,  # how much it was about
    TASK_SIZE,
    *_,
) = numbered()
NO_EVENT = -1  # in place of a task's event: none of its rows is carried out
EVENTS = TASKS + MAX_TASKS * TASK_SIZE  # what has happened and nobody has been told yet
MAX_EVENTS = 128
EVENT_SIZE = 3  # event, subject, amount
GROUP = EVENTS + MAX_EVENTS * EVENT_SIZE  # members of the group that was looked up last
MAX_GROUP = 64
REMOVED = GROUP + MAX_GROUP  # records that are given back when the action is over
(
    N_LISTED,  # legal actions, listed for an agent
    N_LISTED_PLAYS,  # how many of them play a card: they come first,
    N_LISTED_ATTACKS,  # then those that attack, then the hero power, the end of the turn
    LISTED,
    *_,
) = numbered(REMOVED + MAX_RECORDS)
MAX_LISTED = 1024  # more than two ways to play each card of a full hand on everybody, and the rest
LISTED_ACTION = 0  # two words, the lower first
(
    LISTED_SOURCE,  # record of the card or attacker
    LISTED_TARGET,  # and of the target, 0 for nobody
    LISTED_SIZE,
    *_,
) = numbered(LISTED_ACTION + 2)
_LINE = 32  # words of a cache line: states that follow each other begin alike
STATE_SIZE = -(-(LISTED + LISTED_SIZE * MAX_LISTED) // _LINE) * _LINE

RUNNING = -1
DRAWN = 2  # a result of 0 or 1 is the seat that won
FAULTED = 3  # nobody's win and no draw: a card's texts have stopped the game
BLANK = -1
SEEN_OPENING, SEEN_LATER, SEEN_PLAYED, *_ = bits()
N_SEEN_CODES = 8
N_RESULTS = 3
(
    FAULT_ILLEGAL,  # an agent chose an illegal action
    FAULT_QUEUE,  # a task or an event found no room
    FAULT_RECORDS,  # no free record
    FAULT_ATTACHED,  # an attachment found no room
    FAULT_STEPS,  # an action took more steps than the ruleset allows
    FAULT_TURN,  # a turn took more actions
    FAULT_COUNT,  # something was counted beyond COUNT_MAX
    *_,
) = bits()
COUNT_MAX = 32_000  # of actions, cards made, arrivals, and a card's random choices in one game
NUMBER_MAX = 9_999  # what any number of a game grows to, and shrinks to below 0

# --- table ---
(
    TABLE_LENGTH,
    LIFE,
    HAND_LIMIT,
    BOARD_LIMIT,
    MANA_MAX,
    TURN_CAP,
    SKIP_FIRST_DRAW,
    DECK_OUT,  # 0: drawing from an empty deck loses; 1: fatigue damage
    FULL_BOARD,  # 0: a minion without room is destroyed; 1: it cannot be played
    DEATHS,  # 0: after each effect row; 1: after the whole action
    MULLIGAN,
    COIN,  # card number of the coin, BLANK for none
    EXTRA_LIFE_SECOND,  # what seat 1 has beyond LIFE
    EXTRA_MANA_SECOND,  # what seat 1 has beyond its cap in its first turn
    HERO_POWERS,
    IDLE_ATTACKERS,  # 0: minions without attack cannot attack
    TOKENS,  # 1: beside the minion that summons them
    ALL_GENERAL,  # 1: no game is plain; 0: those are whose decks hold no card that says otherwise
    STARTS,  # whether any card says something of the beginning of the game
    ACTIONS_PER_TURN,
    STEPS_PER_ACTION,
    OPENING_HAND,  # one word per seat
    *_,
) = numbered()
(
    BEGIN,  # address of the general rules' `begin`, 0 where all games are plain
    ACT,  # likewise of their `act`
    LEGAL,  # and of their `is_legal`
    REFRESH,  # and of their `refresh`
    RESOLVE,  # and of their `resolve_all`
    LIST,  # and of their `list_legal`
    HANDLERS,  # addresses of effect handlers, four words each, by opcode
    *_,
) = numbered(OPENING_HAND + N_SEATS, each=4)
MAX_OPCODES = 64
CARDS = HANDLERS + 4 * MAX_OPCODES

# a card of the table
(
    CARD_COST,
    CARD_ATTACK,
    CARD_HEALTH,  # a weapon's durability
    CARD_KEYWORDS,
    CARD_ROWS,  # offset of its first effect row
    CARD_N_ROWS,
    CARD_KIND,
    CARD_TRIBE,  # 0 for none
    CARD_SPELL_DAMAGE,
    CARD_OVERLOAD,
    CARD_TARGET,  # offset of the group to choose from, 0 for no target
    CARD_TARGET_MODE,
    CARD_NEEDS,  # offset of a condition, 0 for none
    CARD_TEXTS,  # offset of the card whose text counts, by option: 0 where there is no such option
    *_,
) = numbered()
CARD_EVENTS = CARD_TEXTS + 4  # bits of the events that its rows listen to; two words
COUNTERS = 30  # a bit beside those events, of a text that counters spells: beyond all events
(
    CARD_TARGET_WHEN,  # offset of the condition under which it chooses, 0 for always
    CARD_AURAS,  # AURAS_* bits: what it gives while it is in play
    CARD_HERO,  # whose decks may hold it, 0 for all
    CARD_IS_GENERAL,  # 1: games in which a deck holds it are not plain
    CARD_SIZE,
    *_,
) = numbered(CARD_EVENTS + 2)

MUST_CHOOSE = 1  # it cannot be played without a target
CHOOSES_IF_ANY = 2

# an effect row of the table
(
    ROW_EVENT,
    ROW_OF,  # offset of the group that the event's subject must belong to
    ROW_WHEN,  # offset of the condition, 0 for none
    ROW_SELECTOR,
    ROW_TO,  # offset of the group to act on
    ROW_PICK,
    ROW_SPARE,
    ROW_REPEAT,
    ROW_OPCODE,
    ROW_AMOUNT,
    ROW_AMOUNT_TO,  # 0 if the amount is not random
    ROW_ATTACK,
    ROW_HEALTH,
    ROW_TIMES,  # offset of the measure that multiplies, 0 for none
    ROW_AT_LEAST,
    ROW_KEYWORDS,
    ROW_LASTS,
    ROW_BY_TARGET,
    ROW_GIVEN,  # GIVES_* bits: which of the two numbers the row gives
    ROW_N_CARDS,
    ROW_ARGUMENT,  # the card to summon, give, ...; of several, the offset of their numbers
    ROW_ABSENT,
    ROW_KIND,  # which cards a discount is for
    ROW_FLAGS,  # FOR_ENEMY, OF_ENEMY_HERO, UNCONDITIONAL
    ROW_SIZE,
    *_,
) = numbered()

(
    FOR_ENEMY,  # what is copied goes to the enemy's hand
    OF_ENEMY_HERO,  # only cards of the enemy's class
    UNCONDITIONAL,  # it does the same to the same player whenever the card is played
    *_,
) = bits()

GIVES_ATTACK, GIVES_HEALTH, *_ = bits()

# a group of the table (`sim.cards.notation.Group`)
(
    GROUP_SELECTOR,
    GROUP_TRIBE,
    GROUP_KEYWORDS,
    GROUP_STATES,
    GROUP_KIND,  # BLANK for any
    GROUP_STAT,  # BLANK for none
    GROUP_LOW,
    GROUP_HIGH,
    GROUP_ASKS,  # ASKS_*: whether anything is asked of its members
    GROUP_SIDE,  # whose they are, and
    GROUP_BODY,  # what, where the selector says so
    GROUP_WITHOUT,  # number of the card that is left out, BLANK for none
    *_,
) = numbered()

(
    ASKS_NOTHING,
    ASKS_FOR_OTHERS,  # only that they are not the card itself
    ASKS_MORE,
    *_,
) = numbered()

# a condition of the table, or a measure, whose bounds mean nothing
(
    CONDITION_MEASURE,
    CONDITION_GROUP,
    CONDITION_STAT,
    CONDITION_LOW,
    CONDITION_HIGH,
    CONDITION_ALSO,  # offset of what else must hold, 0 for nothing
    *_,
) = numbered()

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
(
    VIEW_LENGTH,
    VIEW_GENERAL,  # 0: the duel's view, which the engine knows by itself
    VIEW_N_VALUES,
    VIEW_N_ACTIONS,
    *_,
) = numbered()
(
    VIEW_SEE,  # addresses of the general view's functions: what observes,
    VIEW_MARK,  # what marks legal actions,
    VIEW_TO_ENGINE,  # what translates actions, from the view's numbers
    VIEW_FROM_ENGINE,  # and to them
    *_,
) = numbered(VIEW_N_ACTIONS + 1, each=4)
(
    VIEW_HAND_PLACES,  # cards that actions can name
    VIEW_OPTIONS,  # ways to play a card: 1, or 3 where cards have options
    VIEW_TARGETS,  # whom a card may choose: 1 (nobody), or everybody
    VIEW_CHOICES,  # cards that a choice can be between
    VIEW_SCALES,  # offset of the values' scales
    VIEW_CODES,  # of each card: the duel's effect code, or the number of its text
    *_,
) = numbered(VIEW_FROM_ENGINE + 4)

# --- row of a batch ---
(
    GAMES_VARIANT,
    GAMES_SEAT_0,  # player that moves first
    GAMES_SEAT_1,
    GAMES_FIRST_INDEX,  # of its games in their stream
    GAMES_SIZE,
    *_,
) = numbered()

# --- aggregates of a batch row ---
(
    WINS_FIRST,  # games won by seat 0
    WINS_SECOND,
    DRAWS,
    SUM_TURNS,
    SUM_ACTIONS,
    SUM_LIFE_FIRST,
    SUM_LIFE_SECOND,
    FAULTS,  # FAULT_* bits of all its games, and of the first of them that a card stopped:
    FAULT_ROW,  # ROW_AT_WORK,
    FAULT_CARD,  # LAST_PLAYED,
    FAULT_AT_TURN,  # its turn,
    FAULT_GAME,  # 1 + its number in the batch, 0 if there is none
    N_TOTALS,
    *_,
) = numbered()
TURN_BINS = TURN_CAP_MAX + 1

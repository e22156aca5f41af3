"""Memory layout: the words of a game's state, of a card table, of a view and of an action.

Offsets are named here and nowhere else. A state is one flat vector of 16-bit words, so that copying
a game is one memory copy. A table is one such vector per variant, so that the numbers of a thousand
variants are one matrix.

A *character* (a player or a unit) is a record of `RECORD_SIZE` words, identified by the record's
offset. Players and units share the record's layout, so an effect that damages a character need not
distinguish them. A *zone* (deck, hand, board) is a length followed by items, oldest first: slot
numbers in the deck, records in hand and board. Each zone is followed by as many words of padding as
it has places, so that removing an item may move a fixed number of words.

Engine code names records by their roles: `source` is the record that acts or owns an effect row,
`target` the record that the player chose, `subject` the record that an event happened to, `leader`
a player's record, and `maker` the record that made another record.

Consecutive words are declared in order and numbered by that order: inserting a word moves the rest.
Modules import this one as `at` (`state[record + at.ATTACK]`), or import up to three names directly.
"""

from __future__ import annotations

from sim.ruleset import BOARD_CAPACITY, DECK_CAPACITY, HAND_CAPACITY, N_SEATS, TURN_CAP_MAX


def numbered(start: int = 0, *, each: int = 1) -> range:
    """Return 100 evenly spaced numbers to unpack into names; a trailing `*_` takes the rest.

    Args:
        start: number of the first name.
        each: difference between consecutive names, which is the number of words per name.
    """
    return range(start, start + 100 * each, each)


def bits() -> list[int]:
    """Return the bits of a 16-bit word as numbers, lowest first, without the sign bit."""
    return [1 << k for k in range(15)]


# --- words of a record: of a card in hand, a minion on the board, a weapon, or a player ---
(
    CARD,  # card number in the table; of a player, that of the hero power, or BLANK
    COST,  # current cost
    ATTACK,  # current attack, auras included
    HEALTH,  # current health; a player's life, a weapon's durability
    MAX_HEALTH,  # limit of healing
    KEYWORDS,  # current keywords, auras included
    READY,  # number of attacks that the character may still make now
    SLOT,  # deck slot that the card came from; a token has the slot of the card that made it
    OWNER,  # seat of the owner
    STATUS,  # IS_* bits
    ORDER,  # order of arrival in play; smaller is older
    SERIAL,  # unique number among all records of the game, new for a reused or transformed record
    ZONE,  # one of IN_*
    OWN_KEYWORDS,  # keywords printed or granted permanently
    TURN_KEYWORDS,  # keywords granted until the end of the turn
    NEXT_KEYWORDS,  # keywords granted until the owner's next turn
    TURN_ATTACK,  # part of ATTACK that ends with the turn
    AURA_ATTACK,  # part of ATTACK that auras give
    AURA_HEALTH,  # part of MAX_HEALTH that auras give
    NEW_AURA_HEALTH,  # AURA_HEALTH in progress, while auras are being added up
    COST_CHANGE,  # permanent change of the cost
    N_MADE,  # number of attacks made in this turn
    HEARS,  # bits of the events to which the text, unless silenced, and attachments react
    SPELL_POWER,  # bonus to the damage of the owner's spells
    RECORD_SIZE,
    *_,
) = numbered()
# Words that have another meaning in the record of a removed minion:
LAST_RANK = TURN_ATTACK  # position on the board before the minions of this death step left
LAST_PLACE = NEW_AURA_HEALTH  # position on the board, updated when minions enter or leave it

(
    IS_FROZEN,
    IS_SILENCED,
    IS_NEW,  # arrived in this turn, so the minion may attack only with haste
    IS_DOOMED,  # dies at the next death step, whatever its health
    IS_MARKED,  # to be replaced in the mulligan
    IS_BORROWED,  # returns to the other side at the end of the turn
    *_,
) = bits()

(
    IN_NO_ZONE,
    IN_HAND,
    IN_PLAY,  # on a board, or an equipped weapon
    IN_REMOVED,  # out of the game; the record is kept until the action is over
    IN_SECRET,  # a hidden secret
    *_,
) = numbered()

# --- words of a game's state ---
(
    STATE_LENGTH,  # number of words, in word 0 as in a table
    RESULT,  # RUNNING, the seat that won, DRAWN or FAULTED
    ACTIVE,  # seat to act
    TURN,  # number of turns begun by both seats together; 0 while opening hands are dealt
    N_ACTIONS,  # number of actions of both seats in this game
    N_ATTACKS,  # number of attacks made in this turn
    FAULT,  # FAULT_* bits, reported by `play`; all but FAULT_ILLEGAL end the game
    N_FREE,  # number of records on the free stack
    PHASE,  # MAIN_PHASE, MULLIGAN_PHASE or CHOICE_PHASE
    NEXT_ORDER,  # order number of the last arrival in play
    NEXT_SERIAL,  # serial number given last
    ATTACKER,  # record of the attacking character, 0 if there is none
    PREVIOUS,  # record that the last effect row made, drew or moved; 0 if there is none
    N_TASKS,  # number of tasks in TASKS
    N_EVENTS,  # number of events in EVENTS
    N_REMOVED,  # number of records in REMOVED
    N_GROUP,  # number of members in GROUP
    NOW_AMOUNT,  # evaluated amount of the effect row that is being carried out
    NOW_ATTACK,  # evaluated attack of that row
    NOW_HEALTH,  # evaluated health of that row
    HEARD,  # bits of the events to which any card seen in this game reacts; two words
    *_,
) = numbered()
(
    AURAS_LIVE,  # AURAS_* bits of the auras that were in play at the last refresh of auras
    BOARD_CHANGED,  # BOARD_IS_NEW after an arrival, departure or silence; AURAS_ARE_DONE; or 0
    DEATHS_DUE,  # whether anything may have died since the last death step
    USED_SIZE,  # number of words up to the last record that was ever used, which a copy needs
    AIM,  # target record of the attack or spell in progress
    IS_COUNTERED,  # whether the spell in progress has been countered
    N_ATTACHED,  # number of attachments in ATTACHED
    N_STEPS,  # number of resolution steps in this action, see `sim.engine.faults`
    TURN_ALLOWS,  # limit of N_ACTIONS in this turn
    ROW_AT_WORK,  # the effect row being carried out, 0 if there is none
    LAST_PLAYED,  # 1 + number of the card played last, without secrets; 0 if there is none
    GENERAL,  # 1: the general rules play this game; 0: it is plain (`sim.engine.rules`)
    CHOICES,  # number of cards to choose from, followed by their slots
    *_,
) = numbered(HEARD + 2)
CHOICE_CAPACITY = 4  # maximum number of offered cards: one more than in the shipped pools
SEATS = CHOICES + 1 + CHOICE_CAPACITY  # first player's block

BOARD_IS_NEW = 1  # auras, readiness and spell damage are out of date
AURAS_ARE_DONE = 2  # readiness and spell damage are still out of date

(
    AURAS_GIVEN,  # an aura gives any bonus, which has to be removed later
    AURAS_VOLATILE,  # the bonus can change although the boards stay the same
    AURAS_ON_COSTS,  # the bonus is a change of cards' costs
    AURAS_GRANT,  # the bonus is keywords
    AURAS_CHANGE,  # the bonus is a number added to attack, health or cost
    AURAS_SET,  # the bonus is a number that replaces attack or health
    *_,
) = bits()

MAIN_PHASE, MULLIGAN_PHASE, CHOICE_PHASE, *_ = numbered()

# --- a player's block: the player's record, followed by these words ---
(
    MANA,  # current mana
    MANA_CAP,  # mana at the start of a turn, before overload and extra mana
    FATIGUE,  # damage of the player's last draw from an empty deck
    N_DRAWS,  # count of numbers taken from the draw stream
    N_DECISIONS,  # count of actions chosen by this seat
    N_CARDS_LEFT,  # number of cards in the deck, blanks not counted
    N_KNOWN_TOP,  # number of the deck's first slots that are drawn first, in their order
    ARMOR,
    WEAPON,  # record of the weapon, 0 if there is none
    N_MINIONS_PLAYED,  # count of minions played in this turn
    POWER_USED,  # whether the hero power was used in this turn
    N_PLAYED,  # count of cards played in this turn
    OVERLOAD_OWED,  # mana to be locked in the next turn
    OVERLOAD_LOCKED,  # mana locked in this turn
    SPELL_DAMAGE,  # bonus to the damage of the player's spells
    DRAW_STREAM,  # four words, lowest first
    *_,
) = numbered(RECORD_SIZE)
AGENT_STREAM = DRAW_STREAM + 4
EFFECT_STREAM = AGENT_STREAM + 4
(
    NEXT_SPELL,  # change of the cost of the next spell of this turn
    NEXT_SECRET,  # change of the cost of the next secret of this turn
    SPELLS_NOW,  # change of the cost of all spells of this turn
    SPELLS_LATER,  # change of the cost of all spells of the owner's next turn
    GUARDIAN,  # the secret that prevents the next lethal damage to the player, 0 if there is none
    HAND,
    *_,
) = numbered(EFFECT_STREAM + 4)
BOARD = HAND + 1 + 2 * HAND_CAPACITY
SECRETS = BOARD + 1 + 2 * BOARD_CAPACITY
SECRET_CAPACITY = 5  # as in the published game that `sim.real_cards` supports
DECK = SECRETS + 1 + 2 * SECRET_CAPACITY
CARD_OF_SLOT = DECK + 1 + 2 * DECK_CAPACITY  # BLANK where the card has been left out
POWER_SLOT = DECK_CAPACITY  # slot of the hero power and of the cards that it makes
COIN_SLOT = DECK_CAPACITY + 1
USES = CARD_OF_SLOT + DECK_CAPACITY  # per slot, count of random numbers used by its card's effects
SEAT_SIZE = USES + DECK_CAPACITY + 2

# Every place of both players, the weapon and one card in no zone each, and 4 for records that are
# removed during an action. An action that removes more is stopped as a fault.
MAX_RECORDS = N_SEATS * (HAND_CAPACITY + BOARD_CAPACITY + SECRET_CAPACITY + 2) + 4
FREE = SEATS + N_SEATS * SEAT_SIZE
RECORDS = FREE + MAX_RECORDS  # records, of which the first free ones are used first
SPARE_RECORD = RECORDS + MAX_RECORDS * RECORD_SIZE  # used when no record is free, after a fault
ATTACHED = SPARE_RECORD + RECORD_SIZE  # record and card number of each attachment
MAX_ATTACHED = 256  # of a million random games, only two had more than 64 attachments
CLONE_SIZE = ATTACHED + 2 * MAX_ATTACHED  # all but the statistics and the work area

SEEN = CLONE_SIZE  # per seat and slot, SEEN_* bits: whether the card was drawn and played
GAME_SIZE = SEEN + N_SEATS * DECK_CAPACITY

# --- work area: empty between actions ---
TASKS = GAME_SIZE  # stack of effect rows to be carried out, the next ones last
MAX_TASKS = 256  # chosen by hand; a game that needs a deeper stack is stopped as a fault
(
    TASK_ROW,  # offset of the next row in the table
    TASK_N_ROWS,  # number of rows left
    TASK_EVENT,  # event of the task; rows for other events are skipped
    TASK_SOURCE,  # record that the rows belong to
    TASK_TARGET,  # record that the player chose, 0 if there is none
    TASK_SUBJECT,  # record that the event happened to
    TASK_AMOUNT,  # amount of the event
    TASK_SIZE,
    *_,
) = numbered()
NO_EVENT = -1  # event of a cancelled task, of which no row is carried out
EVENTS = TASKS + MAX_TASKS * TASK_SIZE  # events to which cards have not reacted yet
MAX_EVENTS = 128  # chosen by hand; a game with more events at once is stopped as a fault
EVENT_SIZE = 3  # event, subject, amount
GROUP = EVENTS + MAX_EVENTS * EVENT_SIZE  # members of the group that was evaluated last
MAX_GROUP = 64  # smallest power of two with space for a whole deck
REMOVED = GROUP + MAX_GROUP  # records that are freed when the action is over
(
    N_LISTED,  # number of legal actions listed for an agent
    N_LISTED_PLAYS,  # number of listed actions that play a card; they come first
    N_LISTED_ATTACKS,  # number of attacks, which come next; then hero power and end of turn
    LISTED,
    *_,
) = numbered(REMOVED + MAX_RECORDS)
# More than the possible actions: two options of each of 16 cards with each of 19 targets (608), 81
# attacks, the hero power with each target, and the end of the turn.
MAX_LISTED = 1024
LISTED_ACTION = 0  # two words, the lower first
(
    LISTED_SOURCE,  # record of the card or attacker
    LISTED_TARGET,  # record of the target, 0 if there is none
    LISTED_SIZE,
    *_,
) = numbered(LISTED_ACTION + 2)
_LINE = 32  # words of a 64-byte cache line, so that every state of a block is aligned to one
STATE_SIZE = -(-(LISTED + LISTED_SIZE * MAX_LISTED) // _LINE) * _LINE

RUNNING = -1
DRAWN = 2  # results 0 and 1 are the seats that won
FAULTED = 3  # the game was stopped as a fault of its cards, so it is neither won nor drawn
BLANK = -1
SEEN_OPENING, SEEN_LATER, SEEN_PLAYED, *_ = bits()
N_SEEN_CODES = 8
N_RESULTS = 3
(
    FAULT_ILLEGAL,  # an agent chose an illegal action
    FAULT_QUEUE,  # no space for a task or an event
    FAULT_RECORDS,  # no free record
    FAULT_ATTACHED,  # no space for an attachment
    FAULT_STEPS,  # an action took more steps than the ruleset allows
    FAULT_TURN,  # a turn took more actions than the ruleset allows
    FAULT_COUNT,  # a count exceeded COUNT_MAX
    *_,
) = bits()
# Limit of the counts of actions, cards made, arrivals, and a card's random choices in one game:
# just below the largest word, 32,767.
COUNT_MAX = 32_000
# Largest absolute value of a game's numbers: the sum or difference of three of them fits a word.
NUMBER_MAX = 9_999

# --- words of a card table ---
(
    TABLE_LENGTH,
    VARIANT,  # index of the variant among those of its table
    LIFE,
    HAND_LIMIT,
    BOARD_LIMIT,
    MANA_MAX,
    TURN_CAP,
    SKIP_FIRST_DRAW,
    DECK_OUT,  # 0: a draw from an empty deck loses the game; 1: it deals fatigue damage
    FULL_BOARD,  # 0: a minion is destroyed if the board is full; 1: it cannot be played then
    DEATHS,  # 0: the dead leave after each effect row; 1: after the whole action
    MULLIGAN,
    COIN,  # card number of the coin, BLANK if the rules give none
    EXTRA_LIFE_SECOND,  # life of seat 1 in addition to LIFE
    EXTRA_MANA_SECOND,  # mana of seat 1 in addition to its cap in its first turn
    HERO_POWERS,
    IDLE_ATTACKERS,  # 0: minions without attack cannot attack
    TOKENS,  # 0: tokens enter at the right end; 1: next to the minion that summons them
    ALL_GENERAL,  # 1: no game is plain; 0: a game is plain if no card of its decks is general
    STARTS,  # whether any card has text for the beginning of the game
    ACTIONS_PER_TURN,
    STEPS_PER_ACTION,
    OPENING_HAND,  # one word per seat
    *_,
) = numbered()
(
    BEGIN,  # address of `general.rules.begin_game`; all six addresses are 0 if all games are plain
    ACT,  # address of `general.rules.act`
    LEGAL,  # address of `general.choices.legal`
    REFRESH,  # address of `general.rules.refresh_position`
    RESOLVE,  # address of `general.resolution.resolve_all`
    LIST,  # address of `general.choices.list_legal`
    HANDLERS,  # addresses of effect handlers, four words each, by opcode
    *_,
) = numbered(OPENING_HAND + N_SEATS, each=4)
MAX_OPCODES = 64  # the built-in actions take 35; the others are for actions of plug-ins
CARDS = HANDLERS + 4 * MAX_OPCODES

# --- words of a card in the table ---
(
    CARD_COST,
    CARD_ATTACK,
    CARD_HEALTH,  # health, or a weapon's durability
    CARD_KEYWORDS,
    CARD_ROWS,  # offset of the card's first effect row
    CARD_N_ROWS,
    CARD_KIND,
    CARD_TRIBE,  # 0 if there is none
    CARD_SPELL_DAMAGE,
    CARD_OVERLOAD,
    CARD_TARGET,  # offset of the group to choose from, 0 for no target
    CARD_TARGET_MODE,
    CARD_NEEDS,  # offset of a condition, 0 if there is none
    CARD_TEXTS,  # offset of the card that holds the text, by option; 0 if there is no such option
    *_,
) = numbered()
CARD_EVENTS = CARD_TEXTS + 4  # bits of the events that the card's rows react to; two words
COUNTERS = 30  # bit of CARD_EVENTS after those of all events: the text counters spells
(
    CARD_TARGET_WHEN,  # offset of the condition under which a target is chosen, 0 for always
    CARD_AURAS,  # AURAS_* bits of the card's auras
    CARD_HERO,  # hero that decks with this card must have, 0 for any hero
    CARD_IS_GENERAL,  # 1: a game is not plain if a deck contains this card
    CARD_SIZE,
    *_,
) = numbered(CARD_EVENTS + 2)

MUST_CHOOSE = 1  # the card cannot be played without a target
CHOOSES_IF_ANY = 2  # the card is played without a target if there is none

# --- words of an effect row in the table ---
(
    ROW_EVENT,
    ROW_OF,  # offset of the group that the event's subject must belong to
    ROW_WHEN,  # offset of the condition, 0 if there is none
    ROW_SELECTOR,
    ROW_TO,  # offset of the group to act on
    ROW_PICK,  # number of members picked at random, 0 for all members
    ROW_SPARE,  # number of members left out at random
    ROW_REPEAT,  # number of times that the row is carried out
    ROW_OPCODE,  # number of the action
    ROW_AMOUNT,  # amount, or the minimum of a random amount
    ROW_AMOUNT_TO,  # maximum of a random amount, 0 if the amount is not random
    ROW_ATTACK,
    ROW_HEALTH,
    ROW_TIMES,  # offset of the measure that multiplies, 0 if there is none
    ROW_AT_LEAST,  # minimum to which an aura lowers a cost, 0 if there is none
    ROW_KEYWORDS,  # bits of the keywords that the row grants or removes
    ROW_LASTS,  # duration of the effect, a value of `Lasting`
    ROW_BY_TARGET,  # 1: the chosen target acts in place of the card
    ROW_GIVEN,  # GIVES_* bits: whether the row gives attack and whether it gives health
    ROW_N_CARDS,  # number of cards that the row names
    ROW_ARGUMENT,  # number of the card to summon or give; for several cards, offset of a list
    ROW_ABSENT,  # 1: the row summons only cards that are not on the board yet
    ROW_KIND,  # kind of the cards that a discount applies to
    ROW_FLAGS,  # FOR_ENEMY, OF_ENEMY_HERO, UNCONDITIONAL
    ROW_SIZE,
    *_,
) = numbered()

(
    FOR_ENEMY,  # a copied card goes to the enemy's hand
    OF_ENEMY_HERO,  # the row gives only cards of the enemy's class
    UNCONDITIONAL,  # the row has the same effect on the same player whenever the card is played
    *_,
) = bits()

GIVES_ATTACK, GIVES_HEALTH, *_ = bits()

# --- words of a group in the table (`sim.cards.notation.Group`) ---
(
    GROUP_SELECTOR,
    GROUP_TRIBE,
    GROUP_KEYWORDS,
    GROUP_STATES,
    GROUP_KIND,  # required kind, BLANK for any kind
    GROUP_STAT,  # bounded number, a value of `Stat`; BLANK if no number is bounded
    GROUP_LOW,
    GROUP_HIGH,
    GROUP_ASKS,  # one of ASKS_*: the requirements of the filter
    GROUP_SIDE,  # side of the members
    GROUP_BODY,  # whether the selector names players, minions or both
    GROUP_WITHOUT,  # number of the excluded card, BLANK if there is none
    *_,
) = numbered()

(
    ASKS_NOTHING,
    ASKS_FOR_OTHERS,  # the only requirement is that a member is not the card itself
    ASKS_MORE,  # other requirements, see `groups._passes`
    *_,
) = numbered()

# --- words of a condition in the table; a measure has the same words, with unused bounds ---
(
    CONDITION_MEASURE,  # number of the measure
    CONDITION_GROUP,  # offset of the measured group
    CONDITION_STAT,  # measured number of the members, a value of `Stat`
    CONDITION_LOW,  # the condition holds from this value of the measure
    CONDITION_HIGH,  # the condition holds up to this value of the measure
    CONDITION_ALSO,  # offset of a further condition that must hold, 0 if there is none
    *_,
) = numbered()

# --- deck of a batch: number of slots, the card of each, the hero power ---
DECK_POWER = 1 + DECK_CAPACITY
DECK_ROW_SIZE = 2 + DECK_CAPACITY

ASK = -1  # in place of an agent's address, if its actions come from outside the engine

# --- parts of an action's number ---
# An action is one integer: the kind of action, the own card that it uses, and its target. Positions
# are counted from the oldest card in the hand and from the left on the board.
END_TURN = 0
PLAY = 1 << 20  # in a mulligan: replace; before a choice: choose
ATTACK_WITH = 2 << 20
USE_POWER = 3 << 20
SOURCE_SHIFT = 6  # hand position of a play, board position of an attack
OPTION_SHIFT = 12  # 1 or 2: which of a card's two options
PLACE_SHIFT = 14  # 1 + position on the board, or 0 for the right end
POSITION_MASK = 63
OPTION_MASK = 3
PLACE_MASK = 15
BY_PLAYER = 63  # source of an attack by the player
AT_OWN_MINION = 16  # target codes: enemy minions count from 0, own minions from here
AT_OWN_PLAYER = 61
AT_NOBODY = 62
AT_PLAYER = 63  # the enemy player

# --- view: observations and action numbers of learned agents (`sim.observation.view`) ---
(
    VIEW_LENGTH,
    VIEW_GENERAL,  # 0: the duel's view, which is part of the engine; 1: the general view
    VIEW_N_VALUES,
    VIEW_N_ACTIONS,
    *_,
) = numbered()
(
    VIEW_SEE,  # address of the general view's function that writes an observation
    VIEW_MARK,  # address of the function that marks legal actions
    VIEW_TO_ENGINE,  # address of the function that translates actions from the view's numbers
    VIEW_FROM_ENGINE,  # address of the function that translates actions to the view's numbers
    *_,
) = numbered(VIEW_N_ACTIONS + 1, each=4)
(
    VIEW_HAND_PLACES,  # number of hand positions that actions can name
    VIEW_OPTIONS,  # number of ways to play a card: 1, or 3 if cards have options
    VIEW_TARGETS,  # number of target values of a card: "no target", and every character if needed
    VIEW_CHOICES,  # maximum number of cards offered in a choice
    VIEW_SCALES,  # offset of the values' scales
    VIEW_CODES,  # per card, its effect code in the duel's view, or else the number of its text
    *_,
) = numbered(VIEW_FROM_ENGINE + 4)

# --- row of a batch ---
(
    GAMES_VARIANT,
    GAMES_SEAT_0,  # player that moves first
    GAMES_SEAT_1,
    GAMES_FIRST_INDEX,  # index of the row's first game in the stream of game seeds
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
    FAULTS,  # FAULT_* bits of all games of the row
    FAULT_ROW,  # ROW_AT_WORK of the first game that a card stopped
    FAULT_CARD,  # LAST_PLAYED of that game
    FAULT_AT_TURN,  # TURN of that game
    FAULT_GAME,  # 1 + number of that game in the batch, 0 if there is none
    N_TOTALS,
    *_,
) = numbered()
TURN_BINS = TURN_CAP_MAX + 1

"""What effect rows are worth to the seat to move, in points of attack and health.

Closed forms over what the seat may see: a minion is worth its attack and health, life and armour
count as they are. What a row does to a side counts for that side and against the other.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of, is_minion, is_player
from sim.engine.general.measures import gains_spell_damage, holds, measure
from sim.engine.layout import (
    ACTIVE,
    ASKS_NOTHING,
    ATTACK,
    CARD_ATTACK,
    CARD_EVENTS,
    CARD_HEALTH,
    CARD_N_ROWS,
    CARD_ROWS,
    CARD_SIZE,
    CARDS,
    CONDITION_MEASURE,
    COST,
    GIVES_ATTACK,
    GIVES_HEALTH,
    GROUP,
    GROUP_ASKS,
    GROUP_SELECTOR,
    HEALTH,
    IS_FROZEN,
    KEYWORDS,
    MANA,
    MAX_HEALTH,
    N_GROUP,
    N_MADE,
    OWNER,
    READY,
    ROW_AMOUNT,
    ROW_ARGUMENT,
    ROW_ATTACK,
    ROW_EVENT,
    ROW_GIVEN,
    ROW_HEALTH,
    ROW_KEYWORDS,
    ROW_LASTS,
    ROW_N_CARDS,
    ROW_OPCODE,
    ROW_PICK,
    ROW_REPEAT,
    ROW_SIZE,
    ROW_SPARE,
    ROW_TIMES,
    ROW_TO,
    ROW_WHEN,
    SPELL_DAMAGE,
    STATUS,
    WEAPON,
)
from sim.engine.zones import board, hand, item, player
from sim.ruleset import BOARD_CAPACITY
from sim.vocabulary import ACTIONS, Event, Keyword, Lasting, Measure, Selector

PLAYED = int(Event.PLAY)
TURN = int(Lasting.TURN)
COIN_FLIP = int(Measure.COIN_FLIP)
CHARACTERS, TARGET = int(Selector.CHARACTERS), int(Selector.TARGET)
TARGET_NEIGHBOURS = int(Selector.TARGET_NEIGHBOURS)
OWN_PLAYER, ENEMY_PLAYER = int(Selector.OWN_PLAYER), int(Selector.ENEMY_PLAYER)
DIVINE_SHIELD, IMMUNE = int(Keyword.DIVINE_SHIELD), int(Keyword.IMMUNE)
POISONOUS, TAUNT = int(Keyword.POISONOUS), int(Keyword.TAUNT)
STEALTH, WINDFURY = int(Keyword.STEALTH), int(Keyword.WINDFURY)
HASTE = int(Keyword.HASTE)
CARD_VALUE = 2  # points that a card drawn, discarded or chosen counts, and a crystal
DAMAGE, HEAL, BUFF, GRANT = (ACTIONS.number(word) for word in ("damage", "heal", "buff", "grant"))
DESTROY, TRANSFORM = ACTIONS.number("destroy"), ACTIONS.number("transform")
SET, FREEZE, RETURN = ACTIONS.number("set"), ACTIONS.number("freeze"), ACTIONS.number("return")
SILENCE, STEAL, MANA_NOW = (ACTIONS.number(word) for word in ("silence", "steal", "mana"))
STRIP, DRAW, SUMMON = (ACTIONS.number(word) for word in ("strip", "draw", "summon"))
ARMOR, EQUIP, GIVE = (ACTIONS.number(word) for word in ("armor", "equip", "give"))
DISCARD, CHOOSE = ACTIONS.number("discard"), ACTIONS.number("choose")
CRYSTALS = ACTIONS.number("crystals")


@compiled(i64(Words, i64))
def worth(state: Any, minion: int) -> int:
    """What a minion is worth where it stands."""
    return max(state[minion + ATTACK], 0) + max(state[minion + HEALTH], 0)


@compiled(i64(Words, i64, i64))
def hit_value(state: Any, minion: int, amount: int) -> int:
    """What damage to a minion takes from its side: all of it if it dies, else half the damage."""
    keywords = state[minion + KEYWORDS]
    if amount <= 0 or keywords & IMMUNE:
        return 0
    if keywords & DIVINE_SHIELD:
        return 1
    if state[minion + HEALTH] <= amount:
        return worth(state, minion)
    return amount // 2


@compiled(i64(Words, i64, i64))
def _keywords_value(state: Any, minion: int, keywords: int) -> int:
    """What keywords that it does not have yet are worth to a minion."""
    gained = keywords & ~state[minion + KEYWORDS]
    value = 0
    if gained & (DIVINE_SHIELD | POISONOUS):
        value += 2
    if gained & (TAUNT | STEALTH):
        value += 1
    if gained & WINDFURY and state[minion + READY] > 0:
        value += state[minion + ATTACK]
    if gained & HASTE and state[minion + READY] == 0:
        value += state[minion + ATTACK]
    return value


@compiled(i64(Words, i64, i64, i64))
def _damage_to_player(state: Any, leader: int, amount: int, face_weight: int) -> int:
    """Damage to a player; what ends the game is worth more than anything."""
    if state[leader + HEALTH] <= amount:
        return 1000
    return amount * face_weight if state[leader + OWNER] != state[ACTIVE] else amount


@compiled(i64(Words, Words, i64))
def _text_value(state: Any, table: Any, minion: int) -> int:
    """What silence takes from a minion: what it was given, and a little for its text."""
    card = card_of(state, minion)
    attack = state[minion + ATTACK] - table[card + CARD_ATTACK]
    health = state[minion + MAX_HEALTH] - table[card + CARD_HEALTH]
    has_text = table[card + CARD_EVENTS] >> (PLAYED + 1) != 0
    return attack + health + has_text + (state[minion + KEYWORDS] != 0)


@compiled(i64(Words, Words, i64, i64))
def _set_value(state: Any, table: Any, row: int, minion: int) -> int:
    """What a minion's side loses by numbers that are set."""
    lost = 0
    if table[row + ROW_GIVEN] & GIVES_ATTACK:
        lost += state[minion + ATTACK] - table[row + ROW_ATTACK]
    if table[row + ROW_GIVEN] & GIVES_HEALTH:
        lost += state[minion + HEALTH] - table[row + ROW_HEALTH]
    return lost


@compiled(i64(Words, Words, i64, i64, i64))
def _harm_to_minion(state: Any, table: Any, row: int, minion: int, amount: int) -> int:
    """What a row takes from a minion's side; negative where it gives."""
    opcode = table[row + ROW_OPCODE]
    if opcode == DAMAGE:
        return hit_value(state, minion, amount)
    if opcode == HEAL:
        return -min(amount, state[minion + MAX_HEALTH] - state[minion + HEALTH])
    if opcode == BUFF:
        lent_for_nothing = table[row + ROW_LASTS] == TURN and state[minion + READY] == 0
        attack = 0 if lent_for_nothing else table[row + ROW_ATTACK]
        return -(attack + table[row + ROW_HEALTH])
    if opcode in (DESTROY, TRANSFORM, RETURN):
        return worth(state, minion)
    if opcode == STEAL:
        return 2 * worth(state, minion)
    if opcode == FREEZE:
        return 0 if state[minion + STATUS] & IS_FROZEN else state[minion + ATTACK]
    if opcode == SILENCE:
        return _text_value(state, table, minion)
    if opcode == SET:
        return _set_value(state, table, row, minion)
    if opcode == GRANT:
        return -_keywords_value(state, minion, table[row + ROW_KEYWORDS])
    return 1 if opcode == STRIP else 0


@compiled(i64(Words, Words, i64))
def _token_value(state: Any, table: Any, row: int) -> int:
    """Attack and health of the card that a row brings; of several, of the first."""
    number = table[row + ROW_ARGUMENT]
    card = CARDS + CARD_SIZE * (number if table[row + ROW_N_CARDS] == 1 else table[number])
    return table[card + CARD_ATTACK] + table[card + CARD_HEALTH]


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _harm_to_player(
    state: Any, table: Any, row: int, leader: int, amount: int, face_weight: int
) -> int:
    """What a row takes from a player; negative where it gives."""
    opcode = table[row + ROW_OPCODE]
    if opcode == DAMAGE:
        return _damage_to_player(state, leader, amount, face_weight)
    if opcode == HEAL:
        return -min(amount, state[leader + MAX_HEALTH] - state[leader + HEALTH])
    if opcode in (DRAW, CRYSTALS):
        return -CARD_VALUE * amount
    if opcode == DISCARD:
        return CARD_VALUE * min(amount, state[hand(state[leader + OWNER])] - 1)
    if opcode == CHOOSE:
        return -CARD_VALUE
    if opcode == GIVE:
        return -amount
    if opcode == ARMOR:
        return -(amount + 1) // 2
    if opcode == SUMMON:
        n_places = BOARD_CAPACITY - state[board(state[leader + OWNER])]
        return -min(amount, n_places) * _token_value(state, table, row)
    if opcode == EQUIP:
        return 0 if state[leader + WEAPON] else -_token_value(state, table, row)
    may_strike = opcode == BUFF and state[leader + N_MADE] == 0
    return -table[row + ROW_ATTACK] if may_strike else 0


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _member_value(
    state: Any, table: Any, row: int, member: int, amount: int, face_weight: int
) -> int:
    """What a row does to one member, counted for the seat to move."""
    harm = 0
    if is_player(member):
        harm = _harm_to_player(state, table, row, member, amount, face_weight)
    elif is_minion(state, table, member):
        harm = _harm_to_minion(state, table, row, member, amount)
    return -harm if state[member + OWNER] == state[ACTIVE] else harm


@compiled(i64(Words, Words, i64))
def _mana_value(state: Any, table: Any, row: int) -> int:
    """1 if mana for this turn would let a card be played that cannot be paid now."""
    seat = state[ACTIVE]
    mana = state[player(seat) + MANA]
    for position in range(state[hand(seat)]):
        cost = state[item(state, hand(seat), position) + COST]
        if mana < cost <= mana + table[row + ROW_AMOUNT]:
            return 1
    return 0


@compiled(i64(Words, Words, i64, i64, i64))
def _amount_of(state: Any, table: Any, row: int, source: int, target: int) -> int:
    """What a row's amount comes to, with its measure and spell damage, but without luck."""
    amount = table[row + ROW_AMOUNT]
    times = table[row + ROW_TIMES]
    if times != 0 and table[times + CONDITION_MEASURE] != COIN_FLIP:
        amount *= measure(state, table, times, source, target, 0, 0)
    if gains_spell_damage(state, table, row, source):
        amount += state[player(state[ACTIVE]) + SPELL_DAMAGE]
    return amount


@compiled(i64(Words, Words, i64, i64, i64))
def _applies(state: Any, table: Any, row: int, source: int, target: int) -> bool:
    """Whether a row's condition holds now; what luck decides counts as holding."""
    condition = table[row + ROW_WHEN]
    if condition != 0 and table[condition + CONDITION_MEASURE] == COIN_FLIP:
        return True
    return holds(state, table, condition, source, target, 0, 0)


@compiled(i64(Words, Words, i64, i64, i64, i64, i64))
def _group_value(
    state: Any, table: Any, row: int, source: int, target: int, amount: int, face_weight: int
) -> int:
    """What a row would do to all of its group together; leaves behind how many they are."""
    group = table[row + ROW_TO]
    if table[group + GROUP_SELECTOR] <= ENEMY_PLAYER and table[group + GROUP_ASKS] == ASKS_NOTHING:
        is_own = table[group + GROUP_SELECTOR] == OWN_PLAYER
        leader = player(state[ACTIVE] if is_own else 1 - state[ACTIVE])
        state[N_GROUP] = 1  # most rows: there is nobody to look for
        return _member_value(state, table, row, leader, amount, face_weight)
    gather(state, table, group, source, target, 0)
    total = 0
    for k in range(state[N_GROUP]):
        total += _member_value(state, table, row, state[GROUP + k], amount, face_weight)
    return total


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _row_value(state: Any, table: Any, row: int, source: int, target: int, face_weight: int) -> int:
    """What one row of a played card does to the characters in play, for the seat to move.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers.
        row: offset of the row.
        source: the record that would be played.
        target: what it would be played on, or 0.
        face_weight: how much a point of the enemy player's life counts.
    """
    if table[row + ROW_OPCODE] == MANA_NOW:
        return _mana_value(state, table, row)
    selector = table[table[row + ROW_TO] + GROUP_SELECTOR]
    is_seen = selector <= CHARACTERS or TARGET <= selector <= TARGET_NEIGHBOURS
    if not is_seen or not _applies(state, table, row, source, target):
        return 0
    amount = _amount_of(state, table, row, source, target)
    if selector == TARGET:
        if target == 0:
            return 0
        return _member_value(state, table, row, target, amount, face_weight)
    total = _group_value(state, table, row, source, target, amount, face_weight)
    pick, n_members = table[row + ROW_PICK], state[N_GROUP]
    if n_members == 0 or pick == table[row + ROW_SPARE] == 0:
        return total
    n_acted_on = table[row + ROW_REPEAT] * min(max(pick, 1), n_members)
    if pick > 0:
        return total * n_acted_on // n_members
    return total * max(n_members - table[row + ROW_SPARE], 0) // n_members


@compiled(i64(Words, Words, i64, i64, i64, i64))
def text_value(
    state: Any, table: Any, text: int, source: int, target: int, face_weight: int
) -> int:
    """What all rows do that a card, at offset `text`, carries out when it is played."""
    total = 0
    if table[text + CARD_EVENTS] >> PLAYED & 1 == 0:
        return total
    row = table[text + CARD_ROWS]
    for _ in range(table[text + CARD_N_ROWS]):
        if table[row + ROW_EVENT] == PLAYED:
            total += _row_value(state, table, row, source, target, face_weight)
        row += ROW_SIZE
    return total

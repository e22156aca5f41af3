"""Values of effect rows for the seat to move, in points of attack and health.

The values are closed formulas over visible information. Harm to the enemy's side counts as a gain,
harm to the own side as a loss.
"""

from __future__ import annotations

from typing import Any

from agents.scripted.harm import CARD_VALUE, PLAYED, frees_a_card, harm_to_minion, harm_to_player
from sim.cards.vocabulary import Kind, Selector
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of, is_minion, is_player
from sim.engine.general.measures import DECLARED, gains_spell_damage, holds, measure
from sim.engine.handlers import NUMBERS
from sim.engine.zones import player

SPELL = int(Kind.SPELL)
COIN_FLIP = DECLARED["coin_flip"].number
CHARACTERS = int(Selector.CHARACTERS)
TARGET = int(Selector.TARGET)
OWN_WEAPON = int(Selector.OWN_WEAPON)
OWN_DECK = int(Selector.OWN_DECK)
TARGET_NEIGHBOURS = int(Selector.TARGET_NEIGHBOURS)
OWN_PLAYER = int(Selector.OWN_PLAYER)
ENEMY_PLAYER = int(Selector.ENEMY_PLAYER)
BUFF, COPY, DRAW, MANA_NOW = (NUMBERS[word] for word in ("buff", "copy", "draw", "mana"))


@compiled(i64(Words, Words, i64))
def has_body(state: Any, table: Any, record: int) -> bool:
    """Return whether playing a record's card leaves a minion or a weapon in play.

    The result is `False` for spells, and for a player's record, which stands for the hero power.
    """
    return not is_player(record) and table[card_of(state, record) + at.CARD_KIND] != SPELL


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _member_value(
    state: Any, table: Any, row: int, member: int, amount: int, face_weight: int
) -> int:
    """Return the value, for the seat to move, of a row's effect on one member of its group.

    The value is 0 if the member is neither a player nor a minion.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        member: offset of the member's record.
        amount: amount of the row, with its measure and spell damage included.
        face_weight: value of a point of the enemy player's life.
    """
    harm = 0
    if is_player(member):
        harm = harm_to_player(state, table, row, member, amount, face_weight)
    elif is_minion(state, table, member):
        harm = harm_to_minion(state, table, row, member, amount)
    return -harm if state[member + at.OWNER] == state[at.ACTIVE] else harm


@compiled(i64(Words, Words, i64, i64, i64))
def _amount_of(state: Any, table: Any, row: int, source: int, target: int) -> int:
    """Return the amount of a row, times its measure, plus spell damage if the row gains it.

    A coin flip as the measure counts as 1.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        source: offset of the record of the card that would be played.
        target: offset of the target's record; 0 if there is no target.
    """
    amount = table[row + at.ROW_AMOUNT]
    times = table[row + at.ROW_TIMES]
    if times != 0 and table[times + at.CONDITION_MEASURE] != COIN_FLIP:
        amount *= measure(state, table, times, source, target, 0, 0)
    if gains_spell_damage(state, table, row, source):
        amount += state[player(state[at.ACTIVE]) + at.SPELL_DAMAGE]
    return amount


@compiled(i64(Words, Words, i64, i64, i64))
def _applies(state: Any, table: Any, row: int, source: int, target: int) -> bool:
    """Return whether a row's condition holds in the current state; a coin flip always holds.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        source: offset of the record of the card that would be played.
        target: offset of the target's record; 0 if there is no target.
    """
    condition = table[row + at.ROW_WHEN]
    if condition != 0 and table[condition + at.CONDITION_MEASURE] == COIN_FLIP:
        return True
    return holds(state, table, condition, source, target, 0, 0)


@compiled(i64(Words, Words, i64, i64, i64, i64, i64))
def _group_value(
    state: Any, table: Any, row: int, source: int, target: int, amount: int, face_weight: int
) -> int:
    """Return the sum of the values of a row's effect on all members of its group.

    The number of members remains in the word `N_GROUP` of the state.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        source: offset of the record of the card that would be played.
        target: offset of the target's record; 0 if there is no target.
        amount: amount of the row, with its measure and spell damage included.
        face_weight: value of a point of the enemy player's life.
    """
    group = table[row + at.ROW_TO]
    if (
        table[group + at.GROUP_SELECTOR] <= ENEMY_PLAYER
        and table[group + at.GROUP_ASKS] == at.ASKS_NOTHING
    ):
        is_own = table[group + at.GROUP_SELECTOR] == OWN_PLAYER
        leader = player(state[at.ACTIVE] if is_own else 1 - state[at.ACTIVE])
        # Most rows act on one player, for which this is faster than gathering the group.
        state[at.N_GROUP] = 1
        return _member_value(state, table, row, leader, amount, face_weight)
    gather(state, table, group, source, target, 0)
    total = 0
    for k in range(state[at.N_GROUP]):
        total += _member_value(state, table, row, state[at.GROUP + k], amount, face_weight)
    return total


@compiled(i64(Words, Words, i64))
def _value_off_board(state: Any, table: Any, row: int) -> int:
    """Return the value, for the seat to move, of a row that acts on weapons, hands or decks.

    Copied cards, drawn cards and bonuses of the own weapon have a value; other rows count 0.
    """
    opcode = table[row + at.ROW_OPCODE]
    selector = table[table[row + at.ROW_TO] + at.GROUP_SELECTOR]
    n_cards = max(table[row + at.ROW_PICK], 1)
    if opcode == COPY:
        return 0 if table[row + at.ROW_FLAGS] & at.FOR_ENEMY else CARD_VALUE * n_cards
    if opcode == DRAW and selector == OWN_DECK:
        return CARD_VALUE * n_cards
    if (
        opcode == BUFF
        and selector == OWN_WEAPON
        and state[player(state[at.ACTIVE]) + at.WEAPON] != 0
    ):
        return table[row + at.ROW_ATTACK] + table[row + at.ROW_HEALTH]
    return 0


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _row_value(state: Any, table: Any, row: int, source: int, target: int, face_weight: int) -> int:
    """Return the value, for the seat to move, of one row of a played card.

    The value is 0 if the row's condition does not hold. For random picks it is the mean value over
    the possible picks, rounded down.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: numbers of the cards and rules.
        row: offset of the row.
        source: offset of the record of the card that would be played.
        target: offset of the target's record; 0 if the action has no target.
        face_weight: value of a point of the enemy player's life.
    """
    if table[row + at.ROW_OPCODE] == MANA_NOW:
        return frees_a_card(state, table, table[row + at.ROW_AMOUNT], at.BLANK)
    selector = table[table[row + at.ROW_TO] + at.GROUP_SELECTOR]
    is_seen = selector <= CHARACTERS or TARGET <= selector <= TARGET_NEIGHBOURS
    if not _applies(state, table, row, source, target):
        return 0
    if not is_seen:
        return _value_off_board(state, table, row)
    amount = _amount_of(state, table, row, source, target)
    if selector == TARGET:
        if target == 0:
            return 0
        return _member_value(state, table, row, target, amount, face_weight)
    total = _group_value(state, table, row, source, target, amount, face_weight)
    pick = table[row + at.ROW_PICK]
    n_members = state[at.N_GROUP]
    if n_members == 0 or pick == table[row + at.ROW_SPARE] == 0:
        return total
    # For random picks, the value is the mean over the members times the number of picked members.
    n_acted_on = table[row + at.ROW_REPEAT] * min(max(pick, 1), n_members)
    if pick > 0:
        return total * n_acted_on // n_members
    return total * max(n_members - table[row + at.ROW_SPARE], 0) // n_members


@compiled(i64(Words, Words, i64, i64, i64, i64))
def text_value(
    state: Any, table: Any, text: int, source: int, target: int, face_weight: int
) -> int:
    """Return the value, for the seat to move, of the rows of a text that act when it is played.

    The unconditional rows of minions and weapons are left out: they would have the same effect in a
    later turn, so they are no reason to play the card now.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: numbers of the cards and rules.
        text: offset of the text.
        source: offset of the record of the card that would be played.
        target: offset of the target's record; 0 if the action has no target.
        face_weight: value of a point of the enemy player's life.
    """
    total = 0
    if table[text + at.CARD_EVENTS] >> PLAYED & 1 == 0:
        return total
    passed_over = at.UNCONDITIONAL if has_body(state, table, source) else 0
    row = table[text + at.CARD_ROWS]
    for _ in range(table[text + at.CARD_N_ROWS]):
        if table[row + at.ROW_EVENT] == PLAYED and table[row + at.ROW_FLAGS] & passed_over == 0:
            total += _row_value(state, table, row, source, target, face_weight)
        row += at.ROW_SIZE
    return total

"""Values of the harm that effect rows do to minions and players, in points of attack and health."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword, Lasting
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, is_of_kind
from sim.engine.handlers import NUMBERS
from sim.engine.zones import board, hand, item, player
from sim.ruleset import BOARD_CAPACITY

PLAYED = int(Event.PLAY)
TURN = int(Lasting.TURN)
DIVINE_SHIELD, IMMUNE, POISONOUS, TAUNT, STEALTH, WINDFURY, HASTE = (
    int(Keyword[word])
    for word in ("DIVINE_SHIELD", "IMMUNE", "POISONOUS", "TAUNT", "STEALTH", "WINDFURY", "HASTE")
)
# Points for a card that is drawn, discarded or chosen, for a mana crystal and for a better hero
# power. Chosen by hand, not tuned.
CARD_VALUE = 2
# Opcodes as plain integers for compiled code: actions on minions, some also on players.
DAMAGE, HEAL, DESTROY, TRANSFORM, RETURN, STEAL, FREEZE, SILENCE = (
    NUMBERS[word]
    for word in ("damage", "heal", "destroy", "transform", "return", "steal", "freeze", "silence")
)
BUFF, SET, GRANT, DOUBLE, ATTACH, STRIP = (
    NUMBERS[word] for word in ("buff", "set", "grant", "double", "attach", "strip")
)
# Opcodes of actions on players, also as plain integers.
DRAW, CRYSTALS, CHOOSE, POWER, GIVE, ARMOR, SUMMON, EQUIP, DISCOUNT, DISCARD = (
    NUMBERS[word]
    for word in (
        *("draw", "crystals", "choose", "power", "give"),
        *("armor", "summon", "equip", "discount", "discard"),
    )
)


@compiled(i64(Words, i64))
def worth(state: Any, minion: int) -> int:
    """Return the value of a minion in play: attack plus health, each counted as at least 0."""
    return max(state[minion + at.ATTACK], 0) + max(state[minion + at.HEALTH], 0)


@compiled(i64(Words, i64, i64))
def hit_value(state: Any, minion: int, amount: int) -> int:
    """Return the value that damage takes from the side of a minion.

    The value is 0 if the minion is immune or the amount is not positive, and 1 if a divine shield
    absorbs the damage. It is the minion's value (`worth`) if the minion dies, and otherwise half
    the damage, rounded down.

    Args:
        state: state of the game.
        minion: offset of the minion's record.
        amount: amount of damage.
    """
    keywords = state[minion + at.KEYWORDS]
    if amount <= 0 or keywords & IMMUNE:
        return 0
    if keywords & DIVINE_SHIELD:
        return 1
    if state[minion + at.HEALTH] <= amount:
        return worth(state, minion)
    return amount // 2


@compiled(i64(Words, i64, i64))
def _keywords_value(state: Any, minion: int, keywords: int) -> int:
    """Return the value of granting keywords to a minion; keywords that it already has count 0.

    Args:
        state: state of the game.
        minion: offset of the minion's record.
        keywords: granted keywords as bits.
    """
    gained = keywords & ~state[minion + at.KEYWORDS]
    # The values are chosen by hand, not tuned. Another attack counts if this turn permits it.
    value = 0
    if gained & (DIVINE_SHIELD | POISONOUS):
        value += 2
    if gained & (TAUNT | STEALTH):
        value += 1
    if gained & WINDFURY and state[minion + at.READY] > 0:
        value += state[minion + at.ATTACK]
    if gained & HASTE and state[minion + at.READY] == 0:
        value += state[minion + at.ATTACK]
    return value


@compiled(i64(Words, i64, i64, i64))
def _damage_to_player(state: Any, leader: int, amount: int, face_weight: int) -> int:
    """Return the value of damage to a player: the amount, times `face_weight` for the enemy.

    Lethal damage has the value 1000. Armour is ignored.

    Args:
        state: state of the game.
        leader: offset of the player's record.
        amount: amount of damage.
        face_weight: value of a point of the enemy player's life.
    """
    if state[leader + at.HEALTH] <= amount:
        return 1000  # higher than the value of any row on minions
    return amount * face_weight if state[leader + at.OWNER] != state[at.ACTIVE] else amount


@compiled(i64(Words, Words, i64))
def _text_value(state: Any, table: Any, minion: int) -> int:
    """Return the value that silence takes from a minion.

    The value is the minion's gain over the attack and health printed on its card, plus 1 if its
    text reacts to an event other than its own play, plus 1 if it has a keyword.
    """
    card = card_of(state, minion)
    attack = state[minion + at.ATTACK] - table[card + at.CARD_ATTACK]
    health = state[minion + at.MAX_HEALTH] - table[card + at.CARD_HEALTH]
    has_text = table[card + at.CARD_EVENTS] >> (PLAYED + 1) != 0
    return attack + health + has_text + (state[minion + at.KEYWORDS] != 0)


@compiled(i64(Words, Words, i64, i64))
def _set_value(state: Any, table: Any, row: int, minion: int) -> int:
    """Return the sum of the changes of a minion's attack and health when a row sets them.

    A number that the row does not set counts 0.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        minion: offset of the minion's record.
    """
    gained = 0
    if table[row + at.ROW_GIVEN] & at.GIVES_ATTACK:
        gained += table[row + at.ROW_ATTACK] - state[minion + at.ATTACK]
    if table[row + at.ROW_GIVEN] & at.GIVES_HEALTH:
        gained += table[row + at.ROW_HEALTH] - state[minion + at.HEALTH]
    return gained


@compiled(i64(Words, i64))
def _card_brought(table: Any, row: int) -> int:
    """Return the offset in the table of the card that a row names, or of the first of several."""
    number = table[row + at.ROW_ARGUMENT]
    return at.CARDS + at.CARD_SIZE * (number if table[row + at.ROW_N_CARDS] == 1 else table[number])


@compiled(i64(Words, i64))
def _attached_value(table: Any, row: int) -> int:
    """Return the value of attaching a text to a minion, for the minion's side.

    The value is `-CARD_VALUE` if a row of the text destroys a minion, which is taken to be the
    bearer; otherwise it is `CARD_VALUE`.
    """
    card = _card_brought(table, row)
    attached = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if table[attached + at.ROW_OPCODE] == DESTROY:
            return -CARD_VALUE
        attached += at.ROW_SIZE
    return CARD_VALUE


@compiled(i64(Words, Words, i64, i64))
def _gift_to_minion(state: Any, table: Any, row: int, minion: int) -> int:
    """Return the value that the side of a minion gains by a row that changes the minion in play.

    Rows with other actions have the value 0.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        minion: offset of the minion's record.
    """
    opcode = table[row + at.ROW_OPCODE]
    if opcode == BUFF:
        # Attack that lasts for one turn is useless on a minion that cannot attack in this turn.
        is_useless = table[row + at.ROW_LASTS] == TURN and state[minion + at.READY] == 0
        attack = 0 if is_useless else table[row + at.ROW_ATTACK]
        return attack + table[row + at.ROW_HEALTH]
    if opcode == SET:
        return _set_value(state, table, row, minion)
    if opcode == GRANT:
        return _keywords_value(state, minion, table[row + at.ROW_KEYWORDS])
    if opcode == DOUBLE:
        return state[minion + at.HEALTH]
    if opcode == ATTACH:
        return _attached_value(table, row)
    return -1 if opcode == STRIP else 0


@compiled(i64(Words, Words, i64, i64, i64))
def harm_to_minion(state: Any, table: Any, row: int, minion: int, amount: int) -> int:
    """Return the value that a row takes from the side of a minion; negative if the side gains.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        minion: offset of the minion's record.
        amount: amount of the row, with its measure and spell damage included.
    """
    opcode = table[row + at.ROW_OPCODE]
    if opcode == DAMAGE:
        return hit_value(state, minion, amount)
    if opcode == HEAL:
        return -min(amount, state[minion + at.MAX_HEALTH] - state[minion + at.HEALTH])
    if opcode in (DESTROY, TRANSFORM, RETURN):
        return worth(state, minion)
    if opcode == STEAL:
        return 2 * worth(state, minion)
    if opcode == FREEZE:
        return 0 if state[minion + at.STATUS] & at.IS_FROZEN else state[minion + at.ATTACK]
    if opcode == SILENCE:
        return _text_value(state, table, minion)
    return -_gift_to_minion(state, table, row, minion)


@compiled(i64(Words, i64))
def _body_value(table: Any, row: int) -> int:
    """Return the printed attack plus health of the card that a row summons or equips."""
    card = _card_brought(table, row)
    return table[card + at.CARD_ATTACK] + table[card + at.CARD_HEALTH]


@compiled(i64(Words, Words, i64, i64))
def frees_a_card(state: Any, table: Any, gain: int, kind: int) -> int:
    """Return 1 if `gain` additional mana makes another card of the hand playable, else 0.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        gain: additional mana.
        kind: kind of the cards that are considered; `BLANK` for all kinds.
    """
    seat = state[at.ACTIVE]
    mana = state[player(seat) + at.MANA]
    cards = hand(seat)
    for position in range(state[cards]):
        record = item(state, cards, position)
        is_meant = kind == at.BLANK or is_of_kind(table, card_of(state, record), kind)
        if is_meant and mana < state[record + at.COST] <= mana + gain:
            return 1
    return 0


@compiled(i64(Words, Words, i64, i64, i64))
def _gift_to_player(state: Any, table: Any, row: int, leader: int, amount: int) -> int:
    """Return the value that a player gains by a row, without gains and losses of life.

    Rows with actions that are not handled here have the value 0.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        leader: offset of the player's record.
        amount: amount of the row, with its measure included.
    """
    opcode = table[row + at.ROW_OPCODE]
    if opcode in (DRAW, CRYSTALS):
        return CARD_VALUE * amount
    if opcode in (CHOOSE, POWER):
        return CARD_VALUE
    if opcode == GIVE:
        return amount
    if opcode == ARMOR:
        return amount // 2 + 1
    if opcode == SUMMON:
        n_places = BOARD_CAPACITY - state[board(state[leader + at.OWNER])]
        return min(amount, n_places) * _body_value(table, row)
    if opcode == EQUIP:
        return 0 if state[leader + at.WEAPON] else _body_value(table, row)
    if opcode == DISCOUNT:
        is_own = state[leader + at.OWNER] == state[at.ACTIVE]
        gain = -table[row + at.ROW_AMOUNT]
        return frees_a_card(state, table, gain, table[row + at.ROW_KIND]) if is_own else 0
    # An attack bonus is useful only if the player has not attacked in this turn.
    may_strike = opcode == BUFF and state[leader + at.N_MADE] == 0
    return table[row + at.ROW_ATTACK] if may_strike else 0


@compiled(i64(Words, Words, i64, i64, i64, i64))
def harm_to_player(
    state: Any, table: Any, row: int, leader: int, amount: int, face_weight: int
) -> int:
    """Return the value that a row takes from a player; negative if the player gains.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        row: offset of the row.
        leader: offset of the player's record.
        amount: amount of the row, with its measure and spell damage included.
        face_weight: value of a point of the enemy player's life.
    """
    opcode = table[row + at.ROW_OPCODE]
    if opcode == DAMAGE:
        return _damage_to_player(state, leader, amount, face_weight)
    if opcode == HEAL:
        return -min(amount, state[leader + at.MAX_HEALTH] - state[leader + at.HEALTH])
    if opcode == DISCARD:
        return CARD_VALUE * min(amount, state[hand(state[leader + at.OWNER])] - 1)
    return -_gift_to_player(state, table, row, leader, amount)

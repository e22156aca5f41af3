"""Harm: points of attack and health that effect rows take from minions and players."""

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
# opcodes of actions on minions
DAMAGE, HEAL, DESTROY, TRANSFORM, RETURN, STEAL, FREEZE, SILENCE = (
    NUMBERS[word]
    for word in ("damage", "heal", "destroy", "transform", "return", "steal", "freeze", "silence")
)
BUFF, SET, GRANT, DOUBLE, ATTACH, STRIP = (
    NUMBERS[word] for word in ("buff", "set", "grant", "double", "attach", "strip")
)
# opcodes of actions on players
DRAW, CRYSTALS, CHOOSE, POWER, GIVE, ARMOR, SUMMON, EQUIP, DISCOUNT, DISCARD = (
    NUMBERS[word]
    for word in (
        *("draw", "crystals", "choose", "power", "give"),
        *("armor", "summon", "equip", "discount", "discard"),
    )
)


@compiled(i64(Words, i64))
def worth(state: Any, minion: int) -> int:
    """Return the value of a minion in play: its attack plus its health, neither below 0."""
    return max(state[minion + at.ATTACK], 0) + max(state[minion + at.HEALTH], 0)


@compiled(i64(Words, i64, i64))
def hit_value(state: Any, minion: int, amount: int) -> int:
    """Return the value that damage takes from a minion's side.

    That is the minion's whole value if it dies, 1 if a shield absorbs the damage, else half the
    damage.
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
    """Return the value of keywords for a minion, counting only those that it does not have yet."""
    gained = keywords & ~state[minion + at.KEYWORDS]
    # Chosen by hand, not tuned. An additional attack counts only if it can be made in this turn.
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
    """Return the value of damage to a player, far above all others if it ends the game."""
    if state[leader + at.HEALTH] <= amount:
        return 1000  # more than any row can score on minions
    return amount * face_weight if state[leader + at.OWNER] != state[at.ACTIVE] else amount


@compiled(i64(Words, Words, i64))
def _text_value(state: Any, table: Any, minion: int) -> int:
    """Return the value that silence takes from a minion: what it was given, and 1 for its text."""
    card = card_of(state, minion)
    attack = state[minion + at.ATTACK] - table[card + at.CARD_ATTACK]
    health = state[minion + at.MAX_HEALTH] - table[card + at.CARD_HEALTH]
    has_text = table[card + at.CARD_EVENTS] >> (PLAYED + 1) != 0
    return attack + health + has_text + (state[minion + at.KEYWORDS] != 0)


@compiled(i64(Words, Words, i64, i64))
def _set_value(state: Any, table: Any, row: int, minion: int) -> int:
    """Return the gain of a minion's side if the minion's numbers are set to those of a row."""
    gained = 0
    if table[row + at.ROW_GIVEN] & at.GIVES_ATTACK:
        gained += table[row + at.ROW_ATTACK] - state[minion + at.ATTACK]
    if table[row + at.ROW_GIVEN] & at.GIVES_HEALTH:
        gained += table[row + at.ROW_HEALTH] - state[minion + at.HEALTH]
    return gained


@compiled(i64(Words, i64))
def _card_brought(table: Any, row: int) -> int:
    """Return the offset of the card that a row brings; of several, of the first."""
    number = table[row + at.ROW_ARGUMENT]
    return at.CARDS + at.CARD_SIZE * (number if table[row + at.ROW_N_CARDS] == 1 else table[number])


@compiled(i64(Words, i64))
def _attached_value(table: Any, row: int) -> int:
    """Return the value of an attached text: positive unless one of its rows destroys its minion."""
    card = _card_brought(table, row)
    attached = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if table[attached + at.ROW_OPCODE] == DESTROY:
            return -CARD_VALUE
        attached += at.ROW_SIZE
    return CARD_VALUE


@compiled(i64(Words, Words, i64, i64))
def _gift_to_minion(state: Any, table: Any, row: int, minion: int) -> int:
    """Return the gain of a minion's side by a row that changes the minion where it stands."""
    opcode = table[row + at.ROW_OPCODE]
    if opcode == BUFF:
        # Attack that lasts for this turn is lost on a minion that cannot attack any more.
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
    """Return the value that a row takes from a minion's side; negative if the side gains.

    Args:
        state: the game.
        table: the numbers of the cards and rules.
        row: offset of the row.
        minion: offset of the minion's record.
        amount: amount of the row, with its measure and spell damage.
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
    """Return attack plus health of the card that a row brings."""
    card = _card_brought(table, row)
    return table[card + at.CARD_ATTACK] + table[card + at.CARD_HEALTH]


@compiled(i64(Words, Words, i64, i64))
def frees_a_card(state: Any, table: Any, gain: int, kind: int) -> int:
    """Return 1 if `gain` more mana makes another card of the hand playable, else 0.

    Args:
        state: the game.
        table: the numbers of the cards and rules.
        gain: additional mana.
        kind: kind of the card, `BLANK` for any.
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
    """Return the value that a row gives to a player and its side, apart from life."""
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
    may_strike = opcode == BUFF and state[leader + at.N_MADE] == 0
    return table[row + at.ROW_ATTACK] if may_strike else 0


@compiled(i64(Words, Words, i64, i64, i64, i64))
def harm_to_player(
    state: Any, table: Any, row: int, leader: int, amount: int, face_weight: int
) -> int:
    """Return the value that a row takes from a player; negative if the player gains.

    Args:
        state: the game.
        table: the numbers of the cards and rules.
        row: offset of the row.
        leader: offset of the player's record.
        amount: amount of the row, with its measure and spell damage.
        face_weight: weight of a point of the enemy player's life.
    """
    opcode = table[row + at.ROW_OPCODE]
    if opcode == DAMAGE:
        return _damage_to_player(state, leader, amount, face_weight)
    if opcode == HEAL:
        return -min(amount, state[leader + at.MAX_HEALTH] - state[leader + at.HEALTH])
    if opcode == DISCARD:
        return CARD_VALUE * min(amount, state[hand(state[leader + at.OWNER])] - 1)
    return -_gift_to_player(state, table, row, leader, amount)

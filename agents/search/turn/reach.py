"""An upper bound on the damage that a plain turn can do, which spares the search for a win."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of
from sim.engine.handlers import NUMBERS
from sim.engine.zones import board, hand, item, player

UNBOUNDED = 1_000_000  # of a row whose action is not one of ours: more damage than any life
_HASTE = int(Keyword.HASTE)
_DAMAGE = NUMBERS["damage"]
_SUMMON = NUMBERS["summon"]
_HARMLESS = (NUMBERS["heal"], NUMBERS["draw"])  # what is drawn is luck, on which no sure win rests


@compiled(i64(Words, i64))
def _hasty_attack(table: Any, card: int) -> int:
    """The attack that a card's body can use in the turn in which it is put on the board."""
    return table[card + at.CARD_ATTACK] if table[card + at.CARD_KEYWORDS] & _HASTE else 0


@compiled(i64(Words, i64))
def _damage_of_row(table: Any, row: int) -> int:
    """The most damage to the enemy player that comes from one effect row in this turn."""
    action = table[row + at.ROW_OPCODE]
    amount = max(table[row + at.ROW_AMOUNT], 0)
    if action == _DAMAGE:
        return amount
    if action == _SUMMON:
        number = table[row + at.ROW_ARGUMENT]
        token = at.CARDS + at.CARD_SIZE * number
        is_one_token = table[row + at.ROW_N_CARDS] == 1
        return amount * _hasty_attack(table, token) if is_one_token else UNBOUNDED
    return 0 if action in _HARMLESS else UNBOUNDED


@compiled(i64(Words, i64))
def _damage_of_card(table: Any, card: int) -> int:
    """The most damage to the enemy player that comes from playing one card in this turn."""
    total = _hasty_attack(table, card)
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        total += _damage_of_row(table, row)
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, Words, i64), apart=True)
def most_plain_damage(state: Any, table: Any, seat: int) -> int:
    """The most damage to the enemy player that the turn of `seat` can do in a plain game.

    Every card that the mana suffices for counts, though not all may be paid for together.

    Args:
        state: a plain game in the turn of `seat`.
        table: the numbers of its variant.
        seat: whose turn it is.
    """
    total = 0
    units = board(seat)
    for position in range(state[units]):
        unit = item(state, units, position)
        total += max(state[unit + at.READY], 0) * state[unit + at.ATTACK]
    cards = hand(seat)
    for position in range(state[cards]):
        card = item(state, cards, position)
        if state[card + at.COST] <= state[player(seat) + at.MANA]:
            total += _damage_of_card(table, card_of(state, card))
    return total

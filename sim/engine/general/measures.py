"""Measures and conditions: numbers that an effect row looks up when it is reached."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import ACTIONS, Kind, Measure
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.faults import count_up
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of, has_on_board, is_player, is_spell, stat_of
from sim.engine.streams import load64, number, pick
from sim.engine.zones import hand, item, player
from sim.ruleset import DECK_CAPACITY

DAMAGE = ACTIONS.number("damage")
SPELL = int(Kind.SPELL)

ONE = int(Measure.ONE)
COUNT = int(Measure.COUNT)
STAT = int(Measure.STAT)
EVENT = int(Measure.EVENT)
CARDS_PLAYED = int(Measure.CARDS_PLAYED)
COIN_FLIP = int(Measure.COIN_FLIP)
ATTACKING = int(Measure.ATTACKING)
ODD_DECK = int(Measure.ODD_DECK)
MINIONS_PLAYED = int(Measure.MINIONS_PLAYED)
HAND_GAP = int(Measure.HAND_GAP)
ABSENT = int(Measure.ABSENT)
POWER_KEY = 255  # the hero power's slot, in the keys of random numbers


@compiled(i64(Words, Words, i64, i64))
def gains_spell_damage(state: Any, table: Any, row: int, source: int) -> bool:
    """Whether the amount of a row grows by its owner's spell damage: damage that a spell does."""
    if table[row + at.ROW_OPCODE] != DAMAGE or table[row + at.ROW_BY_TARGET] or is_player(source):
        return False
    return is_spell(table, card_of(state, source))


@compiled(i64(Words, i64, i64))
def roll(state: Any, source: int, n_choices: int) -> int:
    """A random choice in 0..n_choices-1 of the card `source`.

    Keyed by (game seed, seat, slot, use): what a card does at random depends on nothing but how
    often it, and what it made, has done so before.
    """
    owner, slot = player(state[source + at.OWNER]), state[source + at.SLOT]
    count_up(state, owner + at.USES + slot)
    key = POWER_KEY if slot == at.POWER_SLOT else slot
    stream = number(load64(state, owner + at.EFFECT_STREAM), key + 1)
    return pick(stream, state[owner + at.USES + slot], n_choices)


@compiled(i64(Words, Words, i64, i64))
def _has_no_cost_of_parity(state: Any, table: Any, owner: int, parity: int) -> bool:
    """Whether no card left in a deck has a printed cost of this parity.

    Before the first turn the deck is what it was before hands were dealt.
    """
    is_whole = state[at.TURN] == 0
    for position in range(DECK_CAPACITY if is_whole else state[owner + at.DECK]):
        slot = position if is_whole else item(state, owner + at.DECK, position)
        card = state[owner + at.CARD_OF_SLOT + slot]
        if card != at.BLANK and table[at.CARDS + at.CARD_SIZE * card + at.CARD_COST] % 2 == parity:
            return False
    return True


@compiled(i64(Words, Words, i64))
def _add_up(state: Any, table: Any, condition: int) -> int:
    """How many members were written down, or the sum of one of their numbers."""
    if table[condition + at.CONDITION_MEASURE] == COUNT:
        return state[at.N_GROUP]
    total = 0
    for k in range(state[at.N_GROUP]):
        total += stat_of(state, state[at.GROUP + k], table[condition + at.CONDITION_STAT])
    return total


@compiled(i64(Words, i64))
def _hand_gap(state: Any, seat: int) -> int:
    return max(state[hand(1 - seat)] - state[hand(seat)], 0)


@compiled(i64(Words, Words, i64))
def _count_absent(state: Any, table: Any, source: int) -> int:
    """How many of the cards of the source's `absent` rows its side does not have."""
    if state[source + at.CARD] == at.BLANK:  # a player without a hero power
        return 0
    card = card_of(state, source)
    n_absent = 0
    for row_number in range(table[card + at.CARD_N_ROWS]):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * row_number
        if table[row + at.ROW_ABSENT]:
            for k in range(table[row + at.ROW_N_CARDS]):
                summoned = table[table[row + at.ROW_ARGUMENT] + k]
                n_absent += not has_on_board(state, state[source + at.OWNER], summoned)
    return n_absent


@compiled(i64(Words, Words, i64, i64, i64, i64, i64), apart=True)
def measure(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    """What a measure comes to; looking up groups overwrites the members written down before.

    Args:
        state: the game.
        table: the numbers.
        condition: offset of the measure in the table.
        source: see `gather`.
        target: see `gather`.
        subject: see `gather`.
        amount: how much the event was about.
    """
    kind = table[condition + at.CONDITION_MEASURE]
    owner = player(state[source + at.OWNER])
    if kind in (COUNT, STAT):
        gather(state, table, table[condition + at.CONDITION_GROUP], source, target, subject)
        return _add_up(state, table, condition)
    if kind == EVENT:
        return amount
    if kind == CARDS_PLAYED:
        is_played = state[source + at.ZONE] != at.IN_HAND
        return state[owner + at.N_PLAYED] - is_played
    if kind == MINIONS_PLAYED:
        return state[owner + at.N_MINIONS_PLAYED]
    if kind == COIN_FLIP:
        return roll(state, source, 2)
    if kind == ATTACKING:
        return state[at.ATTACKER] == owner
    if kind == HAND_GAP:
        return _hand_gap(state, state[source + at.OWNER])
    if kind == ABSENT:
        return _count_absent(state, table, source)
    if kind == ONE:
        return 1
    return _has_no_cost_of_parity(state, table, owner, 0 if kind == ODD_DECK else 1)


@compiled(i64(Words, Words, i64, i64, i64, i64, i64))
def holds(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> bool:
    """Whether a condition, and what it is joined to, holds; offset 0 always does."""
    while condition != 0:
        value = measure(state, table, condition, source, target, subject, amount)
        if not table[condition + at.CONDITION_LOW] <= value <= table[condition + at.CONDITION_HIGH]:
            return False
        condition = table[condition + at.CONDITION_ALSO]
    return True

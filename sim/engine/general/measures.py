"""Measures and conditions: numbers that an effect row evaluates when it is reached.

A measure is a compiled function below the declaration of its word. A new measure is a function in
this module that is declared as a `Measure` with the next free number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sim.cards.measure import Measure
from sim.cards.vocabulary import Opcode
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.faults import count_up
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of, has_card, is_player, is_spell, stat_of
from sim.engine.streams import load64, number, pick
from sim.engine.zones import board, hand, item, player
from sim.ruleset import DECK_CAPACITY

POWER_KEY = 255  # key of the hero power's random numbers; above the keys of all deck slots

READER = i64(Words, Words, i64, i64, i64, i64, i64)
"""Signature of a measure: (state, table, condition, source, target, subject, amount) to a value."""


@compiled(i64(Words, Words, i64, i64))
def gains_spell_damage(state: Any, table: Any, row: int, source: int) -> bool:
    """Return whether spell damage increases a row's damage: a spell must deal the damage itself."""
    return (
        table[row + at.ROW_OPCODE] == Opcode.DAMAGE
        and table[row + at.ROW_BY_TARGET] == 0
        and not is_player(source)
        and is_spell(table, card_of(state, source))
    )


@compiled(i64(Words, i64, i64))
def roll(state: Any, source: int, n_choices: int) -> int:
    """Return a random choice in 0..n_choices-1 for the card `source`.

    The choice is keyed by (game seed, seat, slot, use). Therefore a card's random effects depend
    only on how often the card, and cards that it made, have used random numbers before.
    """
    owner = player(state[source + at.OWNER])
    slot = state[source + at.SLOT]
    count_up(state, owner + at.USES + slot)
    key = POWER_KEY if slot == at.POWER_SLOT else slot
    stream = number(load64(state, owner + at.EFFECT_STREAM), key + 1)
    return pick(stream, state[owner + at.USES + slot], n_choices)


@compiled(i64(Words, Words, i64, i64))
def _has_no_cost_of_parity(state: Any, table: Any, owner: int, parity: int) -> bool:
    """Return whether no card left in a deck has a printed cost of the given parity.

    Before the first turn the whole deck counts, as it was before the hands were dealt.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        owner: record of the deck's player.
        parity: 0 for even costs, 1 for odd costs.
    """
    is_whole = state[at.TURN] == 0
    for position in range(DECK_CAPACITY if is_whole else state[owner + at.DECK]):
        slot = position if is_whole else item(state, owner + at.DECK, position)
        card = state[owner + at.CARD_OF_SLOT + slot]
        if card != at.BLANK and table[at.CARDS + at.CARD_SIZE * card + at.CARD_COST] % 2 == parity:
            return False
    return True


@partial(Measure, "one", 0, phrase="1", is_bare=False)
@compiled(READER)
def _one(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return 1


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _gather(state: Any, table: Any, condition: int, source: int, target: int, subject: int) -> int:
    """Write the members of a measure's group to the work area and return their number.

    See `measure` for the arguments.
    """
    gather(state, table, table[condition + at.CONDITION_GROUP], source, target, subject)
    return state[at.N_GROUP]


@partial(Measure, "count", 1, phrase="the number of {group}", is_bare=False)
@compiled(READER)
def _count(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return _gather(state, table, condition, source, target, subject)


@partial(Measure, "stat", 2, phrase="the {number} of {member}", is_bare=False)
@compiled(READER)
def _stat(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    total = 0
    for k in range(_gather(state, table, condition, source, target, subject)):
        total += stat_of(state, state[at.GROUP + k], table[condition + at.CONDITION_STAT])
    return total


@partial(Measure, "event", 3, phrase="that amount", reads=("that many", "that much"))
@compiled(READER)
def _event(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return amount


@partial(
    Measure,
    "cards_played",
    4,
    phrase="the number of other cards you played this turn",
    yes="you played another card this turn",
    no="you played no other card this turn",
)
@compiled(READER)
def _cards_played(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    is_played = state[source + at.ZONE] != at.IN_HAND
    return max(state[player(state[source + at.OWNER]) + at.N_PLAYED] - is_played, 0)


@partial(
    Measure,
    "coin_flip",
    5,
    phrase="the result of a coin flip",
    yes="a coin flip succeeds",
    no="a coin flip fails",
    is_random=True,
)
@compiled(READER)
def _coin_flip(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return roll(state, source, 2)


@partial(
    Measure,
    "attacking",
    6,
    phrase="the number of attacks by your hero",
    yes="your hero is attacking",
    no="your hero is not attacking",
)
@compiled(READER)
def _attacking(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return state[at.ATTACKER] == player(state[source + at.OWNER])


@partial(
    Measure,
    "odd_deck",
    7,
    phrase="the oddness of your deck",
    yes="your deck has only odd-cost cards",
    no="your deck has an even-cost card",
)
@compiled(READER)
def _odd_deck(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return _has_no_cost_of_parity(state, table, player(state[source + at.OWNER]), 0)


@partial(
    Measure,
    "even_deck",
    8,
    phrase="the evenness of your deck",
    yes="your deck has only even-cost cards",
    no="your deck has an odd-cost card",
)
@compiled(READER)
def _even_deck(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return _has_no_cost_of_parity(state, table, player(state[source + at.OWNER]), 1)


@partial(Measure, "minions_played", 9, phrase="the number of minions you played this turn")
@compiled(READER)
def _minions_played(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    return state[player(state[source + at.OWNER]) + at.N_MINIONS_PLAYED]


@partial(Measure, "hand_gap", 10, phrase="the number of cards your opponent has more in hand")
@compiled(READER)
def _hand_gap(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    seat = state[source + at.OWNER]
    return max(state[hand(1 - seat)] - state[hand(seat)], 0)


@partial(Measure, "absent", 11, phrase="the number of cards this could still summon")
@compiled(READER)
def _absent(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    """Return the number of cards of the source's `absent` rows that its side of the board lacks.

    It is 0 for a player without a hero power. See `measure` for the arguments.
    """
    if state[source + at.CARD] == at.BLANK:  # a player without a hero power
        return 0
    card = card_of(state, source)
    n_absent = 0
    for row_number in range(table[card + at.CARD_N_ROWS]):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * row_number
        if table[row + at.ROW_ABSENT]:
            for k in range(table[row + at.ROW_N_CARDS]):
                summoned = table[table[row + at.ROW_ARGUMENT] + k]
                n_absent += not has_card(state, board(state[source + at.OWNER]), summoned)
    return n_absent


DECLARED = {
    value.word: value
    for value in sorted(
        (value for value in globals().values() if isinstance(value, Measure)),
        key=lambda value: value.number,
    )
}
"""Measures of this module by their word, in the order of their numbers."""


def _choice(measures: Sequence[Measure]) -> Callable[..., int]:
    """Return a function that evaluates the measure that a condition names, found by binary search.

    Args:
        measures: measures in the order of their numbers, at least one.
    """
    if len(measures) == 1:
        return measures[0].read
    half = len(measures) // 2
    below = _choice(measures[:half])
    above = _choice(measures[half:])
    first_above = measures[half].number

    @compiled(READER)
    def read(
        state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
    ) -> int:
        if table[condition + at.CONDITION_MEASURE] < first_above:
            return below(state, table, condition, source, target, subject, amount)
        return above(state, table, condition, source, target, subject, amount)

    return read


_read = _choice(list(DECLARED.values()))


@compiled(READER, apart=True)
def measure(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> int:
    """Return the value of a measure.

    A group that the measure evaluates overwrites the members in the work area.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        condition: offset of the measure in the table.
        source: record that the row belongs to; its owner defines the own and the enemy side.
        target: record that the player chose, or 0.
        subject: record that the event happened to, or 0.
        amount: amount of the event.
    """
    return _read(state, table, condition, source, target, subject, amount)


@compiled(READER)
def holds(
    state: Any, table: Any, condition: int, source: int, target: int, subject: int, amount: int
) -> bool:
    """Return whether a condition, and every further condition joined to it, holds.

    Offset 0 means no condition, which always holds. See `measure` for the arguments.
    """
    while condition != 0:
        value = measure(state, table, condition, source, target, subject, amount)
        if not table[condition + at.CONDITION_LOW] <= value <= table[condition + at.CONDITION_HIGH]:
            return False
        condition = table[condition + at.CONDITION_ALSO]
    return True

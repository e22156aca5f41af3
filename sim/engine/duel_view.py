"""The duel as a learner sees it: 67 numbers and 40 actions for the seat to move.

Own before enemy, the oldest first, empty places zero (DESIGN section 5):

    0-1    life            4-39   own hand, nine cards of (health, attack, cost, effect)
    2-3    mana            40-49  own board, five units of (health, attack)
    60-64  unit may attack 50-59  enemy board, likewise
                           65-66  cards left in the decks

Actions 0-8 play a card of the hand; 9 + 6u + t lets unit u attack the enemy's unit t, or its
player if t = 5; 39 ends the turn.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Bytes, Floats, Words, compiled, i64, none
from sim.engine.zones import board, hand, item, player

HAND_PLACES = 9
BOARD_PLACES = 5
CARD_VALUES = 4  # health, attack, cost, effect code
UNIT_VALUES = 2  # health, attack

LIVES = 0
MANAS = 2
OWN_HAND = 4
OWN_BOARD = OWN_HAND + CARD_VALUES * HAND_PLACES
ENEMY_BOARD = OWN_BOARD + UNIT_VALUES * BOARD_PLACES
ABLE_TO_ATTACK = ENEMY_BOARD + UNIT_VALUES * BOARD_PLACES
CARDS_LEFT = ABLE_TO_ATTACK + BOARD_PLACES
N_VALUES = CARDS_LEFT + 2

TARGETS = BOARD_PLACES + 1  # the enemy's units, then its player
FIRST_ATTACK = HAND_PLACES
LAST_ACTION = FIRST_ATTACK + TARGETS * BOARD_PLACES  # ends the turn
N_ACTIONS = LAST_ACTION + 1
NO_ACTION = -1  # to the engine


@compiled(none(Words, i64, Floats, i64))
def _observe_units(state: Any, zone: int, values: Any, start: int) -> None:
    for position in range(state[zone]):
        unit = item(state, zone, position)
        word = start + UNIT_VALUES * position
        values[word] = state[unit + at.HEALTH]
        values[word + 1] = state[unit + at.ATTACK]


@compiled(none(Words, Words, Floats))
def observe(state: Any, view: Any, values: Any) -> None:
    """Write what the seat to move sees.

    Args:
        state: a running game.
        view: words of the view, with the effect code of each card of the pool
            (`sim.observation.duel_view.card_codes`).
        values: ``[N_VALUES]`` overwritten.
    """
    seat = state[at.ACTIVE]
    own, enemy = player(seat), player(1 - seat)
    for word in range(N_VALUES):
        values[word] = 0.0
    values[LIVES], values[LIVES + 1] = state[own + at.HEALTH], state[enemy + at.HEALTH]
    values[MANAS], values[MANAS + 1] = state[own + at.MANA], state[enemy + at.MANA]
    for position in range(state[hand(seat)]):
        card = item(state, hand(seat), position)
        word = OWN_HAND + CARD_VALUES * position
        values[word] = state[card + at.HEALTH]
        values[word + 1] = state[card + at.ATTACK]
        values[word + 2] = state[card + at.COST]
        values[word + 3] = view[at.VIEW_CODES + state[card + at.CARD]]
    _observe_units(state, board(seat), values, OWN_BOARD)
    _observe_units(state, board(1 - seat), values, ENEMY_BOARD)
    for position in range(state[board(seat)]):
        values[ABLE_TO_ATTACK + position] = state[item(state, board(seat), position) + at.READY]
    values[CARDS_LEFT] = state[own + at.N_CARDS_LEFT]
    values[CARDS_LEFT + 1] = state[enemy + at.N_CARDS_LEFT]


@compiled(i64(Words, Bytes))
def mark_legal(state: Any, mask: Any) -> int:
    """Mark each of the ``[N_ACTIONS]`` actions 1 if legal, else 0; returns how many are."""
    seat = state[at.ACTIVE]
    for action in range(LAST_ACTION):
        mask[action] = 0
    mask[LAST_ACTION] = 1
    n_legal = 1
    mana = state[player(seat) + at.MANA]
    for position in range(state[hand(seat)]):
        if state[item(state, hand(seat), position) + at.COST] <= mana:
            mask[position] = 1
            n_legal += 1
    n_enemies = state[board(1 - seat)]
    for position in range(state[board(seat)]):
        if state[item(state, board(seat), position) + at.READY] > 0:
            first = FIRST_ATTACK + TARGETS * position
            for target in range(n_enemies):
                mask[first + target] = 1
            mask[first + BOARD_PLACES] = 1
            n_legal += n_enemies + 1
    return n_legal


@compiled(i64(i64))
def engine_action(action: int) -> int:
    """The engine's number of one of the 40 actions; any other number stays an illegal action."""
    if action < 0 or action > LAST_ACTION:
        return NO_ACTION
    if action == LAST_ACTION:
        return at.END_TURN
    if action < FIRST_ATTACK:
        return at.PLAY + (action << at.SOURCE_SHIFT) + at.AT_NOBODY
    unit, target = (action - FIRST_ATTACK) // TARGETS, (action - FIRST_ATTACK) % TARGETS
    return (
        at.ATTACK_WITH
        + (unit << at.SOURCE_SHIFT)
        + (at.AT_PLAYER if target == BOARD_PLACES else target)
    )


@compiled(i64(i64))
def view_action(action: int) -> int:
    """The number among the 40 of an engine's action."""
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    if action >= at.ATTACK_WITH:
        target = action & at.POSITION_MASK
        place = BOARD_PLACES if target == at.AT_PLAYER else target
        return FIRST_ATTACK + TARGETS * position + place
    return position if action >= at.PLAY else LAST_ACTION

"""Observations and action numbers of an agent's view, and play until an outside agent is to move.

The duel's view is inlined here, behind a branch that always goes the same way. The general view is
called by its address, so that it is compiled only where a learned agent plays a general game.

The duel's view has 67 numbers and 40 actions for the seat to move. Own values come before the
enemy's, older cards before newer ones, and empty places are zero (DESIGN section 5):

    0-1    life            4-39   own hand, nine cards of (health, attack, cost, effect)
    2-3    mana            40-49  own board, five units of (health, attack)
    60-64  unit may attack 50-59  enemy board, five units of (health, attack)
                           65-66  cards left in the decks

Actions 0-8 play a card of the hand. Action 9 + 6u + t lets unit u attack the enemy's unit t, or the
enemy player if t = 5. Action 39 ends the turn.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.addresses import call_mark, call_policy, call_rule, call_see
from sim.engine.compiled import Bytes, Floats, Vector, Words, compiled, i64, none
from sim.engine.listing import listed
from sim.engine.rules import act
from sim.engine.streams import load64
from sim.engine.zones import board, hand, item, player
from sim.ruleset import N_SEATS

# Sizes of the legacy duel, which learned agents of earlier versions were trained on.
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
NO_ACTION = -1  # an engine's action that is illegal in every position


@compiled(none(Words, i64, Floats, i64))
def _observe_units(state: Any, zone: int, values: Any, start: int) -> None:
    """Write health and attack of each unit of a board into `values`, from index `start`.

    Args:
        state: a running game.
        zone: offset of the board in the state.
        values: observation to write to.
        start: index of the first unit's health.
    """
    for position in range(state[zone]):
        unit = item(state, zone, position)
        word = start + UNIT_VALUES * position
        values[word] = state[unit + at.HEALTH]
        values[word + 1] = state[unit + at.ATTACK]


@compiled(none(Words, Words, Floats))
def observe(state: Any, view: Any, values: Any) -> None:
    """Write the duel's observation for the active seat.

    Args:
        state: a running game.
        view: words of the view, with the effect code of each card of the pool
            (`sim.observation.view.card_codes`).
        values: the observation, overwritten, shape ``[N_VALUES]``.
    """
    seat = state[at.ACTIVE]
    own = player(seat)
    enemy = player(1 - seat)
    for word in range(N_VALUES):
        values[word] = 0.0
    values[LIVES] = state[own + at.HEALTH]
    values[LIVES + 1] = state[enemy + at.HEALTH]
    values[MANAS] = state[own + at.MANA]
    values[MANAS + 1] = state[enemy + at.MANA]
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
    """Mark each of the duel's actions 1 if legal, else 0, and return the number of legal actions.

    Args:
        state: a running game of the duel.
        mask: the marks, overwritten, shape ``[N_ACTIONS]``.
    """
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
    """Return the engine's number of one of the duel's 40 actions, `NO_ACTION` for other numbers."""
    if action < 0 or action > LAST_ACTION:
        return NO_ACTION
    if action == LAST_ACTION:
        return at.END_TURN
    if action < FIRST_ATTACK:
        return at.PLAY + (action << at.SOURCE_SHIFT) + at.AT_NOBODY
    unit = (action - FIRST_ATTACK) // TARGETS
    target = (action - FIRST_ATTACK) % TARGETS
    return (
        at.ATTACK_WITH
        + (unit << at.SOURCE_SHIFT)
        + (at.AT_PLAYER if target == BOARD_PLACES else target)
    )


@compiled(i64(i64))
def view_action(action: int) -> int:
    """Return the number, among the duel's 40 actions, of the engine's action `action`."""
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    if action >= at.ATTACK_WITH:
        target = action & at.POSITION_MASK
        place = BOARD_PLACES if target == at.AT_PLAYER else target
        return FIRST_ATTACK + TARGETS * position + place
    return position if action >= at.PLAY else LAST_ACTION


# --- the duel's view or the general view ---


@compiled(none(Words, Words, Words, Floats))
def see(state: Any, table: Any, view: Any, values: Any) -> None:
    """Write the observation of the active seat.

    Args:
        state: words of a game; the general view overwrites its work area.
        table: card table of the game's variant.
        view: words of the view (`sim.observation.view`).
        values: the observation, overwritten, shape ``[n_values]``.
    """
    if view[at.VIEW_GENERAL]:
        call_see(load64(view, at.VIEW_SEE), state, table, view, values)
    else:
        observe(state, view, values)


@compiled(i64(Words, Words, Words, Bytes))
def mark(state: Any, table: Any, view: Any, mask: Any) -> int:
    """Mark each of the view's actions 1 if legal, else 0, and return the number of legal actions.

    Args:
        state: a running game; the general view overwrites its work area.
        table: card table of the game's variant.
        view: words of the view (`sim.observation.view`).
        mask: the marks, overwritten, shape ``[n_actions]``.
    """
    if view[at.VIEW_GENERAL]:
        return call_mark(load64(view, at.VIEW_MARK), state, table, view, mask)
    return mark_legal(state, mask)


@compiled(i64(Words, Words))
def forced_action(state: Any, view: Any) -> int:
    """Return the engine's number of the only legal action, if `mark` has just returned 1."""
    return listed(state, 0) if view[at.VIEW_GENERAL] else at.END_TURN


@compiled(i64(Words, Words, i64))
def to_engine(table: Any, view: Any, action: int) -> int:
    """Return the engine's number of an action of the view; other numbers give an illegal action.

    Args:
        table: card table of the game's variant.
        view: words of the view.
        action: the view's number of the action.
    """
    if view[at.VIEW_GENERAL]:
        return call_rule(load64(view, at.VIEW_TO_ENGINE), table, view, action)
    return engine_action(action)


@compiled(i64(Words, Words, i64))
def from_engine(table: Any, view: Any, action: int) -> int:
    """Return the view's number of an action of the engine; out of range for some illegal actions.

    Args:
        table: card table of the game's variant.
        view: words of the view.
        action: the engine's number of the action.
    """
    if view[at.VIEW_GENERAL]:
        return call_rule(load64(view, at.VIEW_FROM_ENGINE), table, view, action)
    return view_action(action)


@compiled(none(Words, Words, Words, i64, Vector, i64))
def count_action(state: Any, table: Any, view: Any, action: int, chosen: Any, row: int) -> None:
    """Count the action of the active seat by row and seat, unless `chosen` is empty.

    An illegal action can have a number beyond the view's range. It is then not counted, since it is
    reported as a fault.

    Args:
        state: words of the game before the action.
        table: card table of the game's variant.
        view: words of the view that numbers the actions.
        action: the engine's number of the action.
        chosen: counts of actions, shape ``[rows * N_SEATS * n_actions]``, or empty.
        row: row of `chosen` to count in.
    """
    if chosen.size:
        number = from_engine(table, view, action)
        if number < view[at.VIEW_N_ACTIONS]:
            chosen[view[at.VIEW_N_ACTIONS] * (N_SEATS * row + state[at.ACTIVE]) + number] += 1


@compiled(none(Words, Words, Words, Words, Words, i64, i64, i64, Bytes, Vector, i64))
def play_until_asked(
    state: Any,
    table: Any,
    first_view: Any,
    second_view: Any,
    counting_view: Any,
    first_agent: int,
    second_agent: int,
    skip_forced: int,
    mask: Any,
    chosen: Any,
    row: int,
) -> None:
    """Play compiled agents' moves until the game is over or an outside agent is to move.

    Args:
        state: words of a game, running or over.
        table: card table of the game's variant.
        first_view: words of the view of seat 0's agent, if that is an outside agent.
        second_view: words of the view of seat 1's agent, if that is an outside agent.
        counting_view: words of the view that numbers the counted actions.
        first_agent: address of seat 0's agent, or `ASK` for an outside agent.
        second_agent: address of seat 1's agent, or `ASK` for an outside agent.
        skip_forced: whether an outside agent's only legal action is taken without a request.
        mask: legal actions of the outside agent that is to move, shape ``[n_actions]``; undefined
            if the game is over.
        chosen: counts of the actions taken here (`count_action`), or empty.
        row: row of `chosen` to count in.
    """
    while state[at.RESULT] == at.RUNNING:
        agent = second_agent if state[at.ACTIVE] else first_agent
        view = second_view if state[at.ACTIVE] else first_view
        if agent != at.ASK:
            action = call_policy(agent, state, table)
        elif mark(state, table, view, mask) > 1 or not skip_forced:
            return
        else:
            action = forced_action(state, view)
        count_action(state, table, counting_view, action, chosen, row)
        # One call for all cases, since `act` is inlined and its copy is most of the machine code.
        act(state, table, action)

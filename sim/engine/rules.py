"""Rules of plain games: the effect of each action, and how turns and games begin and end.

In a plain game no effect chooses, damages or reacts to anything but players. Every other game is
played by the general rules (`sim/engine/general`). This module calls them by their address, so that
they are compiled once and only if needed. The general rules can play plain games too, and a test
compares both on the same games.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Selector
from sim.engine import layout as at
from sim.engine.addresses import call_handler, call_rule
from sim.engine.compensation import extra_mana
from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.draws import draw_card
from sim.engine.faults import allow_actions, fail, settle, spend_steps
from sim.engine.streams import AGENT_OFFSET, EFFECT_OFFSET, load64, number, store64
from sim.engine.zones import (
    board,
    enter_board,
    free_record,
    hand,
    item,
    player,
    take_from_board,
    take_from_hand,
)
from sim.ruleset import DECK_CAPACITY

# Steps of resolution of one row, as the general rules count them: the row is reached, is executed
# once, and acts on one player.
STEPS_OF_A_ROW = 3


@compiled(none(Words, Words, i64))
def _start_turn(state: Any, table: Any, seat: int) -> None:
    """Begin a seat's turn: raise and refill its mana, ready its units, and draw a card.

    The mana cap rises by 1, up to the ruleset's maximum. The first turn of the game draws no card
    if the ruleset says so.
    """
    state[at.ACTIVE] = seat
    state[at.TURN] += 1
    state[at.N_ATTACKS] = 0
    allow_actions(state, table)
    mover = player(seat)
    state[mover + at.MANA_CAP] = min(state[mover + at.MANA_CAP] + 1, table[at.MANA_MAX])
    state[mover + at.MANA] = state[mover + at.MANA_CAP] + extra_mana(state, table, seat)
    units = board(seat)
    for position in range(state[units]):
        state[item(state, units, position) + at.READY] = 1
    if state[at.TURN] > 1 or table[at.SKIP_FIRST_DRAW] == 0:
        draw_card(state, table, seat)


@compiled(none(Words, u64))
def seed_streams(state: Any, game_seed: int) -> None:
    """Seed both seats' random streams of a game: for draws, for agents' choices and for effects."""
    for seat in range(2):
        store64(state, player(seat) + at.DRAW_STREAM, number(game_seed, 1 + seat))
        store64(state, player(seat) + at.AGENT_STREAM, number(game_seed, 1 + seat + AGENT_OFFSET))
        store64(state, player(seat) + at.EFFECT_STREAM, number(game_seed, 1 + seat + EFFECT_OFFSET))


@compiled(none(Words, Words, u64))
def deal(state: Any, table: Any, game_seed: int) -> None:
    """Start a prepared game: seed its streams, deal the opening hands, and begin the first turn.

    Dealing stops if a draw from an empty deck ends the game. Under general rules a mulligan may
    come before the first turn.
    """
    seed_streams(state, game_seed)
    for seat in range(2):
        for _ in range(table[at.OPENING_HAND + seat]):
            if state[at.RESULT] == at.RUNNING:
                draw_card(state, table, seat)
    if state[at.GENERAL]:
        call_rule(load64(table, at.BEGIN), state, table, at.END_TURN)
    elif state[at.RESULT] == at.RUNNING:
        _start_turn(state, table, 0)


@compiled(i64(Words, Words, i64))
def is_legal(state: Any, table: Any, action: int) -> bool:
    """Return whether the active seat may take `action` now."""
    if state[at.GENERAL]:
        return call_rule(load64(table, at.LEGAL), state, table, action) != 0
    seat = state[at.ACTIVE]
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    if action >= at.ATTACK_WITH:
        target = action & at.POSITION_MASK
        return (
            position < state[board(seat)]
            and state[item(state, board(seat), position) + at.READY] > 0
            and (target == at.AT_PLAYER or target < state[board(1 - seat)])
        )
    if action >= at.PLAY:
        return (
            position < state[hand(seat)]
            and state[item(state, hand(seat), position) + at.COST] <= state[player(seat) + at.MANA]
        )
    return action == at.END_TURN


@compiled(none(Words, i64, i64, i64))
def _attack(state: Any, seat: int, position: int, target: int) -> None:
    """Attack the enemy player, or exchange damage with an enemy unit simultaneously.

    Args:
        state: a running plain game.
        seat: seat of the attacker.
        position: position of the attacking unit on its board.
        target: position of the attacked unit on its board, or `AT_PLAYER`.
    """
    unit = item(state, board(seat), position)
    state[unit + at.READY] -= 1
    state[at.N_ATTACKS] += 1
    if target == at.AT_PLAYER:
        state[player(1 - seat) + at.HEALTH] -= state[unit + at.ATTACK]
        settle(state)
        return
    enemy = item(state, board(1 - seat), target)
    state[enemy + at.HEALTH] -= state[unit + at.ATTACK]
    state[unit + at.HEALTH] -= state[enemy + at.ATTACK]
    # Both deaths are checked after both losses of health, so that the exchange is simultaneous.
    if state[enemy + at.HEALTH] <= 0:
        free_record(state, take_from_board(state, board(1 - seat), target))
    if state[unit + at.HEALTH] <= 0:
        free_record(state, take_from_board(state, board(seat), position))


@compiled(i64(i64, i64))
def _target(selector: int, owner: int) -> int:
    """Return the record of the player that a plain effect row acts on.

    Args:
        selector: `Selector` of the row; all but `ENEMY_PLAYER` mean the owner.
        owner: seat of the row's owner.
    """
    return player(1 - owner) if selector == Selector.ENEMY_PLAYER else player(owner)


@compiled(none(Words, Words, i64))
def _run_rows(state: Any, table: Any, source: int) -> None:
    """Carry out the effect rows of the card `source` in their order until the game is over."""
    card = at.CARDS + at.CARD_SIZE * state[source + at.CARD]
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if state[at.RESULT] == at.RUNNING:  # a row may have ended the game
            spend_steps(state, table, STEPS_OF_A_ROW)
            state[at.ROW_AT_WORK] = row
            state[at.NOW_AMOUNT] = table[row + at.ROW_AMOUNT]
            handler = load64(table, at.HANDLERS + 4 * table[row + at.ROW_OPCODE])
            target = _target(table[row + at.ROW_SELECTOR], state[source + at.OWNER])
            call_handler(handler, state, table, row, source, target)
            settle(state)
        row += at.ROW_SIZE


@compiled(none(Words, Words, i64, i64))
def _play_card(state: Any, table: Any, seat: int, position: int) -> None:
    """Pay for a card, put its unit on the board unless that is full, and carry out its effects.

    Args:
        state: a running plain game.
        table: card table of the game's variant.
        seat: seat of the player.
        position: position of the card in the hand.
    """
    card = take_from_hand(state, hand(seat), position)
    state[player(seat) + at.MANA] -= state[card + at.COST]
    state[at.SEEN + DECK_CAPACITY * seat + state[card + at.SLOT]] |= at.SEEN_PLAYED
    state[at.LAST_PLAYED] = 1 + state[card + at.CARD]
    has_room = state[board(seat)] < table[at.BOARD_LIMIT]
    if has_room:
        enter_board(state, board(seat), card)
    state[at.N_STEPS] = 0
    _run_rows(state, table, card)
    if not has_room:  # freed only now, since the rows read the record of their card
        free_record(state, card)


@compiled(none(Words, Words, i64))
def _end_turn(state: Any, table: Any, seat: int) -> None:
    """End a turn: the game is a draw at the turn cap, else the other seat's turn begins."""
    if state[at.TURN] >= table[at.TURN_CAP]:
        state[at.RESULT] = at.DRAWN
    else:
        _start_turn(state, table, 1 - seat)


@compiled(none(Words, Words, i64))
def act(state: Any, table: Any, action: int) -> None:
    """Carry out one action of the active seat.

    An illegal action sets `FAULT_ILLEGAL` and ends the turn instead. An action beyond the ruleset's
    maximum per turn, other than the end of the turn, stops the game as a fault.
    """
    seat = state[at.ACTIVE]
    state[at.N_ACTIONS] += 1
    state[player(seat) + at.N_DECISIONS] += 1
    if state[at.N_ACTIONS] > state[at.TURN_ALLOWS] and action != at.END_TURN:
        fail(state, at.FAULT_TURN if state[at.N_ACTIONS] <= at.COUNT_MAX else at.FAULT_COUNT)
        return
    if state[at.GENERAL]:
        call_rule(load64(table, at.ACT), state, table, action)
        return
    if not is_legal(state, table, action):
        state[at.FAULT] |= at.FAULT_ILLEGAL
        action = at.END_TURN
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    if action >= at.ATTACK_WITH:
        _attack(state, seat, position, action & at.POSITION_MASK)
    elif action >= at.PLAY:
        _play_card(state, table, seat, position)
    else:
        _end_turn(state, table, seat)

"""Functions of scripted agents for plain games: actions, and sums and searches over zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, hand, item, player
from sim.play.agent import Policy

NONE = -1  # stands for a position or an action if there is none
EXPENDABLE = 1 << 15  # as a health, it exceeds every attack (a signed 16-bit number)


@compiled(i64(i64, i64))
def attack_with(unit: int, target: int) -> int:
    """Return the action in which an own unit attacks a unit or the enemy player.

    Args:
        unit: position of the attacker on the own board.
        target: position of the defender on the enemy's board, or `AT_PLAYER`.
    """
    return at.ATTACK_WITH + (unit << at.SOURCE_SHIFT) + target


@compiled(i64(i64))
def play(position: int) -> int:
    """Return the action that plays the card at a position of the hand."""
    return at.PLAY + (position << at.SOURCE_SHIFT) + at.AT_NOBODY


@compiled(i64(Words, i64))
def count_legal(state: Any, seat: int) -> int:
    """Return the number of legal actions of a seat in a plain game, the end of the turn included.

    A card may be played even if the board is full; its unit is then destroyed.
    """
    n_legal = 1  # ending the turn
    mana = state[player(seat) + at.MANA]
    for position in range(state[hand(seat)]):
        n_legal += state[item(state, hand(seat), position) + at.COST] <= mana
    for unit in range(state[board(seat)]):
        if state[item(state, board(seat), unit) + at.READY] > 0:
            n_legal += state[board(1 - seat)] + 1
    return n_legal


@compiled(i64(Words, i64, i64))
def legal_action(state: Any, seat: int, k: int) -> int:
    """Return the k-th legal action of a seat in a plain game, counted from 0.

    The order is: plays by position in the hand; attacks by attacker and then by target, with the
    enemy player last; the end of the turn.
    """
    mana = state[player(seat) + at.MANA]
    for position in range(state[hand(seat)]):
        if state[item(state, hand(seat), position) + at.COST] <= mana:
            if k == 0:
                return play(position)
            k -= 1
    n_targets = state[board(1 - seat)] + 1
    for unit in range(state[board(seat)]):
        if state[item(state, board(seat), unit) + at.READY] > 0:
            if k < n_targets:
                return attack_with(unit, at.AT_PLAYER if k == n_targets - 1 else k)
            k -= n_targets
    return at.END_TURN


@compiled(i64(Words, Words, i64))
def oldest_play(state: Any, table: Any, seat: int) -> int:
    """Return the action that plays the oldest playable card of the hand, or `NONE`.

    The result is `NONE` if no cost can be paid, the board is full, or the seat has already attacked
    in this turn: these agents play cards only before their first attack.
    """
    if state[at.N_ATTACKS] > 0 or state[board(seat)] >= table[at.BOARD_LIMIT]:
        return NONE
    mana = state[player(seat) + at.MANA]
    cards = hand(seat)
    for position in range(state[cards]):
        if state[item(state, cards, position) + at.COST] <= mana:
            return play(position)
    return NONE


@compiled(i64(Words, i64))
def oldest_ready(state: Any, zone: int) -> int:
    """Return the position of the oldest unit of a board that can attack, or `NONE` if none can."""
    for position in range(state[zone]):
        if state[item(state, zone, position) + at.READY] > 0:
            return position
    return NONE


@compiled(i64(Words, i64, i64, i64))
def oldest_killed(state: Any, zone: int, damage: int, health: int) -> int:
    """Return the position of the oldest unit that an attacker destroys and survives, or `NONE`.

    Args:
        state: state of the game.
        zone: offset of the board with the units.
        damage: attack of the attacker.
        health: health of the attacker; `EXPENDABLE` if the attacker may die.
    """
    for position in range(state[zone]):
        enemy = item(state, zone, position)
        if state[enemy + at.HEALTH] <= damage and state[enemy + at.ATTACK] < health:
            return position
    return NONE


@compiled(i64(Words, i64, i64))
def total(state: Any, zone: int, field: int) -> int:
    """Return the sum of a field over the units of a board.

    Args:
        state: state of the game.
        zone: offset of the board.
        field: offset of the field in a record, such as `ATTACK`.
    """
    result = 0
    for position in range(state[zone]):
        result += state[item(state, zone, position) + field]
    return result


@compiled(i64(Words, i64))
def ready_attack(state: Any, zone: int) -> int:
    """Return the sum of the attacks of the units of a board that can attack now."""
    result = 0
    for position in range(state[zone]):
        unit = item(state, zone, position)
        if state[unit + at.READY] > 0:
            result += state[unit + at.ATTACK]
    return result


@compiled(i64(Words, i64, i64, i64))
def highest(state: Any, zone: int, field: int, sign: int) -> int:
    """Return the position of the unit of a board with the highest or lowest value of a field.

    Of equal units the oldest is returned; the position is 0 for an empty board.

    Args:
        state: state of the game.
        zone: offset of the board.
        field: offset of the field in a record, such as `ATTACK`.
        sign: 1 for the highest value, -1 for the lowest.
    """
    best = 0
    for position in range(1, state[zone]):
        score = sign * state[item(state, zone, position) + field]
        if score > sign * state[item(state, zone, best) + field]:
            best = position
    return best


def plain_turn_by(choose_target: Callable[[Any, int, int], int]) -> Policy:
    """Return a policy for plain games that first plays all playable cards and then attacks.

    Cards are played and units attack from the oldest to the newest.

    Args:
        choose_target: compiled function from (state, seat, position of the own unit) to the
            position of the enemy unit that the own unit attacks, or `AT_PLAYER`.
    """

    @compiled(i64(Words, Words))
    def take_turn(state: Any, table: Any) -> int:
        seat = state[at.ACTIVE]
        played = oldest_play(state, table, seat)
        if played != NONE:
            return played
        unit = oldest_ready(state, board(seat))
        if unit == NONE:
            return at.END_TURN
        return attack_with(unit, choose_target(state, seat, unit))

    return take_turn

"""What agents look at: legal actions, and sums and searches over hand and boards."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, hand, item, player

NONE = -1


@compiled(i64(i64, i64))
def attack_with(unit: int, target: int) -> int:
    """The action in which the own unit at position `unit` attacks `target`."""
    return at.ATTACK_WITH + (unit << at.SOURCE_SHIFT) + target


@compiled(i64(i64))
def play(position: int) -> int:
    """The action that plays the card at `position` of the hand."""
    return at.PLAY + (position << at.SOURCE_SHIFT) + at.AT_NOBODY


@compiled(i64(Words, i64))
def count_legal(state: Any, seat: int) -> int:
    """How many actions `seat` may choose from."""
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
    """The k-th legal action: plays, then attacks (the enemy player last), then end of turn."""
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
    """The oldest card in hand that can be paid and whose body has room, else `NONE`.

    Playing comes before attacking and is never returned to, so an attack made in this turn
    means that playing is over.
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
    """Position of the oldest unit that can attack, else `NONE`."""
    for position in range(state[zone]):
        if state[item(state, zone, position) + at.READY] > 0:
            return position
    return NONE


@compiled(i64(Words, i64, i64))
def oldest_killed(state: Any, zone: int, damage: int) -> int:
    """Position of the oldest unit of a board that `damage` would destroy, else `NONE`."""
    for position in range(state[zone]):
        if state[item(state, zone, position) + at.HEALTH] <= damage:
            return position
    return NONE


@compiled(i64(Words, i64, i64, i64))
def oldest_killed_safely(state: Any, zone: int, damage: int, health: int) -> int:
    """As `oldest_killed`, but only a unit that a fighter of this `health` would survive."""
    for position in range(state[zone]):
        enemy = item(state, zone, position)
        if state[enemy + at.HEALTH] <= damage and state[enemy + at.ATTACK] < health:
            return position
    return NONE


@compiled(i64(Words, i64, i64))
def total(state: Any, zone: int, field: int) -> int:
    """Sum of one field over the units of a board."""
    result = 0
    for position in range(state[zone]):
        result += state[item(state, zone, position) + field]
    return result


@compiled(i64(Words, i64))
def ready_attack(state: Any, zone: int) -> int:
    """Damage that all units able to attack would do together."""
    result = 0
    for position in range(state[zone]):
        unit = item(state, zone, position)
        if state[unit + at.READY] > 0:
            result += state[unit + at.ATTACK]
    return result


@compiled(i64(Words, i64))
def highest_attack(state: Any, zone: int) -> int:
    """Position of the unit with the highest attack, the oldest of equals."""
    best = 0
    for position in range(1, state[zone]):
        if (
            state[item(state, zone, position) + at.ATTACK]
            > state[item(state, zone, best) + at.ATTACK]
        ):
            best = position
    return best


@compiled(i64(Words, i64))
def lowest_health(state: Any, zone: int) -> int:
    """Position of the unit with the lowest health, the oldest of equals."""
    best = 0
    for position in range(1, state[zone]):
        if (
            state[item(state, zone, position) + at.HEALTH]
            < state[item(state, zone, best) + at.HEALTH]
        ):
            best = position
    return best

"""The control agent: trades well, and attacks the player to win or if trading is hopeless."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import (
    EXPENDABLE,
    NONE,
    highest,
    oldest_killed,
    plain_turn_by,
    ready_attack,
    total,
)
from agents.scripted.scores import kills, turn_by, would_fall
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.zones import board, item, player
from sim.play.agent import CompiledAgent

# Scores of the kinds of attack, in order of preference. Their distances exceed every attack and
# health, so that the kind decides first.
FACE = 400_000  # an attack on the enemy player, if `_should_attack_player`
CLEAN = 300_000  # an attack that destroys a minion and that the attacker survives
KILL = 200_000  # an attack that destroys a minion and the attacker
OTHERS = 100_000  # all other attacks on minions
LAST = 1  # lowest score at which an attack is still made


@compiled(i64(Words, i64, i64, i64))
def _should_attack_player(state: Any, seat: int, attack: int, enemy_attack: int) -> bool:
    """Return whether to attack the enemy player instead of its minions (DESIGN section 5).

    This is so if the attack wins the game, or if trading is hopeless: twice the enemy's total
    attack exceeds the total health of the own minions.

    Args:
        state: state of the game.
        seat: seat to move.
        attack: total attack of the own characters that can attack.
        enemy_attack: total attack of the enemy's minions.
    """
    if attack >= state[player(1 - seat) + at.HEALTH]:
        return True
    return 2 * enemy_attack > total(state, board(seat), at.HEALTH)


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """Return the score of an attack, or 0 if the attacking player would die.

    In order of preference: the enemy player, if `_should_attack_player`; kills that the attacker
    survives; other kills; other minions; the enemy player. Among the other minions, a higher attack
    is preferred if the total attack of the enemy minions exceeds the own health, otherwise a lower
    health.

    Args:
        state: state of the game.
        attacker: offset of the attacker's record.
        defender: offset of the defender's record.
    """
    seat = state[at.ACTIVE]
    leader = player(seat)
    enemy_attack = total(state, board(1 - seat), at.ATTACK)
    if is_player(defender):
        attack = ready_attack(state, board(seat))
        attack += state[leader + at.READY] * state[leader + at.ATTACK]
        return FACE if _should_attack_player(state, seat, attack, enemy_attack) else LAST
    if would_fall(state, attacker, defender):
        return 0
    if kills(state, attacker, defender):
        is_clean = is_player(attacker) or not kills(state, defender, attacker)
        return CLEAN if is_clean else KILL
    if enemy_attack > state[leader + at.HEALTH]:
        return OTHERS + state[defender + at.ATTACK]
    return OTHERS - state[defender + at.HEALTH]


@compiled(i64(Words, i64, i64))
def _target(state: Any, seat: int, unit: int) -> int:
    """Return the position of the enemy unit that an own unit attacks, or `AT_PLAYER`.

    In order of preference (DESIGN section 5): the player, if there is no enemy unit or
    `_should_attack_player`; the oldest unit that the attacker destroys and survives; the oldest
    unit that it destroys. Otherwise the unit with the highest attack, if all enemy units together
    could kill the own player, else the unit with the lowest health.

    Args:
        state: state of a plain game.
        seat: seat to move.
        unit: position of the own unit on its board.
    """
    enemy = board(1 - seat)
    if state[enemy] == 0:
        return at.AT_PLAYER
    enemy_attack = total(state, enemy, at.ATTACK)
    if _should_attack_player(state, seat, ready_attack(state, board(seat)), enemy_attack):
        return at.AT_PLAYER
    attacker = item(state, board(seat), unit)
    attack = state[attacker + at.ATTACK]
    victim = oldest_killed(state, enemy, attack, state[attacker + at.HEALTH])
    if victim == NONE:
        victim = oldest_killed(state, enemy, attack, EXPENDABLE)
    if victim != NONE:
        return victim
    if enemy_attack > state[player(seat) + at.HEALTH]:
        return highest(state, enemy, at.ATTACK, 1)
    return highest(state, enemy, at.HEALTH, -1)


# Chosen by hand, not tuned: damage to the player counts as much as damage to minions, and cards up
# to a cost of 4 are kept.
_turn = turn_by(_attack_score, face_weight=1, dearest_kept=4)
_plain_turn = plain_turn_by(_target)


def choose(state: Any, table: Any) -> int:
    """Return the action that control chooses for the seat to move (DESIGN section 5)."""
    return _turn(state, table)


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the same action as `choose`, computed faster; for plain games only."""
    return _plain_turn(state, table)


AGENT = CompiledAgent("control", choose, shortcut=choose_in_plain_games)

"""The aggro agent: attacks the player, unless its own life is low and it can destroy a minion."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import EXPENDABLE, NONE, oldest_killed, plain_turn_by
from agents.scripted.scores import fight_score, kills, turn_by, would_fall
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.zones import board, item, player
from sim.play.agent import CompiledAgent

SAFE_LIFE = 12  # minimum life at which enemy units are ignored, as in the thesis (DESIGN section 5)
# Scores of the kinds of attack, in order of preference. Their distances exceed every score of a
# fight, so that the kind decides first.
KILL = 300_000  # a minion's attack that destroys a minion, if the own life is low
FACE = 200_000  # an attack on the enemy player
OTHERS = 100_000  # all other attacks


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """Return the score of an attack, or 0 if the attacking player would die.

    An attack on the enemy player scores highest, except that below `SAFE_LIFE` a minion's attack
    that destroys a minion scores higher. All other fights score lowest; they are made only if
    minions with taunt permit no other attack.

    Args:
        state: state of the game.
        attacker: offset of the attacker's record.
        defender: offset of the defender's record.
    """
    if is_player(defender):
        return FACE
    if would_fall(state, attacker, defender):
        return 0
    is_safe = state[player(state[at.ACTIVE]) + at.HEALTH] >= SAFE_LIFE
    if not is_safe and not is_player(attacker) and kills(state, attacker, defender):
        return KILL
    return OTHERS + fight_score(state, attacker, defender)


@compiled(i64(Words, i64, i64))
def _target(state: Any, seat: int, unit: int) -> int:
    """Return the position of the enemy unit that an own unit attacks, or `AT_PLAYER`.

    The unit attacks the player if the own life is at least `SAFE_LIFE` or the unit can destroy no
    enemy unit; otherwise it attacks the oldest enemy unit that it destroys.

    Args:
        state: state of a plain game.
        seat: seat to move.
        unit: position of the own unit on its board.
    """
    enemy = board(1 - seat)
    if state[enemy] == 0 or state[player(seat) + at.HEALTH] >= SAFE_LIFE:
        return at.AT_PLAYER
    damage = state[item(state, board(seat), unit) + at.ATTACK]
    victim = oldest_killed(state, enemy, damage, EXPENDABLE)
    return at.AT_PLAYER if victim == NONE else victim


# Chosen by hand, not tuned: the agent prefers damage to the player and keeps only cheap cards.
_turn = turn_by(_attack_score, face_weight=3, dearest_kept=2)
_plain_turn = plain_turn_by(_target)


def choose(state: Any, table: Any) -> int:
    """Return the action that aggro chooses for the seat to move (DESIGN section 5)."""
    return _turn(state, table)


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the same action as `choose`, computed faster; for plain games only."""
    return _plain_turn(state, table)


AGENT = CompiledAgent("aggro", choose, shortcut=choose_in_plain_games)

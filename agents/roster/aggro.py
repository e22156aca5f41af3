"""The aggro agent: attacks the player, unless own life is low and a minion can be destroyed."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import EXPENDABLE, NONE, oldest_killed, plain_turn_by
from agents.scripted.scores import fight_score, kills, turn_by, would_fall
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.zones import board, item, player
from sim.play.agent import CompiledAgent

SAFE_LIFE = 12  # own life from which enemy units are ignored, as in the thesis (DESIGN section 5)
# Scores of the kinds of attack, in order of preference; no fight scores as much as their distance.
KILL = 300_000
FACE = 200_000
OTHERS = 100_000


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """Return the score of an attack, 0 for one that must not be made.

    The enemy player comes first; below `SAFE_LIFE` a kill comes before it. Other fights come last,
    and are made only where guards leave no other attack.
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
    """Return the position that the own unit at position `unit` attacks, or `AT_PLAYER`."""
    enemy = board(1 - seat)
    if state[enemy] == 0 or state[player(seat) + at.HEALTH] >= SAFE_LIFE:
        return at.AT_PLAYER
    damage = state[item(state, board(seat), unit) + at.ATTACK]
    victim = oldest_killed(state, enemy, damage, EXPENDABLE)
    return at.AT_PLAYER if victim == NONE else victim


# Chosen by hand, not tuned: damage to the player counts most, and only cheap cards are kept.
_turn = turn_by(_attack_score, face_weight=3, dearest_kept=2)
_plain_turn = plain_turn_by(_target)


def choose(state: Any, table: Any) -> int:
    """Return the action of the seat to move (DESIGN section 5)."""
    return _turn(state, table)


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the action that `choose` returns in plain games, without listing the actions."""
    return _plain_turn(state, table)


AGENT = CompiledAgent("aggro", choose, shortcut=choose_in_plain_games)

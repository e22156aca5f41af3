"""Readiness: who may attack, heroes' attack and spell damage, brought up to date after an action.

All of it follows from where everything stands; nothing is remembered from one time to the next.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import not_negative
from sim.engine.zones import HASTE, board, item, player

WINDFURY, CANNOT_ATTACK = int(Keyword.WINDFURY), int(Keyword.CANNOT_ATTACK)


@compiled(i64(Words, i64, i64))
def _attacks_left(state: Any, attacker: int, keywords: int) -> int:
    """Attacks that a character of the active seat may still make, whatever its attack.

    The answers are joined without branches: no processor can guess them.
    """
    status = state[attacker + at.STATUS]
    is_awake = (status & at.IS_NEW == 0) | (keywords & HASTE != 0)
    is_free = (status & at.IS_FROZEN == 0) & (keywords & CANNOT_ATTACK == 0)
    n_left = 1 + (keywords & WINDFURY != 0) - state[attacker + at.N_MADE]
    return (is_awake & is_free) * max(n_left, 0)


@compiled(none(Words, i64, i64))
def _ready_player(state: Any, leader: int, is_active: int) -> None:
    """A player attacks with what the turn lent, and in the own turn with the weapon."""
    attack = state[leader + at.TURN_ATTACK] + state[leader + at.AURA_ATTACK]
    keywords = state[leader + at.KEYWORDS]
    weapon = state[leader + at.WEAPON]
    if weapon != 0 and is_active:
        attack += state[weapon + at.ATTACK]
        keywords |= state[weapon + at.KEYWORDS] & WINDFURY
    attack = not_negative(attack)
    state[leader + at.ATTACK] = attack
    may_attack = is_active and attack > 0
    state[leader + at.READY] = _attacks_left(state, leader, keywords) if may_attack else 0


@compiled(none(Words, Words, i64, i64))
def _ready_side(state: Any, table: Any, seat: int, is_active: int) -> None:
    """What the characters of a seat may do, and its spell damage."""
    _ready_player(state, player(seat), is_active)
    may_be_idle = table[at.IDLE_ATTACKERS] != 0
    spell_damage, minions = 0, board(seat)
    for position in range(state[minions]):
        minion = item(state, minions, position)
        may_attack = is_active & ((state[minion + at.ATTACK] > 0) | may_be_idle)
        state[minion + at.READY] = may_attack * _attacks_left(
            state, minion, state[minion + at.KEYWORDS]
        )
        spell_damage += state[minion + at.SPELL_POWER]
    state[player(seat) + at.SPELL_DAMAGE] = not_negative(spell_damage)


@compiled(none(Words, i64))
def add_up_spell_damage(state: Any, seat: int) -> None:
    """Bring a seat's spell damage up to date in the middle of an action."""
    total = 0
    for position in range(state[board(seat)]):
        total += state[item(state, board(seat), position) + at.SPELL_POWER]
    state[player(seat) + at.SPELL_DAMAGE] = not_negative(total)


@compiled(none(Words, Words))
def refresh_readiness(state: Any, table: Any) -> None:
    """Bring heroes' attack, readiness and spell damage up to date.

    Of the side that is not to move, nothing changes but with the boards.
    """
    _ready_side(state, table, state[at.ACTIVE], 1)
    if state[at.BOARD_CHANGED]:
        state[at.BOARD_CHANGED] = 0
        _ready_side(state, table, 1 - state[at.ACTIVE], 0)

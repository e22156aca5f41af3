"""Attacks: who hears of them, what calls them off, the blows."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import not_negative
from sim.engine.general.auras import ready_player
from sim.engine.general.changes import deal_damage, lose_keywords
from sim.engine.general.events import emit, resolve
from sim.engine.general.groups import is_alive, is_player
from sim.engine.general.legality import source_of, target_record
from sim.engine.zones import board, item, player

STEALTH = int(Keyword.STEALTH)
BLUNT = int(Keyword.BLUNT)


@compiled(none(Words, i64, i64))
def _exchange_blows(state: Any, attacker: int, defender: int) -> None:
    """Both hit at the same time; a player who is attacked does not hit back."""
    attack = state[attacker + at.ATTACK]
    answer = 0 if is_player(defender) else state[defender + at.ATTACK]
    deal_damage(state, attacker, defender, attack)
    deal_damage(state, defender, attacker, answer)


@compiled(none(Words, i64, i64))
def _wear_off(state: Any, weapon: int, defender: int) -> None:
    """A weapon loses durability; a blunt one attack instead, when it has hit a minion."""
    if is_player(defender) or state[weapon + at.KEYWORDS] & BLUNT == 0:
        state[weapon + at.HEALTH] -= 1
        return
    state[weapon + at.ATTACK] = not_negative(state[weapon + at.ATTACK] - 1)
    if state[weapon + at.ATTACK] <= 0:
        state[weapon + at.HEALTH] = 0


@compiled(i64(Words, Words, i64), apart=True)
def _goes_on(state: Any, table: Any, attacker: int) -> bool:
    """Let all hear of an attack; whether attacker and defender are still there to fight.

    Who has died, has left, was turned into something else or has changed sides meanwhile fights
    no more. A hero attacks with the weapon that it has by then.
    """
    defender = state[at.AIM]
    side = state[attacker + at.OWNER]
    serial = state[attacker + at.SERIAL]
    defender_serial = state[defender + at.SERIAL]
    defender_side = state[defender + at.OWNER]
    resolve(state, table)  # an aura may shield those who attack, a secret aim elsewhere
    if state[at.RESULT] != at.RUNNING or not is_alive(state, state[at.AIM]):
        return False
    if state[at.AIM] == defender and (
        state[defender + at.SERIAL] != defender_serial
        or state[defender + at.OWNER] != defender_side
    ):
        return False
    if is_player(attacker):
        ready_player(state, attacker, 1)
    is_same = state[attacker + at.SERIAL] == serial and state[attacker + at.OWNER] == side
    return is_same and is_alive(state, attacker)


@compiled(none(Words, Words, i64, i64))
def attack(state: Any, table: Any, seat: int, action: int) -> None:
    """Let a minion or the player attack; a weapon wears off, stealth ends."""
    source = source_of(action)
    attacker = player(seat) if source == at.BY_PLAYER else item(state, board(seat), source)
    state[at.PREVIOUS] = 0
    state[at.ATTACKER] = attacker
    state[attacker + at.N_MADE] += 1
    state[at.N_ATTACKS] += 1
    state[at.AIM] = target_record(state, action)
    emit(state, Event.ATTACK, attacker, 0)
    is_heard = state[at.N_EVENTS] > 0 or state[at.AURAS_LIVE] & at.AURAS_VOLATILE
    if not is_heard or _goes_on(state, table, attacker):
        defender = state[at.AIM]
        lose_keywords(state, attacker, STEALTH)
        _exchange_blows(state, attacker, defender)
        weapon = state[player(seat) + at.WEAPON] if source == at.BY_PLAYER else 0
        if weapon != 0:
            _wear_off(state, weapon, defender)
        state[at.DEATHS_DUE] = 1
    state[at.ATTACKER] = 0
    state[at.AIM] = 0
    resolve(state, table)

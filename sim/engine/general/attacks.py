"""Attacks: the reactions that may stop or redirect an attack, and the exchange of damage."""

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
    """Deal the damage of an attack to both sides; an attacked player deals no damage."""
    attack = state[attacker + at.ATTACK]
    counter_attack = 0 if is_player(defender) else state[defender + at.ATTACK]
    deal_damage(state, attacker, defender, attack)
    deal_damage(state, defender, attacker, counter_attack)


@compiled(none(Words, i64, i64))
def _wear_off(state: Any, weapon: int, defender: int) -> None:
    """Reduce a weapon's durability by 1 after an attack.

    A blunt weapon that hit a minion loses 1 attack instead, and breaks at attack 0.
    """
    if is_player(defender) or state[weapon + at.KEYWORDS] & BLUNT == 0:
        state[weapon + at.HEALTH] -= 1
        return
    state[weapon + at.ATTACK] = not_negative(state[weapon + at.ATTACK] - 1)
    if state[weapon + at.ATTACK] <= 0:
        state[weapon + at.HEALTH] = 0


@compiled(i64(Words, Words, i64), apart=True)
def _still_takes_place(state: Any, table: Any, attacker: int) -> bool:
    """Carry out the reactions to an attack and return whether the attack still takes place.

    It does not if the attacker or the defender has died, left play, been transformed or changed
    sides, or if the game is over. A hero attacks with the weapon equipped after the reactions.
    """
    defender = state[at.AIM]
    side = state[attacker + at.OWNER]
    serial = state[attacker + at.SERIAL]
    defender_serial = state[defender + at.SERIAL]
    defender_side = state[defender + at.OWNER]
    resolve(state, table)  # auras may protect the attacker; secrets may redirect it
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
    """Carry out the attack of a minion or the player, with all reactions to the attack.

    If the attack still takes place after the reactions, the attacker loses stealth, and a weapon
    loses durability.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        seat: active seat, 0 or 1.
        action: number of the legal action that attacks.
    """
    source = source_of(action)
    attacker = player(seat) if source == at.BY_PLAYER else item(state, board(seat), source)
    state[at.PREVIOUS] = 0
    state[at.ATTACKER] = attacker
    state[attacker + at.N_MADE] += 1
    state[at.N_ATTACKS] += 1
    state[at.AIM] = target_record(state, action)
    emit(state, Event.ATTACK, attacker, 0)
    is_heard = state[at.N_EVENTS] > 0 or state[at.AURAS_LIVE] & at.AURAS_VOLATILE
    if not is_heard or _still_takes_place(state, table, attacker):
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

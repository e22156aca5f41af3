"""List of legal actions of the active seat, for the agent that has to choose.

The list lies in the state's work area, so that agents need no memory of their own. Each entry has
the same form under plain and general rules: an action, the record of the card or attacker that it
uses, and the record of its target. The order is: cards of the hand (oldest first), attacks (minions
from the left, then the player), the hero power, and the end of the turn. Actions that differ only
in their target are in the order of the target codes. Therefore, of equally good actions the first
in the list has the lowest number, except that the end of the turn comes last.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, i64
from sim.engine.streams import load32, load64, store32
from sim.engine.zones import board, hand, item, player

NO_RECORD = 0


@compiled(i64(Words, i64, i64, i64, i64))
def add_listed(state: Any, n_listed: int, action: int, source: int, target: int) -> int:
    """Append an action, with the records that it uses, to the list and return the new length.

    The length is passed as a value. If it were kept in memory, each append would be delayed by the
    write of the length before it.

    Args:
        state: words of a game.
        n_listed: length of the list so far.
        action: number of the action.
        source: record of the card or attacker, or `NO_RECORD`.
        target: record of the target, or `NO_RECORD`.
    """
    entry = at.LISTED + at.LISTED_SIZE * n_listed
    store32(state, entry + at.LISTED_ACTION, action)
    state[entry + at.LISTED_SOURCE] = source
    state[entry + at.LISTED_TARGET] = target
    return n_listed + 1


@compiled(i64(Words, i64))
def listed(state: Any, k: int) -> int:
    """Return the number of the k-th action, from 0, in the list of legal actions."""
    return load32(state, at.LISTED + at.LISTED_SIZE * k + at.LISTED_ACTION)


@compiled(i64(Words, i64))
def listed_source(state: Any, k: int) -> int:
    """Return the record of the card or attacker that the k-th listed action uses."""
    return state[at.LISTED + at.LISTED_SIZE * k + at.LISTED_SOURCE]


@compiled(i64(Words, i64))
def listed_target(state: Any, k: int) -> int:
    """Return the record of the k-th listed action's target, or 0 if that action has no target."""
    return state[at.LISTED + at.LISTED_SIZE * k + at.LISTED_TARGET]


@compiled(i64(Words, i64))
def was_listed(state: Any, action: int) -> bool:
    """Return whether `action` is in the list of legal actions, which each action empties."""
    for k in range(state[at.N_LISTED]):
        is_listed = listed(state, k) == action
        if is_listed:
            return True
    return False


@compiled(i64(Words, i64, i64))
def _list_attacks(state: Any, n_listed: int, position: int) -> int:
    """Append the attacks of one unit of the active seat in a plain game and return the new length.

    Args:
        state: a plain game.
        n_listed: length of the list so far.
        position: position of the unit on the active seat's board.
    """
    seat = state[at.ACTIVE]
    unit = item(state, board(seat), position)
    enemies = board(1 - seat)
    action = at.ATTACK_WITH + (position << at.SOURCE_SHIFT)
    for target in range(state[enemies]):
        enemy = item(state, enemies, target)
        n_listed = add_listed(state, n_listed, action + target, unit, enemy)
    return add_listed(state, n_listed, action + at.AT_PLAYER, unit, player(1 - seat))


@compiled(i64(Words))
def _list_plain(state: Any) -> int:
    """List the legal actions of the active seat in a plain game and return their number."""
    seat = state[at.ACTIVE]
    n_listed = 0
    cards = hand(seat)
    units = board(seat)
    for position in range(state[cards]):
        card = item(state, cards, position)
        if state[card + at.COST] <= state[player(seat) + at.MANA]:
            action = at.PLAY + (position << at.SOURCE_SHIFT) + at.AT_NOBODY
            n_listed = add_listed(state, n_listed, action, card, NO_RECORD)
    state[at.N_LISTED_PLAYS] = n_listed
    for position in range(state[units]):
        if state[item(state, units, position) + at.READY] > 0:
            n_listed = _list_attacks(state, n_listed, position)
    state[at.N_LISTED_ATTACKS] = n_listed - state[at.N_LISTED_PLAYS]
    state[at.N_LISTED] = add_listed(state, n_listed, at.END_TURN, NO_RECORD, NO_RECORD)
    return state[at.N_LISTED]


@compiled(i64(Words, Words), apart=True)
def list_actions(state: Any, table: Any) -> int:
    """List the legal actions of the active seat and return their number.

    The list is valid until the next action.
    """
    if state[at.GENERAL]:
        return call_rule(load64(table, at.LIST), state, table, 0)
    return _list_plain(state)

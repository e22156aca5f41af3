"""The list of legal actions: what the active seat may do, for whoever has to choose.

It lies in the state's work area, so that agents need no memory of their own, and it is the same
by whichever rules a game is played: an action, the record of the card or attacker that it uses,
the record of its target. First come the cards of the hand (the oldest first), then attacks
(minions from the left, then the player), the hero power, the end of the turn; what differs in its
target only comes in the order of the targets' codes. So of equal actions the first listed is the
one with the lowest number, but for the end of the turn, which comes last.
"""

from __future__ import annotations

from typing import Any

from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ACTIVE,
    AT_NOBODY,
    AT_PLAYER,
    ATTACK_WITH,
    COST,
    END_TURN,
    GENERAL,
    LIST,
    LISTED,
    LISTED_ACTION,
    LISTED_SIZE,
    LISTED_SOURCE,
    LISTED_TARGET,
    MANA,
    N_LISTED,
    N_LISTED_ATTACKS,
    N_LISTED_PLAYS,
    PLAY,
    READY,
    SOURCE_SHIFT,
)
from sim.engine.streams import load32, load64, store32
from sim.engine.zones import board, hand, item, player

NO_RECORD = 0


@compiled(i64(Words, i64, i64, i64, i64))
def add_listed(state: Any, n_listed: int, action: int, source: int, target: int) -> int:
    """Add an action, with the records that it stands for; returns how long the list is then.

    The length goes from hand to hand: in memory, every action would wait for it to be written.
    """
    at = LISTED + LISTED_SIZE * n_listed
    store32(state, at + LISTED_ACTION, action)
    state[at + LISTED_SOURCE] = source
    state[at + LISTED_TARGET] = target
    return n_listed + 1


@compiled(i64(Words, i64))
def listed(state: Any, k: int) -> int:
    """The k-th action of the list."""
    return load32(state, LISTED + LISTED_SIZE * k + LISTED_ACTION)


@compiled(i64(Words, i64))
def listed_source(state: Any, k: int) -> int:
    """The record of the card or attacker that the k-th action uses."""
    return state[LISTED + LISTED_SIZE * k + LISTED_SOURCE]


@compiled(i64(Words, i64))
def listed_target(state: Any, k: int) -> int:
    """The record of the k-th action's target, 0 for nobody."""
    return state[LISTED + LISTED_SIZE * k + LISTED_TARGET]


@compiled(i64(Words, i64))
def was_listed(state: Any, action: int) -> bool:
    """Whether `action` is in the list: then it is legal, since each action empties the list."""
    for k in range(state[N_LISTED]):
        is_it = listed(state, k) == action
        if is_it:
            return True
    return False


@compiled(i64(Words, i64, i64))
def _list_attacks(state: Any, n_listed: int, position: int) -> int:
    """List what the unit at `position` of the active seat's board may attack in a plain game."""
    seat = state[ACTIVE]
    unit, enemies = item(state, board(seat), position), board(1 - seat)
    action = ATTACK_WITH + (position << SOURCE_SHIFT)
    for target in range(state[enemies]):
        enemy = item(state, enemies, target)
        n_listed = add_listed(state, n_listed, action + target, unit, enemy)
    return add_listed(state, n_listed, action + AT_PLAYER, unit, player(1 - seat))


@compiled(i64(Words))
def _list_plain(state: Any) -> int:
    """As `list_actions`, in a plain game."""
    seat, n_listed = state[ACTIVE], 0
    cards, units = hand(seat), board(seat)
    for position in range(state[cards]):
        card = item(state, cards, position)
        if state[card + COST] <= state[player(seat) + MANA]:
            action = PLAY + (position << SOURCE_SHIFT) + AT_NOBODY
            n_listed = add_listed(state, n_listed, action, card, NO_RECORD)
    state[N_LISTED_PLAYS] = n_listed
    for position in range(state[units]):
        if state[item(state, units, position) + READY] > 0:
            n_listed = _list_attacks(state, n_listed, position)
    state[N_LISTED_ATTACKS] = n_listed - state[N_LISTED_PLAYS]
    state[N_LISTED] = add_listed(state, n_listed, END_TURN, NO_RECORD, NO_RECORD)
    return state[N_LISTED]


@compiled(i64(Words, Words), apart=True)
def list_actions(state: Any, table: Any) -> int:
    """List what the active seat may do; returns how many actions that is.

    The list holds until the next action.
    """
    if state[GENERAL]:
        return call_rule(load64(table, LIST), state, table, 0)
    return _list_plain(state)

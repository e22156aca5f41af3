"""Calls through the table: what is long, needed in many places, and compiled once for all."""

from __future__ import annotations

from typing import Any

from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.endings import settle
from sim.engine.layout import (
    DEATHS_DUE,
    HEARD,
    LIST,
    LISTED,
    LISTED_ACTION,
    LISTED_SIZE,
    LISTED_SOURCE,
    LISTED_TARGET,
    N_EVENTS,
    N_LISTED,
    N_TASKS,
    RESOLVE,
)
from sim.engine.streams import load32, load64, store32
from sim.vocabulary import Event

AURA, OWN_COST = int(Event.AURA), int(Event.OWN_COST)


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Let everything happen that waits to happen; see `resolution.resolve_all`."""
    call_rule(load64(table, RESOLVE), state, table, 0)


@compiled(none(Words, Words))
def finish(state: Any, table: Any) -> None:
    """As `resolve`, at the end of a step that may have set nothing off."""
    waits = state[N_TASKS] > 0 or state[N_EVENTS] > 0 or state[DEATHS_DUE]
    if waits or state[HEARD] & (1 << AURA | 1 << OWN_COST):
        resolve(state, table)
    else:
        settle(state)


@compiled(none(Words, Words))
def resolve_if_heard(state: Any, table: Any) -> None:
    """As `resolve`, in the middle of an action, where nothing happens unless somebody listens."""
    if state[N_EVENTS] > 0:
        resolve(state, table)


@compiled(i64(Words, Words))
def list_actions(state: Any, table: Any) -> int:
    """List what the active seat may do; returns how many; see `choices.list_legal`."""
    return call_rule(load64(table, LIST), state, table, 0)


@compiled(none(Words, i64, i64, i64, i64))
def write_listed(state: Any, k: int, action: int, source: int, target: int) -> None:
    """Let `action` be the k-th of the list, with the records that it stands for."""
    at = LISTED + LISTED_SIZE * k
    store32(state, at + LISTED_ACTION, action)
    state[at + LISTED_SOURCE] = source
    state[at + LISTED_TARGET] = target


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

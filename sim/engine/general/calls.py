"""Calls through the table: what is long, needed in many places, and compiled once for all."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, none
from sim.engine.endings import settle
from sim.engine.streams import load64

AURA, OWN_COST = int(Event.AURA), int(Event.OWN_COST)


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Let everything happen that waits to happen; see `resolution.resolve_all`."""
    call_rule(load64(table, at.RESOLVE), state, table, 0)


@compiled(none(Words, Words))
def finish(state: Any, table: Any) -> None:
    """As `resolve`, at the end of a step that may have set nothing off."""
    waits = state[at.N_TASKS] > 0 or state[at.N_EVENTS] > 0 or state[at.DEATHS_DUE]
    if waits or state[at.HEARD] & (1 << AURA | 1 << OWN_COST):
        resolve(state, table)
    else:
        settle(state)


@compiled(none(Words, Words))
def resolve_if_heard(state: Any, table: Any) -> None:
    """As `resolve`, in the middle of an action, where nothing happens unless somebody listens."""
    if state[at.N_EVENTS] > 0:
        resolve(state, table)

"""Calls through the table: what is long, needed in many places, and compiled once for all."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, call_rule, compiled, i64, none
from sim.engine.layout import LIST, LISTED, LISTED_SHIFT, REFRESH, RESOLVE
from sim.engine.streams import load64


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Let everything happen that waits to happen; see `resolution.resolve_all`."""
    call_rule(load64(table, RESOLVE), state, table, 0)


@compiled(none(Words, Words))
def refresh(state: Any, table: Any) -> None:
    """Bring auras, costs and readiness up to date; see `auras.refresh`."""
    call_rule(load64(table, REFRESH), state, table, 0)


@compiled(i64(Words, Words))
def list_actions(state: Any, table: Any) -> int:
    """List what the active seat may do; returns how many; see `choices.list_legal`."""
    return call_rule(load64(table, LIST), state, table, 0)


@compiled(i64(Words, i64))
def listed(state: Any, k: int) -> int:
    """The k-th action of the list."""
    at = LISTED + 2 * k
    return (state[at] << LISTED_SHIFT) + state[at + 1]  # type: ignore[no-any-return]

"""Ends of games: deaths of players, and faults, which stop games that exceed a limit.

A stopped game has its own result, `FAULTED`, so that every loop over a running game ends, and no
code counts it as a win or a draw. The state keeps the row and the card at fault: `ROW_AT_WORK`,
`LAST_PLAYED`, `TURN`. Code that has just called `fail` continues to the end of its own action, so
it must stay within its memory: a missing record is replaced by the spare record, which is in no
zone, and an entry for which a list has no space is left out.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none


@compiled(none(Words))
def settle(state: Any) -> None:
    """End a running game if a player's life is 0 or less; it is a draw if this holds for both.

    If the ruleset applies deaths after each effect row, callers call this after every change of a
    player's life. The first of two deaths then decides.
    """
    if state[at.RESULT] != at.RUNNING:
        return
    first_is_dead = state[at.SEATS + at.HEALTH] <= 0
    second_is_dead = state[at.SEATS + at.SEAT_SIZE + at.HEALTH] <= 0
    if first_is_dead and second_is_dead:
        state[at.RESULT] = at.DRAWN
    elif first_is_dead:
        state[at.RESULT] = 1
    elif second_is_dead:
        state[at.RESULT] = 0


@compiled(none(Words, i64))
def fail(state: Any, fault: int) -> None:
    """Stop the game as faulted, with one of the FAULT_* bits as the reason."""
    state[at.FAULT] |= fault
    state[at.RESULT] = at.FAULTED


@compiled(none(Words, Words, i64))
def spend_steps(state: Any, table: Any, n_steps: int) -> None:
    """Count steps of resolution, and stop the game if one action exceeds the ruleset's limit.

    Each of these counts as one step: an effect row that is reached, an execution of a row, a record
    that a row acts on, and a card that a row draws, summons, gives or discards.
    """
    n_steps += state[at.N_STEPS]
    if n_steps > table[at.STEPS_PER_ACTION]:
        fail(state, at.FAULT_STEPS)
    else:
        state[at.N_STEPS] = n_steps


@compiled(none(Words, Words))
def allow_actions(state: Any, table: Any) -> None:
    """Set the action count beyond which the turn that begins now is stopped as a fault."""
    state[at.TURN_ALLOWS] = min(state[at.N_ACTIONS] + table[at.ACTIONS_PER_TURN], at.COUNT_MAX)


@compiled(none(Words, i64))
def count_up(state: Any, word: int) -> None:
    """Add 1 to a count that never decreases, or stop the game if the count is at its limit."""
    if state[word] >= at.COUNT_MAX:
        fail(state, at.FAULT_COUNT)
    else:
        state[word] += 1


@compiled(i64(i64))
def bounded(value: int) -> int:
    """Return a number clipped to -`NUMBER_MAX`..`NUMBER_MAX`, the range of a game's numbers."""
    return max(min(value, at.NUMBER_MAX), -at.NUMBER_MAX)


@compiled(i64(i64))
def not_negative(value: int) -> int:
    """Return a number clipped to 0..`NUMBER_MAX`, for numbers of a game that cannot be negative."""
    return max(min(value, at.NUMBER_MAX), 0)


@compiled(none(Words, i64, i64))
def add(state: Any, word: int, change: int) -> None:
    """Add `change` to the word `word` of the state, clipped to the range of a game's numbers."""
    state[word] = bounded(state[word] + change)

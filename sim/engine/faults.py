"""Ends of games: deaths, and faults, where a card's texts exceed the limits of a game.

A stopped game has a result of its own (`FAULTED`), so that every loop over a running game ends, and
no code takes it for a win or a draw. The state keeps the row and the card at fault: `ROW_AT_WORK`,
`LAST_PLAYED`, `TURN`. Code that has just failed continues to the end of its own action, so it must
not leave its memory: a missing record is replaced by the spare one, which lies in no zone, and an
entry that finds no space is left out.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none


@compiled(none(Words))
def settle(state: Any) -> None:
    """End the game if a player's life has run out; it is a draw if both players' has.

    Called after every change of a player's life that may be followed by another, so the first of
    two deaths decides.
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
    """Stop the game with one of the FAULT_* bits as the reason."""
    state[at.FAULT] |= fault
    state[at.RESULT] = at.FAULTED


@compiled(none(Words, Words, i64))
def spend_steps(state: Any, table: Any, n_steps: int) -> None:
    """Count steps of resolution, and stop the game if one action exceeds the ruleset's limit.

    Steps are: a row that is reached, each execution of a row, each record that it acts on, and each
    card that it draws, summons, gives or discards.
    """
    n_steps += state[at.N_STEPS]
    if n_steps > table[at.STEPS_PER_ACTION]:
        fail(state, at.FAULT_STEPS)
    else:
        state[at.N_STEPS] = n_steps


@compiled(none(Words, Words))
def allow_actions(state: Any, table: Any) -> None:
    """Set the number of actions after which the turn that begins now is stopped as a fault."""
    state[at.TURN_ALLOWS] = min(state[at.N_ACTIONS] + table[at.ACTIONS_PER_TURN], at.COUNT_MAX)


@compiled(none(Words, i64))
def count_up(state: Any, word: int) -> None:
    """Add one to a count that is never taken back, and stop the game at the count's limit."""
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
    """Return a number clipped to 0..`NUMBER_MAX`."""
    return max(min(value, at.NUMBER_MAX), 0)


@compiled(none(Words, i64, i64))
def add(state: Any, word: int, change: int) -> None:
    """Add `change` to the state's word `word`, and clip the result to the range of numbers."""
    state[word] = bounded(state[word] + change)

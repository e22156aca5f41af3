"""Ends of games: deaths, and faults, where a card's texts ask for more than any game may take.

A game that is stopped has a result of its own (`FAULTED`), so that every loop over a running
game ends, and nobody takes it for a win or a draw. What was at work stays in the state:
`ROW_AT_WORK`, `LAST_PLAYED`, `TURN`. Code that has just failed goes on to the end of its own
action, so it must not leave its memory: a record that is missing is the spare one, which lies in
no zone, and what finds no room is left out.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none


@compiled(none(Words))
def settle(state: Any) -> None:
    """End the game if a player's life has run out; if both have, it is a draw.

    Called after every change of a player's life that may be followed by another, so the first
    of two deaths decides.
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
    """Stop the game for one of the FAULT_* reasons."""
    state[at.FAULT] |= fault
    state[at.RESULT] = at.FAULTED


@compiled(none(Words, Words, i64))
def spend_steps(state: Any, table: Any, n_steps: int) -> None:
    """Count steps of resolution; an action that takes more than the ruleset allows never ends.

    Steps are: a row that is reached, each time that it is done, each one that it acts on, and
    each card that it draws, summons, gives or discards.
    """
    n_steps += state[at.N_STEPS]
    if n_steps > table[at.STEPS_PER_ACTION]:
        fail(state, at.FAULT_STEPS)
    else:
        state[at.N_STEPS] = n_steps


@compiled(none(Words, Words))
def allow_actions(state: Any, table: Any) -> None:
    """Let a turn begin: as many actions may follow as the ruleset allows, and a game can count."""
    state[at.TURN_ALLOWS] = min(state[at.N_ACTIONS] + table[at.ACTIONS_PER_TURN], at.COUNT_MAX)


@compiled(none(Words, i64))
def count_up(state: Any, word: int) -> None:
    """Add one to a count that is never taken back, unless it is at its end."""
    if state[word] >= at.COUNT_MAX:
        fail(state, at.FAULT_COUNT)
    else:
        state[word] += 1


@compiled(i64(i64))
def bounded(value: int) -> int:
    """The number itself, or the nearest one that a game knows."""
    return max(min(value, at.NUMBER_MAX), -at.NUMBER_MAX)


@compiled(i64(i64))
def not_negative(value: int) -> int:
    """As `bounded`, of what is never below 0."""
    return max(min(value, at.NUMBER_MAX), 0)


@compiled(none(Words, i64, i64))
def add(state: Any, word: int, change: int) -> None:
    """Add to a number of a game, as far as numbers go."""
    state[word] = bounded(state[word] + change)

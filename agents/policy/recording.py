"""Recorded decisions: all legal actions of a position, and the one that a teacher chose."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.policy.action_inputs import ACTION_SIZE, write_action, write_turn
from agents.reading.position import ROW_SIZE, gather
from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at, words_beyond
from sim.engine.compiled import Block, Vector, Words, compiled, i64, none, u64
from sim.engine.kernel import copy_game, prepare
from sim.engine.layout import numbered
from sim.engine.listing import list_actions, listed
from sim.engine.rules import act, deal
from sim.engine.streams import number, pick

# --- numbers of a recorded decision ---
(
    GAME,  # number of the game
    SEAT,  # seat that is to move
    RESULT,  # result of the game: the seat that won, or `DRAWN`
    FIRST,  # number of the first of its action rows
    N_ACTIONS,  # number of its action rows
    CHOSEN,  # place of the teacher's action among them
    ABOUT_SIZE,
    *_,
) = numbered()
Words16 = npt.NDArray[np.int16]
PER_MILLE = 1_000  # unit of probabilities
DECISIONS_MAX = 200  # decisions of a game that are recorded; a longer game is cut to these
ACTIONS_MAX = 24 * DECISIONS_MAX  # action rows of a game


class Decisions(NamedTuple):
    """Recorded decisions of games with one variant of a card table.

    Attributes:
        words: words of the card table, shape ``[size]``.
        rows: position rows, shape ``[n, ROW_SIZE]``.
        actions: action rows of all decisions, shape ``[n_actions, ACTION_SIZE]``.
        about: numbers of each decision, shape ``[n, ABOUT_SIZE]``.
    """

    words: Words16
    rows: Words16
    actions: Words16
    about: npt.NDArray[np.int64]


@compiled(none(Words, Words, i64, Words, Words), apart=True)
def write_actions(state: Any, table: Any, n_listed: int, turn: Any, rows: Any) -> None:
    """Write the action rows of all listed actions.

    Args:
        state: state of the game, with its actions listed.
        table: numbers of the cards and rules.
        n_listed: number of listed actions.
        turn: scratch memory, shape ``[ACTION_SIZE]``.
        rows: output, shape ``[n_listed * ACTION_SIZE]``.
    """
    for word in range(ACTION_SIZE):
        turn[word] = 0
    write_turn(state, turn)
    for k in range(n_listed):
        write_action(state, table, k, turn, words_beyond(rows, ACTION_SIZE * k))


@compiled(i64(Words, i64, i64))
def _place_of(state: Any, n_listed: int, action: int) -> int:
    """Return the place of an action in the list of legal actions, or -1."""
    for k in range(n_listed):
        is_action = listed(state, k) == action
        if is_action:
            return k
    return -1


# --- agents of recorded games, by address ---
(
    TEACHER,  # agent that chooses in recorded decisions
    PLAYER,  # agent that acts instead of the teacher in some decisions
    RIVAL,  # agent of the seat that is not recorded, or `NO_AGENT` to record both seats
    N_AGENTS,
    *_,
) = numbered()
NO_AGENT = -1

# --- rates of recorded games, per mille of decisions ---
(
    BY_PLAYER,  # decisions in which `PLAYER` acts
    AT_RANDOM,  # decisions in which a random legal action is taken
    N_RATES,
    *_,
) = numbered()


@compiled(none(Words, Words, Words, Block, Block, Vector, i64, i64, i64), apart=True)
def _record(
    state: Any,
    table: Any,
    other: Any,
    rows: Any,
    actions: Any,
    about: Any,
    row: int,
    first: int,
    action: int,
) -> None:
    """Record a decision.

    Args:
        state: state of the game.
        table: card table of the game's variant.
        other: copy of the game, with its actions listed.
        rows: position rows, one of which is written.
        actions: action rows, of which those of the decision are written.
        about: numbers of the decisions, of which those of this one are written.
        row: number of the decision.
        first: number of its first action row.
        action: action of the teacher.
    """
    n_listed = other[at.N_LISTED]
    place = ABOUT_SIZE * row
    gather(state, table, state[at.ACTIVE], words_at(rows, ROW_SIZE * row))
    turn = words_at(actions, ACTION_SIZE * (first + n_listed))
    write_actions(other, table, n_listed, turn, words_at(actions, ACTION_SIZE * first))
    about[place + SEAT] = state[at.ACTIVE]
    about[place + FIRST] = first
    about[place + N_ACTIONS] = n_listed
    about[place + CHOSEN] = _place_of(other, n_listed, action)


@compiled(i64(Words, Words, Words, i64, Vector, Vector, u64), apart=True)
def _action_played(
    state: Any, table: Any, other: Any, action: int, agents: Any, rates: Any, stream: int
) -> int:
    """Return the action that is played after the teacher chose.

    Args:
        state: state of the game.
        table: card table of the game's variant.
        other: copy of the game, with its actions listed.
        action: action of the teacher.
        agents: addresses of the agents, shape ``[N_AGENTS]``.
        rates: rates per mille, shape ``[N_RATES]``.
        stream: seed of the random numbers of this decision.
    """
    draw = pick(stream, 1, PER_MILLE)
    if draw < rates[AT_RANDOM]:
        return listed(other, pick(stream, 2, other[at.N_LISTED]))
    if draw < rates[AT_RANDOM] + rates[BY_PLAYER]:
        return call_policy(agents[PLAYER], state, table)
    return action


@compiled(
    i64(Block, Block, Vector, Vector, Vector, u64, i64, i64, Block, Block, Block, Vector),
    from_python=True,
)
def record_decisions(
    table: Any,
    decks: Any,
    pairs: Any,
    agents: Any,
    rates: Any,
    stream: int,
    start: int,
    stop: int,
    scratch: Any,
    rows: Any,
    actions: Any,
    about: Any,
) -> int:
    """Play games between decks, and record the teacher's choices.

    Args:
        table: card table of one variant.
        decks: words of the deck rows.
        pairs: decks of both seats in each game, shape ``[2 * n_games]``.
        agents: addresses of the agents, shape ``[N_AGENTS]``. With a rival, the teacher's seat
            alternates from game to game.
        rates: rates per mille, shape ``[N_RATES]``.
        stream: seed of the games.
        start: number of the first game.
        stop: number behind the last game.
        scratch: scratch memory, shape ``[2 * STATE_SIZE]``.
        rows: output, position rows, shape ``[n * DECISIONS_MAX * ROW_SIZE]``.
        actions: output, action rows, shape ``[(n * ACTIONS_MAX + 1) * ACTION_SIZE]``.
        about: output, numbers of each decision, shape ``[n * DECISIONS_MAX * ABOUT_SIZE]``.

    Returns:
        Number of recorded decisions.
    """
    state = words_at(scratch, 0)
    other = words_at(scratch, at.STATE_SIZE)
    numbers = words_at(table, 0)
    n_rows = 0
    n_actions = 0
    for game in range(start, stop):
        prepare(state, numbers, words_at(decks, 0), pairs[2 * game], pairs[2 * game + 1])
        deal(state, numbers, number(stream, 2 * game + 1))
        first_row = n_rows
        first_action = n_actions
        n_decisions = 0
        while state[at.RESULT] == at.RUNNING:
            n_decisions += 1
            if agents[RIVAL] != NO_AGENT and state[at.ACTIVE] != game % 2:
                act(state, numbers, call_policy(agents[RIVAL], state, numbers))
                continue
            copy_game(state, other)
            n_listed = list_actions(other, numbers)
            action = listed(other, 0)
            if n_listed > 1:
                action = call_policy(agents[TEACHER], state, numbers)
                has_room = n_actions - first_action + n_listed <= ACTIONS_MAX
                if has_room and n_rows - first_row < DECISIONS_MAX:
                    _record(state, numbers, other, rows, actions, about, n_rows, n_actions, action)
                    n_rows += 1
                    n_actions += n_listed
                drawn = number(number(stream, 2 * game + 2), n_decisions)
                action = _action_played(state, numbers, other, action, agents, rates, drawn)
            act(state, numbers, action)
        for row in range(first_row, n_rows):
            about[ABOUT_SIZE * row + GAME] = game
            about[ABOUT_SIZE * row + RESULT] = state[at.RESULT]
    return n_rows

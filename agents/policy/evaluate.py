"""Scores of all legal actions by the policy network, by compiled code.

The first layer is a sum over cards and dense inputs (`agents.reading.first_layer`): those of the
position, which are added once for all actions, then those of the action. Two small layers follow.
All sums have a fixed order, so every machine and thread gets the same scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.policy.action_inputs import (
    ACTION_SIZE,
    DENSE,
    N_ACTION_DENSE,
    N_ROLES,
    ROLE_STRIDE,
    write_action,
    write_turn,
)
from agents.reading.first_layer import HEADER_SIZE, WEIGHTS_AT, first_layer
from agents.reading.position import N_DENSE, N_ZONES, ROW_SIZE, gather
from sim.engine import layout as at
from sim.engine.addresses import floats_at, floats_from, words_at, words_beyond, words_from
from sim.engine.compiled import Floats, Words, compiled, f32, i64, none
from sim.engine.listing import list_actions, listed
from sim.engine.streams import load64

HIDDEN = 64  # outputs of the first layer, on which the time of a score depends
SECOND = 32  # outputs of the second layer
N_PLACES = N_ZONES + N_ROLES  # rows of weights of a card: one by zone and one by role

# --- offsets in the weights ---
BIAS = 0  # first layer, shape [HIDDEN]
POSITION = BIAS + HIDDEN  # dense inputs of the position, shape [N_DENSE, HIDDEN]
ACTION = POSITION + N_DENSE * HIDDEN  # dense inputs of an action, shape [N_ACTION_DENSE, HIDDEN]
SECOND_LAYER = ACTION + N_ACTION_DENSE * HIDDEN  # shape [HIDDEN, SECOND]
SECOND_BIAS = SECOND_LAYER + HIDDEN * SECOND
LAST = SECOND_BIAS + SECOND  # shape [SECOND]
DIRECT = LAST + SECOND  # dense inputs of an action straight to the score, shape [N_ACTION_DENSE]
WEIGHTS_SIZE = DIRECT + N_ACTION_DENSE

# --- offsets in the scratch memory for rows, which begins with the position row ---
TURN_ROW = ROW_SIZE
ACTION_ROW = TURN_ROW + ACTION_SIZE
ROWS_SIZE = ACTION_ROW + ACTION_SIZE

# --- offsets in the scratch memory for sums, which begins with those of the position ---
LATER = 2 * HIDDEN  # second layer, behind the sums of an action
SCORES = LATER + SECOND
SUMS_SIZE = SCORES + at.MAX_LISTED


_add_card, _sum_position = first_layer(HIDDEN, N_PLACES)


@compiled(f32(Floats, Floats))
def _later_layers(weights: Any, sums: Any) -> Any:
    """Return the output of the two later layers from the sums of an action.

    Args:
        weights: weights of the network, shape ``[WEIGHTS_SIZE]``.
        sums: block with the sums of the action and room for those of the second layer.
    """
    for k in range(SECOND):
        sums[LATER + k] = weights[SECOND_BIAS + k]
    for j in range(HIDDEN):
        amount = sums[HIDDEN + j]
        if amount > 0:
            for k in range(SECOND):
                sums[LATER + k] += amount * weights[SECOND_LAYER + SECOND * j + k]
    output = np.float32(0)
    for k in range(SECOND):
        if sums[LATER + k] > 0:
            output += sums[LATER + k] * weights[LAST + k]
    return output


@compiled(none(Words, Words, Words, Floats, Floats, i64), apart=True)
def _score_action(
    row: Any, header: Any, table: Any, weights: Any, sums: Any, score_at: int
) -> None:
    """Write the score of an action.

    Args:
        row: action row.
        header: words of the network, shape ``[HEADER_SIZE]``.
        table: card table of the game's variant.
        weights: weights of the network, shape ``[WEIGHTS_SIZE]``.
        sums: sums of the position, then room for those of the action and of the second layer, then
            the scores.
        score_at: offset of the score.
    """
    score = np.float32(0)
    for k in range(HIDDEN):
        sums[HIDDEN + k] = sums[k]
    for j in range(N_ACTION_DENSE):
        if row[DENSE + j] != 0:
            amount = np.float32(row[DENSE + j])
            score += amount * weights[DIRECT + j]
            for k in range(HIDDEN):
                sums[HIDDEN + k] += amount * weights[ACTION + HIDDEN * j + k]
    for word in range(DENSE):
        entry = row[word]
        if entry >= 0:
            place = N_ZONES + entry // ROLE_STRIDE
            _add_card(header, table, entry % ROLE_STRIDE, place, sums, HIDDEN)
    sums[score_at] = score + _later_layers(weights, sums)


@compiled(i64(Words, Words, i64, Words, Floats), apart=True)
def score_actions(state: Any, table: Any, header_at: int, rows: Any, sums: Any) -> int:
    """List the legal actions, write the score of each, and return the place of the best.

    Of equal actions the first is the best. A single action gets no score.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: card table of the game's variant.
        header_at: address of the words of the network.
        rows: scratch memory, shape ``[ROWS_SIZE]``.
        sums: scratch memory, shape ``[SUMS_SIZE]``, in which the scores stand from `SCORES` on.
    """
    header = words_from(header_at, HEADER_SIZE)
    weights = floats_from(load64(header, WEIGHTS_AT), WEIGHTS_SIZE)
    n_listed = list_actions(state, table)
    if n_listed == 1:
        return 0
    turn = words_beyond(rows, TURN_ROW)
    action = words_beyond(rows, ACTION_ROW)
    gather(state, table, state[at.ACTIVE], rows)
    write_turn(state, turn)
    _sum_position(rows, header, table, weights, sums)
    best = 0
    for k in range(n_listed):
        write_action(state, table, k, turn, action)
        _score_action(action, header, table, weights, sums, SCORES + k)
        if sums[SCORES + k] > sums[SCORES + best]:
            best = k
    return best


def best_action(state: Any, table: Any, header_at: int, _unused: int, _unused_too: int) -> int:
    """Return the legal action with the highest score.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: card table of the game's variant.
        header_at: address of the words of the network.
    """
    # Allocated per decision, since several threads may play games through the same agent.
    rows = np.zeros(ROWS_SIZE, np.int16)
    sums = np.empty(SUMS_SIZE, np.float32)
    best = score_actions(state, table, header_at, words_at(rows, 0), floats_at(sums, 0))
    action = listed(state, best)
    # The scores have only the addresses of the arrays; this use keeps them alive until here.
    return action if rows.size + sums.size else at.END_TURN

"""Random choices of the policy network, for training by play: better actions are more probable."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from agents.policy.evaluate import ROWS_SIZE, SCORES, SUMS_SIZE, score_actions
from agents.search.worlds import decision_stream
from sim.engine import layout as at
from sim.engine.addresses import floats_at, words_at
from sim.engine.compiled import compiled, f64, i64, u64
from sim.engine.listing import listed
from sim.engine.streams import number

_HALF_BITS = 32  # random numbers have this many bits


@compiled(f64(u64, i64))
def _gumbel(stream: int, k: int) -> float:
    """Return the k-th number, from 1, of a stream with the standard Gumbel distribution."""
    uniform = (float(number(stream, k) >> _HALF_BITS) + 0.5) / float(1 << _HALF_BITS)
    return -log(-log(uniform))


def sampled_action(state: Any, table: Any, header_at: int, _unused: int, _unused_too: int) -> int:
    """Return a random legal action, with log-probabilities proportional to the scores.

    The largest sum of a score and a Gumbel number is a sample of this distribution.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: card table of the game's variant.
        header_at: address of the words of the network.
    """
    # Allocated per decision, since several threads may play games through the same agent.
    rows = np.zeros(ROWS_SIZE, np.int16)
    sums = np.empty(SUMS_SIZE, np.float32)
    best = score_actions(state, table, header_at, words_at(rows, 0), floats_at(sums, 0))
    n_listed = state[at.N_LISTED]
    if n_listed > 1:  # a single action has no score
        stream = decision_stream(state, state[at.ACTIVE])
        best_sum = -np.inf
        for k in range(n_listed):
            total = sums[SCORES + k] + _gumbel(stream, k + 1)
            if total > best_sum:
                best_sum = total
                best = k
    action = listed(state, best)
    # The scores have only the addresses of the arrays; this use keeps them alive until here.
    return action if rows.size + sums.size else at.END_TURN

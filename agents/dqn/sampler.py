"""Compiled functions that draw random actions for exploration, and transitions from a memory.

Random numbers are functions of a seed and a counter, so runs can be continued exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from sim.engine.compiled import Vector, compiled, i64, none, u64
from sim.engine.streams import number, pick

_Bytes = types.Array(types.int8, 3, "C")  # observations [N, T, n_values] of the duel's view
_Words = types.Array(types.int16, 3, "C")  # observations [N, T, n_values] of general views
_Bits = types.Array(types.uint8, 3, "C")  # masks [N, T, bytes]
_Actions = types.Array(types.int16, 2, "C")  # actions [N, T]
_Flags = types.Array(types.bool_, 2, "C")  # ends [N, T], masks [B, A]
_Numbers = types.Array(types.float32, 2, "C")  # rewards [N, T], observations [B, n_values]
_Returns = types.Array(types.float32, 1, "C")  # returns [B]


@compiled(i64(_Flags, i64, i64))
def _legal_action(masks: Any, row: int, k: int) -> int:
    """Return the index of the k-th legal action of a row, counted from 0."""
    for action in range(masks.shape[1]):
        if masks[row, action]:
            if k == 0:
                return action
            k -= 1
    return -1  # never reached: k is below the number of legal actions


@compiled(i64(u64, i64))
def _scale(low: int, n_choices: int) -> int:
    """Return a choice from 0 to `n_choices` - 1, computed from a uniform 32-bit number.

    The result is floor(low * n_choices / 2^32).
    """
    return (low * n_choices) >> 32


@compiled(none(Vector, _Flags, types.float64, u64, i64), from_python=True)
def explore(actions: Any, masks: Any, epsilon: float, seed: int, n_before: int) -> None:
    """Replace each action, with probability `epsilon`, by a uniformly drawn legal action.

    Args:
        actions: actions, some of which are replaced in place, shape ``[B]``.
        masks: legal actions, at least one in each row, shape ``[B, A]``.
        epsilon: probability of exploring, in [0, 1].
        seed: seed of the stream of random numbers; each row uses exactly one number.
        n_before: number of random numbers used before with this seed.
    """
    for row in range(len(actions)):
        drawn = number(seed, n_before + row + 1)
        # The high half decides whether to explore, the low half chooses the action.
        if (drawn >> 32) < epsilon * 2.0**32:
            n_legal = 0
            for action in range(masks.shape[1]):
                n_legal += masks[row, action]
            actions[row] = _legal_action(masks, row, _scale(drawn & 0xFFFFFFFF, n_legal))


@compiled(none(_Bits, i64, i64, _Flags, i64))
def _unpack_mask(masks: Any, environment: int, place: int, unpacked: Any, row: int) -> None:
    """Write the legal actions of one entry of the memory into a row of `unpacked`.

    Args:
        masks: legal actions, eight to a byte with the lowest action in the lowest bit, shape
            ``[N, T, bytes]``.
        environment: environment of the entry.
        place: position of the entry among the environment's ``T``.
        unpacked: output, shape ``[B, A]``.
        row: row of the output.
    """
    for action in range(unpacked.shape[1]):
        byte = masks[environment, place, action >> 3]
        unpacked[row, action] = (byte >> (action & 7)) & 1 == 1


@compiled(
    [
        none(
            *(stored_type, _Bits, _Actions, _Numbers, _Flags, Vector, Vector),
            *(u64, i64, i64, types.float64),
            *(_Numbers, Vector, _Returns, _Returns, _Numbers, _Flags),
        )
        for stored_type in (_Bytes, _Words)
    ],
    from_python=True,
)
def draw_transitions(
    observations: Any,
    masks: Any,
    actions: Any,
    rewards: Any,
    ended: Any,
    n_written: Any,
    ends: Any,
    seed: int,
    n_drawn: int,
    n_step: int,
    gamma: float,
    drawn_observations: Any,
    drawn_actions: Any,
    drawn_returns: Any,
    drawn_discounts: Any,
    next_observations: Any,
    next_masks: Any,
) -> None:
    """Fill a batch with transitions over `n_step` entries, drawn uniformly with replacement.

    The newest `n_step` entries of each environment are not drawn, since their next observations are
    not known yet.

    Args:
        observations: stored observations, shape ``[N, T, n_values]``.
        masks: legal actions, eight to a byte, shape ``[N, T, bytes]``.
        actions: chosen actions, shape ``[N, T]``.
        rewards: sums of the rewards until the environment's next entry, shape ``[N, T]``.
        ended: whether the game ended before the environment's next entry, shape ``[N, T]``.
        n_written: number of entries ever written per environment, shape ``[N]``; entry k is stored
            at place ``k % T``.
        ends: scratch, shape ``[N]``.
        seed: seed of the stream of random numbers.
        n_drawn: number of transitions drawn before with this seed.
        n_step: number of entries from the observation of a transition to its next observation.
        gamma: discount of a reward per entry.
        drawn_observations: output: observations, shape ``[B, n_values]``.
        drawn_actions: output: chosen actions, shape ``[B]``.
        drawn_returns: output: sums of the discounted rewards up to the next observation or to the
            end of the game, shape ``[B]``.
        drawn_discounts: output: factor of the next observation's value, shape ``[B]``; 0 if the
            game ended before the next observation.
        next_observations: output: observations `n_step` entries later, shape ``[B, n_values]``.
        next_masks: output: legal actions at the next observations, shape ``[B, A]``.
    """
    n_places = observations.shape[1]
    n_available = 0
    for environment in range(len(n_written)):
        n_available += max(min(n_written[environment], n_places) - n_step, 0)
        ends[environment] = n_available
    for row in range(len(drawn_actions)):
        choice = pick(seed, n_drawn + row + 1, n_available)
        environment = int(np.searchsorted(ends, choice, side="right"))
        # `ends - choice` counts back from the last available entry of the environment.
        entry = n_written[environment] - n_step - (ends[environment] - choice)
        drawn_observations[row] = observations[environment, entry % n_places]
        drawn_actions[row] = actions[environment, entry % n_places]
        gain = 0.0
        discount = 1.0
        for ahead in range(entry, entry + n_step):
            gain += discount * rewards[environment, ahead % n_places]
            discount *= gamma
            if ended[environment, ahead % n_places]:
                discount = 0.0
                break
        drawn_returns[row] = gain
        drawn_discounts[row] = discount
        # If the game ended, this observation belongs to a later game and has a discount of 0.
        place = (entry + n_step) % n_places
        next_observations[row] = observations[environment, place]
        _unpack_mask(masks, environment, place, next_masks, row)

"""Drawing by counter, compiled: random actions now and then, and transitions from memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from sim.engine.compiled import Vector, compiled, i64, none, u64
from sim.engine.streams import number, pick

_Bytes = types.Array(types.int8, 3, "C")
_Words = types.Array(types.int16, 3, "C")
_Bits = types.Array(types.uint8, 3, "C")
_Actions = types.Array(types.int16, 2, "C")
_Flags = types.Array(types.bool_, 2, "C")
_Numbers = types.Array(types.float32, 2, "C")
_Returns = types.Array(types.float32, 1, "C")


@compiled(i64(_Flags, i64, i64))
def _legal_action(masks: Any, row: int, k: int) -> int:
    """The k-th legal action of a row."""
    for action in range(masks.shape[1]):
        if masks[row, action]:
            if k == 0:
                return action
            k -= 1
    return -1  # not reached: k is below the number of legal actions


@compiled(i64(u64, i64))
def _scale(low: int, n_choices: int) -> int:
    return (low * n_choices) >> 32


@compiled(none(Vector, _Flags, types.float64, u64, i64), from_python=True)
def explore(actions: Any, masks: Any, epsilon: float, seed: int, n_before: int) -> None:
    """Replace each action, with probability `epsilon`, by a random legal one.

    Args:
        actions: ``[B]`` in and out.
        masks: ``[B, A]`` legal actions, at least one in each row.
        epsilon: in [0, 1].
        seed: of the stream; each row takes one number, whatever comes of it.
        n_before: numbers taken from that stream before.
    """
    for row in range(len(actions)):
        drawn = number(seed, n_before + row + 1)
        # The high half decides whether, the low half which.
        if (drawn >> 32) < epsilon * 2.0**32:
            n_legal = 0
            for action in range(masks.shape[1]):
                n_legal += masks[row, action]
            actions[row] = _legal_action(masks, row, _scale(drawn & 0xFFFFFFFF, n_legal))


@compiled(none(_Bits, i64, i64, _Flags, i64))
def _unpack_mask(masks: Any, environment: int, place: int, unpacked: Any, row: int) -> None:
    """Write the legal actions of one entry, lowest action in the lowest bit."""
    for action in range(unpacked.shape[1]):
        byte = masks[environment, place, action >> 3]
        unpacked[row, action] = (byte >> (action & 7)) & 1 == 1


@compiled(
    [
        none(
            *(kept_as, _Bits, _Actions, _Numbers, _Flags, Vector, Vector),
            *(u64, i64, i64, types.float64),
            *(_Numbers, Vector, _Returns, _Returns, _Numbers, _Flags),
        )
        for kept_as in (_Bytes, _Words)
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
    """Fill a batch with `n_step` transitions, each that can be drawn equally likely.

    Args:
        observations: ``[N, T, n_values]`` and the next four ``[N, T, ...]``: see `Replay`.
        masks: legal actions, eight to a byte.
        actions: what was done.
        rewards: what it brought before the environment's next entry.
        ended: whether the game ended before that.
        n_written: ``[N]`` entries ever written; the k-th lies at place ``k % T``.
        ends: ``[N]`` scratch.
        seed: of the stream that chooses.
        n_drawn: transitions drawn from that stream before.
        n_step: entries from a transition's observation to its next one.
        gamma: discount per entry.
        drawn_observations: ``[B, n_values]`` out, and likewise the rest.
        drawn_actions: ``[B]`` out.
        drawn_returns: ``[B]`` out, discounted rewards up to the next observation or the end.
        drawn_discounts: ``[B]`` out, what the next observation's value counts; 0 after an end.
        next_observations: ``[B, n_values]`` out.
        next_masks: ``[B, A]`` out.
    """
    n_places = observations.shape[1]
    n_available = 0
    for environment in range(len(n_written)):
        # Behind the newest `n_step` entries, whose next observation is still to come.
        n_available += max(min(n_written[environment], n_places) - n_step, 0)
        ends[environment] = n_available
    for row in range(len(drawn_actions)):
        choice = pick(seed, n_drawn + row + 1, n_available)
        environment = int(np.searchsorted(ends, choice, side="right"))
        # Counted back from the environment's last available entry.
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
        # After an end this is another game's, and counts nothing.
        place = (entry + n_step) % n_places
        next_observations[row] = observations[environment, place]
        _unpack_mask(masks, environment, place, next_masks, row)

"""Exploration: random actions now and then, by counter."""

from __future__ import annotations

from typing import Any

from numba import types

from sim.engine.compiled import Vector, compiled, i64, none, u64
from sim.engine.streams import number

_Flags = types.Array(types.bool_, 2, "C")


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

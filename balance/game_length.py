"""The median length of games, and how surely it changed.

Lengths are whole turns, and the middle of whole numbers moves in jumps that no number of games
makes smaller. So a game of t turns counts as spread evenly over t - 1/2 to t + 1/2, as for
grouped data; the median of that moves as smoothly as the shares of games by length do.
"""

from __future__ import annotations

import numpy as np

from balance.statistics.arithmetic import exponential, hypotenuse, natural_log
from balance.statistics.intervals import Counts, Floats

_LEAST = 1.0  # turns; no game is shorter


def median_length(turns: Counts) -> float:
    """Median length in turns from ``[..., TURN_BINS]`` games by length, summed; at least 1."""
    low, high = length_range(turns, 1, 2)
    return (low + high) / 2


def length_range(turns: Counts, n_shorter: int, n_all: int) -> tuple[float, float]:
    """The least and the largest length that `n_shorter` of `n_all` games do not reach.

    The two differ only where the games split in this proportion with lengths between that no
    game has.

    Args:
        turns: ``[..., TURN_BINS]`` games by length, summed.
        n_shorter: 0 to `n_all`.
        n_all: of which `n_shorter` is a part, whatever the number of games in `turns`.
    """
    counts: list[int] = turns.reshape(-1, turns.shape[-1]).sum(axis=0).tolist()
    wanted = n_shorter * sum(counts)  # in games times n_all, so that all is exact
    below = 0
    low = None
    for length, count in enumerate(counts):
        reached = below + count * n_all
        if low is None and reached >= wanted:
            low = length - 0.5 + ((wanted - below) / (count * n_all) if count else 0.0)
        if reached > wanted:
            high = length - 0.5 + (wanted - below) / (count * n_all)
            return max(low or 0.0, _LEAST), max(high, _LEAST)
        below = reached
    return max(low or 0.0, _LEAST), len(counts) - 0.5


def most_length_change(patched: Counts, today: Counts, n_shorter: int, n_all: int) -> float:
    """The largest change that two medians leave possible which lie in ranges of their own.

    The two ranges are put together as those of separate samples; games on the same seeds mostly
    differ less.

    Args:
        patched: ``[..., TURN_BINS]`` games by length.
        today: likewise.
        n_shorter: a median lies between the lengths that so many of `n_all` games do not reach,
            and that so many exceed; none is known if it is negative.
        n_all: of which `n_shorter` is a part.

    Reference: G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a
    general approach", Statistics in Medicine 27 (2008), for the logarithm of a ratio.
    """
    part = max(n_shorter, 0)
    now_low, now, now_high = _log_lengths(patched, part, n_all)
    was_low, was, was_high = _log_lengths(today, part, n_all)
    growth = now - was + hypotenuse(now_high - now, was - was_low)
    loss = was - now + hypotenuse(now - now_low, was_high - was)
    return max(exponential(float(growth)) - 1, 1 - exponential(-float(loss)))


def _log_lengths(turns: Counts, part: int, n_all: int) -> Floats:
    """The logarithms of the median length and of the ends of its range: low, median, high."""
    low = length_range(turns, part, n_all)[0]
    high = length_range(turns, n_all - part, n_all)[1]
    return natural_log(np.array([low, median_length(turns), high]))

"""Randomness lent to libraries that draw from Python's global generator."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def global_random_seeded_by(rng: np.random.Generator) -> Iterator[None]:
    """Seed the global generator from `rng`, and put its state back at the end.

    Args:
        rng: one number of it is consumed.
    """
    state = random.getstate()
    random.seed(int(rng.integers(2**63)))
    try:
        yield
    finally:
        random.setstate(state)

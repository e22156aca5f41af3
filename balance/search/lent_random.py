"""Reproducible use of libraries that draw from Python's global random generator."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def global_random_seeded_by(rng: np.random.Generator) -> Iterator[None]:
    """Seed Python's global random generator for a `with` block, and restore its state afterwards.

    Args:
        rng: random generator from which the seed is drawn; advanced by one number.
    """
    state = random.getstate()
    random.seed(int(rng.integers(2**63)))
    try:
        yield
    finally:
        random.setstate(state)

"""Log-odds of win rates and back, alike on every processor."""

from __future__ import annotations

import numpy as np

from balance.statistics.arithmetic import exponentials, natural_log
from balance.statistics.intervals import Floats

_NEAREST = 0.02
"""Rates nearer to 0 or 1 count as this far away: the odds of a won matchup have no end."""


def inside(rates: Floats) -> Floats:
    """Rates, none of them too near to 0 or 1."""
    return np.clip(rates, _NEAREST, 1 - _NEAREST)


def logit(rates: Floats) -> Floats:
    """Logarithms of odds."""
    return natural_log(inside(rates) / (1 - inside(rates)))


def rate(logits: Floats) -> Floats:
    """Rates that have these log-odds."""
    return np.asarray(1 / (1 + exponentials(-logits)))


def steepness(rates: Floats) -> Floats:
    """How far rates move for a small change of log-odds; a game's variance too: p (1 - p)."""
    return inside(rates) * (1 - inside(rates))

"""Random search, the baseline of baselines: small patches drawn at random, of which games tell."""

from __future__ import annotations

import numpy as np

from balance.evolution import repaired
from balance.planting import draw_edits
from balance.question import Question
from balance.search_space import Steps
from balance.settings import BalanceSettings

_MOST_STEPS = 6


def random_search(question: Question, _settings: BalanceSettings, _n_games: int) -> Steps:
    """``[S, K]`` genomes of one to six steps, those nearest to their targets first.

    Args:
        question: what is to be balanced; all its games go into one batch.
    """
    space, rng = question.space, question.rng
    n_steps = rng.integers(1, _MOST_STEPS + 1, size=max(question.n_affordable, 1))
    drawn = repaired(np.stack([draw_edits(space, int(n), rng) for n in n_steps]), space, rng)
    scores = question.score(drawn)
    return drawn[np.lexsort([scores.change, scores.imbalance_pp, scores.violation])]

"""Truth: what a patch comes to in so many games of their own that luck hardly matters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.evaluation import Evaluator
from balance.search_space import Steps


class Truth(NamedTuple):
    """What a patch comes to.

    Attributes:
        imbalance_pp: largest distance of a rate from its target.
        violation: how far the guards are broken, in multiples of what they allow.
        holds: whether all demands and guards do.
    """

    imbalance_pp: float
    violation: float
    holds: bool


def truth_of(evaluator: Evaluator, genome: Steps, n_games: int) -> Truth:
    """Play a patch beside today's numbers on the stream `truth`, and take the rates at their word.

    Args:
        evaluator: plays genomes.
        genome: ``[K]`` the patch.
        n_games: per matchup; with 400,000 a rate is good to 0.15 pp.
    """
    genomes = genome[np.newaxis]
    readings = evaluator.play(genomes, n_games=n_games, purpose="truth")
    demands, violation = evaluator.demands, evaluator.violation(readings)[0]
    rates = demands.of(demands.rates(readings)[0])
    imbalance_pp = float(demands.distance_pp(rates).max())
    is_inside = demands.spare_pp(rates) >= 0
    return Truth(imbalance_pp, float(violation), bool(is_inside and violation == 0))

"""The beam: from today's numbers, step by step, the genomes that a model likes best.

Of every number of steps it keeps a few hundred: those whose worst rate is nearest to its target,
and those that are nearest in all rates together, from which one more step may do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.model.features import Features
from balance.model.linear_algebra import product
from balance.model.response import Response
from balance.model.wishes import Wishes
from balance.statistics.intervals import Flags, Floats
from sim.seeds import generator

_WIDTH = 600
_MOST_STEPS = 30
_SCREENED = 2  # times the width that the slopes alone leave, for the pairs to judge
_SHOWN = 60  # of each number of steps
_GOOD = 0.6  # of the band: so near to their targets are rates that need no further step
_GOOD_LEVELS = 3  # that have such a genome, after which there is no need to go on


def promising(model: Response, features: Features, wishes: Wishes) -> Floats:
    """``[B, F]`` the best genomes of no step, of one, of two, and so on.

    Args:
        model: predicts.
        features: directions of numbers.
        wishes: what is demanded.
    """
    levels, n_good = [np.zeros((1, len(features)))], 0  # today's may do already
    near = _GOOD * (wishes.demands.widest_pp / 100 - wishes.room)
    for genomes, worst in _levels(model, features, wishes):
        levels.append(genomes[np.argsort(worst, kind="stable")[:_SHOWN]])
        n_good += bool((worst < near).any())
        if n_good == _GOOD_LEVELS or len(levels) > _MOST_STEPS:
            break
    return np.concatenate(levels)


def _levels(model: Response, features: Features, wishes: Wishes) -> Iterator[tuple[Floats, Floats]]:
    """The genomes kept of each number of steps, and how far the worst rate of each is off."""
    numbers = generator(0, "beam").integers(0, 2**40, len(features)).astype(np.float64)
    kept = np.zeros((1, len(features)))
    while True:
        parents, added = np.nonzero((kept < features.most) & ~features.against(kept))
        worst, together = wishes.misses_after(model.mean(kept), model.slopes, parents, added)
        n = _SCREENED * _WIDTH
        chosen = np.flatnonzero(_are_best(worst, n) | _are_best(together, n))
        children = kept[parents[chosen]]
        children[np.arange(len(chosen)), added[chosen]] += 1
        children = children[np.unique(product(children, numbers), return_index=True)[1]]
        if not len(children):
            return
        worst, together = wishes.misses(model.mean(children))
        best = _are_best(worst, _WIDTH) | _are_best(together, _WIDTH // 2)
        kept = children[best]
        yield kept, worst[best]


def _are_best(misses: Floats, n: int) -> Flags:
    """Whether each is among the `n` least, or equals the last of these."""
    if len(misses) <= n:
        return np.ones(len(misses), dtype=np.bool_)
    return np.asarray(misses <= np.partition(misses, n - 1)[n - 1])

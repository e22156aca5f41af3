"""The beam: from today's numbers, by rising change, the genomes that a model likes best.

Of every change it keeps a few hundred: those whose worst rate is nearest to its target, and those
that are nearest in all rates together, from which one more step may do. Among them are genomes that
lack a step to keep a sum, such as a nerf for a buff; they lead on, and are not shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from balance.model.features import Features
from balance.model.linear_algebra import product
from balance.model.response import Response
from balance.model.wishes import Wishes
from balance.search_space import SearchSpace
from balance.statistics.intervals import Counts, Flags, Floats
from sim.play.table import OF_RULES
from sim.seeds import generator

_WIDTH = 600
MOST_STEPS = 60
_SCREENED = 2  # times the width that the slopes alone leave, for the pairs to judge
_MOST_EQUAL = 3  # times as many as are kept, that are kept because they equal the last
_SHOWN = 60  # of each change
_GOOD = 0.6  # of the band: so near to their targets are rates that need no further step
_GOOD_LEVELS = 3  # that have such a genome, after which there is no need to go on


def promising(model: Response, features: Features, space: SearchSpace, wishes: Wishes) -> Floats:
    """``[B, F]`` the best genomes of no change, of a little, of a little more, and so on.

    Args:
        model: predicts.
        features: directions of numbers.
        space: the numbers, what their steps count, and what genomes have to keep.
        wishes: what is demanded.
    """
    shown = []
    n_good = 0
    near = _GOOD * (wishes.demands.band_pp / 100 - wishes.room)
    for genomes, worst in _levels(model, features, space, wishes):
        shown.append(genomes[np.argsort(worst, kind="stable")[:_SHOWN]])
        n_good += bool((worst < near).any() and genomes.any())  # today's tell nothing of edits
        if n_good == _GOOD_LEVELS or genomes.sum(axis=1).min() >= MOST_STEPS:
            break
    return np.concatenate(shown)


def _levels(
    model: Response, features: Features, space: SearchSpace, wishes: Wishes
) -> Iterator[tuple[Floats, Floats]]:
    """The allowed genomes kept of each change, and how far the worst rate of each is off."""
    numbers = generator(0, "beam").integers(0, 2**40, len(features)).astype(np.float64)
    waiting = defaultdict[int, list[Floats]](list, {0: [np.zeros((1, len(features)))]})
    while waiting:
        genomes = np.concatenate(waiting.pop(min(waiting)))
        genomes = genomes[np.unique(product(genomes, numbers), return_index=True)[1]]
        genomes = genomes[space.leads_on(features.genomes(genomes))]
        if not len(genomes):
            continue
        means = model.mean(genomes)
        worst, together = wishes.misses(means)
        best = _are_best(worst, _WIDTH) | _are_best(together, _WIDTH // 2)
        kept = genomes[best]
        allowed = space.allows(features.genomes(genomes[best]))
        if allowed.any():
            yield kept[allowed], worst[best][allowed]
        parents, added = np.nonzero((kept < features.most) & ~features.against(kept))
        worst, together = wishes.misses_after(means[best], model.slopes, parents, added)
        level = _level(features, space, kept)[parents, added]
        for change in np.unique(level).tolist():
            here = np.flatnonzero(level == change)
            n = _SCREENED * _WIDTH
            some = here[_are_best(worst[here], n) | _are_best(together[here], n)]
            children = kept[parents[some]]
            children[np.arange(len(some)), added[some]] += 1
            waiting[change].append(children)


def _level(features: Features, space: SearchSpace, genomes: Floats) -> Counts:
    """``[P, F]`` the change after one more step of each, in steps of the least weight.

    Every step leads to a higher level, so that levels come in order.
    """
    steps = features.genomes(genomes)
    more = space.weights[features.gene]
    if space.card_weight:
        owner = space.owners[features.gene]
        touched = np.stack([genomes[:, owner == card].any(axis=1) for card in owner], axis=1)
        more = more + np.where(touched | (owner == OF_RULES), 0.0, space.card_weight)
    change = space.change(steps)[:, np.newaxis] + more
    return np.asarray(np.floor(change / space.weights.min() + 1e-6).astype(np.int64))


def _are_best(misses: Floats, n: int) -> Flags:
    """Whether each is among the `n` least, or equals the last; of very many equals the first."""
    if len(misses) <= n:
        return np.ones(len(misses), dtype=np.bool_)
    best = np.asarray(misses <= np.partition(misses, n - 1)[n - 1])
    if best.sum() > _MOST_EQUAL * n:  # as where nothing is missed any more
        best[:] = False
        best[np.argsort(misses, kind="stable")[:n]] = True
    return best

"""Beam search through the surrogate: the genomes with the best predictions of each size.

The search starts from the baseline numbers and adds one step at a time, in order of rising size.
Of every size it keeps up to a few hundred genomes: those with the smallest largest distance of a
rate from its target, and those with the smallest root sum of squared distances. Genomes that lack a
step to satisfy a constraint on sums, such as a nerf that must balance a buff, are kept as parents
but not proposed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from balance.search.model.features import Features
from balance.search.model.linear_algebra import product
from balance.search.model.requirements import Requirements
from balance.search.model.response import Response
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Flags, Floats
from sim.play.table import OF_RULES
from sim.seeds import generator

# Numbers of genomes kept of each size by their largest distance from a target; half as many are
# kept by all distances together. The time of a round is proportional to them. With a wide beam
# patches of four to six decks touch fewer cards (decision 0022). Chosen by hand.
NARROW = 200
WIDE = 600  # chosen by hand, as above
# Maximum number kept of sizes beyond `_SMALL`, in units of the smallest weight: hard questions have
# twice as many sizes as other ones.
_MOST_BEYOND = 200
_SMALL = 40  # size of eight cards with sixteen steps, about the largest patch that one would print
# Number of steps of a genome at which the beam ends: twice as many as the largest patches found so
# far (29 steps, docs/log.md). Chosen by hand.
MOST_STEPS = 60
# Number of children, in multiples of the number to keep, that the fast prediction by slopes alone
# passes on to the full prediction with pairs of steps. Chosen by hand.
_SCREENED = 2
# Genomes that tie with the last one kept are kept too, so that the selection does not depend on the
# order. This multiple of the number to keep limits them, since most values may be 0.
_MOST_EQUAL = 3
_SHOWN = 60  # genomes proposed of each size: enough for about two rounds; chosen by hand
# A genome is good if its largest distance is below this share of the band less the margin. Below 1
# because predictions err. Chosen by hand.
_GOOD = 0.6
# The beam ends after this number of sizes with a good genome: larger ones save nothing, but the
# smallest good genome may fail when it is played. Chosen by hand.
_GOOD_LEVELS = 3
# The beam also ends after this number of sizes in a row that bring no genome nearer to its targets:
# further steps then do harm. Chosen by hand: the steps of about four further cards.
_STALE_LEVELS = 16


def promising(
    model: Response,
    features: Features,
    space: SearchSpace,
    requirements: Requirements,
    width: int = WIDE,
) -> Floats:
    """Return the genomes with the best predictions of each size, by rising size.

    The search ends at the third size with a good prediction, at genomes of 60 steps, after 16 sizes
    that come no nearer to the targets, or when no further step is legal.

    Args:
        model: surrogate that predicts the win rates of genomes.
        features: the steps that genomes consist of.
        space: the search space: numbers, weights of their steps, and constraints on genomes.
        requirements: the demands and the limit on the first seat's lead.
        width: number of genomes kept of each size, `NARROW` or `WIDE`.

    Returns:
        Features of at most 60 genomes per size, shape [B, F].
    """
    proposed = []
    n_good = 0
    n_stale = 0
    nearest = np.inf
    near = _GOOD * (requirements.demands.band_pp / 100 - requirements.room)  # share of games
    for genomes, worst in _search_levels(model, features, space, requirements, width):
        proposed.append(genomes[np.argsort(worst, kind="stable")[:_SHOWN]])
        # The baseline (no step) does not count, because it involves no edit.
        n_good += bool((worst < near).any() and genomes.any())
        n_stale = 0 if worst.min() < nearest else n_stale + 1
        nearest = min(nearest, float(worst.min()))
        is_over = n_good == _GOOD_LEVELS or n_stale == _STALE_LEVELS
        if is_over or genomes.sum(axis=1).min() >= MOST_STEPS:
            break
    return np.concatenate(proposed)


def _search_levels(
    model: Response,
    features: Features,
    space: SearchSpace,
    requirements: Requirements,
    most: int,
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the legal genomes that the beam keeps of each size, by rising size.

    A size without a legal genome is skipped.

    Args:
        model: surrogate that predicts the win rates of genomes.
        features: the steps that genomes consist of.
        space: search space that decides which genomes are legal and their size.
        requirements: the demands and the limit on the first seat's lead.
        most: number of genomes kept of each size up to `_SMALL`.

    Yields:
        Features of the genomes, shape [B, F], and their largest predicted distances from a target
        (first value of `Requirements.misses`), shape [B].
    """
    # Equal genomes have equal weighted sums of steps, exact in floats; others collide with
    # probability 2^-40. Comparing one number is much faster than comparing rows.
    hashes = generator(0, "beam").integers(0, 2**40, len(features)).astype(np.float64)
    start = _Children(np.zeros((1, len(features))), np.zeros(1), np.zeros(1))
    waiting = defaultdict[int, list[_Children]](list, {0: [start]})
    while waiting:
        level = min(waiting)
        width = most if level <= _SMALL else min(most, _MOST_BEYOND)
        genomes = _screened(waiting.pop(level), hashes, _SCREENED * width)
        steps = features.genomes(genomes)
        leads_on = space.leads_on(steps)
        if not leads_on.any():
            continue
        genomes = genomes[leads_on]
        steps = steps[leads_on]
        means = model.mean(genomes)
        worst, together = requirements.misses(means)
        best = _are_best(worst, width) | _are_best(together, width // 2)
        kept = genomes[best]
        allowed = space.meets_sums(steps[best])  # `leads_on` has checked the other constraints
        if allowed.any():
            yield kept[allowed], worst[best][allowed]
        # Children are the kept genomes with any one further step. They are predicted by slopes
        # alone, because full predictions of all children would take most of a round's time.
        parents, added = np.nonzero((kept < features.most) & ~features.against(kept))
        worst, together = requirements.misses_after(means[best], model.slopes, parents, added)
        next_levels = _level(features, space, steps[best])[parents, added]
        for next_level in np.unique(next_levels).tolist():
            at_level = np.flatnonzero(next_levels == next_level)
            n = _SCREENED * width
            screened = at_level[_pass_screen(worst[at_level], together[at_level], n)]
            children = kept[parents[screened]]
            children[np.arange(len(screened)), added[screened]] += 1
            waiting[next_level].append(_Children(children, worst[screened], together[screened]))


class _Children(NamedTuple):
    """Genomes that are one step larger than those of an earlier level.

    Attributes:
        genomes: features of the genomes, shape [B, F].
        worst: largest distance of a rate from its target, predicted by slopes alone, shape [B].
        together: root of the sum of squared distances, predicted by slopes alone, shape [B].
    """

    genomes: Floats
    worst: Floats
    together: Floats


def _screened(waiting: list[_Children], hashes: Floats, n: int) -> Floats:
    """Return the distinct genomes of a level with the best predictions by slopes alone, [B, F].

    Args:
        waiting: genomes of the level, by the level of their parents.
        hashes: random number of each feature; genomes are compared by sums of them, shape [F].
        n: number of genomes to keep by each of the two distances.
    """
    genomes = np.concatenate([children.genomes for children in waiting])
    worst = np.concatenate([children.worst for children in waiting])
    together = np.concatenate([children.together for children in waiting])
    distinct = np.unique(product(genomes, hashes), return_index=True)[1]
    return np.asarray(genomes[distinct[_pass_screen(worst[distinct], together[distinct], n)]])


def _pass_screen(worst: Floats, together: Floats, n: int) -> Flags:
    """Return whether each genome is among the `n` best by one of the two distances, shape [B]."""
    return _are_best(worst, n) | _are_best(together, n)


def _level(features: Features, space: SearchSpace, steps: Steps) -> Counts:
    """Return the level that each genome reaches by one more step of each feature.

    A level is a size in units of the smallest weight of a step, rounded down. Every step raises
    the level, so the search visits levels in order.

    Args:
        features: the steps that genomes consist of.
        space: search space with the weights of steps and of edited cards.
        steps: the genomes as signed steps, shape [P, K].

    Returns:
        Levels, shape [P, F].
    """
    added = space.weights[features.gene]
    if space.card_weight:
        owner = space.owners[features.gene]
        groups = space.card_groups
        is_new = np.zeros((len(steps), len(owner)), dtype=np.bool_)
        is_of_card = owner != OF_RULES
        card = np.searchsorted(groups.cards, owner[is_of_card])
        is_new[:, is_of_card] = ~groups.touched(steps)[card].T
        added = added + np.where(is_new, space.card_weight, 0.0)
    size = space.size(steps)[:, np.newaxis] + added
    # 1e-6: sums of weights such as 0.1 may lie just below a whole number of units.
    return np.asarray(np.floor(size / space.weights.min() + 1e-6).astype(np.int64))


def _are_best(misses: Floats, n: int) -> Flags:
    """Return whether each value is among the `n` smallest, shape [B].

    Values that tie with the `n`-th smallest count too. If that makes more than three times `n`
    values, exactly `n` count, and ties are broken by position.

    Args:
        misses: values to compare, such as distances from targets, shape [B].
        n: number of values to keep.
    """
    if len(misses) <= n:
        return np.ones(len(misses), dtype=np.bool_)
    best = np.asarray(misses <= np.partition(misses, n - 1)[n - 1])
    if best.sum() > _MOST_EQUAL * n:  # for example when many genomes meet all targets
        best[:] = False
        best[np.argsort(misses, kind="stable")[:n]] = True
    return best

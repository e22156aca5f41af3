"""An optimiser: climbs from today's numbers, by an edit or two at a time."""

import numpy as np

from balance.evolution import mutate, repaired

N_TRIED = 60


def climb(question, settings, n_games):
    """The way from today's numbers to the best that was found."""
    space = question.space
    rng = question.rng
    way = [np.zeros(len(space.genes), np.int16)]
    while question.n_affordable > N_TRIED:
        tried = np.repeat(way[-1:], N_TRIED + 1, axis=0)  # the first stays where it is
        tried[1:] = repaired(mutate(tried[1:], space, "sparse", rng), space, rng)
        scores = question.score(tried)
        best = np.lexsort([scores.change, scores.imbalance_pp, scores.violation])[0]
        if best:
            way.append(tried[best])
    return way[::-1]

"""An optimiser: climbs from today's numbers, one step of one number after the other."""

import numpy as np

N_TRIED = 60


def climb(question, settings, n_games):
    """The way from today's numbers to the best that was found."""
    space = question.space
    way = [np.zeros(len(space.genes), np.int16)]
    while question.n_affordable > N_TRIED and len(way) <= settings.search.generations:
        tried = np.repeat(way[-1:], N_TRIED + 1, axis=0)
        which = question.rng.integers(len(space.genes), size=N_TRIED)
        tried[np.arange(1, N_TRIED + 1), which] += question.rng.choice([-1, 1], N_TRIED)
        tried = np.clip(tried, space.low, space.high)
        scores = question.score(tried)
        best = np.lexsort([scores.change, scores.imbalance_pp, scores.violation])[0]
        if not best:  # none beats where it stands
            break
        way.append(tried[best])
    return way[::-1]

"""An optimiser that climbs from the current numbers, by an edit or two at a time."""

import numpy as np

from balance.search.evolution import mutate, repaired

N_TRIED = 60  # candidates of a step; chosen by hand, not tuned


def climb(problem, settings, n_games):
    """Return the candidates on the way from the current numbers to the best one found."""
    space = problem.space
    rng = problem.rng
    path = [np.zeros(len(space.genes), np.int16)]
    while problem.n_affordable > N_TRIED:
        candidates = np.repeat(path[-1:], N_TRIED + 1, axis=0)  # the first one stays unchanged
        candidates[1:] = repaired(mutate(candidates[1:], space, "sparse", rng), space, rng)
        scores = problem.score(candidates)
        best = np.lexsort([scores.change, scores.imbalance_pp, scores.violation])[0]
        if best:
            path.append(candidates[best])
    return path[::-1]

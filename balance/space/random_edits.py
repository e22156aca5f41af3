"""Random edits of a few cards, of a given total number of steps."""

from __future__ import annotations

import numpy as np

from balance.space.design_rules import BETTER
from balance.space.search_space import SearchSpace, Steps
from sim import InputError

# Maximum number of cards with edits; chosen by hand, about the size of published patches.
_MOST_CARDS = 5
# Number of failed draws after which the ranges are assumed to leave no place for the steps; chosen
# by hand, not tuned.
_MOST_DRAWS = 10_000


def draw_edits(space: SearchSpace, n_steps: int, rng: np.random.Generator) -> Steps:
    """Return a random genome of a given number of steps on one to five cards.

    All steps on one card make it stronger, or all make it weaker. Steps of amounts, for which the
    better direction is unknown, count as stronger if they go up.

    Args:
        space: search space with the ranges of the numbers.
        n_steps: sum of the absolute steps of the genome.
        rng: random generator; advanced by the call.

    Returns:
        Genome, shape ``[K]``.

    Raises:
        InputError: the ranges leave no place for this number of steps.
    """
    stronger = np.array([BETTER.get(gene.field, 1) for gene in space.genes], np.int16)
    for _ in range(_MOST_DRAWS):
        n_cards = int(rng.integers(1, min(_MOST_CARDS, n_steps, len(space.cards)) + 1))
        cards = rng.permutation(space.cards)[:n_cards]
        sides = rng.choice([-1, 1], n_cards)
        genome = np.zeros(len(space.genes), np.int16)
        # The first steps go to different cards, so that each of them is edited.
        for step in range(n_steps):
            card = step if step < n_cards else int(rng.integers(n_cards))
            moved = genome + sides[card] * stronger
            has_room = (space.low <= moved) & (moved <= space.high) & (space.owners == cards[card])
            if not has_room.any():
                break
            k = rng.choice(np.flatnonzero(has_room))
            genome[k] = moved[k]
        else:
            return genome
    raise InputError(
        f"the ranges of {len(space.genes)} numbers do not permit {n_steps} steps",
        place="tune",
        value=n_steps,
        limit=len(space.genes),
    )

"""Shortlist of a finished search: the genomes that the selection plays again."""

from __future__ import annotations

import numpy as np

from balance.search.model.assessment import Assessment
from balance.search.selection import NOT_RULED_OUT
from balance.search.short_trial import nearest_of_each
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Floats, Positions
from balance.verdict.evaluation import UNPLAYABLE

# Minimum probability on the shortlist: lower than `LIKELY`, because the selection plays many more
# games and rejects genomes that fail. Chosen by hand.
_MAY_DO = 0.3
# Genomes of the shortlist, without those of the last round. Trade-off: the selection plays many
# games of each genome. Chosen by hand.
_SHORTLIST = 8
# Maximum number of genomes of the same size among the smallest of the shortlist: with two, all
# ten seeds of four decks ended at 15 steps or fewer (decision 0012).
_OF_A_SIZE = 2
# Places of the shortlist for the most probable genomes of any size, so that a genome with margin
# is available if the smallest genomes fail. Chosen by hand.
_LIKELIEST = 2
_OF_A_COUNT = 4  # contenders of each number of cards; chosen by hand
_CONTENDING_COUNTS = 6  # numbers of cards with contenders, up to that of the incumbent; by hand
MOST_CONTENDERS = _OF_A_COUNT * _CONTENDING_COUNTS
"""Maximum number of contenders."""


def shortlist(assessment: Assessment, distances_pp: Floats, most: int) -> Positions:
    """Return the genomes that the selection plays again, by rising size.

    These are the smallest genomes that may be feasible (at most two of each size) and the most
    probable genomes. The unchanged game, if it was evaluated, and the genomes of the last round are
    added. Genomes with games that never end are left out.

    Args:
        assessment: state at the end of the search, with probabilities.
        distances_pp: predicted imbalance of each evaluated genome in percentage points, shape [S].
        most: maximum number of genomes.

    Returns:
        Positions in `state.seen`.
    """
    state = assessment.state
    chance = assessment.chance
    size = assessment.scores.size
    by_size = np.lexsort([-chance, size])
    may_do = by_size[chance[by_size] >= _MAY_DO]
    small = may_do[_ranks_among_equals(size[may_do]) < _OF_A_SIZE]
    small = small[: _SHORTLIST - _LIKELIEST]
    likeliest = assessment.by_probability
    if chance.max() < NOT_RULED_OUT:
        # All probabilities are about 0, so their order is meaningless: rank by distance.
        likeliest = np.lexsort([distances_pp, state.seen_violation])
    chosen = [*dict.fromkeys([*small.tolist(), *likeliest.tolist()])][:_SHORTLIST]
    n_before = int(state.history[-2, 4]) if len(state.history) > 1 else 0
    last_round = range(n_before, len(state.seen))
    # The unchanged game may have margin even if no edited genome has any.
    unchanged = np.flatnonzero(~state.seen.any(axis=1))
    all_chosen = np.array([*dict.fromkeys([*chosen, *unchanged.tolist(), *last_round])])
    playable = all_chosen[state.seen_violation[all_chosen] < UNPLAYABLE][:most]
    return np.asarray(playable[np.lexsort([-chance[playable], size[playable]])])


def contenders(assessment: Assessment, space: SearchSpace, distances_pp: Floats) -> Positions:
    """Return the genomes on fewer cards that are predicted nearest to their targets.

    A genome on fewer cards that the surrogate thinks improbable may suffice nevertheless: in one of
    four games such a genome saved a card (decision 0022).

    Args:
        assessment: state at the end of the search, with probabilities.
        space: search space of the genomes.
        distances_pp: predicted imbalance of each evaluated genome in percentage points, shape [S].

    Returns:
        Positions in `state.seen` of at most four genomes of each of the six numbers of cards up to
        that of the smallest probably feasible genome; of all genomes if none is.
    """
    state = assessment.state
    is_smaller = state.seen_violation < UNPLAYABLE
    is_smaller &= assessment.scores.size < assessment.least_size
    cards = space.cards_touched(state.seen)
    counts = np.unique(cards[is_smaller & state.seen.any(axis=1)])[-_CONTENDING_COUNTS:]
    smaller = np.flatnonzero(is_smaller & np.isin(cards, counts))
    return smaller[nearest_of_each(cards[smaller], distances_pp[smaller], _OF_A_COUNT)]


def _ranks_among_equals(values: Floats) -> Positions:
    """Return the number of equal values before each value, shape [n].

    Args:
        values: values in rising order, shape [n].
    """
    return np.arange(len(values)) - np.searchsorted(values, values)

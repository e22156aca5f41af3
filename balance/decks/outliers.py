"""Outliers: cards that do more for decks than the rest of the pool, told by a search for decks.

A search plays thousands of decks. The log-odds of their win rates are regressed on the copies of
each card that they hold, with a normal prior whose spread the decks tell (empirical Bayes). What
no sum of single cards explains, cards that go well together, is a spread between decks, learnt
likewise. So a card is known by many decks, not by the best one and its relatives alone.

Reference: C. Bishop, "Pattern Recognition and Machine Learning" (2006), 3.5 and 4.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.decks.search import DeckSearch, DeckState, cautious_rates
from balance.model.features import with_level
from balance.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import logit, mean_of, ordered_sum, rate, steepness
from balance.statistics.intervals import CONFIDENCE, Counts, Flags, Floats, Interval, z_score

_BEST = 10  # one deck in so many is a good one
_N_LEARNT = 30  # times that the spreads are learnt
_LEVEL_PRECISION = 0.01
_LEAST_VARIANCE = 1e-4
_FIRST_VARIANCE = 0.01


@dataclass(frozen=True)
class CardEffects:
    """What each of ``K`` cards does for decks.

    Attributes:
        cards: ``[K]`` positions in the pool of the cards that some deck held.
        effect: ``[K]`` what one more copy adds to a deck's log-odds, less what a copy of another
            card does on average.
        n_decks: ``[K]`` decks that held the card.
        held: ``[K]`` share of the best decks that hold it.
        copies: ``[K]`` copies in these on average.
        fence: ``[K]`` log-odds beyond which the effect of none of so many cards is to be expected.
        is_outlier: ``[K]`` whether the interval of the effect lies wholly beyond its fence.
        n_best: how many decks are the best.
    """

    cards: Counts
    effect: Interval
    n_decks: Counts
    held: Floats
    copies: Floats
    fence: Floats
    is_outlier: Flags
    n_best: int


def card_effects(search: DeckSearch, state: DeckState) -> CardEffects:
    """What cards do for the decks that a search has played.

    A card is an outlier if its effect is certainly above the fence of the others: of so many cards
    whose effects spread normally as the others' do, fewer than half a card would be beyond it
    (Chauvenet's criterion).

    Args:
        search: what was searched.
        state: how it ended.
    """
    counts = search.space.counts(state.seen)
    cards = np.flatnonzero(counts.any(axis=0))
    counts = counts[:, cards]
    weights = search.field.weights
    n_games = state.seen_games / ordered_sum(weights * weights)
    rates = search.field.score(state.seen_points) / state.seen_games
    mean, root = _slopes(counts.astype(float), rates, n_games)
    n_cards = len(cards)
    beyond = n_cards * np.eye(n_cards) - 1.0  # a card less the mean of the others, but for a factor
    scale = max(n_cards - 1, 1)
    effect = product(beyond, on_grid(mean)) / scale
    spread = product(root, beyond.T) / scale
    variance = ordered_sum(spread * spread, axis=0)
    reach = z_score(CONFIDENCE) * np.sqrt(variance)
    squares = effect * effect + variance
    fence = z_score(1 - 1 / n_cards) * np.sqrt((ordered_sum(squares) - squares) / scale)
    n_best = -(-len(counts) // _BEST)
    order = np.argsort(-cautious_rates(state, search.field), kind="stable")
    best = counts[order[:n_best]]
    return CardEffects(
        cards=cards,
        effect=Interval(effect, effect - reach, effect + reach),
        n_decks=np.count_nonzero(counts, axis=0),
        held=np.count_nonzero(best, axis=0) / n_best,
        copies=best.sum(axis=0) / n_best,
        fence=fence,
        is_outlier=effect - reach > fence,
        n_best=n_best,
    )


def _slopes(copies: Floats, rates: Floats, n_games: Floats) -> tuple[Floats, Floats]:
    """``[K]`` log-odds that a copy adds, and a root ``[K + 1, K]`` R of their covariance R'R."""
    known = with_level(copies)
    level = logit(np.array(mean_of(rates)))
    mean = np.append(level, np.zeros(copies.shape[1]))
    of_cards = of_decks = _FIRST_VARIANCE
    for _ in range(_N_LEARNT):
        expected = product(known, on_grid(mean))
        steep = steepness(rate(expected))
        luck = 1 / (n_games * steep)
        weights = on_grid(1 / (luck + of_decks))
        beyond = on_grid((rates - rate(expected)) / steep)
        precision = np.append(_LEVEL_PRECISION, np.full(copies.shape[1], 1 / of_cards))
        upper = factor(product((known * weights[:, np.newaxis]).T, known) + np.diag(precision))
        pull = product(known.T, on_grid(weights * (expected + beyond)))
        mean = solve(upper, pull + precision * np.append(level, np.zeros(copies.shape[1])))
        root = inverse_root(upper)
        variance = ordered_sum(root * root, axis=0)[1:]
        of_cards = max(mean_of(mean[1:] * mean[1:] + variance), _LEAST_VARIANCE)
        rest = expected + beyond - product(known, on_grid(mean))
        share = of_decks / (of_decks + luck)
        of_decks = max(mean_of(share * rest * share * rest + share * luck), _LEAST_VARIANCE)
    return mean[1:], np.ascontiguousarray(root[:, 1:])

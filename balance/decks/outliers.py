"""Outliers: cards that improve decks more than other cards do, by the results of many decks.

The log-odds of the decks' win rates are regressed on the number of copies of each card, with a
normal prior; the variance of the prior is estimated from the decks (empirical Bayes). Differences
between decks that no sum of single cards explains, such as synergies, are a random effect with a
variance that is estimated too. The effect of a card therefore depends on many decks, not only on
the best deck and its relatives.

Reference: C. Bishop, "Pattern Recognition and Machine Learning" (2006), 3.5 and 4.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.search.model.features import with_level
from balance.search.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import logit, mean_of, ordered_sum, rate, steepness
from balance.statistics.intervals import (
    Counts,
    Flags,
    Floats,
    Interval,
    normal_interval,
    z_score,
)

_BEST = 10  # one deck in ten counts as one of the best decks of the report; a convention
# Number of updates of both variances, fixed instead of tested for convergence, so that results are
# equal on all processors. Chosen by hand.
_N_LEARNT = 30
# Prior precision of the level: a standard deviation of 10 log-odds, so that the level is hardly
# restricted. Chosen by hand.
_LEVEL_PRECISION = 0.01
# Minimum estimated variance: an estimate of 0 could not be inverted, and would stay 0.
_LEAST_VARIANCE = 1e-4
# Initial value of both variances, in squared log-odds; the iterations replace it. Chosen by hand.
_FIRST_VARIANCE = 0.01


@dataclass(frozen=True)
class CardEffects:
    """Effects of ``K`` cards on the win rates of decks.

    Attributes:
        cards: positions in the pool of the cards that at least one deck contained, shape [K].
        effect: log-odds that one more copy adds to a deck's win rate, less the mean of all other
            cards, with intervals, shape [K].
        n_decks: number of decks that contained the card, shape [K].
        held: share of the best decks that contain the card, shape [K].
        copies: mean number of copies of the card in the best decks, shape [K].
        fence: threshold of an outlier, in log-odds: the expected number of cards above it is half a
            card, by the effects of all other cards, shape [K].
        is_outlier: whether the whole interval of the effect is above the fence, shape [K].
        n_best: number of the best decks: one tenth of all decks, rounded up.
    """

    cards: Counts
    effect: Interval
    n_decks: Counts
    held: Floats
    copies: Floats
    fence: Floats
    is_outlier: Flags
    n_best: int


def effects_of_copies(
    counts: Counts, *, rates: Floats, n_games: Floats, cautious: Floats
) -> CardEffects:
    """Estimate the effects of cards on the win rates of decks.

    A card is an outlier if the interval of its effect is above a fence. If the effects of ``K``
    cards were normal with the variance of all other cards, half a card would exceed the fence on
    one side (Chauvenet's criterion).

    Args:
        counts: number of copies of each card in each deck, shape [S, C].
        rates: win rate of each deck against the same opponents, shape [S].
        n_games: effective number of games of each deck, shape [S].
        cautious: lower bound of each win rate, by which the best decks are chosen, shape [S].
    """
    cards = np.flatnonzero(counts.any(axis=0))
    counts = counts[:, cards]
    mean, root = fit_effects(counts.astype(float), rates, n_games)
    n_cards = len(cards)
    # Contrasts of each card with the mean of all other cards, times n_cards - 1: whole numbers, so
    # that their products are exact.
    contrasts = n_cards * np.eye(n_cards) - 1.0
    scale = max(n_cards - 1, 1)
    effect = product(contrasts, on_grid(mean)) / scale
    spread = product(root, contrasts.T) / scale
    variance = ordered_sum(spread * spread, axis=0)
    with_bounds = normal_interval(effect, variance)
    squares = effect * effect + variance
    fence = z_score(1 - 1 / n_cards) * np.sqrt((ordered_sum(squares) - squares) / scale)
    n_best = -(-len(counts) // _BEST)
    order = np.argsort(-cautious, kind="stable")
    best = counts[order[:n_best]]
    return CardEffects(
        cards=cards,
        effect=with_bounds,
        n_decks=np.count_nonzero(counts, axis=0),
        held=np.count_nonzero(best, axis=0) / n_best,
        copies=best.sum(axis=0) / n_best,
        fence=fence,
        is_outlier=with_bounds.low > fence,
        n_best=n_best,
    )


def fit_effects(copies: Floats, rates: Floats, n_games: Floats) -> tuple[Floats, Floats]:
    """Return the estimated log-odds that one copy of each card adds, and their covariance.

    Each iteration linearises the logistic function around the current effects, solves the weighted
    ridge regression, and updates both variances (empirical Bayes).

    Args:
        copies: number of copies of each card in each deck, shape [S, K].
        rates: win rates of the decks, shape [S].
        n_games: effective number of games of each deck, shape [S].

    Returns:
        Effects, shape [K], and the root R of their covariance R'R, shape [K + 1, K].
    """
    known = with_level(copies)
    level = logit(np.array(mean_of(rates)))
    mean = np.append(level, np.zeros(copies.shape[1]))
    card_variance = _FIRST_VARIANCE
    deck_variance = _FIRST_VARIANCE
    for _ in range(_N_LEARNT):
        expected = product(known, on_grid(mean))
        steep = steepness(rate(expected))
        noise = 1 / (n_games * steep)
        weights = on_grid(1 / (noise + deck_variance))
        correction = on_grid((rates - rate(expected)) / steep)
        precision = np.append(_LEVEL_PRECISION, np.full(copies.shape[1], 1 / card_variance))
        upper = factor(product((known * weights[:, np.newaxis]).T, known) + np.diag(precision))
        pull = product(known.T, on_grid(weights * (expected + correction)))
        mean = solve(upper, pull + precision * np.append(level, np.zeros(copies.shape[1])))
        root = inverse_root(upper)
        variance = ordered_sum(root * root, axis=0)[1:]
        card_variance = max(mean_of(mean[1:] * mean[1:] + variance), _LEAST_VARIANCE)
        residual = expected + correction - product(known, on_grid(mean))
        share = deck_variance / (deck_variance + noise)
        deck_variance = max(
            mean_of(share * residual * share * residual + share * noise), _LEAST_VARIANCE
        )
    return mean[1:], np.ascontiguousarray(root[:, 1:])

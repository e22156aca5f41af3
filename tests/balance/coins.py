"""Matchups that are biased coins, for tests of statistics of win rates."""

from __future__ import annotations

import numpy as np

from balance import CardContest, MatchupCounts, Player
from tests.balance.contests import RUSH_KEEP, counts_by_seed


def players_named(*names: str) -> CardContest:
    """Return players that consist of names only."""
    one = RUSH_KEEP.players[0]
    return CardContest(RUSH_KEEP.table, tuple(Player(name, one.deck, one.agent) for name in names))


def coin_counts(payoff, n_seeds: int, seed: int = 0) -> MatchupCounts:
    """Return counts of matchups won with probability 0.5 plus the payoff, on independent seeds."""
    payoff = np.asarray(payoff, dtype=float)
    a, b = np.triu_indices(len(payoff), 1)
    rates = 0.5 + payoff[a, b]
    wins = np.random.default_rng(seed).random((len(a), 2, n_seeds)) < rates[:, None, None]
    return counts_by_seed(wins[np.newaxis])

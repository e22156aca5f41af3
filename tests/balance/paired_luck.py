"""A contest with exactly known rates, and randomness shared by the seatings of a seed.

The player favoured by a seed's randomness wins more often, and the seatings exchange it, so the
mean of a seed varies less than that of two independent games. With real decks the variance is
smaller by 0.15 to 0.38.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sin, sqrt
from statistics import NormalDist

import numpy as np

from balance import Certificate, Evaluator, MatchupCounts, certify
from balance.space.search_space import Steps
from sim.seeds import generator
from tests.balance.contests import _evaluator_settings, _meeting, counts_by_seed, free_space

EDIT = np.ones(1, np.int16)
SAVED = 0.25  # of the variance


@dataclass(frozen=True)
class PairedLuck(Evaluator):
    """Plays matchups of known rates, with shared randomness in each seed; baseline equals patch."""

    rates: tuple[float, ...] = (0.5,)

    def play(
        self, genomes: Steps, *, n_games: int, purpose: str, first_game: int = 0, **_: object
    ) -> MatchupCounts:
        rng = generator(self.run_seed, f"{purpose}/{first_game}")
        n_matchups = len(self.rates)
        n_seeds = n_games // 2
        shared = sin(
            SAVED * pi / 2
        )  # correlation of normal variables such that their signs have the correlation SAVED
        luck = sqrt(shared) * rng.standard_normal(n_seeds, dtype=np.float32)
        own = rng.standard_normal((n_matchups, 2, n_seeds), dtype=np.float32)
        needed = [NormalDist().inv_cdf(1 - rate) for rate in self.rates]
        sum_of = sqrt(1 - shared) * own + luck * np.array([[1], [-1]], dtype=np.float32)
        is_won = sum_of > np.array(needed)[:, np.newaxis, np.newaxis]
        return counts_by_seed(np.stack([is_won, is_won]))


def paired_luck(off_pp: tuple[float, ...], run_seed: int, **more: object) -> PairedLuck:
    """Return matchups with given distances from their targets of 50 %, with a band of 5 pp."""
    rates = tuple(0.5 + pp / 100 for pp in off_pp)
    evaluator_settings = _evaluator_settings(len(rates), run_seed=run_seed, **more)
    return PairedLuck(_meeting(len(rates)), free_space([0], [1]), **evaluator_settings, rates=rates)


def certificates(
    off_pp: tuple[float, ...], n_trials: int, n_games: int = 20_000, **more: object
) -> list[Certificate]:
    """Return certificates of patches with given true distances, from independent trials."""
    return [
        certify(paired_luck(off_pp, trial, **more), EDIT, n_games=n_games)[0]
        for trial in range(n_trials)
    ]


def share_certified(found: list[Certificate]) -> float:
    """Return the share of certificates that were given."""
    return float(np.mean([verdict.certified for verdict in found]))


CASES = (
    ((5.0,), "one, on the edge"),
    ((5.0, 0.0, 0.0), "one on the edge, two on target"),
    ((5.0, 5.0, 5.0), "three on the edge"),
    ((0.0, 0.0, 0.0), "three on target"),
    ((2.0, 2.0, 2.0), "three 2 pp off"),
    ((3.0, 3.0, 3.0), "three 3 pp off"),
    ((4.0, 3.0, 3.0), "one 4 pp off, two 3"),
    ((4.0, 4.0, 4.0), "three 4 pp off"),
    ((6.0, 0.0, 0.0), "one 6 pp off"),
    ((8.0, 0.0, 0.0), "one 8 pp off"),
)


def table(n_trials: int = 1000, n_games: int = 20_000) -> Iterator[str]:
    """Yield the lines of a table: share of certified trials, and games that they took."""
    yield "truth | certified as the first try, % | mean games per matchup | as the only try, %"
    for off_pp, words in CASES:
        first = certificates(off_pp, n_trials, n_games, try_number=1)
        only = certificates(off_pp, n_trials, n_games)
        taken = np.mean([verdict.n_games_played for verdict in first])
        shares = [100 * share_certified(found) for found in (first, only)]
        yield f"{words} | {shares[0]:.1f} | {taken:,.0f} | {shares[1]:.1f}"


if __name__ == "__main__":
    for games in (20_000, 80_000):
        print(f"{games:,} games")  # noqa: T201 (what it is run for)
        for row in table(1000 if games < 40_000 else 250, games):
            print(row, flush=True)  # noqa: T201

"""Levers are direct paired differences, in the direction that a number deserves."""

from __future__ import annotations

import numpy as np
import pytest

from balance.card_contest import CardContest, play_matchups
from balance.narrowing import measure_levers
from balance.statistics.intervals import paired_mean
from sim.play.table import Gene
from tests.balance.contests import THREE, body, own_contest, space_of

SEED = 3
N_GAMES = 200
SPACE = space_of(THREE, fields=["attack", "health"], max_steps=1)
LEVERS = measure_levers(THREE, SPACE, n_games=N_GAMES, run_seed=SEED, threads=1)


def direct_slope(contest: CardContest, gene: Gene, down: int, up: int) -> np.ndarray:
    """``[3, M]`` interval of the difference between two variants, per step."""
    rates = [
        play_matchups(
            contest,
            contest.table.vary([gene], np.array([[step]])),
            n_games=N_GAMES,
            run_seed=SEED,
            purpose="lever",
            threads=1,
        ).rates_by_seed(0)
        for step in (down, up)
    ]
    return np.array(paired_mean((rates[1] - rates[0]) / (up - down)))


@pytest.mark.parametrize("k", range(0, len(SPACE.genes), 4))
def test_a_slope_is_the_direct_paired_difference(k: int) -> None:
    down, up = max(int(SPACE.low[k]), -1), min(int(SPACE.high[k]), 1)
    expected = direct_slope(THREE, SPACE.genes[k], down, up)
    np.testing.assert_allclose(np.array(LEVERS.slope)[:, k], expected, atol=1e-12)


@pytest.mark.parametrize(("attack", "down", "up"), [(0, 0, 1), (5, -1, 0), (3, -1, 1)])
def test_at_a_limit_only_the_other_side_is_played(attack: int, down: int, up: int) -> None:
    cards = [body("odd", 2, attack, 2), body("even", 2, 2, 2)]
    contest = own_contest(cards, [{"odd": 12}, {"even": 12}])
    space = space_of(contest, fields=["attack"], decks=["a"])
    assert list(space.genes) == [Gene(0, "attack")]
    slope = measure_levers(contest, space, n_games=N_GAMES, run_seed=SEED, threads=1).slope
    expected = direct_slope(contest, space.genes[0], down, up)
    np.testing.assert_allclose(np.array(slope)[:, 0], expected, atol=1e-12)

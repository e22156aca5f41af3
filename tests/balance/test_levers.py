"""Levers are direct paired differences, in the direction that a number deserves."""

from __future__ import annotations

import numpy as np
import pytest

from balance.card_contest import CardContest, play_matchups
from balance.levers import Levers, measure_levers
from balance.narrowing import lever_intervals, scores_of
from balance.search_space import SearchSpace
from balance.statistics.intervals import paired_mean
from sim.play.table import Gene
from tests.balance.contests import RUSH_KEEP, THREE, body, own_contest, space_of

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


def test_better_numbers_help_their_owner() -> None:
    space = space_of(RUSH_KEEP, fields=["cost", "attack"], max_steps=1)
    slope = measure_levers(RUSH_KEEP, space, n_games=4000, run_seed=SEED, threads=1).slope
    rush = RUSH_KEEP.players[0].deck.slots(RUSH_KEEP.table.pool)
    for gene, low, high in zip(space.genes, slope.low[:, 0], slope.high[:, 0], strict=True):
        wants_more = (gene.field == "attack") == (gene.owner in rush)
        assert low > 0 if wants_more else high < 0


def whelp_lever(contest: CardContest) -> Levers:
    gene = Gene(contest.table.pool.index("ember_whelp"), "attack")
    space = SearchSpace((gene,), np.array([-1], np.int16), np.array([1], np.int16), np.ones(1))
    return measure_levers(contest, space, n_games=N_GAMES, run_seed=SEED, threads=1)


def test_listing_the_players_the_other_way_turns_the_slope_around() -> None:
    turned = CardContest(RUSH_KEEP.table, RUSH_KEEP.players[::-1])
    one = whelp_lever(RUSH_KEEP).slope
    other = whelp_lever(turned).slope
    np.testing.assert_allclose([*other], [-one.estimate, -one.high, -one.low], atol=1e-12)


def test_a_card_moves_no_matchup_that_it_takes_no_part_in() -> None:
    pool = THREE.table.pool
    for k, gene in enumerate(SPACE.genes):
        for m, matchup in enumerate(THREE.matchups):
            decks = [THREE.players[player].deck.slots(pool) for player in matchup]
            if all(gene.owner not in deck for deck in decks):
                assert [bound[k, m] for bound in LEVERS.slope] == [0, 0, 0]


def test_a_cards_strongest_lever_is_its_largest_effect_on_any_matchup() -> None:
    strength = scores_of(lever_intervals(LEVERS, SPACE))
    assert set(strength) == set(SPACE.cards)
    for card, strongest in strength.items():
        rows = [k for k, gene in enumerate(SPACE.genes) if gene.owner == card]
        assert strongest == np.abs(LEVERS.slope.estimate[rows]).max()
    assert max(strength.values()) > 0

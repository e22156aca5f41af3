"""Narrowing keeps the best cards of each deck only; sensitivities are paired differences."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import CardContest, CardPower, Interval, measure_levers, play_matchups
from balance.cards.narrowing import (
    Levers,
    Narrowing,
    lever_intervals,
    narrow,
    no_scores,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.statistics.intervals import paired_change
from sim.play.table import Gene
from tests.balance.contests import THREE, body, own_contest, space_of

IDS = ["ant", "bee", "cat", "dog", "elk"]
CARDS = [body(card_id, 2, 2, 2) for card_id in IDS]
CONTEST = own_contest(
    CARDS, [{"elk": 2, "cat": 2, "bee": 1, "ant": 2}, {"dog": 2, "cat": 1, "bee": 2}]
)
SPACE = space_of(CONTEST)
score_lists = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=5, max_size=5)


def kept_ids(narrowing: Narrowing) -> set[str]:
    return {IDS[card] for card in narrowing.kept}


def by_score(scores: list[float], keep: int, **tune) -> Narrowing:
    return narrow(
        CONTEST, space_of(CONTEST, **tune), dict(enumerate(scores)), by="power", keep=keep
    )


@given(score_lists, st.integers(1, 6))
def test_a_card_is_kept_when_fewer_than_keep_cards_of_a_deck_beat_it(
    scores: list[float], keep: int
) -> None:
    rank = {card_id: (-score, card_id) for card_id, score in zip(IDS, scores, strict=True)}
    expected = {
        card_id
        for player in CONTEST.players
        for card_id in player.deck.cards
        if sum(rank[other] < rank[card_id] for other in player.deck.cards) < keep
    }
    narrowing = by_score(scores, keep)
    assert kept_ids(narrowing) == expected
    assert narrowing.full.genes == SPACE.genes
    assert narrowing.space.genes == tuple(
        gene for gene in SPACE.genes if IDS[gene.owner] in expected
    )


def test_a_locked_card_takes_no_place() -> None:
    for lock, kept in (([], "cat"), (["cat"], "bee")):
        assert kept_ids(by_score([1.0, 2.0, 5.0, 1.0, 1.0], 1, lock=lock)) == {kept}


def test_none_keeps_all() -> None:
    narrowing = narrow(CONTEST, SPACE, no_scores(SPACE), by="none", keep=1)
    assert kept_ids(narrowing) == set(IDS)
    assert narrowing.space.genes == SPACE.genes
    assert all(math.isnan(score) for score in narrowing.scores.values())


def test_random_scores_repeat_and_are_fair() -> None:
    assert random_scores(SPACE, 1) == random_scores(SPACE, 1)
    drawn = [random_scores(SPACE, seed) for seed in range(1000)]
    bests = Counter(max(scores, key=scores.__getitem__) for scores in drawn)
    assert sorted(bests) == [*range(5)]
    assert max(bests.values()) < 200 + 5 * math.sqrt(1000 * 0.2 * 0.8)


def power(player: int, card: int, n_copies: int, total: float) -> CardPower:
    unknown = Interval(*np.array([0.5, 0.0, 1.0]))
    estimate = Interval(*np.array([total, total - 0.01, total + 0.01]))
    return CardPower(player, card, n_copies, 100, estimate, unknown, 0, unknown, 0)


def test_a_cards_power_is_the_largest_per_copy_over_its_decks() -> None:
    powers = [power(0, 2, 2, 0.08), power(1, 2, 1, -0.05), power(0, 1, 2, -0.02)]
    intervals = power_intervals(powers)
    assert intervals[2] == powers[1].per_copy  # 5 points down are more than 4 points up
    assert scores_of(intervals) == {2: pytest.approx(0.05), 1: pytest.approx(0.01)}


def test_a_cards_lever_is_the_largest_over_its_numbers_and_matchups() -> None:
    space = space_of(CONTEST, fields=["attack", "health"])
    slopes = np.zeros((len(space.genes), 2))
    attack = [k for k, gene in enumerate(space.genes) if gene.field == "attack"]
    slopes[[attack[2], attack[2] + 1, attack[0]]] = [0.1, -0.4], [0.3, 0.0], [-0.2, 0.1]
    intervals = lever_intervals(Levers(100, Interval(slopes, slopes - 1, slopes + 1)), space)
    assert intervals[2] == (-0.4, -1.4, 0.6)
    assert scores_of(intervals) == {0: 0.2, 1: 0.0, 2: 0.4, 3: 0.0, 4: 0.0}


# --- levers ---

SEED = 3
N_GAMES = 200
LEVER_SPACE = space_of(THREE, fields=["attack", "health"], max_steps=1)
LEVERS = measure_levers(THREE, LEVER_SPACE, n_games=N_GAMES, run_seed=SEED)


def direct_slope(contest: CardContest, gene: Gene, down: int, up: int) -> np.ndarray:
    """Return the interval of the difference between two variants per step, ``[3, M]``."""
    rates = [
        play_matchups(
            contest,
            contest.table.vary([gene], np.array([[step]])),
            n_games=N_GAMES,
            run_seed=SEED,
            purpose="lever",
        ).rates_by_seed(0)
        for step in (down, up)
    ]
    largest = contest.matchup_reach([gene])[0] / (up - down)
    return np.array(paired_change((rates[1] - rates[0]) / (up - down), largest))


@pytest.mark.parametrize("k", range(0, len(LEVER_SPACE.genes), 4))
def test_a_slope_is_the_direct_paired_difference(k: int) -> None:
    down = max(int(LEVER_SPACE.low[k]), -1)
    up = min(int(LEVER_SPACE.high[k]), 1)
    expected = direct_slope(THREE, LEVER_SPACE.genes[k], down, up)
    np.testing.assert_allclose(np.array(LEVERS.slope)[:, k], expected, atol=1e-12)


@pytest.mark.parametrize(("attack", "down", "up"), [(0, 0, 1), (5, -1, 0), (3, -1, 1)])
def test_at_a_limit_only_the_other_side_is_played(attack: int, down: int, up: int) -> None:
    cards = [body("odd", 2, attack, 2), body("even", 2, 2, 2)]
    contest = own_contest(cards, [{"odd": 12}, {"even": 12}])
    space = space_of(contest, fields=["attack"], decks=["a"])
    assert list(space.genes) == [Gene(0, "attack")]
    slope = measure_levers(contest, space, n_games=N_GAMES, run_seed=SEED).slope
    expected = direct_slope(contest, space.genes[0], down, up)
    np.testing.assert_allclose(np.array(slope)[:, 0], expected, atol=1e-12)

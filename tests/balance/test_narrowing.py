"""Narrowing keeps the best cards of each deck and nothing else."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.narrowing import (
    Levers,
    Narrowing,
    lever_intervals,
    narrow,
    no_scores,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.power import CardPower
from balance.statistics.intervals import Interval
from tests.balance.contests import body, own_contest, space_of

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
    scores = [1.0, 2.0, 5.0, 1.0, 1.0]
    assert kept_ids(by_score(scores, 1)) == {"cat"}
    assert kept_ids(by_score(scores, 1, lock=["cat"])) == {"bee"}


def test_none_keeps_all() -> None:
    narrowing = narrow(CONTEST, SPACE, no_scores(SPACE), by="none", keep=1)
    assert kept_ids(narrowing) == set(IDS)
    assert narrowing.space.genes == SPACE.genes
    assert all(math.isnan(score) for score in narrowing.scores.values())


def test_random_scores_repeat_and_are_fair() -> None:
    assert random_scores(SPACE, 1) == random_scores(SPACE, 1)
    bests = Counter(
        max(scores, key=scores.__getitem__)
        for scores in (random_scores(SPACE, seed) for seed in range(1000))
    )
    assert set(bests) == set(range(5))
    assert max(bests.values()) < 200 + 5 * math.sqrt(1000 * 0.2 * 0.8)


def power(player: int, card: int, n_copies: int, total: float) -> CardPower:
    unknown = Interval(np.array(0.5), np.array(0.0), np.array(1.0))
    estimate = Interval(np.array(total), np.array(total - 0.01), np.array(total + 0.01))
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
    slopes[attack[2]] = [0.1, -0.4]
    slopes[attack[2] + 1] = [0.3, 0.0]
    slopes[attack[0]] = [-0.2, 0.1]
    levers = Levers(100, Interval(slopes, slopes - 1, slopes + 1))
    intervals = lever_intervals(levers, space)
    assert intervals[2] == (-0.4, -1.4, 0.6)
    assert scores_of(intervals) == {0: 0.2, 1: 0.0, 2: 0.4, 3: 0.0, 4: 0.0}

"""The clean-up: what is left can lose no edit, whatever the selection recommended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.cleanup import CleanUp, clean_up
from balance.readings import MatchupCounts
from balance.search_space import Steps, Sums
from balance.selection import Selection
from balance.settings import Games
from tests.balance.contests import CoinEvaluator, coin_evaluator, free_space
from tests.balance.test_selection import selected, state_of

WIDE = free_space([-3] * 4, [3] * 4)
GAMES = Games.model_construct(search=100, select=4_000_000, certify=20_000)


def cleaned(evaluator: CoinEvaluator, genome: list[int]) -> tuple[Selection, CleanUp]:
    seen = np.array([genome], np.int16)
    return clean_up(
        evaluator, selected(evaluator, state_of(seen, np.array([0.5]))), GAMES, most_games=10**12
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4), st.integers(-9, 9))
def test_no_smaller_patch_of_what_is_left_has_room(genome: list[int], at_zero_pp: int) -> None:
    selection, found = cleaned(coin_evaluator(WIDE, at_zero_pp=at_zero_pp), genome)
    left = selection.genomes[selection.recommended].astype(int)

    def is_inside(steps: np.ndarray) -> bool:  # with room: 1.4 points, for today's 0.6
        return abs(at_zero_pp + steps.sum()) <= (3 if steps.any() else 4)

    if not is_inside(np.array(genome)):
        assert (found.n_smaller, left.tolist()) == (0, genome)
        return
    assert is_inside(left)
    assert (abs(left) <= abs(np.array(genome))).all()
    assert (left * genome >= 0).all()
    for k in np.flatnonzero(left):
        for kept in (left[k] - np.sign(left[k]), 0):
            smaller = np.where(np.arange(4) == k, kept, left)
            assert not is_inside(smaller), (left, smaller)


def test_a_smaller_patch_is_played_anew_before_it_is_recommended() -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-6.0)
    selection, found = cleaned(evaluator, [3, 2, 1, 0])
    # A smaller one needs twice the room, and today's numbers are played whatever they look like.
    assert (selection.scores.change.tolist(), selection.recommended) == ([3, 5, 6], 0)
    assert (found.n_replaced, selection.claimed_n[0]) == (2, GAMES.select // 5)
    rounds = [f"cleanup/{k}/{games}" for k in range(3) for games in ("few", "0")]
    assert [purpose for purpose, _ in evaluator.purposes] == ["select", *rounds]
    assert selection.points[0] / selection.n_games != selection.claimed[0]


def test_what_is_surely_off_in_few_games_is_not_played_for_long() -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-9.0)
    _, found = cleaned(evaluator, [3, 3, 0, 0])
    assert (found.n_replaced, found.n_smaller, found.is_minimal) == (0, 4, True)
    assert [purpose for purpose, _ in evaluator.purposes] == ["select", "cleanup/0/few"]


class Lucky(CoinEvaluator):
    """Coins that are kind to every patch in the games that find a smaller one."""

    def play(self, genomes: Steps, *, purpose: str, **how: Any) -> MatchupCounts:
        luck_pp = 3.0 if purpose == "cleanup/0/few" else 0.0
        coins = coin_evaluator(WIDE, at_zero_pp=self.at_zero_pp + luck_pp)
        return coins.play(genomes, purpose=purpose, **how)


def test_luck_alone_takes_nothing_back() -> None:
    selection, found = cleaned(Lucky(**vars(coin_evaluator(WIDE, at_zero_pp=-6.0))), [2, 1, 0, 0])
    assert selection.genomes[selection.recommended].tolist() == [2, 1, 0, 0]
    assert (found.n_replaced, found.n_smaller) == (0, 3)


def test_of_a_zero_sum_a_step_up_and_a_step_down_are_taken_back_together() -> None:
    space = replace(WIDE, sums=Sums(np.ones((1, 4)), np.zeros(1), np.zeros(1)))
    selection, found = cleaned(coin_evaluator(space, at_zero_pp=3.0), [2, -1, -1, 0])
    assert not selection.genomes[selection.recommended].any()
    assert found.n_replaced == 2
    assert space.allows(selection.genomes).all()

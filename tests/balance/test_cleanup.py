"""The clean-up: no edit of the final patch can be removed, whatever the selection recommended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.contest.readings import MatchupCounts
from balance.search.cleanup import clean_up
from balance.search.selection import Selection, select
from balance.settings.tables import Games
from balance.space.search_space import Steps, Sums
from balance.verdict.clean_up_result import CleanUp
from sim.play.table import Gene
from tests.balance.contests import CoinEvaluator, coin_evaluator, free_space
from tests.balance.test_selection import state_of

WIDE = free_space([-3] * 4, [3] * 4)
GAMES = Games.model_construct(search=100, select=4_000_000, certify=20_000)


def cleaned(
    evaluator: CoinEvaluator, genome: list[int], games: Games = GAMES, most_games: int = 10**12
) -> tuple[Selection, CleanUp]:
    seen = np.array([genome], np.int16)
    result = select(evaluator, state_of(seen, np.array([0.5])), np.array([0]), games)
    return clean_up(evaluator, result, games, most_games=most_games)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4), st.integers(-9, 9))
def test_no_reduced_patch_of_the_final_patch_has_enough_margin(
    genome: list[int], at_zero_pp: int
) -> None:
    selection, result = cleaned(coin_evaluator(WIDE, at_zero_pp=at_zero_pp), genome)
    left = selection.genomes[selection.recommended].astype(int)

    def is_inside(steps: np.ndarray) -> bool:  # with room: 1.4 points, for today's 0.6
        return abs(at_zero_pp + steps.sum()) <= (3 if steps.any() else 4)

    if not is_inside(np.array(genome)):
        assert (result.n_smaller, left.tolist()) == (0, genome)
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
    selection, result = cleaned(evaluator, [3, 2, 1, 0])
    # A smaller one needs twice the room, and today's numbers are played whatever they look like.
    assert (selection.scores.change.tolist(), selection.recommended) == ([3, 6], 0)
    assert (result.n_replaced, selection.claimed_n[0]) == (1, GAMES.select // 5)
    rounds = ["cleanup/0/few", "cleanup/0/0", "cleanup/1/few"]
    assert [*dict.fromkeys(purpose for purpose, _ in evaluator.purposes)] == ["select", *rounds]
    assert selection.rates[0] != selection.claimed[0]


def test_all_edits_of_a_card_are_taken_back_together() -> None:
    genes = tuple(Gene(k // 2, f"number {k % 2}") for k in range(4))
    space = replace(WIDE, genes=genes)
    # Most is saved without the first card: its edits cancel each other.
    selection, result = cleaned(coin_evaluator(space, at_zero_pp=-6.0), [3, -3, 3, 0])
    assert selection.genome.tolist() == [0, 0, 3, 0]
    assert (result.n_replaced, result.is_complete) == (1, True)


def test_patches_far_off_in_the_short_trial_get_no_long_trial() -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-9.0)
    _, result = cleaned(evaluator, [3, 3, 0, 0])
    assert (result.n_replaced, result.n_smaller, result.is_complete) == (0, 4, True)
    purposes = dict.fromkeys(purpose for purpose, _ in evaluator.purposes)
    assert [*purposes] == ["select", "cleanup/0/few"]


class Lucky(CoinEvaluator):
    """Coins that favour every patch in the short trial of the reduced patches."""

    def play(self, genomes: Steps, *, purpose: str, **how: Any) -> MatchupCounts:
        luck_pp = 3.0 if purpose == "cleanup/0/few" else 0.0
        coins = coin_evaluator(WIDE, at_zero_pp=self.at_zero_pp + luck_pp)
        return coins.play(genomes, purpose=purpose, **how)


def test_lucky_short_trials_alone_remove_no_edit() -> None:
    selection, result = cleaned(Lucky(**vars(coin_evaluator(WIDE, at_zero_pp=-6.0))), [2, 1, 0, 0])
    assert selection.genomes[selection.recommended].tolist() == [2, 1, 0, 0]
    assert (result.n_replaced, result.n_smaller) == (0, 3)


def test_of_a_zero_sum_a_step_up_and_a_step_down_are_taken_back_together() -> None:
    space = replace(WIDE, sums=Sums(np.ones((1, 4)), np.zeros(1), np.zeros(1)))
    selection, result = cleaned(coin_evaluator(space, at_zero_pp=3.0), [2, -1, -1, 0])
    assert not selection.genomes[selection.recommended].any()
    assert result.n_replaced == 2
    assert space.allows(selection.genomes).all()


# A patch of three steps is at 48 %, one of two at 46 %: inside, but a point from the bound is less
# than so few games need.
FEW = Games.model_construct(search=100, select=10_000, certify=20_000)


@pytest.mark.parametrize(
    ("most_games", "state", "n_tried"),
    [(10**9, "complete", 3), (20_000, "out of games", 1), (7_000, "out of games", 0)],
)
def test_the_progress_of_the_clean_up_is_reported(
    most_games: int, state: str, n_tried: int
) -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-8.0, pp_per_step=2.0)
    _, result = cleaned(evaluator, [2, 1, 0, 0], FEW, most_games)
    assert (result.state, result.n_tried, result.n_smaller) == (state, n_tried, 3)
    assert result.is_complete is (state == "complete")
    assert result.n_games <= most_games
    assert result.n_games_left == most_games - result.n_games
    untried = [one for one in result.smaller if one.outcome == "not tried"]
    assert len(untried) == 3 - n_tried
    assert not any(one.shortfalls for one in untried)


def test_patches_without_margin_are_distinguished_from_broken_bands() -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-8.0, pp_per_step=2.0)
    _, result = cleaned(evaluator, [2, 1, 0, 0], FEW)
    outcomes = {tuple(one.genome.tolist()): one.outcome for one in result.smaller}
    assert outcomes == {
        (2, 0, 0, 0): "too near", (1, 1, 0, 0): "too near", (0, 1, 0, 0): "broken"
    }  # fmt: skip
    (short,) = result.too_near[0].shortfalls
    assert (short.kind, short.is_broken, short.limit) == ("matchup", False, 0.45)
    assert short.needed is not None
    assert short.low < short.reading < short.needed


def test_a_patch_without_room_is_not_cleaned_and_says_so() -> None:
    _, result = cleaned(coin_evaluator(WIDE, at_zero_pp=-9.0), [1, 0, 0, 0])
    assert (result.state, result.n_smaller, result.n_games) == ("not begun", 0, 0)
    _, nothing = cleaned(coin_evaluator(WIDE, at_zero_pp=-9.0), [0, 0, 0, 0])
    assert nothing.is_complete  # there is nothing to take back

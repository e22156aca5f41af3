"""Selection: the smallest change with enough margin, selected by games of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from balance import Demands, MatchupCounts, SearchState, certify, run_search
from balance.search.selection import Selection, candidates, select
from balance.settings.tables import Games, Guards, Search
from balance.space.search_space import SearchSpace, Steps
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.room import room_pp
from tests.balance.contests import (
    COIN_SEEDS,
    AtMost,
    CoinEvaluator,
    coin_evaluator,
    counts_of,
    free_space,
)

N_CANDIDATES = 60
HALF = Demands.around([0.5], 5.0)
PLENTY = 4_000_000  # games, so that luck plays no part


def state_of(
    seen: Steps, rates: np.ndarray, times: np.ndarray | int = 1, violation: np.ndarray | float = 0.0
) -> SearchState:
    """Return a finished search of 100 games per evaluation with given genomes and rates."""
    n_times = np.broadcast_to(times, len(seen))
    return SearchState(
        generation=1,
        population=seen[:0],
        scores=Scores.none(1),
        seen=seen,
        seen_points=(100 * rates * n_times)[:, np.newaxis],
        seen_violation=np.broadcast_to(violation, len(seen)) * n_times,
        seen_times=n_times,
        history=np.zeros((2, 4)),
    )


def selected(evaluator: Evaluator, state: SearchState, n_games: int = PLENTY) -> Selection:
    games = Games.model_construct(search=100, select=n_games, certify=20_000)
    chosen = candidates(state, evaluator.space, evaluator.demands, n_search_games=100)
    return select(evaluator, state, chosen, games)


def selected_at_half(evaluator: Evaluator, seen: Steps) -> Selection:
    """Return the selection after a search that measured all genomes in the middle of their band."""
    return selected(evaluator, state_of(seen, np.full(len(seen), 0.5)))


# --- room ---

games = st.integers(100, 10**6)


@given(games, games, st.floats(0.8, 0.999))
def test_with_just_enough_room_a_certificate_succeeds_in_99_of_100(
    n_select: int, n_certify: int, confidence: float
) -> None:
    standard_error = 50 / np.sqrt(n_certify)
    reach = stats.norm.ppf((1 + confidence) / 2) * standard_error
    apart = np.hypot(standard_error, 50 / np.sqrt(n_select))  # of the two estimates
    spare = room_pp(n_select, n_certify, confidence) - reach
    assert stats.norm.cdf(spare / apart) == pytest.approx(0.99, abs=1e-9)


# --- more games for small candidates ---


def games_by_steps(chosen: Selection) -> dict[int, int]:
    """Return the games per matchup of each candidate of one number, by its steps."""
    return dict(zip(chosen.genomes[:, 0].tolist(), chosen.n_games.tolist(), strict=True))


def test_all_play_few_games_and_only_the_small_ones_that_may_pass_play_on() -> None:
    seen = np.array([[1], [4], [6], [7], [8], [9]], np.int16)
    # 6.7 points from the middle, then 3.7, 1.7, 0.7, ...; few games rule out the first.
    evaluator = coin_evaluator(free_space([0], [9]), at_zero_pp=-7.7)
    chosen = selected(evaluator, state_of(seen, np.full(6, 0.5)), n_games=40_000)
    games = games_by_steps(chosen)
    assert games == {1: 8_000, 4: 160_000, 6: 40_000, 7: 40_000, 8: 40_000, 9: 8_000}
    few = (6 + 1) * 8_000
    assert chosen.n_played == few + (4 + 1) * 32_000 + (1 + 1) * 120_000
    assert not chosen.genomes[chosen.recommended, 0] < 4


def test_without_a_sufficient_candidate_the_nearest_play_on() -> None:
    seen = np.arange(1, 10, dtype=np.int16)[:, np.newaxis]
    evaluator = coin_evaluator(free_space([0], [9]), at_zero_pp=-30.0)
    chosen = selected(evaluator, state_of(seen, np.full(9, 0.5)), n_games=40_000)
    assert games_by_steps(chosen) == {k: 40_000 if k > 5 else 8_000 for k in range(1, 10)}
    assert (chosen.genomes[chosen.recommended], chosen.is_feasible) == (9, False)


def test_with_a_total_no_candidate_plays_beyond_the_games_of_the_selection() -> None:
    seen = np.array([[4], [6]], np.int16)
    evaluator = coin_evaluator(free_space([0], [9]), at_zero_pp=-7.7, has_total=True)
    chosen = selected(evaluator, state_of(seen, np.full(2, 0.5)), n_games=40_000)
    assert games_by_steps(chosen) == {4: 40_000, 6: 40_000}
    assert chosen.n_played == (2 + 1) * 40_000


# --- candidates ---


@st.composite
def finished_searches(draw: st.DrawFn) -> tuple[SearchSpace, SearchState]:
    """Draw up to 90 genomes of two numbers with different weights."""
    space = free_space([-9] * 2, [9] * 2, weights=np.array(draw(st.sampled_from([[1, 1], [5, 1]]))))
    step = st.integers(-9, 9)
    seen = draw(st.lists(st.tuples(step, step), min_size=1, max_size=90, unique=True))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    n = len(seen)
    state = state_of(
        np.array(seen, np.int16),
        rng.integers(30, 71, n) / 100,
        rng.integers(1, 9, n),
        rng.choice([0.0, 0.0, 0.2], n),
    )
    return space, state


@settings(max_examples=50)
@given(finished_searches())
def test_candidates_rise_in_change_and_leave_no_better_one_out(
    finished: tuple[SearchSpace, SearchState],
) -> None:
    space, state = finished
    chosen = candidates(state, space, HALF, n_search_games=100)
    change = space.change(state.seen)
    n_games = 100 * state.seen_times
    careful = 100 * abs(state.seen_points[:, 0] / n_games - 0.5) + 50 / np.sqrt(n_games)
    careful += 1000 * state.seen_violation / state.seen_times
    assert len(set(chosen.tolist())) == len(chosen) == min(N_CANDIDATES, len(state.seen))
    assert (np.diff(change[chosen]) >= 0).all()
    left_out = np.setdiff1d(np.arange(len(change)), chosen)[:, np.newaxis]
    is_beaten = (change[left_out] <= change[chosen]) & (careful[left_out] < careful[chosen] - 1e-9)
    assert not is_beaten.any()


@pytest.mark.parametrize(
    ("rates", "times", "violation", "best"),
    [
        ([0.55, 0.52], 1, 0.0, 1),
        ([0.50, 0.51], [1, 16], 0.0, 1),  # seen once is worth less than seen often
        ([0.50, 0.60], 1, [0.5, 0.0], 1),  # a broken guard outweighs everything
    ],
)
def test_of_equal_changes_the_safest_comes_first(rates, times, violation, best: int) -> None:
    seen = np.array([[1, 0], [0, 1]], np.int16)
    state = state_of(seen, np.array(rates), np.array(times), np.array(violation))
    space = free_space([-2] * 2, [2] * 2)
    assert candidates(state, space, HALF, n_search_games=100, most=1).tolist() == [best]


def test_after_the_whole_front_come_those_that_may_be_in_the_band() -> None:
    seen = np.array([[0, 1], [1, 0], [0, 2], [2, 0]], np.int16)
    rates = np.array([0.62, 0.65, 0.50, 0.51])  # two far off, then two that are not
    times = np.full(4, 100)
    for n_candidates, expected in [(1, [0]), (2, [0, 2]), (3, [0, 2, 3]), (4, [0, 1, 2, 3])]:
        chosen = candidates(
            state_of(seen, rates, times),
            free_space([-2] * 2, [2] * 2),
            HALF,
            n_search_games=100,
            most=n_candidates,
        )
        assert chosen.tolist() == expected


# --- the recommended genome ---

LADDER = np.tril(np.ones((8, 8), np.int16))  # row k: k + 1 single steps
WIDE = free_space([-8] * 8, [8] * 8)


def test_the_smallest_change_with_room_is_recommended() -> None:
    # 8 points off, 1 point back per step: with 1.43 points of room, 5 steps are needed.
    assert 5 - 4 < room_pp(PLENTY, 20_000, 0.9) < 5 - 3
    choice = selected_at_half(coin_evaluator(WIDE, at_zero_pp=-8.0), LADDER)
    assert choice.genomes.tolist() == LADDER.tolist()
    assert (choice.has_room.tolist(), choice.recommended) == ([False] * 4 + [True] * 4, 4)


def test_todays_cards_need_less_room_than_a_patch_that_was_chosen_for_its_luck() -> None:
    # A certificate's last look reaches 0.60 points beyond its estimate, a patch's room is 1.43.
    seen = np.concatenate([np.zeros((1, 8), np.int16), LADDER])
    choice = selected_at_half(coin_evaluator(WIDE, at_zero_pp=-4.0), seen)
    assert not choice.genomes[choice.recommended].any()
    choice = selected_at_half(coin_evaluator(WIDE, at_zero_pp=-4.65), seen)
    assert not choice.has_room[0]
    assert choice.scores.change[choice.recommended] == 2  # 3.65 points off still has no room


def test_a_later_try_needs_more_room() -> None:
    rooms = [
        selected_at_half(coin_evaluator(WIDE, try_number=k), LADDER).room_pp
        for k in (None, 1, 2, 3)
    ]
    assert np.diff(rooms).tolist() == pytest.approx([0.02, 0.32, 0.15], abs=0.02)


def test_of_equal_changes_the_one_on_fewer_cards_is_recommended() -> None:
    seen = np.array([[1] * 5 + [0] * 3, [5] + [0] * 7, [4, 1] + [0] * 6], np.int16)
    choice = selected_at_half(coin_evaluator(WIDE, at_zero_pp=-5.0), seen)
    assert choice.genomes[choice.recommended].tolist() == seen[1].tolist()


@pytest.mark.parametrize(("most", "best", "n_with_room"), [(8, 4, 4), (5, 4, 1), (4, 3, 0)])
def test_violated_constraints_prevent_a_recommendation(most: int, best: int, n_with_room: int):
    space = free_space([-8] * 8, [8] * 8, constraints=(AtMost(most),))
    choice = selected_at_half(coin_evaluator(space, at_zero_pp=-8.0), LADDER)
    assert choice.scores.violation.tolist() == [0.0] * most + list(range(1, 9 - most))
    assert (choice.has_room.sum(), choice.recommended) == (n_with_room, best)


@dataclass(frozen=True)
class Drawish(CoinEvaluator):
    """Coins that often draw for genomes of one change."""

    drawish_change: int = 0

    def play(
        self, genomes: Steps, *, n_games: int, purpose: str, first_game: int = 0, **_: object
    ) -> MatchupCounts:
        how = {"n_games": n_games, "purpose": purpose, "first_game": first_game}
        points = super().play(genomes, **how).points
        is_drawish = np.append(np.abs(genomes).sum(axis=1) == self.drawish_change, False)
        return counts_of(points, n_games, draw_rate=is_drawish / 20, n_seeds=COIN_SEEDS)


def drawish(at_zero_pp: float, drawish_change: int, **guards: float) -> Drawish:
    coins = coin_evaluator(WIDE, at_zero_pp=at_zero_pp, guards=Guards(**guards))
    return Drawish(**vars(coins), drawish_change=drawish_change)


def test_a_genome_that_breaks_a_guard_is_passed_over() -> None:
    choice = selected_at_half(drawish(-8.0, 5), LADDER)
    assert (choice.has_room.tolist(), choice.recommended) == ([False] * 5 + [True] * 3, 5)
    assert selected_at_half(drawish(-20.0, 8), LADDER).recommended == 6


def test_claims_are_those_of_the_search_and_scores_those_of_fresh_games() -> None:
    rates = np.linspace(0.48, 0.52, 8)
    times = np.arange(1, 9)
    evaluator = coin_evaluator(WIDE, at_zero_pp=-8.0)
    choice = selected(evaluator, state_of(LADDER, rates, times))
    np.testing.assert_allclose(choice.claimed[:, 0], rates)
    assert choice.claimed_n.tolist() == (100 * times).tolist()
    np.testing.assert_allclose(
        choice.scores.win_rate[:, 0], np.arange(0.43, 0.505, 0.01), atol=0.002
    )
    np.testing.assert_array_equal(choice.rates, choice.scores.win_rate)
    assert {purpose for purpose, _ in evaluator.purposes} == {"select"}


# --- the three streams ---


def test_search_select_and_certify_never_share_a_game() -> None:
    evaluator = coin_evaluator(WIDE)
    state = run_search(evaluator, Search(method="nsga2", population=4, generations=3), n_games=100)
    choice = selected(evaluator, state)
    certify(evaluator, choice.genomes[choice.recommended], n_games=100)
    purposes = dict.fromkeys(purpose for purpose, _ in evaluator.purposes)
    assert [*purposes] == ["search/0", "search/1", "search/2", "search/3", "select", "certify"]


def test_without_margin_for_a_guard_the_nearest_candidate_is_recommended() -> None:
    # The only one in the band draws 5 % of its games, and 5.01 % are allowed: no room to show it.
    choice = selected_at_half(drawish(-8.0, 8, max_draw_rate=0.0501), LADDER[[0, 1, 7]])
    assert not choice.has_room.any()
    assert choice.scores.violation[-1] > 0
    assert choice.recommended == 2


@pytest.mark.thorough
def test_patches_inside_by_selection_bias_are_seldom_certified() -> None:
    space = free_space([0] * N_CANDIDATES, [1] * N_CANDIDATES)
    edits = np.eye(N_CANDIDATES, dtype=np.int16)  # 60 patches, all truly just outside the band
    state = state_of(edits, np.full(N_CANDIDATES, 0.55))
    results = []
    for run_seed in range(150):
        evaluator = coin_evaluator(space, run_seed=run_seed, at_zero_pp=5.0, pp_per_step=0.02)
        choice = selected(evaluator, state, n_games=10_000)
        best = choice.recommended
        verdict, _ = certify(evaluator, choice.genomes[best], n_games=20_000)
        results.append((choice.scores.imbalance_pp[best] < 5.0, verdict.certified))
    looked_inside, certified = np.mean(results, axis=0)
    assert looked_inside > 0.95
    assert certified <= 0.05

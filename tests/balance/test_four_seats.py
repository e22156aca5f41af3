"""Balancing works without cards and with four seats: measurement, search and certification."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import (
    Certificate,
    Demands,
    Evaluator,
    certify,
    measure_levers,
    question_of,
    run_stages,
)
from balance.contest.target import Target, demands_of
from balance.search.methods import METHODS
from balance.settings.tables import BalanceSettings, Guards
from tests.balance.four_seats import STEP, FourSeats, strengths_space

pytestmark = pytest.mark.thorough

SHARES = (0.4, 0.3, 0.2, 0.1)
GAMES = {"search": 2_000, "select": 40_000, "certify": 40_000}
NO_STEPS = np.zeros((1, 4), np.int16)
SPACE = strengths_space()
EVEN = Demands.around([0.25] * 4, 2.0, tuple("abcd"))


def played(contest: FourSeats, n_games: int, run_seed: int = 1, **options):
    return contest.play(
        NO_STEPS, SPACE.genes, n_games=n_games, run_seed=run_seed, purpose="matchups", **options
    )


def evaluator_of(contest: FourSeats, demands: Demands = EVEN, run_seed: int = 1) -> Evaluator:
    return Evaluator(contest, SPACE, demands, Guards(), run_seed)


def verdict_of(evaluator: Evaluator, n_games: int = 20_000) -> Certificate:
    return certify(evaluator, NO_STEPS[0], n_games=n_games)[0]


def test_every_players_share_is_measured_with_an_interval() -> None:
    contest = FourSeats.won_by(*SHARES)
    assert contest.matchup_name(contest.matchups[2]) == "c vs d vs a vs b"
    assert demands_of(contest, Target(win_rate={})).aims[0].tolist() == [0.25] * 4
    rates = [played(contest, 800, seed).win_rate().at(0) for seed in range(300)]
    assert rates[0].estimate.sum() == pytest.approx(1)
    covered = [(rate.low <= SHARES) & (np.array(SHARES) <= rate.high) for rate in rates]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)


def test_a_mean_of_several_has_an_interval_over_seeds() -> None:
    mean = Demands(("a or c",), np.array([[0.5, 0, 0.5, 0]]), np.zeros(1), np.ones(1), 5.0)
    contest = FourSeats.won_by(*SHARES)
    means = [mean.read(played(contest, 16_000, seed), 0.95) for seed in range(200)]
    is_covered = [interval.low <= 0.3 <= interval.high for interval in means]
    assert np.mean(is_covered) == pytest.approx(0.95, abs=0.03)


def test_selected_matchups_and_later_games_equal_those_of_all() -> None:
    contest = FourSeats.won_by(*SHARES)
    whole = played(contest, 800)
    part = played(contest, 800, matchups=contest.matchups[1:3])
    np.testing.assert_array_equal(part.shares, whole.shares[:, 1:3])
    joined = played(contest, 400).joined(played(contest, 400, first_game=100))
    assert (joined.n_games, joined.n_seeds, joined.n_seatings) == (800, 200, 4)
    np.testing.assert_array_equal(joined.shares, whole.shares)
    np.testing.assert_array_equal(joined.points, whole.points)


def test_sensitivities_follow_from_the_strengths() -> None:
    levers = measure_levers(FourSeats.won_by(*[0.25] * 4), SPACE, n_games=40_000, run_seed=1)
    up, down = (1 / (1 + 3 * np.exp(step)) for step in (-STEP, STEP))
    assert np.diag(levers.slope.estimate) == pytest.approx((up - down) / 2, abs=0.004)


@pytest.mark.parametrize("method", METHODS)
def test_a_strong_player_is_found_and_the_patch_certified(method: str) -> None:
    contest = FourSeats((0.8, 0.0, 0.0, 0.0))
    assert not verdict_of(evaluator_of(contest)).certified
    search = {"method": method, "population": 20, "generations": 20}
    settings = BalanceSettings.model_validate({"seed": 1, "games": GAMES, "search": search})
    found = run_stages(replace(question_of(contest, settings, SPACE), demands=EVEN))
    assert found.selection.has_room[found.selection.recommended]
    verdict = found.certificate
    assert verdict.certified
    assert verdict.imbalance_pp < 1.5
    unwatched = ("max_draw_rate", "max_first_seat_pp", "median_turns")
    assert (verdict.guards, verdict.not_watched) == ((), unwatched)
    assert [str(edit) for edit in found.patch] == ["Player 0: strength 10 -> 6"]


@pytest.mark.parametrize("strong", [0.27, 0.23])
def test_a_share_at_the_edge_of_the_band_is_rarely_certified(strong: float) -> None:
    contest = FourSeats.won_by(strong, *[(1 - strong) / 3] * 3)
    verdicts = [verdict_of(evaluator_of(contest, run_seed=seed), 8_000) for seed in range(200)]
    assert np.mean([verdict.certified for verdict in verdicts]) <= 0.06
    assert np.mean([verdict.inside[1:].all() for verdict in verdicts]) > 0.2


def test_a_one_sided_demand_accepts_the_other_side() -> None:
    contest = FourSeats.won_by(*SHARES)
    bounds = np.array([[-np.inf, 0.05], [0.45, np.inf]])
    demands = Demands(("a at most", "d at least"), np.eye(4)[[0, 3]], *bounds, band_pp=5.0)
    assert verdict_of(evaluator_of(contest, demands)).certified
    tighter = replace(demands, high=np.array([0.39, np.inf]))
    assert verdict_of(evaluator_of(contest, tighter)).inside.tolist() == [False, True]

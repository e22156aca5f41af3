"""Certificates of a panel in simulated games: false ones at the edge of a band are rare."""

from __future__ import annotations

import numpy as np
import pytest

from balance import build_space
from balance.contest.readings import MatchupCounts, Part
from balance.panel.panel_contest import PanelContest
from balance.panel.panel_demands import panel_demands
from balance.panel.panel_readings import PanelReadings
from balance.settings.tables import Guards
from balance.verdict.certificate import Pair, judge
from balance.verdict.evaluation import Evaluator
from sim.engine.layout import TURN_BINS
from tests.balance.panel.panels import SETTINGS, hands

PANEL = PanelContest(hands(2))
DEMANDS = panel_demands(PANEL, SETTINGS.demands_in(PANEL.base), SETTINGS.target.band_pp)
SPACE = build_space(PANEL.base, SETTINGS.tune)
N_GAMES = 1_200
N_TRIALS = 400


def games_at(rates: tuple[float, float], n_games: int, rng: np.random.Generator) -> PanelReadings:
    """Return games of two candidates in which the pilots' first deck wins with given rates."""
    parts = []
    for hand, rate in zip(PANEL.hands, rates, strict=True):
        n_seeds = n_games * hand.repeats // 2
        wins = rng.random((2, 1, 2, n_seeds)) < rate
        winners = np.where(wins, np.array([0, 1])[:, np.newaxis], np.array([1, 0])[:, np.newaxis])
        turns = np.zeros((2, 1, TURN_BINS), dtype=np.int64)
        turns[..., 10] = 2 * n_seeds
        points = wins.sum(axis=(2, 3)).astype(np.float64)
        played = MatchupCounts(
            n_games=2 * n_seeds, points=points, turns=turns, winners=winners.astype(np.int8)
        )
        parts.append(Part(played, hand.repeats))
    return PanelReadings.of_parts(parts, [(0, 0), (1, 0)])


def share_certified(rates: tuple[float, float], seed: int) -> float:
    evaluator = Evaluator(PANEL, SPACE, DEMANDS, Guards.none(), run_seed=1, try_number=1)
    rng = np.random.default_rng(seed)

    def play(_: int, n_games: int) -> Pair:
        games = games_at(rates, n_games, rng)
        return games, games

    n_certified = 0
    for _ in range(N_TRIALS):
        certificate, _ = judge(evaluator, play, n_games=N_GAMES, first_side=1)
        n_certified += certificate.certified
    return n_certified / N_TRIALS


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rates",
    [
        (0.60, 0.50),  # the cheap pilot is at the edge of its band
        (0.50, 0.65),  # the dear pilot is at the edge of its wider band
        (0.40, 0.35),  # both are
    ],
)
def test_a_patch_at_the_edge_is_seldom_certified(rates: tuple[float, float]) -> None:
    # 4.375 % is the risk of a first try; 2.5 standard errors of the trials are added.
    assert share_certified(rates, seed=3) <= 0.04375 + 2.5 * np.sqrt(0.044 * 0.956 / N_TRIALS)


@pytest.mark.thorough
def test_a_patch_in_the_middle_is_usually_certified() -> None:
    assert share_certified((0.5, 0.5), seed=4) > 0.95

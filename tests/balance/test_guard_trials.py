"""Guards at their limits: blind trials in which the true value equals the limit exactly.

Outcomes come from known distributions. The games of a seed are alike, which is the worst case of
correlation for a count of games, or independent of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import NormalDist

import numpy as np
import pytest

from balance.contest.game_length import length_range, median_length
from balance.contest.readings import MatchupCounts
from balance.settings.tables import Guards
from balance.verdict.guard import GuardGames
from balance.verdict.guards import GuardVerdict, judge_guards
from balance.verdict.risk import RISK, looks_of
from balance.verdict.room import LIKELY, violation_with_room
from sim.engine.layout import DRAWN, TURN_BINS
from sim.seeds import generator
from tests.balance.contests import counts_of

N_TRIALS = 200
AT_MOST = 0.085  # a test that is wrong in 5 of 100 passes this 98 times of 100
LIMITS = Guards()
LAST = looks_of(20_000, 2, RISK)[-1]
LEAD_AND_LENGTH = ["max_first_seat_pp", "median_turns"]


def _lengths(scale: float) -> np.ndarray:
    """Return shares of games by length, ``[TURN_BINS]``, every other length twice as likely."""
    turns = np.arange(TURN_BINS)
    shares = turns**6.0 * np.exp(-turns * 7 / scale) * (1 + turns % 2)
    return shares / shares.sum()


def _in_counts(shares: np.ndarray) -> np.ndarray:
    return np.round(shares * 10**12).astype(np.int64)


def _share_below(shares: np.ndarray, length: float) -> float:
    edges = np.arange(TURN_BINS + 1) - 0.5
    return float(np.interp(length, edges, np.append(0, shares.cumsum())))


@cache
def _lengths_moved(change: float) -> tuple[np.ndarray, np.ndarray]:
    """Return two distributions with medians `change` apart, to a part in a billion."""
    today = _lengths(14.0)
    short = _lengths(9.0)
    long = _lengths(25.0)
    wanted = median_length(_in_counts(today)) * (1 + change)
    below_short, below_long = (_share_below(shares, wanted) for shares in (short, long))
    weight = (0.5 - below_long) / (below_short - below_long)
    return today, weight * short + (1 - weight) * long


@dataclass(frozen=True)
class World:
    """True distributions of a patch and of the baseline.

    Attributes:
        draw_rate: share of drawn games with the patch.
        first_seat: the first seat's share of other games, in the baseline and with the patch.
        change: relative change of the median length.
        alike: whether all games of a seed have the same result.
        n_matchups: number of matchups that share the seeds.
    """

    draw_rate: float = 0.0
    first_seat: tuple[float, float] = (0.62, 0.62)
    change: float = 0.0
    alike: bool = True
    n_matchups: int = 1

    def play(self, n_games: int, rng: np.random.Generator) -> MatchupCounts:
        """Return counts of the patch and, as the last variant, of the baseline."""
        shape = (self.n_matchups, 2, n_games // 2)
        luck = rng.standard_normal((1, 1, n_games // 2), np.float32)
        if not self.alike:
            luck = 0.8 * luck + 0.6 * rng.standard_normal(shape, np.float32)
        was, now = (
            np.broadcast_to((luck > NormalDist().inv_cdf(p)).astype(np.int8), shape).copy()
            for p in self.first_seat
        )
        if self.draw_rate:
            drawn = rng.random(luck.shape, np.float32) < self.draw_rate
            now[np.broadcast_to(drawn, shape)] = DRAWN
        n_alike = 2 * self.n_matchups if self.alike else 1
        turns = [
            n_alike * rng.multinomial(n_games * self.n_matchups // n_alike, shares)
            for shares in _lengths_moved(self.change)[::-1]
        ]
        even = counts_of(np.full((2, self.n_matchups), n_games / 2), n_games, n_seeds=2)
        return replace(even, winners=np.stack([now, was]), turns=np.array(turns)[:, np.newaxis])

    def judged(self, n_games: int, trial: int) -> dict[str, GuardVerdict]:
        """One trial's verdicts; trials have their own fixed seeds."""
        rng = generator(trial, "trial")
        looks = looks_of(n_games, 2, RISK)
        side = 1 if self.first_seat[0] >= 0.5 else -1
        counts = self.play(looks[0].n_games, rng)
        verdicts = tuple[GuardVerdict, ...]()
        for look in looks:
            if look.n_games > counts.n_games:
                counts = counts.joined(self.play(look.n_games - counts.n_games, rng))
            games = GuardGames(counts.take(slice(-1)), counts.take(slice(-1, None)))
            verdicts = judge_guards(LIMITS, games, look.guards, first_side=side, earlier=verdicts)
        return {verdict.name: verdict for verdict in verdicts}


# Lengths are drawn apart from who wins, so that one trial asks two guards.
AT_THE_LIMIT = {
    "draws": (["max_draw_rate"], World(draw_rate=0.01)),
    "growth, longer": (LEAD_AND_LENGTH, World(first_seat=(0.62, 0.64), change=0.2)),
    "growth of the second seat's, shorter": (
        LEAD_AND_LENGTH,
        World(first_seat=(0.38, 0.36), change=-0.2),
    ),
    "growth from nothing": (["max_first_seat_pp"], World(first_seat=(0.5, 0.52))),
    "growth to the other side": (["max_first_seat_pp"], World(first_seat=(0.52, 0.46))),
}


def shares_held(names: Sequence[str], world: World, n_games: int, n_trials: int) -> np.ndarray:
    """Return the shares of trials in which each of some guards was verified."""
    verdicts = [world.judged(n_games, trial) for trial in range(n_trials)]
    return np.mean([[each[name].holds for name in names] for each in verdicts], axis=0)


USUAL = {
    "few": (2_000, {}),
    "alike": (20_000, {"n_matchups": 3}),
    "apart": (20_000, {"n_matchups": 3, "alike": False}),
}


@pytest.mark.thorough
@pytest.mark.parametrize("games", USUAL)
@pytest.mark.parametrize("case", AT_THE_LIMIT)
def test_at_its_limit_a_guard_holds_too_rarely_to_matter(case: str, games: str) -> None:
    (names, world) = AT_THE_LIMIT[case]
    (n_games, truth) = USUAL[games]
    assert (shares_held(names, replace(world, **truth), n_games, N_TRIALS) <= AT_MOST).all()


INSIDE = {
    "draws": ("max_draw_rate", World(draw_rate=0.006)),
    "growth": ("max_first_seat_pp", World(first_seat=(0.62, 0.63))),
    "longer": ("median_turns", World(change=0.15)),
    "shorter": ("median_turns", World(change=-0.15)),
}


@pytest.mark.parametrize("case", INSIDE)
def test_well_inside_its_limit_a_guard_nearly_always_holds(case: str) -> None:
    name, world = INSIDE[case]
    assert shares_held([name], replace(world, alike=False, n_matchups=3), 20_000, 40) >= 0.95


@pytest.mark.parametrize("change", [0.2, -0.2, 0.05])
def test_the_true_values_of_the_trials_are_as_declared(change: float) -> None:
    today, moved = (median_length(_in_counts(shares)) for shares in _lengths_moved(change))
    assert moved / today - 1 == pytest.approx(change, abs=1e-9)


# --- room for a guard ---


def has_room(world: World, trial: int, *, is_today: bool) -> bool:
    """Return whether a selection by 10,000 games measures enough margin for all guards."""
    counts = world.play(10_000, generator(trial, "select"))
    today = np.array([is_today])
    return violation_with_room(LIMITS, counts, today, look=LAST, likely=LIKELY).item() == 0


NEAR = {
    "draws": ("max_draw_rate", [World(draw_rate=share / 1000) for share in range(1, 10)]),
    "growth": ("max_first_seat_pp", [World(first_seat=(0.62, 0.62 + k / 500)) for k in range(10)]),
    "length": ("median_turns", [World(change=k / 100) for k in range(8, 20)]),
}


@pytest.mark.parametrize("case", NEAR)
def test_guards_with_enough_margin_are_nearly_always_verified(case: str) -> None:
    name, worlds = NEAR[case]
    chosen = [world for k, world in enumerate(10 * worlds) if has_room(world, k, is_today=False)]
    assert worlds[0] in chosen
    assert worlds[-1] not in chosen
    held = [world.judged(20_000, trial)[name].holds for trial, world in enumerate(chosen)]
    assert np.mean(held) >= 0.97


def test_the_baseline_needs_no_margin_for_growth_and_shift() -> None:
    world = World(first_seat=(0.62, 0.72), change=0.5)
    assert [has_room(world, 0, is_today=is_today) for is_today in (True, False)] == [True, False]


# --- the median ---


def test_the_median_is_a_smooth_function_of_the_shares() -> None:
    def turns_of(**n_games: int) -> np.ndarray:
        lengths = [int(name[1:]) for name in n_games for _ in range(n_games[name])]
        return np.bincount(lengths, minlength=TURN_BINS)

    assert median_length(turns_of(t10=60, t11=40)) == pytest.approx(9.5 + 50 / 60)
    assert median_length(turns_of(t10=40, t11=60)) == pytest.approx(10.5 + 10 / 60)
    assert median_length(turns_of(t10=50, t20=50)) == 15.0  # nothing lies between
    assert length_range(turns_of(t10=50, t20=50), 1, 2) == (10.5, 19.5)


@pytest.mark.parametrize(
    ("n_shorter", "expected"),
    [(0, (1.0, 2.5)), (1, (3.5, 3.5)), (3, (4.5, 7.5)), (5, (8.5, TURN_BINS - 0.5))],
)
def test_ranges_are_those_of_sorted_lengths(n_shorter: int, expected) -> None:
    turns = np.bincount([3, 4, 4, 8, 8], minlength=TURN_BINS)
    assert length_range(turns, n_shorter, 5) == expected

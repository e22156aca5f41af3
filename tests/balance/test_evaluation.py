"""Scores against a direct computation, and limits of guards around their edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from balance import measure_levers, play_matchups
from balance.settings.tables import Guards
from balance.verdict.evaluation import UNPLAYABLE
from balance.verdict.guards import GUARDS, GuardReadings, guard_violation, read_guards
from sim import CardFault
from sim.engine.layout import DRAWN, TURN_BINS
from sim.play.outcomes import median_turns
from tests.balance.contests import (
    THREE,
    counts_of,
    endless_contest,
    evaluator_of,
    fixed_evaluator,
    space_of,
)

SPACE = space_of(THREE, weights={"cost": 2.0})
TARGETS = [0.6, 0.5, 0.45]
EVALUATOR = evaluator_of(THREE, SPACE, targets=TARGETS, guards=Guards(max_first_seat_pp=0.1))
GENOMES = np.random.default_rng(1).integers(SPACE.low, SPACE.high + 1, (5, len(SPACE.genes)))
GENOMES = GENOMES.astype(np.int16)


def test_scores_are_those_of_a_direct_computation() -> None:
    scores, points = EVALUATOR.score(GENOMES, n_games=100, purpose="test", slack=0.0)
    for k, genome in enumerate(GENOMES):
        alone = play_matchups(
            THREE,
            THREE.table.vary(SPACE.genes, np.stack([genome, 0 * genome])),
            n_games=100,
            run_seed=1,
            purpose="test",
        )
        distances = [
            abs(won / 100 - aim) * 100 for won, aim in zip(alone.points[0], TARGETS, strict=True)
        ]
        assert points[k].tolist() == alone.points[0].tolist()
        assert scores.win_rate[k].tolist() == (alone.points[0] / 100).tolist()
        imbalance = scores.imbalance_pp[k], scores.mean_imbalance_pp[k]
        assert imbalance == pytest.approx((max(distances), np.mean(distances)))
        assert scores.change[k] == sum(
            (2.0 if gene.field == "cost" else 1.0) * abs(int(step))
            for gene, step in zip(SPACE.genes, genome, strict=True)
        )
        assert scores.cards_touched[k] == len(
            {gene.owner for gene, step in zip(SPACE.genes, genome, strict=True) if step}
        )
        # Of games that are not drawn, each seat has won half if they are even.
        first, undrawn = (
            100 * one.mean(axis=(1, 2, 3)) for one in (alone.winners == 0, alone.winners != DRAWN)
        )
        now, today = abs(first - undrawn / 2)
        growth_pp = now - today
        shift = _median(alone.turns[0]) / _median(alone.turns[1]) - 1
        draw_rate = (alone.winners[0] == DRAWN).sum() / 300
        breaches = [(growth_pp - 0.1) / 0.1, (abs(shift) - 0.2) / 0.2, (draw_rate - 0.01) / 0.01]
        assert scores.violation[k] == pytest.approx(max(0.0, *breaches))
    assert (scores.violation > 0).any()


def _median(turns: np.ndarray) -> float:
    """Return the median of lengths spread evenly over half a turn on both sides of the counts."""
    games = turns.sum(axis=0)
    edges = np.arange(len(games) + 1) - 0.5
    return float(np.interp(games.sum() / 2, np.append(0, games.cumsum()), edges))


def test_readings_by_hand() -> None:
    readings = read_guards(
        counts_of(
            np.zeros((2, 3)), 200, first_seat=[0.53, 0.5], draw_rate=[0.04, 0], turns=[17, 20]
        )
    )
    first_seat_pp = readings["max_first_seat_pp"]
    assert first_seat_pp.shape == (2, 100)
    np.testing.assert_allclose(first_seat_pp.mean(axis=1), [3.0, 0.0], atol=1e-12)
    assert sorted(set(first_seat_pp[0])) == [-50.0, 0.0, 50.0]
    np.testing.assert_allclose(readings["max_draw_rate"], [0.04, 0.0])
    assert readings["median_turns"].tolist() == [17.0, 20.0]


@given(st.lists(st.integers(1, 200), min_size=1, max_size=20))
def test_the_median_length_is_numpys(lengths_played: list[int]) -> None:
    turns = np.bincount(lengths_played, minlength=TURN_BINS)
    halves = np.stack([turns // 2, turns - turns // 2])  # however the games are spread over rows
    assert median_turns(halves) == np.median(lengths_played)


shares = st.floats(0, 1)
by_seed = st.lists(st.sampled_from([-50.0, -12.5, 0.0, 3.0, 25.0, 50.0]), min_size=5, max_size=5)
lengths = st.integers(1, 200).map(lambda halves: halves / 2)
limits = st.builds(
    Guards,
    max_draw_rate=st.sampled_from([0.0, 0.01, 0.5, 1.0]),
    max_first_seat_pp=st.sampled_from([0.0, 2.0, 100.0]),
    median_turns=st.sampled_from([0.0, 0.2, 1.0]),
)
readings = st.builds(
    lambda *values: {
        name: np.array([value], dtype=float) for name, value in zip(GUARDS, values, strict=True)
    },
    shares,
    by_seed,
    lengths,
)


def first_seat_growth(now: GuardReadings, today: GuardReadings) -> tuple[np.ndarray, np.ndarray]:
    """Return the growth of the first-turn advantage and its standard error, as the guard does."""
    guard = GUARDS["max_first_seat_pp"]
    read = now[guard.name], today[guard.name]
    return guard.value(*read), guard.standard_error(*read)


def growth_by_hand(now: np.ndarray, today: np.ndarray) -> tuple[float, float]:
    """Return the growth of an advantage and its paired standard error, from the values by seed."""
    now = -now if now.mean() < 0 else now
    today = -today if today.mean() < 0 else today
    return now.mean() - today.mean(), float(stats.sem(now - today))


@given(readings, readings)
def test_growth_is_that_of_the_distance_from_50_with_the_paired_error(
    now: GuardReadings, today: GuardReadings
) -> None:
    growth_pp, error_pp = first_seat_growth(now, today)
    expected = growth_by_hand(now["max_first_seat_pp"][0], today["max_first_seat_pp"][0])
    assert (growth_pp.item(), error_pp.item()) == pytest.approx(expected, abs=1e-9)


def test_the_error_of_growth_is_the_paired_standard_error_of_real_games() -> None:
    counts = EVALUATOR.play(GENOMES, n_games=400, purpose="test")
    read = (read_guards(counts.take(some)) for some in (slice(-1), slice(-1, None)))
    growth_pp, error_pp = first_seat_growth(*read)
    # The first seat's percentage of each seed's points, over matchups and seatings.
    *by_genome, today = 100 * np.array([1.0, 0.0, 0.5])[counts.winners].mean(axis=(1, 2)) - 50
    for k, now in enumerate(by_genome):
        assert (growth_pp[k], error_pp[k]) == pytest.approx(growth_by_hand(now, today))
        assert error_pp[k] < np.hypot(stats.sem(now), stats.sem(today))  # what pairing is for


@given(limits, readings, readings, st.floats(-5, 5))
def test_a_violation_is_zero_exactly_within_the_limits(
    guards: Guards, now: GuardReadings, today: GuardReadings, slack: float
) -> None:
    shift = now["median_turns"].item() / today["median_turns"].item() - 1
    growth_pp, error_pp = growth_by_hand(now["max_first_seat_pp"][0], today["max_first_seat_pp"][0])
    room_pp = guards.max_first_seat_pp - growth_pp + slack * error_pp
    assume(abs(room_pp) > 1e-9)  # the edge itself is below
    holds = (
        now["max_draw_rate"].item() <= guards.max_draw_rate
        and room_pp > 0
        and abs(shift) <= guards.median_turns
    )
    violation = guard_violation(guards, now, today, 1, slack=slack).item()
    assert (violation == 0) == holds
    assert violation >= 0


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({}, 0.0),
        ({"draw_rate": 0.03}, 2.0),
        ({"first_seat_pp": 3.0}, 0.0),
        ({"first_seat_pp": -3.0}, 0.0),
        ({"first_seat_pp": 5.0}, 1.0),
        ({"first_seat_pp": -5.0}, 1.0),  # whichever seat has it
        ({"median_turns": 28.0}, 1.0),
        ({"median_turns": 12.0}, 1.0),
        ({"draw_rate": 0.03, "first_seat_pp": 5.0}, 2.0),  # the worst counts
    ],
)
def test_a_breach_counts_in_multiples_of_what_is_allowed(
    now: dict[str, float], expected: float
) -> None:
    calm = {"draw_rate": 0.0, "first_seat_pp": 1.0, "median_turns": 20.0}
    violation = guard_violation(Guards(), steady(**{**calm, **now}), steady(**calm), 1)
    assert violation.item() == pytest.approx(expected)


def steady(draw_rate: float, first_seat_pp: float, median_turns: float) -> GuardReadings:
    """Return readings of one variant with the same first-seat rate in every seed."""
    by_seed = np.full((1, 4), first_seat_pp)
    values = np.array([draw_rate]), by_seed, np.array([median_turns])
    return dict(zip(GUARDS, values, strict=True))


@pytest.mark.parametrize("n_matchups", [1, 4])
@pytest.mark.parametrize(
    ("first_seat", "limit_pp", "slack", "expected"),
    [
        ([0.54, 0.5], 2.0, 0.0, 1.0),
        ([0.54, 0.5], 2.0, 1.0, 0.3053),  # 8 of 200 seeds differ: a standard error of 1.3891
        ([0.54, 0.5], 2.0, 2.0, 0.0),
        ([0.54, 0.5], 2.0, -1.0, 1.6946),
        ([0.54, 0.52], 2.0, -1.0, 0.4975),  # 4 of 200 seeds differ: 0.9950
        ([0.46, 0.48], 2.0, -1.0, 0.4975),
        ([0.56, 0.5], 0.0, 1.0, 4316.5),  # allowed nothing, multiples are of a thousandth
        ([0.54, 0.60], 0.0, -1.0, 0.0),  # an advantage that shrinks has room to spare
        ([0.46, 0.40], 0.0, -1.0, 0.0),
    ],
)
def test_slack_counts_standard_errors_of_the_growth_of_an_advantage(
    n_matchups: int, first_seat: list[float], limit_pp: float, slack: float, expected: float
) -> None:
    # However many matchups: what they say about a seed is the same.
    counts = counts_of(np.full((2, n_matchups), 200.0), 400, first_seat=first_seat)
    evaluator = fixed_evaluator(counts, guards=Guards(max_first_seat_pp=limit_pp))
    genome = np.ones((1, 1), np.int16)
    scores, _ = evaluator.score(genome, n_games=400, purpose="test", slack=slack)
    assert scores.violation.item() == pytest.approx(expected, abs=0.06, rel=1e-4)


def test_a_genome_with_endless_texts_is_worse_than_all_others() -> None:
    contest = endless_contest()
    space = space_of(contest, fields=["cost"])
    genomes = np.zeros((2, len(space.genes)), np.int16)
    genomes[:, [gene.owner for gene in space.genes].index(0)] = -1, 1
    down = genomes[:1]
    up = genomes[1:]
    evaluator = evaluator_of(contest, space)
    scores, points = evaluator.score(genomes, n_games=40, purpose="test")
    assert scores.violation.tolist() == [UNPLAYABLE, 0.0]
    alone, points_alone = evaluator.score(up, n_games=40, purpose="test")
    assert scores.imbalance_pp.tolist() == [100.0, *alone.imbalance_pp]
    assert points.tolist() == [[0.0], *points_alone.tolist()]
    levers = measure_levers(contest, space, n_games=40, run_seed=1)
    assert np.isfinite(levers.slope.estimate).all()
    with pytest.raises(CardFault) as caught:
        evaluator.play(down, n_games=40, purpose="test")
    assert caught.value.card == "card 'echo'"

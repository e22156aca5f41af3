"""Certificates: error rates of the verdict, looks and attempts, guards, and reference values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.cards.card_contest import play_matchups
from balance.settings.tables import Guards
from balance.statistics.intervals import cautious_rate
from balance.verdict.certificate import Certificate, certify, judge, truth_of
from balance.verdict.risk import RISK, Look, looks_of, risk_of_try
from tests.balance.contests import THREE, coin_evaluator, evaluator_of, free_space, space_of
from tests.balance.paired_luck import EDIT, certificates, share_certified
from tests.balance.reported_games import reported_games

N_GAMES = 20_000


def verdict_on(rates: list[float], n_games: int = N_GAMES, **settings) -> Certificate:
    """Return the certificate of a patch with given rates of each matchup; the baseline is even."""
    side = settings.pop("first_side", 1)
    return certify(
        reported_games(rates, **{"guards": Guards(), **settings}),
        EDIT,
        n_games=n_games,
        first_side=side,
    )[0]


# --- how often it is wrong, and how often it is given ---

AT_MOST = 0.085  # of 200; a test that is wrong in 5 of 100 passes this 98 times of 100


@pytest.mark.thorough
@pytest.mark.parametrize("off_pp", [(5.0,), (-5.0,), (5.0, 0.0, 0.0), (0.0, -5.0, 4.0)])
def test_a_rate_on_the_bands_edge_is_hardly_ever_certified(off_pp: tuple[float, ...]) -> None:
    assert share_certified(certificates(off_pp, 200, n_games=4_000)) <= AT_MOST


def test_well_inside_is_always_certified_and_the_sooner_the_clearer() -> None:
    games = []
    for off_pp in ((0.0,) * 3, (2.0, -2.0, 2.0), (3.0,) * 3):
        trials = certificates(off_pp, 60, try_number=1)
        assert share_certified(trials) >= 0.97
        games.append(np.mean([verdict.n_games_played for verdict in trials]))
    assert games[0] < N_GAMES / 4 < games[1] < N_GAMES / 3 < games[2] < N_GAMES


def test_demands_clearly_outside_end_the_games_early_and_are_named() -> None:
    for verdict in certificates((9.0, 0.0, 3.5), 20):
        assert (verdict.certified, verdict.n_games_played) == (False, N_GAMES / 4)
        assert verdict.outside.tolist() == verdict.failed.tolist() == [True, False, False]


@pytest.mark.slow
def test_edge_trials() -> None:
    assert share_certified(certificates((5.0, 0.0, 0.0), 1000)) <= 0.066
    assert share_certified(certificates((5.0,), 1000)) <= 0.066
    assert share_certified(certificates((3.0, 3.0, 3.0), 1000, try_number=1)) >= 0.97
    assert share_certified(certificates((4.0, 3.0, 3.0), 1000, try_number=1)) >= 0.88


@pytest.mark.thorough
def test_a_later_try_asks_for_more() -> None:
    trials = {k: certificates((3.9,), 100, try_number=k) for k in (None, 1, 2, 5)}
    shares = [share_certified(verdicts) for verdicts in trials.values()]
    assert sorted(shares, reverse=True) == shares
    assert shares[0] - shares[1] < 0.1 < shares[1] - shares[2]
    assert {verdict.risk for verdict in trials[2]} == {risk_of_try(2)}


# --- risk, looks and tries ---


@given(st.integers(1, 100))
def test_all_tries_together_share_one_risk(n_tries: int) -> None:
    spent = sum(risk_of_try(k) for k in range(1, n_tries + 1))
    assert spent == pytest.approx(RISK * (1 - 1 / (n_tries + 1) ** 3))
    assert risk_of_try(1) > 0.87 * RISK


@given(st.integers(1, 2_500), st.integers(2, 5), st.integers(1, 10**6))
def test_all_looks_together_share_the_risk(times: int, n_seatings: int, number: int) -> None:
    n_games = 2 * times * n_seatings
    risk = risk_of_try(number)
    looks = looks_of(n_games, n_seatings, risk)
    for errors in ([look.demands for look in looks], [look.guards for look in looks]):
        assert sum(errors) == pytest.approx(risk)
    *sooner, last, twice, four_times = sizes = [look.n_games for look in looks]
    assert sizes == sorted(size for size in {*sizes} if size % n_seatings == 0)
    assert [last, twice, four_times] == [n_games, 2 * n_games, 4 * n_games]
    assert min(sooner, default=500) >= 500
    assert [look.demands > 0 for look in looks] == [True] * (len(looks) - 2) + [False] * 2


def spent(looks: tuple[Look, ...], of: str) -> list[float]:
    return np.cumsum([getattr(look, of) for look in looks]).tolist()


def test_the_looks_are_those_of_the_power_family_of_error_spending() -> None:
    looks = looks_of(N_GAMES, 2, 0.05)
    sizes = [624, 1_250, 2_500, 5_000, 10_000, 20_000]
    assert [look.n_games for look in looks] == [*sizes, 40_000, 80_000]
    for_rates = [0.05 * (size / N_GAMES) ** 3 for size in sizes]
    assert spent(looks, "demands") == pytest.approx([*for_rates, 0.05, 0.05])
    assert spent(looks, "guards") == pytest.approx([*(x / 2 for x in for_rates), 0.0375, 0.05])


def test_many_games_spend_the_risk_early() -> None:
    looks = looks_of(4 * N_GAMES, 2, 0.05)
    sizes = [look.n_games for look in looks][:-2]
    assert sizes[-4:] == [28_284, 40_000, 56_568, 80_000]
    for_rates = [0.05 * (size / sizes[-1]) ** 0.5 for size in sizes]
    assert spent(looks, "demands")[:-2] == pytest.approx(for_rates)
    for_guards = [0.025 * size / sizes[-1] for size in sizes]
    assert spent(looks, "guards")[:-2] == pytest.approx(for_guards)


def test_with_a_total_the_last_look_has_most_of_the_risk() -> None:
    looks = looks_of(4 * N_GAMES, 2, 0.05, has_total=True)
    sizes = [look.n_games for look in looks]
    assert sizes == [624, 1_250, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000]
    assert spent(looks, "demands") == pytest.approx([0.05 * (n / 80_000) ** 3 for n in sizes])
    assert spent(looks, "guards") == spent(looks, "demands")


# --- demands and guards ---


def test_one_matchup_outside_is_enough_and_is_named() -> None:
    verdict = verdict_on([0.5, 0.548, 0.5])  # needs an interval of 0.2 points
    assert verdict.failed.tolist() == (~verdict.inside).tolist() == [False, True, False]
    assert not verdict.certified
    assert all(guard.holds for guard in verdict.guards)
    assert (verdict.n_games, verdict.n_looks) == (N_GAMES, len(verdict.looks) - 2)


def test_rates_are_reported_by_the_games_that_verified_them() -> None:
    verdict = verdict_on([0.5], **{**CALM, "draw_rate": [0.0088, 0.0]})
    # All games that are meant for rates, though fewer showed it.
    assert (verdict.certified, verdict.n_games) == (True, N_GAMES)
    assert verdict.n_games_played == 4 * N_GAMES
    assert verdict.confidence == 1 - 2 * verdict.looks[-3].demands


def test_verified_demands_stay_verified() -> None:
    """Demands verified at an early look stay verified in the further games for a guard."""
    at_first, worse = (
        reported_games([rate], guards=Guards(), draw_rate=[0.006, 0.0]) for rate in (0.5, 0.58)
    )
    n_first = N_GAMES // 4

    def play(first_game: int, n_games: int):
        games = at_first if 2 * first_game < n_first else worse
        return (games.play(EDIT[None], n_games=n_games),) * 2

    verdict, (deciding, _) = judge(at_first, play, n_games=N_GAMES, first_side=1)
    assert (verdict.certified, verdict.n_games_played) == (True, N_GAMES)
    assert deciding.n_games == verdict.n_games < N_GAMES


# The first seat has an advantage of 10 points, so that growth is that of one side alone.
CALM = {"first_seat": [0.61, 0.6], "draw_rate": [0.002, 0.0], "turns": [22, 20]}
BREACHES = [
    ({"draw_rate": [0.02, 0.0]}, "max_draw_rate", (2, 0, 0, 1), 2.0),
    ({"first_seat": [0.63, 0.6]}, "max_first_seat_pp", (13, 10, -12, 12), 3.0),
    ({"first_seat": [0.37, 0.6]}, "max_first_seat_pp", (-13, 10, -12, 12), 3.0),
    ({"first_seat": [0.63, 0.4]}, "max_first_seat_pp", (13, -10, -12, 12), 3.0),
    ({"turns": [25, 20]}, "median_turns", (25, 20, 16, 24), 0.25),
    ({"turns": [15, 20]}, "median_turns", (15, 20, 16, 24), 0.25),
]


@pytest.mark.parametrize(("breach", "name", "readings", "estimate"), BREACHES)
def test_each_guard_alone_prevents_a_certificate(breach, name: str, readings, estimate) -> None:
    side = -1 if breach.get("first_seat", [0, 1])[1] < 0.5 else 1
    verdict = verdict_on([0.5, 0.5], **{**CALM, **breach}, first_side=side)
    assert not verdict.certified
    assert verdict.inside.all()
    [broken] = [guard for guard in verdict.guards if not guard.holds]
    assert (broken.name, broken.is_broken) == (name, True)
    shares = 100 if name == "max_draw_rate" else 1
    shown = (broken.after.estimate, broken.before.estimate, broken.low, broken.high)
    # The games of each look are rounded to whole seeds.
    assert [shares * float(value) for value in shown] == pytest.approx(readings, abs=0.02)
    assert shares * broken.estimate == pytest.approx(estimate, abs=0.02)
    assert broken.bound > broken.estimate
    assert verdict.n_games_played == N_GAMES  # more games are not expected to show it


@pytest.mark.parametrize(
    "first_seat", [[0.57, 0.56], [0.56, 0.56], [0.5, 0.56], [0.44, 0.56], [0.56, 0.44]]
)
def test_an_old_advantage_that_hardly_grows_breaks_no_guard(first_seat: list[float]) -> None:
    side = 1 if first_seat[1] > 0.5 else -1
    assert verdict_on([0.5], first_seat=first_seat, first_side=side).certified


AT_THE_LIMITS = [
    ("max_draw_rate", {"draw_rate": [0.01, 0.0]}),
    ("max_first_seat_pp", {"first_seat": [0.62, 0.6]}),
    ("median_turns", {"turns": [24, 20]}),
    ("median_turns", {"turns": [16, 20]}),
]


@pytest.mark.parametrize(("name", "reading"), AT_THE_LIMITS)
def test_a_value_at_a_guards_limit_is_inconclusive_with_any_games(name, reading) -> None:
    verdict = verdict_on([0.5], **{**CALM, **reading})
    assert not verdict.certified
    [guard] = [guard for guard in verdict.guards if not guard.holds]
    assert (guard.name, guard.is_broken) == (name, False)
    assert guard.n_games == verdict.n_games_played == 4 * N_GAMES
    assert verdict.n_games == N_GAMES
    assert max(one.n_games for one in verdict.guards if one.holds) < N_GAMES


def test_a_guard_that_is_close_to_its_limit_takes_more_games_until_it_holds() -> None:
    taken = [
        verdict_on([0.5], **{**CALM, "draw_rate": [drawn, 0.0]}).n_games_played / N_GAMES
        for drawn in (0.0036, 0.006, 0.0076, 0.0084, 0.0088, 0.0096)
    ]
    assert taken == pytest.approx([0.25, 0.5, 1, 2, 4, 4], abs=0.01)


def test_matchups_outside_their_bands_spare_the_guards_further_games() -> None:
    verdict = verdict_on([0.55], **{**CALM, "draw_rate": [0.0096, 0.0]})
    assert not verdict.certified
    assert verdict.n_games_played == N_GAMES


def test_guards_hold_by_definition_without_an_edit() -> None:
    evaluator = reported_games([0.5], guards=Guards(max_first_seat_pp=0, median_turns=0))
    for genome, holds in ((0 * EDIT, True), (EDIT, False)):
        _, *others = certify(evaluator, genome, n_games=2000)[0].guards
        assert [guard.holds for guard in others] == [holds, holds]


SPACE = space_of(THREE, fields=["attack"])
GENOME = np.random.default_rng(1).integers(SPACE.low, SPACE.high + 1).astype(np.int16)


def test_guards_go_on_with_fresh_games_and_matchups_keep_to_theirs() -> None:
    allowed = Guards(max_draw_rate=0.01, max_first_seat_pp=100, median_turns=100)
    evaluator = evaluator_of(THREE, SPACE, guards=allowed, band_pp=50.0)
    verdict, counts = certify(evaluator, GENOME, n_games=200)
    whole = evaluator.play(GENOME[np.newaxis], n_games=800, purpose="certify")
    draws, _, _ = verdict.guards
    assert draws.n_games == 800  # 100 seeds without a draw cannot show that 1 % is not exceeded
    np.testing.assert_array_equal(counts.winners, whole.winners[..., :100])
    rest = evaluator.play(GENOME[np.newaxis], n_games=600, purpose="certify", first_game=100)
    np.testing.assert_array_equal(rest.winners, whole.winners[..., 100:])
    np.testing.assert_array_equal(counts.turns + rest.turns, whole.turns)
    np.testing.assert_array_equal(verdict.after.estimate, counts.points[0] / 200)


def test_the_imbalance_is_that_of_the_worst_matchup() -> None:
    verdict = verdict_on([0.5, 0.48, 0.5152], targets=np.array([0.5, 0.5, 0.55]))
    assert verdict.imbalance_pp == pytest.approx(3.48, abs=0.02)  # of whole games at each look
    assert verdict.demands.aims[0].tolist() == [0.5, 0.5, 0.55]


def test_a_certificate_of_real_games_shows_intervals_over_seeds_before_and_after() -> None:
    verdict, counts = certify(evaluator_of(THREE, SPACE), GENOME, n_games=400)
    table = THREE.table.vary(SPACE.genes, np.stack([GENOME, 0 * GENOME]))
    direct = play_matchups(THREE, table, n_games=400, run_seed=1, purpose="certify")
    np.testing.assert_array_equal(counts.points, direct.points)
    assert (verdict.n_games, verdict.confidence) == (400, pytest.approx(0.9))
    for variant, interval in enumerate((verdict.after, verdict.before)):
        over_seeds = cautious_rate(direct.rates_by_seed(variant), verdict.confidence)
        np.testing.assert_array_equal(interval, over_seeds)
    np.testing.assert_array_equal(counts.winners, direct.winners)


# --- the truth of a patch ---


@pytest.mark.parametrize(("step", "holds"), [(-5, True), (4, True), (6, False), (-7, False)])
def test_a_patch_holds_that_is_inside_its_band(step: int, *, holds: bool) -> None:
    truth = truth_of(coin_evaluator(free_space([-9], [9])), np.array([step], np.int16), 4_000_000)
    assert truth.imbalance_pp == pytest.approx(abs(step), abs=0.2)
    assert (truth.violation, truth.holds) == (0, holds)

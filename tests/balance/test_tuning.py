"""Both tuning methods find a known best point, and their games are counted and repeatable."""

from __future__ import annotations

from math import erfc, sqrt
from unittest.mock import Mock

import numpy as np
import pytest

from agents.search.turn.weights import load_weights
from balance import Floats, Learner, load_contest
from balance.tuning.rounds import (
    FIRST_PAIRS,
    LEAST_RATE,
    MORE_PAIRS,
    N_DROPPED,
    N_NESTS,
    Nest,
    cuckoo_rounds,
    levy_jump,
)
from balance.tuning.settings import CUCKOO_GAMES, Method, TurnSettings
from balance.tuning.trials import FARTHEST, Round, Trials, WeightSpace
from balance.tuning.tuning import METHODS, Tuning
from sim import validate
from sim.play import play, using_threads
from tests.refusals import refusal_of

N_WEIGHTS = 12
BEST = np.linspace(-0.5, 0.5, N_WEIGHTS)


def noisy_rates(round_: Round, rng: np.random.Generator) -> Floats:
    """Return win rates of random games; the chance to win falls with the distance from `BEST`."""
    chance = 0.9 * np.exp(-np.square(round_.points - BEST).sum(axis=1))
    return np.asarray(rng.binomial(2 * round_.n_pairs, chance) / (2 * round_.n_pairs))


def tune_on_noise(method: Method, seed: int, games: int = 20_000) -> tuple[Floats, list[Round]]:
    """Tune on games of `noisy_rates`; return the best point and all rounds."""
    settings = TurnSettings(method=method, games=games)
    generator = METHODS[method](N_WEIGHTS, settings, np.random.default_rng(seed))
    noise = np.random.default_rng(seed + 1)
    rounds = []
    rates: Floats | None = None
    while True:
        try:
            round_ = next(generator) if rates is None else generator.send(rates)
        except StopIteration as end:
            return end.value, rounds
        rounds.append(round_)
        rates = noisy_rates(round_, noise)


def test_a_levy_jump_has_the_law_of_its_closed_form() -> None:
    spread = 0.01
    n = 200_000  # so that few are cut off
    steps = levy_jump(np.zeros(n), spread, np.random.default_rng(1))
    sizes = np.abs(steps)
    scale = spread / 2.198109338
    for x in (0.005, 0.01, 0.03, 0.2, 1.0):
        share = erfc(sqrt(scale / (2 * x)))
        assert (sizes <= x).mean() == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / n))
    assert (steps > 0).mean() == pytest.approx(0.5, abs=4 * 0.5 / sqrt(n))
    assert sizes.max() == FARTHEST


def test_cma_finds_a_known_best_and_leaves_the_global_generator_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("the global generator was used")

    for name in ("seed", "randn", "rand", "normal", "random", "randint", "permutation"):
        monkeypatch.setattr(f"numpy.random.{name}", refused)
    best, _ = tune_on_noise("cma", 3)
    assert np.square(best - BEST).sum() < 0.2 * np.square(BEST).sum()


@pytest.mark.parametrize("method", METHODS)
def test_no_more_games_are_asked_than_are_granted_and_hardly_fewer(method: Method) -> None:
    _, rounds = tune_on_noise(method, 5, games=5_000)
    n_games = sum(round_.n_games for round_ in rounds)
    assert n_games == sum(2 * round_.n_pairs * len(round_.points) for round_ in rounds) <= 5_000
    assert n_games > 5_000 - 2 * 25 * N_NESTS


def test_a_generation_of_cma_plays_the_same_pairs_and_drops_the_worse_half() -> None:
    _, (first, more, *_) = tune_on_noise("cma", 7, games=2_000)
    assert first.points.shape == (13, N_WEIGHTS)
    assert len(set(first.first_pair)) == len(set(more.first_pair)) == 1
    assert more.first_pair[0] == first.first_pair[0] + first.n_pairs
    rates = noisy_rates(first, np.random.default_rng(8))
    kept = np.flatnonzero((first.points[:, None] == more.points).all(axis=2).any(axis=1))
    assert len(kept) == 7
    assert rates[kept].min() >= np.delete(rates, kept).max()


def test_the_cuckoo_search_asks_what_its_authors_asked() -> None:
    settings = TurnSettings(method="cuckoo", games=20_000)
    rounds = cuckoo_rounds(N_WEIGHTS, settings, np.random.default_rng(1))
    answers = [LEAST_RATE, LEAST_RATE - 0.1], [0.6], [0.2] * 15
    first_rounds = [next(rounds), *(rounds.send(np.array(rates)) for rates in answers)]
    assert [(len(round_.points), round_.n_pairs) for round_ in first_rounds] == [
        (2, 5),  # the egg, and the nest that it may replace
        (1, 20),  # the nest lost too many games to play more
        (15, 5),
        (3, 5),
    ]
    egg, _, nests, _ = first_rounds
    assert (egg.points[0] == nests.points).all(axis=1).any()  # the egg was the better one
    assert len(set(nests.first_pair)) == 15  # each nest plays games of its own


def test_a_nest_counts_each_time_as_much_as_all_before() -> None:
    nest = Nest(np.zeros(1))
    for rate in (0.4, 0.6, 0.9):
        nest.add_result(rate)
    assert nest.fitness == pytest.approx(0.7)


# --- weights ---


@pytest.mark.parametrize("is_plain", [True, False])
def test_the_start_is_at_point_0_and_far_away_all_numbers_stay_allowed(is_plain: bool) -> None:
    space = WeightSpace(load_weights("hand"), is_plain)
    assert space.weights_at(np.zeros(space.n_weights)) == space.start
    there = space.weights_at(np.full(space.n_weights, 99.0))
    assert (there.own.attack, there.search.reply) == (3 * space.start.own.attack, 16)
    assert (there.own.weapon == space.start.own.weapon) == is_plain


# --- games ---


def small_trials(method: Method, games: int = 800) -> Trials:
    contest = load_contest(("ember_rush", "greedy"), ("tide_keep", "greedy"))
    learner = Learner(
        name="x", kind="turn", decks=("ember_rush", "tide_keep"), opponents=("self", "tide_keep")
    )
    settings = TurnSettings(
        method=method, games=games, nodes=2, candidates=4, first_games=8, more_games=6,
        panel=("greedy", "start", "self"),
    )  # fmt: skip
    return Trials(contest, learner, settings, 11)


def test_each_pair_of_games_is_one_seed_in_both_seatings_and_none_is_played_twice() -> None:
    trials = small_trials("cma")
    assert len(trials.places) == 9  # three pairs of decks, three agents of the panel
    parts = [trials._rows(first, 5) for first in (0, 5, 10, 15)]
    assert all(part[:, 1].sum() == 5 for part in parts)
    all_rows = trials._rows(0, 20)
    for place in range(9):
        seeds = [s for part in parts for s in range(part[place, 0], part[place].sum())]
        assert seeds == list(range(all_rows[place, 1]))


@pytest.mark.parametrize("method", METHODS)
def test_a_tuning_goes_on_from_its_answers_and_is_the_same_on_any_threads(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {"cma": 800, "cuckoo": CUCKOO_GAMES}[method]
    unbroken = Tuning(small_trials(method, games))
    spy = Mock(wraps=play)
    monkeypatch.setattr("balance.tuning.trials.play", spy)
    with using_threads(1):
        while not unbroken.is_done:
            unbroken.play_round()
    played = sum(int(call.args[0].n_games.sum()) for call in spy.call_args_list)
    assert played == unbroken.n_games <= games
    half = len(unbroken.answers) // 2
    continued = Tuning(small_trials(method, games), unbroken.answers[:half])
    with using_threads(2):
        while not continued.is_done:
            continued.play_round()
    assert np.array_equal(continued.best, unbroken.best)
    assert np.array_equal(np.concatenate(continued.answers), np.concatenate(unbroken.answers))


def test_answers_of_another_tuning_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Tuning(small_trials("cma"), [np.zeros(3)])


def test_a_key_of_networks_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="leave_out"):
        Learner(name="x", kind="turn", decks=("a",), opponents=("b",), leave_out=0.1)


def test_unknown_weights_are_refused() -> None:
    error = refusal_of(load_weights, "hnd")
    assert error.value == "hnd"
    assert "hand" in error.limit


@pytest.mark.parametrize(("method", "least"), [("cma", 480), ("cuckoo", CUCKOO_GAMES)])
def test_games_are_enough_for_a_generation(method: Method, least: int) -> None:
    assert CUCKOO_GAMES == 2 * (FIRST_PAIRS + MORE_PAIRS) * (2 + N_NESTS + N_DROPPED)
    _, rounds = tune_on_noise(method, 5, games=least)
    assert len(rounds) > 1
    settings = {"method": method, "games": least - 1}
    error = refusal_of(validate, TurnSettings, settings, source="turn.toml")
    assert (error.value, error.limit) == (least - 1, least)

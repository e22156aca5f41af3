"""Settings of selection, crossover and mutation: their effects, and refused settings."""

from __future__ import annotations

import hashlib
import random as global_random
from typing import Any

import numpy as np
import pytest
from deap import tools

from balance.conformance.optimisers import LUCKLESS_GENES, LucklessContest
from balance.contest.demands import Demands
from balance.search.crossover import crossover
from balance.search.evolution import mutate
from balance.search.evolutionary_search import SearchState, run_search
from balance.search.lent_random import global_random_seeded_by
from balance.search.methods import check_search
from balance.search.optimisers import OPTIMISERS
from balance.search.optimisers.genetic import roulette_winners, tournament_winners
from balance.settings.breeding import CROSSOVERS, SELECTIONS, Breeding
from balance.settings.tables import BalanceSettings, Guards, Search
from balance.space.search_space import SearchSpace
from balance.verdict.evaluation import Evaluator
from sim import validate
from tests.balance.contests import free_space
from tests.refusals import refusal_of

N_PAIRS = 4_000
N_NUMBERS = 40
DEAP_CROSSOVERS = {"one_point": tools.cxOnePoint, "two_point": tools.cxTwoPoint}


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def pairs_of(n_pairs: int, n_numbers: int) -> np.ndarray:
    """Return pairs of parents with all numbers 1 and all numbers 2."""
    return np.tile(np.array([[1], [2]], np.int16), (n_pairs, n_numbers))


def search_with(**settings: Any) -> SearchState:
    bound = np.full(len(LUCKLESS_GENES), 2, np.int16)
    space = SearchSpace(LUCKLESS_GENES, -bound, bound, np.ones(len(LUCKLESS_GENES)))
    demands = Demands.around(np.array([0.5]), 5.0)
    evaluator = Evaluator(LucklessContest(), space, demands, Guards(median_turns=100.0), run_seed=1)
    return run_search(evaluator, Search(population=12, generations=15, **settings), n_games=4)


# --- crossover ---


@pytest.mark.parametrize("kind", CROSSOVERS)
@pytest.mark.parametrize("rate", [0.0, 0.3, 0.9, 1.0])
def test_a_crossed_child_has_as_many_cuts_as_its_kind_says(kind: Any, rate: float) -> None:
    children = crossover(pairs_of(N_PAIRS, N_NUMBERS), rng_of(1), kind=kind, rate=rate)
    assert children.dtype == np.int16
    from_second = children == 2
    n_cuts = np.diff(from_second.astype(int), axis=1).astype(bool).sum(axis=1)
    is_crossed = from_second.any(axis=1)
    assert is_crossed.mean() == pytest.approx(rate, abs=0.03)
    if kind == "one_point":
        assert (n_cuts == is_crossed).all()
        assert from_second[is_crossed, -1].all()
    elif kind == "two_point":
        # The second cut may be the genome's end.
        assert (n_cuts <= 2).all()
        assert (n_cuts[is_crossed] >= 1).all()
        assert not from_second[:, 0].all()
    elif rate > 0:
        assert n_cuts[is_crossed].mean() > N_NUMBERS / 3


@pytest.mark.parametrize("kind", DEAP_CROSSOVERS)
@pytest.mark.parametrize("n_numbers", [2, 3, 7])
def test_cuts_are_those_of_deap(kind: Any, n_numbers: int) -> None:
    parents = rng_of(3).integers(-9, 10, size=(2 * 50, n_numbers)).astype(np.int16)
    before = parents.copy()
    children = crossover(parents, rng_of(4), kind=kind, rate=1.0)
    np.testing.assert_array_equal(parents, before)
    rng = rng_of(4)
    rng.random(50)
    with global_random_seeded_by(rng):
        expected = [
            DEAP_CROSSOVERS[kind](list(one), list(other))[0]
            for one, other in zip(before[0::2].tolist(), before[1::2].tolist(), strict=True)
        ]
    np.testing.assert_array_equal(children, expected)


@pytest.mark.parametrize("kind", CROSSOVERS)
def test_genomes_of_one_number_are_crossed_too(kind: Any) -> None:
    children = crossover(pairs_of(20, 1), rng_of(1), kind=kind)
    assert children.shape == (20, 1)
    assert set(children.ravel().tolist()) <= {1, 2}


@pytest.mark.parametrize("kind", CROSSOVERS)
def test_crossover_leaves_the_global_generator_as_it_is(kind: Any) -> None:
    before = global_random.getstate()
    crossover(pairs_of(20, 5), rng_of(1), kind=kind)
    assert global_random.getstate() == before


# --- mutation ---


@pytest.mark.parametrize("rate", [0.0, 0.05, 1.0])
def test_the_mutation_rate_is_of_each_number(rate: float) -> None:
    space = free_space([-400] * 30, [400] * 30)
    mutants = mutate(np.full((4000, 30), 100, np.int16), space, "sparse", rng_of(1), rate=rate)
    assert (mutants != 100).mean() == pytest.approx(rate, abs=0.005)


# --- selection ---


def test_the_wheel_gives_each_its_share_by_rank() -> None:
    """Four genomes of which two are equal get 4, 2, 2 and 1 of nine shares."""
    criteria = np.array([[0.0, 3.0], [1.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    drawn = roulette_winners(criteria, 90_000, rng_of(1))
    shares = np.bincount(drawn, minlength=4) / 90_000
    np.testing.assert_allclose(shares, np.array([2, 1, 4, 2]) / 9, atol=0.01)


def test_a_larger_tournament_presses_harder() -> None:
    criteria = np.arange(50.0)[:, np.newaxis]
    means = [
        tournament_winners(criteria, 4_000, rng_of(1), size=size).mean() for size in (2, 3, 10)
    ]
    expected = [50 / (size + 1) for size in (2, 3, 10)]
    np.testing.assert_allclose(means, expected, atol=1.0)


# --- the searches with them ---


@pytest.mark.parametrize(
    ("method", "start", "digest", "n_seen"),
    [
        ("ga", "sparse", "fc65586cc1bb0e75", 154),
        ("ga", "dense", "5617d7d41de27240", 183),
        ("nsga2", "sparse", "4827717de6ca405d", 147),
        ("nsga2", "dense", "99dc7ef100d4b384", 188),
    ],
)
def test_the_defaults_search_as_before_there_were_settings(
    method: str, start: Any, digest: str, n_seen: int
) -> None:
    """Digests of the evaluated genomes, recorded when these numbers were constants."""
    state = search_with(method=method, start=start)
    assert len(state.seen) == n_seen
    assert hashlib.sha256(state.seen.astype("<i2").tobytes()).hexdigest()[:16] == digest


@pytest.mark.parametrize("kind", CROSSOVERS)
@pytest.mark.parametrize(
    ("method", "selection"),
    [*(("ga", selection) for selection in SELECTIONS), ("nsga2", "tournament")],
)
def test_each_way_to_breed_finds_a_small_patch_again(
    method: str, kind: Any, selection: Any
) -> None:
    settings = {
        "crossover": kind,
        "selection": selection,
        "crossover_rate": 0.6,
        "mutation_rate": 0.2,
    }
    state = search_with(method=method, **settings)
    is_solved = (state.scores.imbalance_pp < 1.0) & (state.scores.change <= 4)
    assert is_solved.any()
    np.testing.assert_array_equal(search_with(method=method, **settings).seen, state.seen)


def test_every_setting_changes_the_search() -> None:
    usual = search_with(method="ga").seen.tobytes()
    for settings in (
        {"selection": "roulette"},
        {"tournament_size": 5},
        {"crossover": "one_point"},
        {"crossover": "two_point"},
        {"crossover_rate": 0.5},
        {"mutation_rate": 0.3},
    ):
        assert search_with(method="ga", **settings).seen.tobytes() != usual, settings


# --- what is refused ---


@pytest.mark.parametrize(
    ("method", "settings", "named"),
    [
        ("model", {"crossover": "one_point"}, "crossover"),
        ("model", {"crossover_rate": 0.5}, "crossover_rate"),
        ("model", {"mutation_rate": 0.5}, "mutation_rate"),
        ("model", {"selection": "roulette"}, "selection"),
        ("nsga2", {"selection": "roulette"}, "selection"),
        ("nsga2", {"tournament_size": 2}, "tournament_size"),
    ],
)
def test_settings_that_a_method_ignores_are_refused(
    method: str, settings: dict[str, Any], named: str
) -> None:
    error = refusal_of(check_search, Search(method=method, **settings))
    assert (error.place, error.value) == (f"search.{named}", settings[named])
    check_search(Search(method="ga", **settings))


def test_a_default_that_is_spelt_out_is_never_refused() -> None:
    """The file of a finished run contains every setting."""
    settings = {name: field.default for name, field in Breeding.model_fields.items()}
    for method in ("model", *OPTIMISERS):
        check_search(Search(method=method, **settings))


def test_runs_older_than_these_settings_keep_their_names() -> None:
    """The name of a run depends on its settings, without these if they are at their defaults."""
    settings = {"method": "ga", "selection": "roulette", "mutation_rate": 0.2}
    assert {*Search().model_dump()} & {*Breeding.used_by} == set()
    dumped = Search(**settings, crossover="uniform").model_dump()
    assert {key: dumped[key] for key in dumped.keys() & Breeding.used_by} == {
        "selection": "roulette",
        "mutation_rate": 0.2,
    }
    assert Search.model_validate(dumped) == Search(**settings)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"selection": "rulette"}, "selection"),
        ({"crossover": "three_point"}, "crossover"),
        ({"tournament_size": 1}, "tournament_size"),
        ({"tournament_size": 2.5}, "tournament_size"),
        ({"crossover_rate": 1.1}, "crossover_rate"),
        ({"crossover_rate": float("nan")}, "crossover_rate"),
        ({"mutation_rate": -0.1}, "mutation_rate"),
        ({"mutation_rate": float("inf")}, "mutation_rate"),
        ({"mutation_rate": True}, "mutation_rate"),
        ({"crossover_rate": 0, "mutation_rate": 0}, ""),
        ({"selection": "roulette", "tournament_size": 5}, "tournament_size"),
    ],
)
def test_bad_settings_are_refused_by_name(settings: dict[str, Any], named: str) -> None:
    data = {"seed": 1, "search": {"method": "ga"} | settings}
    error = refusal_of(validate, BalanceSettings, data, source="it")
    assert error.place.endswith(named or "search")

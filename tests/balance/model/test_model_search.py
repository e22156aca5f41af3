"""Model search: on a contest with a known answer, on cards, and with any number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from balance import Contest, Demands, Parameter, SeatReadings, run_balance
from balance.search.model.assessment import Assessment
from balance.search.model.model_search import ModelSearch
from balance.search.model.shortlist import _ranks_among_equals
from balance.search.model.state import ModelState
from balance.settings.tables import BalanceSettings, Guards
from balance.verdict.evaluation import UNPLAYABLE, Evaluator
from sim.play import Gene, using_threads
from sim.seeds import generator
from tests.balance.contests import THREE, evaluator_of, free_space, scores_of, space_of

N_GENES = 12
SPACE = free_space([-2] * N_GENES, [2] * N_GENES)


@dataclass
class Strengths(Contest):
    """Contest of three players with four numbers each, of which one has no effect."""

    start: tuple[float, float, float] = (0.9, 0.0, -0.4)
    endless: tuple[int, int] | None = None
    calls: list[tuple[str, int, int]] = field(default_factory=list)

    player_names = ("a", "b", "c")
    matchups = ((0, 1), (0, 2), (1, 2))

    def parameter(self, gene: Gene) -> Parameter:
        return Parameter(str(gene.owner), str(gene.owner), gene.field, 5)

    def reach(self, genes: Sequence[Gene]) -> npt.NDArray[np.bool_]:
        return np.arange(3) == np.array([gene.owner // 4 for gene in genes])[:, np.newaxis]

    def chances(self, steps: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        worth = np.array([0.0, 0.1, 0.2, 0.4])
        if not steps.shape[1]:  # the baseline, in a space without numbers
            steps = np.zeros((len(steps), N_GENES), np.int16)
        strengths = self.start + (steps.reshape(-1, 3, 4) * worth).sum(axis=2)
        sides = [strengths[:, a] - strengths[:, b] for a, b in self.matchups]
        return 1 / (1 + np.exp(-np.stack(sides, axis=1)))

    def play(
        self, steps, genes, *, n_games, run_seed, purpose, first_game=0, matchups=None, **_: Any
    ) -> SeatReadings:  # fmt: skip
        which = [self.matchups.index(one) for one in matchups or self.matchups]
        self.calls.append((purpose, len(steps), n_games * len(which)))
        seeds = np.broadcast_to(first_game, len(steps))[:, np.newaxis] + np.arange(n_games // 2)
        luck = generator(run_seed, purpose).random((seeds.max() + 1, 3, 2))
        chances = self.chances(np.asarray(steps))[:, which]
        won = luck[seeds][:, :, which] < chances[:, np.newaxis, :, np.newaxis]
        readings = SeatReadings.of(np.moveaxis(won.astype(float), 1, -1))
        if self.endless is not None:
            gene, step = self.endless
            for v in np.flatnonzero(np.asarray(steps)[:, gene] == step).tolist():
                readings.faults[v] = RuntimeError("never ends")
                readings.points[v] = 0.0
        return readings


def search_in(contest: Contest, *, rounds: int = 8, band_pp: float = 5.0) -> ModelSearch:
    demands = Demands.around([0.5] * 3, band_pp)
    evaluator = Evaluator(contest, SPACE, demands, Guards(), run_seed=1)
    options: dict[str, Any] = {"seed": 1, "search": {"rounds": rounds}}
    return ModelSearch(evaluator, BalanceSettings.model_validate(options))


def searched(contest: Contest, **how: Any) -> tuple[ModelSearch, ModelState]:
    search = search_in(contest, **how)
    return search, search.run()


def test_the_smallest_change_is_found() -> None:
    # a is 0.9 ahead of b and c 0.4 behind; bands of 5 pp are 0.2 wide: two steps of 0.4 down for a
    # leave 0.1 and 0.5, and one up for c is needed besides.
    search, state = searched(contest := Strengths())
    found = state.seen[search.shortlist(state)]
    change = np.abs(found).sum(axis=1)
    does = (np.abs(contest.chances(found) - 0.5) < 0.05).all(axis=1)
    assert {1, 2} <= set(change[~does].tolist())  # for who would rather change less
    assert change[does].min() == 3
    assert state.generation < 7  # and the search knew that it was done


def test_games_are_counted() -> None:
    search, state = searched(contest := Strengths(), band_pp=0.5, rounds=4)
    search.shortlist(state)  # which plays nothing
    assert len(state.centres) >= 1
    assert int(state.history[-1, 0]) == sum(
        n_candidates * n for _, n_candidates, n in contest.calls
    )


def test_a_genome_with_endless_games_is_not_recommended() -> None:
    search, state = searched(Strengths(endless=(3, -2)))
    assert (state.seen_violation[state.seen[:, 3] == -2] >= UNPLAYABLE).all()
    assert not (state.seen[search.shortlist(state)][:, 3] == -2).any()


def test_where_nothing_is_wrong_nothing_is_the_patch() -> None:
    search, state = searched(Strengths(start=(0.0, 0.0, 0.0)))
    assert not state.seen[search.shortlist(state)[0]].any()


def test_the_search_does_not_depend_on_the_number_of_threads() -> None:
    evaluator = evaluator_of(THREE, space_of(THREE, fields=["attack"]), guards=Guards())
    options: dict[str, Any] = {"seed": 1, "search": {"rounds": 2}, "games": {"search": 40}}
    search = ModelSearch(evaluator, BalanceSettings.model_validate(options))
    with using_threads(1):
        one = search.run()
    with using_threads(3):
        other = search.run()
    np.testing.assert_array_equal(one.seen, other.seen)
    np.testing.assert_array_equal(one.history, other.history)


def test_few_games_change_nothing_where_nothing_is_wrong() -> None:
    options: dict[str, Any] = {"games": {"matchups": 2000, "search": 100, "select": 1000}}
    settings = BalanceSettings.model_validate({"seed": 1, "target": {"band_pp": 25}, **options})
    assert run_balance(THREE, settings).patch == ()


def judged(change: list[int], chance: list[float], n_seen: list[int]) -> tuple[ModelSearch, Any]:
    """Return a search and its assessment of genomes with given changes and probabilities.

    Args:
        change: change of each genome.
        chance: its probability of feasibility.
        n_seen: number of genomes evaluated by the end of each round.
    """
    search = search_in(Strengths())
    n = len(change)
    seen = (np.arange(N_GENES) < np.array(change)[:, np.newaxis]).astype(np.int16)
    state = replace(
        ModelState.beginning(search.evaluator),
        seen=seen,
        seen_points=np.full((n, 3), 300.0),
        seen_violation=np.zeros(n),
        seen_times=np.ones(n, np.int64),
        history=np.column_stack([np.zeros((len(n_seen), 4)), n_seen]),
    )
    model: Any = None  # no test predicts anything
    scores = scores_of(np.zeros(n), search.evaluator.space.size(seen))
    return search, Assessment(state, model, np.array(chance), scores)


@pytest.mark.parametrize(
    ("chance", "n_seen", "is_stuck"),
    [
        ([0.1, 0.2, 0.3, 0.4], [1, 1], True),  # nothing is likely
        ([0.9, 0.1, 0.1, 0.1], [1, 1], False),  # something is, and it is early
        ([0.9, 0.1, 0.1, 0.9], [1, 1, 1, 2, 3], False),  # the last one found is smaller
        ([0.9, 0.1, 0.1, 0.4], [1, 1, 1, 2, 3], True),  # it is not likely
        ([0.9, 0.9, 0.1, 0.1], [1, 1, 1, 2, 3], True),  # a smaller one is of long ago
        ([0.1, 0.1, 0.9, 0.1], [1, 1, 1, 2, 3], False),  # the first that is likely is of late
    ],
)
def test_a_search_is_stuck_without_progress(
    chance: list[float], n_seen: list[int], is_stuck: bool
) -> None:
    search, one = judged([5, 4, 5, 3], chance, n_seen)
    assert search._is_stuck(one) is is_stuck


@pytest.mark.parametrize(
    ("chance", "n_seen", "is_settled"),
    [
        ([0.9, 0.9, 0.9, 0.1], [1, 3, 3, 3, 3, 3, 3], True),
        ([0.9, 0.9, 0.1, 0.1], [1, 3, 3, 3, 3, 3, 3], False),  # too few are likely
        ([0.9, 0.9, 0.9, 0.1], [1, 3, 3, 3, 3], False),  # it is early
        ([0.9, 0.9, 0.9, 0.9], [1, 3, 3, 3, 3, 3, 4], False),  # the last one found is smaller
        ([0.9, 0.9, 0.9, 0.9], [1, 4, 4, 4, 4, 4, 4], True),  # it was found six rounds ago
    ],
)
def test_a_search_is_settled_after_rounds_without_a_smaller_incumbent(
    chance: list[float], n_seen: list[int], is_settled: bool
) -> None:
    search, one = judged([5, 4, 5, 3], chance, n_seen)
    assert search._is_settled(one) is is_settled


def test_the_best_is_the_smallest_that_is_likely_to_do() -> None:
    for change, chance, best in (
        ([5, 4, 1, 4, 2], [0.9, 0.6, 0.4, 0.7, 0.1], [3, 1, 0, 2, 4]),
        ([5, 4, 1], [0.1, 0.2, 0.3], [2, 1, 0]),
    ):
        _, one = judged(change, chance, [len(change)])
        assert one.best.tolist() == best


def test_a_shortlist_has_two_of_a_change() -> None:
    places = _ranks_among_equals(np.array([1.0, 1.0, 1.0, 2.0, 4.0, 4.0]))
    assert places.tolist() == [0, 1, 2, 0, 0, 1]

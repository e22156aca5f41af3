"""Exploration: results depend on edits and games alone, and no game is played twice."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance import CardContest, Demands, Interval, play_matchups
from balance.contest.target import Target, demands_of
from balance.contest.whatif import STREAM, Exploration, Explored, Step
from sim.play import using_threads
from sim.play.table import OF_RULES, Gene
from tests.balance.contests import RUSH_KEEP, THREE, body, own_contest
from tests.balance.four_seats import FourSeats

RUSHED, KEPT = (int(row[1]) for row in THREE.deck_rows[:2])
NUMBERS = (Gene(RUSHED, "attack"), Gene(KEPT, "cost"), Gene(OF_RULES, "life"))
TABLE_OF_FOUR = FourSeats.won_by(0.4, 0.3, 0.2, 0.1)
STRENGTHS = (Gene(0, "strength"), Gene(3, "strength"))


def visits(genes: tuple[Gene, ...], n_games: list[int]) -> st.SearchStrategy:
    """Draw a sequence of requests: edits up, down and back, with more and with fewer games."""
    edits = st.dictionaries(st.sampled_from(genes), st.sampled_from([-1, 0, 1]))
    return st.lists(st.tuples(edits, st.sampled_from(n_games)), min_size=1, max_size=8)


def counting(contest: CardContest) -> tuple[CardContest, list[int]]:
    """Return the contest, and a list to which the number of its played games is appended."""
    played = list[int]()
    return replace(contest, on_games=played.append), played


@cache
def fresh(moved: tuple[tuple[Gene, int], ...], n_games: int) -> Explored:
    """Return games of three decks, played by an exploration without earlier games."""
    return Exploration(THREE, 5).explore(dict(moved), n_games)


def assert_equal_games(one: Explored, other: Explored) -> None:
    assert one.readings.shares.tobytes() == other.readings.shares.tobytes()
    assert one.readings.points.tobytes() == other.readings.points.tobytes()


def assert_equal(one: Explored, other: Explored) -> None:
    assert (one.inputs, one.n_games) == (other.inputs, other.n_games)
    assert_equal_games(one, other)


@settings(max_examples=40)
@given(visits(NUMBERS, [4, 12, 30]), st.integers(1, 2))
def test_any_way_through_edits_of_cards_gives_the_numbers_of_a_fresh_play(way, threads) -> None:
    contest, played = counting(THREE)
    exploration = Exploration(contest, 5)
    most = dict[tuple, int]()
    for edits, n_games in way:
        with using_threads(threads):
            explored = exploration.explore(edits, n_games)
        moved = tuple(sorted((gene, step) for gene, step in edits.items() if step))
        assert_equal(explored, fresh(moved, n_games))
        for key in enumerate(explored.inputs):
            most[key] = max(n_games, most.get(key, 0))
    assert sum(played) == sum(most.values())  # each game of each matchup once


@settings(max_examples=40)
@given(visits(STRENGTHS, [8, 20, 400]))
def test_so_does_any_way_through_edits_of_another_game(way) -> None:
    exploration = Exploration(TABLE_OF_FOUR, 5)
    for asked in way:
        assert_equal(exploration.explore(*asked), Exploration(TABLE_OF_FOUR, 5).explore(*asked))


def test_games_are_there_until_they_are_forgotten() -> None:
    contest, played = counting(THREE)
    exploration = Exploration(contest, 5)
    edits = {NUMBERS[0]: 1}
    exploration.explore({}, 40)
    assert (exploration.n_kept({}), exploration.n_kept(edits)) == (40, 0)
    first = exploration.explore(edits, 20)
    assert exploration.n_kept({NUMBERS[0]: 1, NUMBERS[1]: 0}) == 20
    exploration.keep_only([{}])
    assert (exploration.n_kept({}), exploration.n_kept(edits)) == (40, 0)
    n_before = sum(played)
    assert_equal(exploration.explore(edits, 20), first)
    assert sum(played) == n_before + 2 * 20


def test_explored_games_equal_played_games() -> None:
    demands = demands_of(THREE, Target(first_seat=0.5))
    edits = {NUMBERS[0]: -1, NUMBERS[2]: 3}
    explored = Exploration(THREE, 5).explore(edits, 200)
    played = play_matchups(
        THREE,
        THREE.table.vary([*edits], np.array([[*edits.values()]])),
        n_games=200,
        run_seed=5,
        purpose=STREAM,
    )
    assert np.array_equal(explored.readings.points, played.points)
    assert np.array_equal(explored.readings.first_seat_by_seed(), played.first_seat_by_seed())
    np.testing.assert_array_equal(explored.rates(demands), demands.read(played, 0.95).at(0))


def test_an_edit_taken_back_and_a_matchup_without_it_cost_no_game() -> None:
    contest, played = counting(THREE)
    exploration = Exploration(contest, 5)
    today = exploration.explore({}, 40)
    assert sum(played) == 3 * 40
    edited = exploration.explore({NUMBERS[0]: 1}, 40)
    for nothing, n_games in (({}, 40), ({NUMBERS[0]: 0}, 20)):
        exploration.explore(nothing, n_games)
    assert sum(played) == (3 + 2) * 40  # tide_keep and grove_march have no such card
    assert edited.can_differ(today).tolist() == [True, True, False]
    change = edited.change_from(today, Demands.around([0.5] * 3, 5))
    assert [float(bound[2]) for bound in change] == [0, 0, 0]
    assert (change.low[:2] < change.high[:2]).all()


def test_a_change_is_the_difference_of_the_rates() -> None:
    exploration = Exploration(THREE, 5)
    demands = demands_of(THREE, Target(field=0.5))
    today, edited = (exploration.explore(edits, 300) for edits in ({}, {NUMBERS[0]: 2}))
    change = edited.change_from(today, demands)
    more = edited.rates(demands).estimate - today.rates(demands).estimate
    assert np.allclose(change.estimate, more, atol=1e-12)
    back = today.change_from(edited, demands)
    np.testing.assert_array_equal(back, [-change.estimate, -change.high, -change.low])


@pytest.mark.thorough
def test_intervals_of_changes_cover_the_truth_as_often_as_they_say() -> None:
    def change_in(seed: int, n_games: int) -> Interval:
        exploration = Exploration(RUSH_KEEP, seed)
        today, edited = (
            exploration.explore(edits, n_games) for edits in ({}, {Gene(RUSHED, "attack"): 1})
        )
        return edited.change_from(today, Demands.around([0.5], 5)).at(0)

    truth = change_in(0, 100_000).estimate
    explored = [change_in(seed, 120) for seed in range(1, 401)]
    covered = np.mean([change.low <= truth <= change.high for change in explored])
    assert 0.925 < covered < 0.99  # 3 standard errors of 400 are 3.3 points


def test_contests_with_other_texts_share_equal_matchups() -> None:
    cards = [body("ox", 2, 2, 3), body("owl", 1, 1, 2)]
    now, later = (
        [body("bear", 3, 4, 4, keywords=words), body("stray", 1, 1, 1, keywords=words)]
        for words in ((), ("haste",))
    )
    decks = [{"ox": 10, "owl": 5}, {"bear": 15}, {"owl": 12}]
    contest, played = counting(own_contest([*cards, *now], decks))
    other = own_contest([*cards, *later], decks)
    assert contest.plays_alike(other).tolist() == [False, True, False]
    exploration = Exploration(contest, 5)
    today = exploration.explore({}, 40)
    assert sum(played) == 3 * 40
    beside = exploration.with_contest(replace(contest, table=other.table))
    explored = beside.explore({}, 40)
    assert sum(played) == (3 + 2) * 40
    assert explored.can_differ(today).tolist() == [True, False, True]
    assert_equal_games(explored, Exploration(other, 5).explore({}, 40))
    edited = beside.explore({Gene(1, "health"): 1}, 40)  # of cards that are there today too
    assert_equal_games(edited, Exploration(other, 5).explore({Gene(1, "health"): 1}, 40))


def test_explorations_of_one_contest_have_the_same_matchups() -> None:
    with pytest.raises(ValueError, match="same matchups"):
        Exploration(THREE, 5).with_contest(RUSH_KEEP)


def test_other_rules_pilots_and_decks_play_otherwise() -> None:
    harder = replace(THREE, table=THREE.table.vary([], np.zeros((1, 0))))
    assert THREE.plays_alike(harder).all()
    exchanged = THREE.with_agents({"tide_keep": THREE.players[0].agent})
    assert THREE.plays_alike(exchanged).tolist() == [False, True, False]
    assert not TABLE_OF_FOUR.plays_alike(THREE).any()
    assert TABLE_OF_FOUR.plays_alike(TABLE_OF_FOUR).all()


@pytest.mark.parametrize("n_games", [-2, 0, 2, 7])
def test_games_come_in_whole_seeds(n_games: int) -> None:
    with pytest.raises(ValueError, match="n_games"):
        Exploration(RUSH_KEEP, 5).explore({}, n_games)


# --- steps: the change by each equals that of exploring it, on the same games ---

STEPS = [
    Step(Gene(RUSHED, "attack"), 1),
    Step(Gene(KEPT, "cost"), -1),
    Step(Gene(OF_RULES, "life"), 1),
    Step(Gene(RUSHED, "health"), 1),
]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("edits", [{}, {Gene(RUSHED, "attack"): 1, Gene(OF_RULES, "life"): -2}])
def test_the_change_by_a_step_is_that_of_exploring_it(edits, which: int) -> None:
    demands = demands_of(THREE, Target(field=0.5, first_seat=0.5))
    demand = demands.take(np.array([which % len(demands)]))
    exploration = Exploration(THREE, 5)
    n_games = 60
    explored = exploration.changes_by_steps(edits, STEPS, demand, n_games)
    before = exploration.explore(edits, n_games).rates(demand).estimate
    for step, change in zip(STEPS, explored.tolist(), strict=True):
        after = {**edits, step.gene: edits.get(step.gene, 0) + step.by}
        expected = exploration.explore(after, n_games).rates(demand).estimate - before
        assert change == pytest.approx(float(expected[0]), abs=1e-12)

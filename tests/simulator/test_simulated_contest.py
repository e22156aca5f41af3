"""Contests of simulators: readings, reuse of games, and patches by every method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance import BalanceSettings, Guards, patch_notes, question_of, run_stages
from balance.contest.contest_limits import ContestLimits
from balance.contest.readings import PairReadings, SeatReadings
from balance.run.context import RunContext
from balance.search.methods import METHODS
from balance.settings.tables import Games, Search
from balance.simulator.function_contest import simulated_contest
from balance.simulator.group_power import measure_group_power
from sim import game_seed
from tests.refusals import refusal_of
from tests.simulator.tug_of_war import NAMES, declared, play

FIELDS = ("strength", "luck", "mood")


def contest_of(n_seats: int, **how: Any) -> Any:
    names = NAMES[: n_seats + 1]
    return simulated_contest(play, names, declared(names, ann=7), seats=n_seats, **how)


@settings(max_examples=15, deadline=None)
@given(
    n_seats=st.integers(2, 4),
    rate=st.sampled_from(["wins", "points"]),
    moves=st.dictionaries(st.sampled_from(FIELDS), st.integers(-1, 1), min_size=1),
    first=st.integers(0, 5),
)
def test_readings_are_those_of_games_played_one_by_one(
    n_seats: int, rate: Any, moves: dict[str, int], first: int
) -> None:
    contest = contest_of(n_seats, rate=rate)
    genes = [gene for gene in contest.genes if gene.owner == 1 and gene.field in moves]
    steps = np.array([[moves[gene.field] for gene in genes], [0] * len(genes)])
    n_seeds = 3
    readings = contest.play(
        steps, genes, n_games=n_seeds * n_seats, run_seed=1, purpose="test", first_game=first
    )
    shares = readings.shares_by_seed()
    turns = np.zeros_like(readings.turns)
    for v, row in enumerate(steps):
        numbers = contest.parameters.values(dict(zip(genes, row.tolist(), strict=True)))
        for m, matchup in enumerate(contest.matchups):
            # The matchups of a group share its games, in the seatings of the first listed one.
            group = next(other for other in contest.matchups if {*other} == {*matchup})
            for r in range(n_seats):
                seats = group[-r:] + group[:-r]
                seat = seats.index(matchup[0])
                for s in range(n_seeds):
                    seed = game_seed(1, "test", first + s)
                    result = play(numbers, [contest.player_names[p] for p in seats], seed)
                    wins = 1 / n_seats if result.winner is None else float(result.winner == seat)
                    points = result.points[seat] / sum(result.points)
                    assert shares[v, m, r, s] == pytest.approx(wins if rate == "wins" else points)
                    turns[v, m, result.turns] += 1
    np.testing.assert_array_equal(readings.turns, turns)
    assert isinstance(readings, PairReadings if (n_seats, rate) == (2, "wins") else SeatReadings)


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_the_shares_of_a_table_add_up_to_one(n_seats: int) -> None:
    contest = contest_of(n_seats)
    readings = contest.play(
        np.zeros((1, 0), int), (), n_games=12 * n_seats, run_seed=1, purpose="test"
    )
    by_table = dict[frozenset[int], float]()
    for matchup, rate in zip(contest.matchups, readings.rates[0], strict=True):
        table = frozenset(matchup)
        by_table[table] = by_table.get(table, 0.0) + rate
    if n_seats > 2:
        np.testing.assert_allclose(list(by_table.values()), 1)
    assert len(by_table) == contest.n_tables


def test_games_that_no_edit_can_change_are_played_once() -> None:
    contest = contest_of(2)
    played = list[int]()
    counting = simulated_contest(
        lambda *game: played.append(1) or play(*game),
        contest.player_names,
        declared(contest.player_names),
    )
    genes = [gene for gene in counting.genes if gene.owner == 0][:1]
    steps = np.array([[0], [1], [2]])
    readings = counting.play(steps, genes, n_games=10, run_seed=1, purpose="test")
    # Of three matchups, two have the edited player: three versions of these, one of the other.
    assert len(played) == (2 * 3 + 1) * 10
    assert (readings.winners[0, 2] == readings.winners[1, 2]).all()
    assert (readings.winners[0, 0] != readings.winners[2, 0]).any()


def test_refused_numbers_are_a_fault_of_their_candidate() -> None:
    contest = simulated_contest(play, NAMES[:2], {**declared(NAMES[:2])})
    strength = next(gene for gene in contest.genes if gene.field == "strength")
    steps = np.array([[0], [200]])
    how: Any = {"n_games": 4, "run_seed": 1, "purpose": "test"}
    readings = contest.play(steps, [strength], faults="keep", **how)
    assert [*readings.faults] == [1]
    assert readings.points[1].sum() == 0
    assert readings.points[0].sum() > 0
    assert "broken" in refusal_of(lambda: contest.play(steps, [strength], **how)).problem


def test_every_matchup_needs_as_many_players_as_seats() -> None:
    assert refusal_of(lambda: simulated_contest(play, NAMES[:2], {}, seats=3)).limit == 3
    assert refusal_of(lambda: simulated_contest(play, ["ann", "ann"], {})).limit == 2


@pytest.mark.parametrize("n_seats", [2, 3, 4])
@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_limits_and_resumes_to_the_same(
    method: str, kind: str, n_seats: int
) -> None:
    names = NAMES[:n_seats]
    tables = {name: {**entries} for name, entries in declared(names, ann=7).items()}
    for entries in tables.values():
        for field in {*FIELDS} - {kind}:
            entries[field] = entries[field]["value"]
    contest = simulated_contest(play, names, tables, seats=n_seats)
    limits = ContestLimits(lock=("bob",), max_steps=2, max_owners=1, max_change=3)
    n = 12 * n_seats
    settings_of_run = BalanceSettings(
        seed=3,
        guards=Guards.none(),
        games=Games(matchups=n, search=n, select=n, certify=n, design=96),
        search=Search(method=method, population=4, generations=2, rounds=2, candidates=3, widen=()),
    )
    question = question_of(contest, settings_of_run, contest.space(limits))
    states = list[Any]()
    found = run_stages(question, RunContext(on_generation=states.append))
    space = question.space
    for genome in found.selection.genomes:
        assert (space.low <= genome).all()
        assert (genome <= space.high).all()
        assert space.allows(genome[np.newaxis]).all()
    assert all(gene.owner != 1 for gene in space.genes)
    resumed = run_stages(question, RunContext(state=states[0]))
    assert patch_notes(resumed.patch) == patch_notes(found.patch)
    np.testing.assert_array_equal(resumed.selection.genomes, found.selection.genomes)


@pytest.mark.parametrize("n_seats", [2, 3])
def test_power_is_what_a_player_loses_without_a_group(n_seats: int) -> None:
    contest = contest_of(n_seats)
    powers = measure_group_power(contest, n_games=120 * n_seats, run_seed=1)
    assert [(power.player, power.group) for power in powers] == [
        (position, name) for position, name in enumerate(contest.player_names)
    ]
    # Without its group a player never wins, so the power is its whole share, but for half draws.
    assert all(power.power.low > 0.2 for power in powers)
    strongest = max(powers, key=lambda power: float(power.power.estimate))
    assert strongest.group == "ann"
    batch = contest_of(2)
    refusal_of(
        lambda: measure_group_power(
            simulated_contest(lambda n, p, s: 0, batch.player_names, {"x": 1}),
            n_games=4,
            run_seed=1,
        )
    )

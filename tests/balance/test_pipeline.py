"""The stages of a run: results depend neither on who measured nor on a resumption."""

from __future__ import annotations

from dataclasses import fields
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from balance import (
    BalanceRun,
    BalanceSettings,
    CardContest,
    NarrowBy,
    Narrowing,
    RunContext,
    SearchState,
    measure_power,
    prepare,
    run_balance,
    run_stages,
)
from balance.cards import card_contest, power
from balance.cards.power import piloted_for_power
from balance.run.balance_run import Measurement
from balance.search.model.state import ModelState
from sim.play import play
from tests.balance.contests import RUSH_KEEP, THREE, contest_of
from tests.refusals import refusal_of

WAYS: tuple[NarrowBy, ...] = ("power", "lever", "random", "none")
all_ways = pytest.mark.parametrize("by", WAYS)


def settings_of(by: NarrowBy = "power", **more: Any) -> BalanceSettings:
    games = dict.fromkeys(("matchups", "power", "lever", "search"), 20) | {
        "select": 100,
        "certify": 200,
    }
    changes: dict[str, Any] = {
        "seed": 7,
        "games": games,
        "narrow": {"by": by, "keep": 3},
        "search": {"method": "nsga2", "population": 6, "generations": 3, "widen": False},
        **more,
    }
    return BalanceSettings.model_validate(changes)


def assert_equal(one: Any, other: Any) -> None:
    """Check that values are equal, including arrays inside of dataclasses and tuples."""
    assert type(one) is type(other)
    if hasattr(one, "__dataclass_fields__"):
        for field in fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for each, its in zip(one, other, strict=True):
            assert_equal(each, its)
    else:
        np.testing.assert_equal(one, other)


def assert_equal_runs(one: BalanceRun, other: BalanceRun) -> None:
    for name in ("state", "selection", "certificate", "certified_counts", "patch"):
        assert_equal(getattr(one, name), getattr(other, name))
    assert_equal_narrowings(one.measurement.narrowing, other.measurement.narrowing)


def assert_equal_narrowings(one: Narrowing, other: Narrowing) -> None:
    assert (one.by, one.kept, one.n_games) == (other.by, other.kept, other.n_games)
    np.testing.assert_equal(one.scores, other.scores)
    np.testing.assert_equal(one.intervals, other.intervals)
    assert_equal(one.space, other.space)


def measure(contest: CardContest, settings: BalanceSettings) -> Measurement:
    return prepare(contest, settings).measure()


@pytest.mark.thorough
@all_ways
def test_a_given_measurement_equals_a_new_one(by: NarrowBy) -> None:
    settings = settings_of(by)
    stages: list[str] = []
    alone = run_balance(THREE, settings, RunContext(on_stage=stages.append))
    assert stages == ["measure", "search", "select", "clean up", "certify", "explain"]
    stages.clear()
    measurement = measure(THREE, settings)
    given = run_stages(
        prepare(THREE, settings), RunContext(on_stage=stages.append), measured=measurement
    )
    assert stages == ["search", "select", "clean up", "certify", "explain"]
    assert given.measurement is measurement
    assert_equal_runs(given, alone)


@all_ways
def test_measurements_do_not_depend_on_the_search(by: NarrowBy) -> None:
    one = measure(THREE, settings_of(by))
    search = {"method": "ga", "start": "dense", "population": 9, "generations": 5}
    other = measure(THREE, settings_of(by, search=search, guards={"median_turns": 0}))
    assert_equal(one.matchups, other.matchups)
    assert_equal_narrowings(one.narrowing, other.narrowing)


# So near the target, and with so few games, that nothing is likely to do: there are twice as
# many rounds, and levers, too, of which the first state knows nothing yet.
BY_MODEL = settings_of(
    "none", search={"rounds": 2, "widen": False}, target={"band_pp": 0.5},
    tune={"fields": ("attack",)},
)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("contest", "settings", "n_centres"),
    [(THREE, settings_of(), []), (RUSH_KEEP, BY_MODEL, [0, 1, 1, 1])],
)
def test_a_resumed_run_equals_an_uninterrupted_one(
    contest: CardContest, settings: BalanceSettings, n_centres: list[int]
) -> None:
    states = list[SearchState]()
    context = RunContext(on_generation=states.append, explains=False)
    unbroken = run_balance(contest, settings, context)
    assert [state.generation for state in states] == [*range(4)]
    assert [len(state.centres) for state in states if isinstance(state, ModelState)] == n_centres
    for state in states:
        later = list[SearchState]()
        context = RunContext(state=state, on_generation=later.append, explains=False)
        resumed = run_balance(contest, settings, context)  # measured anew
        assert [other.generation for other in later] == [*range(state.generation + 1, 4)]
        assert_equal_runs(resumed, unbroken)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Play all batches, and record them."""
    playing = Mock(wraps=play)
    for module in (card_contest, power):
        monkeypatch.setattr(module, "play", playing)
    return playing


def n_played(spy: Mock) -> int:
    return sum(int(call.args[0].n_games.sum()) for call in spy.call_args_list)


@all_ways
@pytest.mark.parametrize("baseline", ["skip", "vanilla"])
@pytest.mark.parametrize("agent", ["own", "greedy"])
@pytest.mark.parametrize("contest", [RUSH_KEEP, THREE], ids=["two", "three"])
def test_the_games_of_narrowing_are_those_that_were_played(
    contest: CardContest, agent: str, baseline: str, by: NarrowBy, spy: Mock
) -> None:
    narrowing = {"by": by, "keep": 3, "agent": agent, "baseline": baseline}
    games = {"matchups": 20, "power": 14, "lever": 10}
    measured = measure(contest, settings_of(narrow=narrowing, games=games))
    assert n_played(spy) == 20 * len(contest.matchups) + measured.narrowing.n_games
    assert (measured.narrowing.n_games > 0) == (by in {"power", "lever"})
    assert bool(measured.powers) == (by == "power")


def test_the_games_of_a_search_are_those_that_were_played(spy: Mock) -> None:
    measurement = measure(THREE, settings_of("none"))
    reached = [n_played(spy)]
    context = RunContext(on_generation=lambda _: reached.append(n_played(spy)))
    run = run_stages(prepare(THREE, settings_of("none")), context, measured=measurement)
    assert (reached[0] + run.state.history[:, 0]).tolist() == reached[1:]


def test_power_is_measured_by_the_named_pilot() -> None:
    assert piloted_for_power(THREE, settings_of()) is THREE
    greedy = settings_of(narrow={"by": "power", "agent": "greedy"})
    contest = piloted_for_power(THREE, greedy)
    assert [(player.deck, player.agent.name) for player in contest.players] == [
        (player.deck, "greedy") for player in THREE.players
    ]
    expected = measure_power(contest, n_games=20, run_seed=7)
    np.testing.assert_equal(measure(THREE, greedy).powers, expected)


REFUSED = [
    (contest_of(("ember_rush", "aggro")), {}, "player", "ember_rush"),
    (THREE, {"target": {"win_rate": {"a vs b": 0.5}}}, "target.win_rate", "a vs b"),
    (THREE, {"search": {"method": "nsga"}}, "search.method", "nsga"),
    (THREE, {"tune": {"decks": ["tide_kep"]}}, "tune.decks", "tide_kep"),
    (THREE, {"tune": {"lock": ["nobody"]}}, "tune.lock", "nobody"),
]


@pytest.mark.parametrize(("contest", "changes", "place", "value"), REFUSED)
def test_invalid_runs_are_refused_before_any_game(
    contest: CardContest, changes: dict[str, Any], place: str, value: str, spy: Mock
) -> None:
    for refuse in (prepare, run_balance):
        error = refusal_of(refuse, contest, settings_of(**changes))
        assert (error.place, error.value) == (place, value)
    spy.assert_not_called()

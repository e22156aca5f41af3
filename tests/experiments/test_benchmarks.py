"""The tasks of `bench` do the work that their rows count."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from unittest import mock

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from agents.big_two import agent_named
from experiments.benchmarks import duel, environments, legacy
from experiments.benchmarks.duel import Against, Published, Task, game_tasks, load_duel
from experiments.benchmarks.environments import big_two_task, step_task
from experiments.benchmarks.other_commit import compare_with_commit
from experiments.commands import bench as bench_command
from experiments.screen.console import Screen
from sim.big_two.games import Games
from sim.engine.viewing import FIRST_ATTACK, HAND_PLACES, LAST_ACTION, N_ACTIONS, N_VALUES
from sim.environments.episodes import Episodes
from sim.play.batch import play
from tests import bench_tasks
from tests.command_line import command, done, refusal
from tests.messages import check_message

ALWAYS = [
    "engine_with_card_counts",
    "engine_bare",
    "two_threads",
    "games_of_rollout_50",
    "games_of_light",
    "reference",
    "environment_steps",
    "big_two_steps",
    "saga_greedy",
    "saga_light",
    "clone",
    "clone_of_a_full_state",
]
WITH_REAL_CARDS = ["starters_greedy", "plain_minions_random"]
WITH_TORCH = ["lockstep_against_scripted", "training_steps"]
HAS_TORCH = bool(find_spec("torch"))
if HAS_TORCH:
    from experiments.benchmarks import big_two_learning, learning
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="needs torch")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the amounts of all tasks."""
    monkeypatch.setattr(bench_command, "REPEATS", 2)
    monkeypatch.setattr(bench_tasks, "GAMES", 4)
    monkeypatch.setattr(duel, "GAMES", 200)
    monkeypatch.setattr(duel, "SEARCHED_GAMES", 2)
    monkeypatch.setattr(legacy, "GAMES_PER_PAIR", dict.fromkeys(legacy.GAMES_PER_PAIR, 2))
    monkeypatch.setattr(legacy, "COPIES", 1_000)
    monkeypatch.setattr(environments, "STEPS", 4_096)
    monkeypatch.setattr(environments, "SIDE_BY_SIDE", 8)
    if HAS_TORCH:
        settings = learning._SETTINGS
        monkeypatch.setattr(learning, "_SETTINGS", settings.model_copy(update={"warm_up": 2_048}))
        monkeypatch.setattr(learning, "GAMES", 40)
        monkeypatch.setattr(learning, "WARM_GAMES", 20)
        monkeypatch.setattr(learning, "TICKS", 2)


def task(name: str, run: Callable[[], None] = lambda: None, against: Against | None = None) -> Task:
    return Task(name, "games", 100, run, against)


def by_name(tasks: list[Task]) -> dict[str, Task]:
    return {task.name: task for task in tasks}


@pytest.mark.thorough
def test_the_command_prints_every_row_in_the_documented_shape() -> None:
    summary = json.loads(done(command("bench", "--json")).out)
    rows = ALWAYS + WITH_REAL_CARDS * bool(find_spec("hearthstone_data")) + WITH_TORCH * HAS_TORCH
    assert list(summary) == rows
    for entry in summary.values():
        assert list(entry) == ["per_s", "ratio", "against"]
        assert entry["per_s"] > 0
        assert (entry["ratio"] is None) == (entry["against"] == "")


def test_the_table_says_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [replace(task("climbing"), unit="steps"), task("diving", against=Against("no", "no"))]
    monkeypatch.setattr(bench_command, "all_tasks", lambda *_: tasks)
    monkeypatch.setattr(bench_command, "measure", lambda *_: {"climbing": 0.001, "diving": 2.0})
    climbing, diving = command("bench").out.splitlines()[-2:]
    assert climbing.split() == ["climbing", "100,000", "steps"]
    assert diving.split() == ["diving", "50", "games"]


def test_what_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_command, "find_spec", lambda _: None)
    monkeypatch.setattr(legacy, "find_spec", lambda _: None)
    assert [task.name for task in bench_command.all_tasks(load_duel())] == ALWAYS


def test_tasks_take_turns_and_the_middle_of_their_processor_times_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench_command, "REPEATS", 3)
    clock = [0.0]
    turns = list[str]()
    lengths = {"a": iter([4.0, 1.0, 2.0]), "b": iter([8.0, 8.0, 3.0])}

    def work(name: str) -> None:
        turns.append(name)
        clock[0] += next(lengths[name])

    monkeypatch.setattr(bench_command.time, "process_time", lambda: clock[0])
    tasks = [task(name, partial(work, name)) for name in lengths]
    assert bench_command.measure(tasks, Screen(json=True)) == {"a": 2.0, "b": 8.0}
    assert turns == list("ababab")


def test_ratios_are_those_of_rates_or_of_times() -> None:
    tasks = [
        task("slow"),
        task("fast", against=Against("slow", "the slow one")),
        task("dear", against=Against("slow", "time of the slow one", of_time=True)),
        task("lonely", against=Against("absent", "nobody")),
        replace(task("ours"), against=Published(25.0, "the others")),
    ]
    assert bench_command.compare(
        tasks, {"slow": 2.0, "fast": 0.5, "dear": 8.0, "lonely": 1.0, "ours": 2.0}
    ) == {
        "slow": {"per_s": 50.0, "ratio": None, "against": ""},
        "fast": {"per_s": 200.0, "ratio": 4.0, "against": "the slow one"},
        "dear": {"per_s": 12.5, "ratio": 4.0, "against": "time of the slow one"},
        "lonely": {"per_s": 100.0, "ratio": None, "against": ""},
        "ours": {"per_s": 50.0, "ratio": 2.0, "against": "the others"},
    }


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    """Return a record of the batches that are played from now on."""
    played = mock.Mock(wraps=play)
    monkeypatch.setattr(duel, "play", played)
    return played


@pytest.mark.thorough
def test_games_are_as_many_as_the_rows_count(played: mock.Mock) -> None:
    contest = load_duel()
    tasks = game_tasks(contest)
    if HAS_TORCH:
        tasks.append(by_name(learning.network_tasks(contest))["lockstep_against_scripted"])
    played.reset_mock()
    for game_task in tasks:
        game_task.run()
    batches = [call.args[0] for call in played.call_args_list]
    assert [batch.n_games.sum() for batch in batches] == [game_task.amount for game_task in tasks]
    assert all(batch.seats.tolist() == [[0, 1], [1, 0]] for batch in batches)


@pytest.fixture
def n_stepped(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a record of the number of games that each step moves from now on."""
    moved: list[int] = []
    step = Episodes.step

    def watched(self: Episodes, actions: np.ndarray, *arguments: object) -> None:
        moved.append(len(actions))
        step(self, actions, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Episodes, "step", watched)
    return moved


def test_steps_are_as_many_as_the_row_counts_and_legal_again(n_stepped: list[int]) -> None:
    stepping = step_task(load_duel())
    for _ in range(2):  # an illegal action would be refused
        n_stepped.clear()
        stepping.run()
        assert set(n_stepped) == {environments.ENVIRONMENTS}
        assert sum(n_stepped) == stepping.amount


def test_every_step_of_big_two_is_seen_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = dict.fromkeys(("mark", "act"), 0)

    def counting(name: str, method: Callable[..., None]) -> Callable[..., None]:
        def counted_method(games: Games, rows: np.ndarray, written: np.ndarray) -> None:
            counted[name] += len(rows)
            method(games, rows, written)  # an illegal action would be refused

        return counted_method

    stepping = big_two_task()
    for name in counted:
        monkeypatch.setattr(Games, name, counting(name, getattr(Games, name)))
    stepping.run()
    assert counted == dict.fromkeys(counted, stepping.amount)
    assert 8 * 8 * 50 < stepping.amount < 8 * 8 * 208


@needs_torch
def test_equal_players_have_a_quarter_of_the_first_places_each() -> None:
    equal = big_two_learning.first_places(agent_named("lowest"), "lowest", 50, 1)
    assert equal.estimate == 0.25
    assert equal.low < 0.25 < equal.high
    assert big_two_learning.first_places(agent_named("random"), "lowest", 100, 1).high < 0.25


@needs_torch
def test_the_measured_network_plays_cards_then_rushes_then_ends_its_turn() -> None:
    chance = np.random.default_rng(5)
    observations = chance.integers(0, 6, (300, N_VALUES)).astype(np.float32)
    masks = chance.random((300, N_ACTIONS)) < 0.15
    masks[:, LAST_ACTION] = True
    at_the_player = list(range(FIRST_ATTACK + 5, LAST_ACTION, 6))
    preferred = [*range(HAND_PLACES), *at_the_player, LAST_ACTION]
    wanted = [next(action for action in preferred if mask[action]) for mask in masks]
    assert learning.rushing_pilot().choose(observations, masks).tolist() == wanted
    assert {*at_the_player, LAST_ACTION} & set(wanted)  # not only cards


@needs_torch
def test_training_is_as_much_as_the_row_counts(n_stepped: list[int]) -> None:
    training = by_name(learning.network_tasks(load_duel()))["training_steps"]
    n_stepped.clear()
    training.run()
    assert sum(n_stepped) == training.amount


def test_a_commit_that_is_not_there_is_refused() -> None:
    check_message(refusal(command("bench", "--against", "no-such-commit")))


@pytest.mark.thorough
def test_the_duel_is_played_by_another_commits_code_in_turn() -> None:
    assert min(compare_with_commit("HEAD", n_games=2_000, rounds=2)) > 0


@pytest.mark.parametrize("name", ["whatif", "workbench"])
def test_measuring_scripts_take_options_alike(name: str) -> None:
    pytest.importorskip("starlette")
    script = typer.Typer()
    script.command()(import_module(f"experiments.benchmarks.{name}").main)
    outcome = CliRunner().invoke(script, ["quickstart_scripts", "--games", "1"])
    assert outcome.exit_code == 2
    assert "--games" in outcome.stderr

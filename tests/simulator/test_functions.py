"""Games of Python functions: what they return, how they fail, and where they are played."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sim import Infeasible, InputError, Result
from sim.play.workers.current import working_with
from sim.play.workers.seam import Workers, pickle_job
from sim.simulator.block import DRAWN, Block
from sim.simulator.function_source import FunctionSource
from sim.simulator.python_function import FunctionSimulator
from tests.refusals import refusal_of
from tests.simulator.blocks import plain, results, seeds_of
from tests.simulator.tug_of_war import NAMES, declared, play, play_all

NUMBERS = {
    f"{name}.{field}": entry["value"]
    for name, entries in declared(NAMES).items()
    for field, entry in entries.items()
}
SPACE = """
def play(numbers, players, seed):
    return seed % 2
"""


class FarWorkers(Workers):
    """Workers that receive jobs as bytes, as those in other processes do, and answer backwards."""

    are_remote: ClassVar[bool] = True

    def map(self, job: Any, tasks: Sequence[Any]) -> Iterator[Any]:
        sent = pickle.loads(pickle_job(job))  # noqa: S301 (our own)
        for task in reversed(tasks):
            yield task, sent.do(task)


def simulator_of(function: Callable[..., Any], **how: Any) -> FunctionSimulator:
    return FunctionSimulator(function, NAMES, **how)


def block_of(n_games: int, players: tuple[str, ...] = ("ann", "bob"), **changes: Any) -> Block:
    """Return games; changes are written with `_` in place of the dot."""
    numbers = {name.replace("_", "."): value for name, value in changes.items()}
    return Block(NUMBERS | numbers, players, seeds_of(n_games))


BLOCKS = [
    block_of(40),
    block_of(3, ("bob", "ann"), ann_strength=9),
    block_of(5, ann_strength=200),
    block_of(25, ("cyd", "bob"), bob_mood="wild"),
]


def test_a_function_is_called_with_numbers_players_and_seed() -> None:
    calls = []

    def record(numbers: Any, players: Any, seed: Any) -> Any:
        calls.append((dict(numbers), players, seed))
        return [0, None, Result(1)][len(calls) - 1]

    block = block_of(3, ("bob", "eve"), eve_luck=0.4)
    ((_, played),) = simulator_of(record).play([block])
    assert calls == [(dict(block.numbers), ("bob", "eve"), seed) for seed in block.seeds.tolist()]
    assert played.winners.tolist() == [0, DRAWN, 1]
    assert (played.turns, played.points) == (None, None)


def test_the_batch_form_gives_the_games_of_single_calls() -> None:
    each = results(simulator_of(play), BLOCKS)
    assert results(simulator_of(play_all, is_batch=True), BLOCKS) == each
    assert [reason for *_, reason in each] == ["", "", "broken", ""]


@pytest.mark.parametrize(("form", "is_batch"), [(play, False), (play_all, True)])
def test_workers_of_other_processes_play_the_same_games(form: Any, is_batch: bool) -> None:
    simulator = simulator_of(form, is_batch=is_batch)
    here = results(simulator, BLOCKS)
    with working_with(FarWorkers(2)):
        assert results(simulator, BLOCKS) == here


def test_workers_load_a_function_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(SPACE)
    source = FunctionSource.of("game.py:play", tmp_path)
    simulator = simulator_of(source.load(), source=source)
    sent = pickle.loads(pickle.dumps(simulator))  # noqa: S301 (our own)
    assert results(sent, BLOCKS) == results(simulator, BLOCKS)


def test_workers_are_not_sent_a_function_of_a_notebook() -> None:
    here: dict[str, Any] = {"__name__": "__main__"}
    exec(SPACE, here)  # noqa: S102 (as a notebook does)
    with working_with(FarWorkers(2)):
        assert "play" in refusal_of(lambda: results(simulator_of(here["play"]), BLOCKS)).problem


def test_the_hash_of_a_function_is_that_of_its_file(tmp_path: Path) -> None:
    hashes = set()
    for name, text in (("a", SPACE), ("b", SPACE), ("c", SPACE + "# changed\n")):
        (tmp_path / f"{name}.py").write_text(text)
        function = FunctionSource.of(f"{name}.py:play", tmp_path).load()
        hashes.add(simulator_of(function).identity)
    assert len(hashes) == 2


@pytest.mark.parametrize(
    "returned",
    [2, -1, 0.5, True, "ann", (0, 3), Result(5), Result(0, turns=-1), Result(0, turns=1.5),
     Result(0, points=[1]), Result(0, points=[1, -1]), Result(0, points=[1, float("nan")])],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_the_game(returned: Any) -> None:
    block = block_of(2)
    error = refusal_of(lambda: results(simulator_of(lambda *_: returned), [block]))
    assert error.value is returned
    assert str(block.seeds[0]) in error.problem
    assert all(player in error.problem for player in block.players)


def test_turns_and_points_are_of_all_games_or_of_none() -> None:
    games = iter([Result(0, turns=3), Result(0)])
    error = refusal_of(lambda: results(simulator_of(lambda *_: next(games)), [block_of(2)]))
    assert error.value == Result(0)


@pytest.mark.parametrize(
    "returned",
    [[0, 1], [0, 1, 2], [0, 1, 0.5], "abc", Result([0, 1, 0], turns=[1, 2]),
     Result([0, 1, 0], points=[[1, 2]]), Result([0, 1, 0], points=[[1, 2], [1, 2], [1, -2]])],
)  # fmt: skip
def test_arrays_of_another_shape_or_value_are_refused(returned: Any) -> None:
    simulator = simulator_of(lambda *_: returned, is_batch=True)
    refusal_of(lambda: results(simulator, [block_of(3)]))


def test_an_error_names_the_line_and_the_game() -> None:
    def fail(numbers: Any, players: Any, seed: Any) -> int:
        return len(players) // (int(seeds_of(3)[2]) - seed)

    error = refusal_of(lambda: results(simulator_of(fail), [block_of(3)]))
    assert error.value == "ZeroDivisionError"
    assert Path(__file__).name in str(error.place)
    assert str(seeds_of(3)[2]) in error.problem


def test_a_game_that_never_ends_is_stopped() -> None:
    def wait(*_: Any) -> None:
        while True:
            time.sleep(0.001)

    error = refusal_of(lambda: results(simulator_of(wait, timeout_s=0.05), [block_of(2)]))
    assert error.limit == 0.05
    quick = simulator_of(lambda *_: time.sleep(0.002), timeout_s=0.05)
    assert len(results(quick, [block_of(60)])[0][0]) == 60


def test_output_of_a_game_is_noted_once_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    def chatter(numbers: Any, players: Any, seed: Any) -> int:
        print("hello", seed)  # noqa: T201
        return 0

    notes = list[str]()
    results(simulator_of(chatter, note=notes.append), BLOCKS[:2])
    assert len(notes) == 1
    assert capsys.readouterr().out == ""


def test_numbers_cannot_be_changed_by_a_game() -> None:
    def spoil(numbers: Any, *_: Any) -> None:
        numbers["ann.strength"] = 1

    assert refusal_of(lambda: results(simulator_of(spoil), [block_of(1)])).value == "TypeError"


def test_a_seat_plays_without_a_group() -> None:
    simulator = simulator_of(play)
    assert simulator.can_leave_out
    assert not simulator_of(play_all, is_batch=True).can_leave_out
    with_all, without = results(
        simulator, [block_of(50), block_of(50)._replace(without=("ann", None))]
    )
    assert 1 in with_all[0]
    assert set(without[0]) <= {1, DRAWN}


def test_a_refusal_needs_no_reason() -> None:
    def refuse(*_: Any) -> None:
        raise Infeasible

    ((_, played),) = simulator_of(refuse).play([block_of(2)])
    assert plain(played)[0] == []
    assert played.infeasible


@pytest.mark.parametrize(
    ("text", "reference"),
    [("x = 1\n", "game.py:play"), ("play = 3\n", "game.py:play"), ("x = \n", "game.py:play"),
     ("1 / 0\n", "game.py:play"), (SPACE, "game.py"), (SPACE, "game.py:"), (SPACE, ":play"),
     (SPACE, "game.py:pley"), (SPACE, "other.py:play"), (SPACE, "game.py:a b")],
)  # fmt: skip
def test_a_file_without_the_function_is_refused(tmp_path: Path, text: str, reference: str) -> None:
    (tmp_path / "game.py").write_text(text)
    with pytest.raises(InputError):
        FunctionSource.of(reference, tmp_path).load()


def test_results_of_no_games_are_empty() -> None:
    with working_with(FarWorkers(2)):
        assert results(simulator_of(play), []) == []

"""Programs that play games: equal results however they are distributed, and one error per fault."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import InputError
from sim.simulator.block import Block
from sim.simulator.program import ProgramSimulator
from sim.simulator.program_error import ProgramError
from tests.simulator.blocks import SKIRMISH, Skirmish, block_of, plain, program, results, seeds_of
from tests.simulator.skirmish import LAST_WORDS

BLOCKS = [
    block_of(130),
    block_of(90, ("keep", "rush"), rush_power=7, keep_wall=0.8),
    block_of(5, rush_power=0),
    block_of(1, ("swarm", "keep"), first=50),
]
BAD = f"{int(seeds_of(1, 77)[0]):016x}"


def processes(word: str) -> list[int]:
    """Return the numbers of the processes that have a word in their command, zombies included."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended
                continue
            is_zombie = not command and parent == os.getpid()
            if word in command or is_zombie:
                found.append(int(folder.name))
    return found


@pytest.fixture
def nothing_left(tmp_path):
    """Check that no process of the test is left: they have the test's folder in their command."""
    word = str(tmp_path)
    of_others = {*processes(word)}  # zombies that tests of another file left in this process
    yield word
    until = time.monotonic() + 5
    while {*processes(word)} - of_others and time.monotonic() < until:
        time.sleep(0.01)  # the system needs a moment to remove orphans that were killed
    assert {*processes(word)} - of_others == set()


@pytest.mark.parametrize("n_children", [1, 3])
def test_a_program_gives_the_results_of_its_games(n_children):
    simulator = program(n_children=n_children)
    assert results(simulator, BLOCKS) == results(Skirmish(), BLOCKS)
    assert results(simulator, BLOCKS[::-1]) == results(Skirmish(), BLOCKS)[::-1]
    assert simulator.n_seats == 2
    simulator.close()


def test_a_group_of_parameters_can_be_left_out():
    block = block_of(40)._replace(without=("rush", None))
    simulator = program()
    assert results(simulator, [block]) == results(Skirmish(), [block])
    assert simulator.can_leave_out
    simulator.close()


def test_blocks_without_games_have_no_results():
    simulator = program()
    ((position, played),) = simulator.play([block_of(0)])
    assert (position, len(played.winners)) == (0, 0)
    simulator.close()


@pytest.fixture(scope="module")
def one_program():
    simulator = program(n_children=2)
    yield simulator
    simulator.close()


@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, 60), max_size=6))
def test_results_do_not_depend_on_the_split_into_blocks(one_program, cuts):
    ends = [0, *sorted(cuts), 60]
    blocks = [block_of(stop - start, first=start) for start, stop in pairwise(ends)]
    played = dict(one_program.play(blocks))
    winners = np.concatenate([played[position].winners for position in range(len(blocks))])
    ((_, whole),) = Skirmish().play([block_of(60)])
    assert winners.tolist() == whole.winners.tolist()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("die", "end"),
        ("exit", "end"),
        ("close", "end"),
        ("grandchild", "end"),
        ("print", "answer"),
        ("id", "answer"),
        ("short", "answer"),
        ("rows", "answer"),
        ("nan", "answer"),
        ("seat", "answer"),
        ("turns", "answer"),
        ("long", "answer"),
        ("hang", "deadline"),
    ],
)
def test_a_fault_is_reported_with_its_game(fault, kind, nothing_left):
    simulator = program("--fault", fault, "--at", BAD, nothing_left_of=nothing_left, timeout_s=0.15)
    with pytest.raises(InputError) as raised:
        results(simulator, BLOCKS)
    simulator.close()
    assert raised.value.value == BAD
    assert isinstance(raised.value.__cause__, ProgramError)
    assert raised.value.__cause__.kind == kind
    assert "\n" not in str(raised.value)


def test_the_last_words_of_a_program_are_reported(nothing_left, tmp_path):
    log = tmp_path / "simulator.log"
    simulator = program("--fault", "die", "--at", BAD, nothing_left_of=nothing_left, log=log)
    with pytest.raises(InputError) as raised:
        results(simulator, [block_of(1, first=77)])
    simulator.close()
    assert raised.value.__cause__.value == -signal.SIGSEGV
    assert raised.value.__cause__.last_words == LAST_WORDS
    assert log.read_text().count(LAST_WORDS[-1]) == 3  # one for each attempt


@pytest.mark.parametrize(
    ("fault", "kind"), [("mute", "deadline"), ("buffer", "deadline"), ("hello", "answer")]
)
def test_a_fault_at_the_start_is_reported(fault, kind, nothing_left, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    start_timeout_s = 10.0 if kind == "answer" else 0.3
    simulator = program(
        "--fault", fault, nothing_left_of=nothing_left, start_timeout_s=start_timeout_s
    )
    with pytest.raises(InputError) as raised:
        results(simulator, BLOCKS)
    simulator.close()
    assert raised.value.__cause__.kind == kind


def test_a_program_that_was_killed_at_its_start_is_started_again(nothing_left):
    simulator = program("--fault", "once", nothing_left_of=nothing_left)
    assert results(simulator, BLOCKS) == results(Skirmish(), BLOCKS)
    simulator.close()


def test_programs_that_cannot_be_started_are_refused(tmp_path):
    (tmp_path / "game").write_text("no program")
    for command, remedy in (("missing", False), ("./game", True), ("game", True)):
        with pytest.raises(InputError) as raised:
            _ = ProgramSimulator([command], tmp_path).hello
        assert raised.value.__cause__.kind == "start"
        assert (command.removeprefix("./") in raised.value.remedy) == remedy


def test_output_on_standard_error_blocks_no_program():
    simulator = program("--fault", "flood")
    blocks = [block_of(20)]
    assert results(simulator, blocks) == results(Skirmish(), blocks)
    simulator.close()


def test_signs_of_life_extend_the_deadline():
    """One request with three rows takes longer than the deadline of all of its games."""
    simulator = program("--fault", "slow", "--seconds", "0.2", timeout_s=0.35)
    blocks = [block_of(1, rush_power=power) for power in (3, 4, 5)]
    assert results(simulator, blocks) == results(Skirmish(), blocks)
    simulator.close()


def test_signs_of_life_without_progress_extend_no_deadline(nothing_left):
    """A single game of three seconds is too slow, however often the program reports."""
    simulator = program(
        "--fault", "alive", "--seconds", "3", nothing_left_of=nothing_left, timeout_s=0.1
    )
    with pytest.raises(InputError) as raised:
        results(simulator, [block_of(1)])
    simulator.close()
    assert raised.value.__cause__.kind == "deadline"


def test_a_caller_may_work_between_results():
    """The second block is finished while no output is read, for longer than its deadline."""
    simulator = program("--fault", "slow", "--seconds", "0.1", n_children=2, timeout_s=0.3)
    blocks = [block_of(1), block_of(1, first=1), block_of(1, first=2)]
    played = {}
    for position, result in simulator.play(blocks):
        played[position] = plain(result)
        time.sleep(0.4)
    simulator.close()
    assert [played[position] for position in range(3)] == results(Skirmish(), blocks)


def test_children_killed_at_any_moment_change_no_result(nothing_left):
    blocks = [block_of(250, first=first, rush_power=4 + first % 3) for first in range(6)]
    simulator = program(
        "--fault", "slow", "--seconds", "0.0004", n_children=2, nothing_left_of=nothing_left
    )
    is_over = threading.Event()
    killed = []

    def kill() -> None:
        waits = np.random.default_rng(5).uniform(0.05, 0.2, 1000)
        for wait_s in waits.tolist():
            if is_over.wait(wait_s):
                return
            for pid in processes(nothing_left)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        played = results(simulator, blocks)
    finally:
        is_over.set()
        killer.join()
        simulator.close()
    assert played == results(Skirmish(), blocks)
    assert killed


def test_a_call_that_is_given_up_leaves_no_answers_behind():
    simulator = program(n_children=2)
    games = simulator.play([block_of(30), block_of(3000, first=1000)])
    next(games)
    games.close()
    assert results(simulator, BLOCKS) == results(Skirmish(), BLOCKS)
    simulator.close()


def test_two_calls_at_the_same_time_are_refused():
    simulator = program()
    games = simulator.play([block_of(10), block_of(3000, first=1000)])
    next(games)
    with pytest.raises(RuntimeError):
        results(simulator, BLOCKS)
    games.close()
    simulator.close()


def test_a_forgotten_program_is_ended(nothing_left):
    simulator = program(nothing_left_of=nothing_left)
    results(simulator, BLOCKS)
    assert processes(nothing_left)
    del simulator
    gc.collect()  # it refers to itself


def test_the_identity_follows_the_program_and_its_arguments(tmp_path):
    def identity(*words: str) -> str:
        simulator = ProgramSimulator([sys.executable, "game.py", *words], tmp_path)
        try:
            return simulator.identity
        finally:
            simulator.close()

    path = tmp_path / "game.py"
    path.write_bytes(SKIRMISH.read_bytes())
    first = identity()
    assert identity() == first
    assert identity("--seconds", "1") != first
    assert identity("--mark", "x" * 5000) != first  # no path of a file
    path.write_text(SKIRMISH.read_text() + "# edited\n")
    assert identity() != first


@pytest.mark.parametrize(
    "block",
    [
        block_of(1)._replace(numbers={"rush.speed": 3}),
        Block({}, ("rush", "keep"), seeds_of(1), ("rush", None)),
    ],
)
def test_blocks_that_the_program_cannot_play_are_refused(block, tmp_path):
    text = SKIRMISH.read_text().replace('"points", "without"]', '"points"]')
    (tmp_path / "game.py").write_text(text)
    simulator = ProgramSimulator([sys.executable, "game.py"], tmp_path)
    with pytest.raises(InputError) as raised:
        results(simulator, [block])
    simulator.close()
    assert raised.value.value in ("rush.speed", ("rush", None))

"""`--workers`: who plays shows in no result."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import (
    TINY,
    ask,
    assert_refused,
    command,
    refusal,
    run_folder,
    timeless,
    write_experiment,
)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--workers", "processes:0"), "'processes:0' must be threads:N, processes:N (N from 1"),
        (("--workers", "processes:-1"), "'processes:-1' must be"),
        (("--workers", "processes:9999"), "N from 1 to 1024"),
        (("--workers", "dask"), "'dask' must be threads:N, processes:N"),
        (("--workers", "ray:3"), "'ray:3' must be"),
        (("--workers", "threads:2", "--threads", "2"), "--workers: threads:2: is what --threads"),
    ],
)
def test_what_cannot_work_is_refused(options, says: str, tmp_path: Path) -> None:
    assert_refused("matchups", tmp_path, says, *options)


def test_games_that_only_threads_play_are_refused(tmp_path: Path) -> None:
    arguments = ("matchups", "big_two", "--results", tmp_path / "r", "--workers", "processes:2")
    assert "'big_two' is played by threads only" in refusal(command(*arguments))


def test_threads_are_a_kind_of_workers(tmp_path: Path) -> None:
    ways = (("--threads", "2"), ("--workers", "threads:2"), ("--workers", "threads"))
    told = [ask("matchups", tmp_path, "--no-plots", "--json", *options) for options in ways]
    assert {(one.status, one.err) for one in told} == {(0, "")}
    assert len({one.out for one in told}) == 1


@pytest.mark.thorough
def test_a_study_by_processes_is_the_study_by_threads(tmp_path: Path) -> None:
    text = TINY + '[study]\nnarrow = ["none"]\nmethod = ["ga"]\nrun_seeds = 3\n'
    threads, processes = (
        run_folder("study", tmp_path, *options, text=text, results=f"results{len(options)}")
        for options in ((), ("--workers", "processes:2"))
    )
    assert timeless(threads) == timeless(processes)
    assert "2 workers: 3 pieces, 0 retries" in (processes / "log.txt").read_text(encoding="utf-8")


def children_of(pid: int) -> set[int]:
    """Processes below a process, as Linux tells."""
    found = set()
    with suppress(OSError):  # it may end meanwhile
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found |= {child, *children_of(child)}
    return found


def is_working(pid: int) -> bool:
    """Whether a process does pieces, or was started to do some."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"spawn_main" in line or line.startswith(b"ray::_do")


def is_rays(pid: int) -> bool:
    """Whether a process is of a cluster, which may be starting still."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() in ("gcs_server", "raylet")
    except OSError:
        return False


@pytest.mark.parametrize(
    ("workers", "is_meant"),
    [
        pytest.param("processes:2", is_working, marks=pytest.mark.thorough),
        pytest.param("ray", is_working, marks=[pytest.mark.ray, pytest.mark.slow]),
        pytest.param("ray", is_rays, marks=[pytest.mark.ray, pytest.mark.slow]),
    ],
)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_ctrl_c_leaves_no_process(workers: str, is_meant, tmp_path: Path) -> None:
    """Heard by the whole group, as at a terminal, once two processes are there of those meant."""
    experiment = write_experiment(tmp_path, TINY.replace("matchups = 40", "matchups = 20_000_000"))
    arguments = ("matchups", experiment, "--results", tmp_path / "r", "--workers", workers)
    with subprocess.Popen(
        [sys.executable, "-c", "from experiments.cli import main\nmain()", *map(str, arguments)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        children: set[int] = set()
        while sum(map(is_meant, children)) < 2:
            time.sleep(0.1)
            assert running.poll() is None
            children = children_of(running.pid)
        time.sleep(1)
        children |= children_of(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.decode().splitlines()[-1] == "evenhand: interrupted"
    assert b"Traceback" not in said
    begun_s = time.monotonic()
    while (left := {pid for pid in children if Path(f"/proc/{pid}").exists()}) and (
        time.monotonic() - begun_s < 5
    ):
        time.sleep(0.1)
    assert not left


def test_without_ray_it_is_told_how_to_get_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    says = "--workers ray: needs Ray; pip install 'evenhand[ray]'"
    assert_refused("matchups", tmp_path, says, "--workers", "ray")


@pytest.mark.ray
@pytest.mark.slow
def test_an_address_at_which_nobody_answers_is_refused(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:9")
    says = "no cluster at RAY_ADDRESS=127.0.0.1:9: Connection refused"
    assert_refused("matchups", tmp_path, says, "--workers", "ray")

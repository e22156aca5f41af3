"""`--workers`: no result depends on the workers that play."""

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
    assert_says,
    command,
    run_folder,
    timeless,
    write_experiment,
)
from tests.experiments.command_goldens import check_refusal, check_refused


@pytest.mark.parametrize(
    "options",
    [
        ("--workers", "processes:0"),
        ("--workers", "processes:-1"),
        ("--workers", "processes:9999"),
        ("--workers", "dask"),
        ("--workers", "ray:3"),
        ("--workers", "threads:2", "--threads", "2"),
    ],
)
def test_wrong_workers_are_refused(options, tmp_path: Path) -> None:
    check_refused("matchups", tmp_path, *options)


def test_games_that_only_threads_can_play_are_refused(tmp_path: Path) -> None:
    arguments = ("matchups", "big_two", "--results", tmp_path / "r", "--workers", "processes:2")
    check_refusal(command(*arguments))


def test_threads_are_a_kind_of_workers(tmp_path: Path) -> None:
    ways = (("--threads", "2"), ("--workers", "threads:2"), ("--workers", "threads"))
    outcomes = [ask("matchups", tmp_path, "--no-plots", "--json", *options) for options in ways]
    assert {(outcome.status, outcome.err) for outcome in outcomes} == {(0, "")}
    assert len({outcome.out for outcome in outcomes}) == 1


@pytest.mark.thorough
def test_a_study_by_processes_is_the_study_by_threads(tmp_path: Path) -> None:
    text = TINY + '[study]\nnarrow = ["none"]\nmethod = ["ga"]\nrun_seeds = 3\n'
    threads, processes = (
        run_folder("study", tmp_path, *options, text=text, results=f"results{len(options)}")
        for options in ((), ("--workers", "processes:2"))
    )
    assert timeless(threads) == timeless(processes)
    log = (processes / "log.txt").read_text(encoding="utf-8")
    assert_says(log, "2 workers", "3 ", "0 retries")


def children_of(pid: int) -> set[int]:
    """Return all processes below a process, from the files of Linux in /proc."""
    children = set()
    with suppress(OSError):  # the process may end meanwhile
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                children |= {child, *children_of(child)}
    return children


def is_working(pid: int) -> bool:
    """Return whether a process carries out tasks, or was started to do so."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"spawn_main" in line or line.startswith(b"ray::_do")


def is_rays(pid: int) -> bool:
    """Return whether a process belongs to a Ray cluster, which may still be starting."""
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
    """The whole process group gets the signal, as at a terminal, once two workers run."""
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
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert errors.decode().splitlines()[-1] == "evenhand: interrupted"
    assert b"Traceback" not in errors
    begun_s = time.monotonic()
    while (left := {pid for pid in children if Path(f"/proc/{pid}").exists()}) and (
        time.monotonic() - begun_s < 5
    ):
        time.sleep(0.1)
    assert not left


def test_without_ray_the_message_says_how_to_install_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    check_refused("matchups", tmp_path, "--workers", "ray")


@pytest.mark.ray
@pytest.mark.slow
def test_an_address_without_a_cluster_is_refused(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:9")
    check_refused("matchups", tmp_path, "--workers", "ray")

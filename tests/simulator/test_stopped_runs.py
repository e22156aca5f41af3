"""Runs that are stopped: no process is left, and a later run plays only what is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.simulator.kept_games import KeptGames
from tests.command_line import ROOT
from tests.simulator.blocks import SKIRMISH, Skirmish, block_of, program, results
from tests.simulator.test_program import processes

RUN = """
import sys
from pathlib import Path
from sim.simulator.kept_games import KeptGames
from tests.simulator.blocks import block_of, program, results
folder = sys.argv[1]
simulator = program("--fault", "slow", "--seconds", "0.002", "--mark", folder, n_children=2)
blocks = [block_of(200, first=first, rush_power=3 + first) for first in range(4)]
results(KeptGames(simulator, Path(folder)), blocks)
"""


def start(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a Python program in the repository."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_until(condition) -> None:
    """Wait until a condition holds, at most 20 seconds."""
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_killed_run_continues_with_the_same_results(tmp_path):
    run = start(RUN, str(tmp_path))
    wait_until(lambda: any(path.stat().st_size for path in tmp_path.rglob("*.games")))
    run.kill()
    run.communicate()
    # The children see the end of their input.
    wait_until(lambda: not processes(str(tmp_path)))
    blocks = [block_of(200, first=first, rush_power=3 + first) for first in range(4)]
    again = program("--fault", "slow", "--seconds", "0.002", "--mark", str(tmp_path))
    kept = KeptGames(again, tmp_path)
    assert 0 < kept.n_games < 800
    assert results(kept, blocks) == results(Skirmish(), blocks)
    kept.close()


@pytest.mark.parametrize("fault", ["hang", pytest.param("mute", marks=pytest.mark.thorough)])
def test_an_interrupted_command_ends_its_children(tmp_path, fault):
    words = [sys.executable, str(SKIRMISH), "--fault", fault, "--mark", str(tmp_path)]
    path = Path(tmp_path / "game.toml")
    path.write_text(f'name = "game"\nseed = 1\n[simulator]\ncommand = {words!r}\nworkers = 2\n')
    command = ["simulator", "check", str(path), "--trust"]
    code = f"import sys; sys.argv = {['evenhand', *command]!r}; from experiments.cli import main"
    run = start(f"{code}; main()")
    # The command has the folder in its own arguments, too.
    wait_until(lambda: len(processes(str(tmp_path))) > 1)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=20)
    assert run.returncode == 130, errors
    assert processes(str(tmp_path)) == []

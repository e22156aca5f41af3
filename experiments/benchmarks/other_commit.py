"""The duel's speed here and at another commit, in turn: what `evenhand bench --against` prints.

Each side is a process of its own, since two engines cannot share one, that plays the same games
whenever it is told to and answers with the CPU time they took.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from sim.errors import InputError

N_GAMES = 200_000
ROUNDS = 9
_ROOT = Path(__file__).parents[2]
_WORKER = """
import sys, time
from experiments.benchmarks.duel import load_duel, play_duel
contest = load_duel()
play_duel(contest, 1_000, keep=["cards"])
print("ready", flush=True)
for line in sys.stdin:
    began_s = time.process_time()
    play_duel(contest, int(line), keep=["cards"])
    print(time.process_time() - began_s, flush=True)
"""


def compare_with_commit(
    commit: str, n_games: int = N_GAMES, rounds: int = ROUNDS
) -> tuple[float, float]:
    """Play the duel here and at `commit` in turn.

    Args:
        commit: whatever git knows the other one by.
        n_games: games of each turn.
        rounds: how often both have their turn.

    Returns:
        Games per CPU-second here, the median, and the median of the ratios round by round.

    Raises:
        InputError: this is no git checkout, or it has no such commit.
    """
    with tempfile.TemporaryDirectory() as folder:
        _extract(commit, Path(folder))
        with _worker(_ROOT) as here, _worker(Path(folder)) as there:
            times = [(_play(here, n_games), _play(there, n_games)) for _ in range(rounds)]
    here_per_s = n_games / median(ours for ours, _ in times)
    return here_per_s, median(theirs / ours for ours, theirs in times)


def _extract(commit: str, folder: Path) -> None:
    """Write the files of a commit into `folder`."""
    git = ["git", "-C", str(_ROOT), "archive", "--format=tar", "--end-of-options"]
    try:
        archive = subprocess.run([*git, commit], check=True, capture_output=True)  # noqa: S603 (git)
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise InputError(f"--against: no commit {commit!r} in the checkout of this code") from None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")


@contextmanager
def _worker(root: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that plays with the code under `root`."""
    process = subprocess.Popen(  # noqa: S603 (this interpreter)
        [sys.executable, "-c", _WORKER],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if _answer(process) != "ready":
            raise InputError(f"--against: the code in {root} plays no duel that can be measured")
        yield process
    finally:
        process.kill()
        process.communicate()  # closes the pipes


def _play(process: subprocess.Popen[str], n_games: int) -> float:
    """CPU seconds of one turn."""
    if process.stdin is not None:
        process.stdin.write(f"{n_games}\n")
        process.stdin.flush()
    return float(_answer(process))


def _answer(process: subprocess.Popen[str]) -> str:
    """The next line that a worker writes, `""` once it has ended."""
    return process.stdout.readline().strip() if process.stdout is not None else ""

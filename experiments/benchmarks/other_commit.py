"""Comparison of the engine's speed here and at another commit, for `evenhand bench --against`.

Each version runs in a process of its own, since one process cannot load two versions of the engine.
For each line of input, a process plays the same games and prints their CPU time. The processes play
alternately.
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

N_GAMES = 200_000  # about half a second
ROUNDS = 9  # an odd number, so that the median is that of one round
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
    """Play games with the code here and at another commit alternately, and compare the speeds.

    Args:
        commit: name of the other commit, in any form that git accepts.
        n_games: number of games per version and round.
        rounds: number of rounds.

    Returns:
        Median number of games per CPU-second here, and median over the rounds of the ratio of the
        speed here to the speed at the other commit.

    Raises:
        InputError: this is not a git checkout, it has no such commit, or the code of the commit
            cannot play the games.
    """
    with tempfile.TemporaryDirectory() as folder:
        _extract(commit, Path(folder))
        with _worker(_ROOT) as here, _worker(Path(folder)) as there:
            times = [(_play(here, n_games), _play(there, n_games)) for _ in range(rounds)]
    here_per_s = n_games / median(here_s for here_s, _ in times)
    return here_per_s, median(there_s / here_s for here_s, there_s in times)


def _extract(commit: str, folder: Path) -> None:
    """Write all files of a commit into a folder.

    Raises:
        InputError: this is not a git checkout, or it has no such commit.
    """
    git = ["git", "-C", str(_ROOT), "archive", "--format=tar", "--end-of-options"]
    try:
        archive = subprocess.run([*git, commit], check=True, capture_output=True)  # noqa: S603 (git)
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise InputError(
            f"no commit {commit!r} in the checkout of this code",
            place="--against",
            value=commit,
            remedy="name a commit of the repository, such as HEAD",
        ) from None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")


@contextmanager
def _worker(root: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that plays games with the code under a folder, and end it after the block.

    Args:
        root: folder with the code.

    Yields:
        The process, ready to play.

    Raises:
        InputError: the code cannot play the games.
    """
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
            raise InputError(
                f"the code in {root} cannot play the measured duel",
                place="--against",
                value=root,
                remedy="name a later commit",
            )
        yield process
    finally:
        process.kill()
        process.communicate()  # closes the pipes


def _play(process: subprocess.Popen[str], n_games: int) -> float:
    """Let a worker process play games, and return the CPU time in seconds."""
    if process.stdin is not None:
        process.stdin.write(f"{n_games}\n")
        process.stdin.flush()
    return float(_answer(process))


def _answer(process: subprocess.Popen[str]) -> str:
    """Return the next line that a worker process prints, or `""` if the process has ended."""
    return process.stdout.readline().strip() if process.stdout is not None else ""

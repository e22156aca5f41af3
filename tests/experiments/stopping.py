"""Runs that are stopped: by Ctrl-C once something is kept, or killed while a file is written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from experiments.runs import run as runs
from tests.command_line import finish, start

RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever this process inherited
from experiments.cli import main
main()
"""
DIE_AT_A_RENAME = """
import os, signal, sys
from pathlib import Path
moment, way = int(sys.argv.pop(1)), sys.argv.pop(1)
rename, n_renames = Path.replace, 0
def replace(self, target):
    global n_renames
    n_renames += 1
    if n_renames == moment and way == "halfway":
        os.truncate(self, self.stat().st_size // 2)
    if n_renames == moment and way != "after":
        os.kill(os.getpid(), signal.SIGKILL)
    rename(self, target)
    if n_renames == moment:
        os.kill(os.getpid(), signal.SIGKILL)
Path.replace = replace
from experiments.cli import main
main()
"""


def kill_at_a_rename(moment: int, way: str, *arguments: str | Path) -> None:
    """Run a command that is killed as it puts its `moment`-th file in place."""
    outcome = finish(start(DIE_AT_A_RENAME, str(moment), way, *arguments))
    assert outcome.status == -signal.SIGKILL, outcome.err


@contextmanager
def stopped_after(n_kept: int) -> Iterator[list[int]]:
    """Ctrl-C once so many checkpoints are kept; yields the generations of all that are."""
    kept = list[int]()
    save = runs.save_checkpoint

    def save_and_stop(folder: Any, state: Any) -> None:
        save(folder, state)
        kept.append(state.generation)
        if len(kept) == n_kept:
            raise KeyboardInterrupt

    with mock.patch.object(runs, "save_checkpoint", save_and_stop):
        yield kept

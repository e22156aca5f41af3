"""A job that kills its workers, without imports that would slow down their replacement."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path


@dataclass
class MortalJob:
    """A job with tasks (number, number of workers to kill); the result is twice the number.

    Attributes:
        folder: folder in which each death is recorded.
    """

    folder: Path

    def do(self, task: tuple[int, int]) -> int:
        number, n_deaths = task
        n_died = len(list(self.folder.glob(f"{number}-*")))
        if n_died < n_deaths:
            (self.folder / f"{number}-{n_died}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number

    def give_up(self) -> None:
        pass

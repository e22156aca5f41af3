"""Settings of a program that plays games, the table `[simulator]` with the key `command`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from sim.files.validation import StrictModel
from sim.play.workers.seam import n_cores
from sim.simulator.program import START_TIMEOUT_S, TIMEOUT_S, ProgramSimulator

# Most processes: four for each core of the largest machines.
_WORKERS_MAX = 1024

# A day: games that take longer cannot be repeated often enough to balance anything.
_SECONDS_MAX = 86_400

_Seconds = Annotated[float, Field(gt=0, le=_SECONDS_MAX)]


class ProgramSettings(StrictModel):
    """Settings of a program that plays games.

    Attributes:
        command: program and its arguments, relative to the folder of the file; no shell reads them.
        workers: number of processes; `None` for the number of cores.
        timeout_s: longest time of one game in seconds.
        start_timeout_s: longest time in seconds until the program answers the first request.
    """

    command: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
    workers: Annotated[int, Field(ge=1, le=_WORKERS_MAX)] | None = None
    timeout_s: _Seconds = TIMEOUT_S
    start_timeout_s: _Seconds = START_TIMEOUT_S

    def simulator(self, folder: Path, log: Path | None = None) -> ProgramSimulator:
        """Return the simulator that starts the program.

        Args:
            folder: folder of the file.
            log: file to which the program's standard error is appended; `None` for no file.
        """
        return ProgramSimulator(
            self.command,
            folder,
            n_children=self.workers or n_cores(),
            timeout_s=self.timeout_s,
            start_timeout_s=self.start_timeout_s,
            log=log,
        )

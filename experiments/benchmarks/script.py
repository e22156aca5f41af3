"""Common functions of the scripts in this folder: command line, workbench process, and output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import typer

from sim.errors import InputError


def run_script(main: Callable[..., None]) -> None:
    """Run a script with its `main` as the command line.

    If `main` raises `InputError`, print the error and exit with status 2.
    """
    try:
        typer.run(main)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


@contextmanager
def workbench_of(name: str) -> Iterator[str]:
    """Start a workbench in a process of its own, and stop the process after the block.

    Args:
        name: name of an experiment.

    Yields:
        Link of the workbench.

    Raises:
        InputError: the process ended without printing a link, for example because the experiment is
            not valid; the process prints the reason.
    """
    with tempfile.TemporaryDirectory() as results:
        command = [sys.executable, "-m", "experiments.cli", "workbench", name]
        command += ["--results", results, "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 (our own)
            try:
                words = server.stdout.readline().split() if server.stdout else []
                if not words:
                    raise InputError("the workbench did not start", place=name, value=name)
                yield words[-1]
            finally:
                server.send_signal(signal.SIGINT)


def spread(times_ms: Sequence[float]) -> str:
    """Return quantiles of times in words: `median 92 ms, 95 % within 143 ms, last 243 ms`.

    Args:
        times_ms: times in ms, at least one.
    """
    middle, late, last = np.quantile(times_ms, [0.5, 0.95, 1.0])
    return f"median {middle:.0f} ms, 95 % within {late:.0f} ms, last {last:.0f} ms"


def load_words() -> str:
    """Return the load average of the last minute and the number of cores of this machine."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"

"""Run a command in a forked process, and measure its result, memory and time without output."""

from __future__ import annotations

import io
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

from experiments.cli.entry import main

SILENCE_S = 60.0  # seconds without output after which a command counts as hung
BUSY_S = 6.0  # seconds after which a command with output is ended by Ctrl-C
MEMORY_MB = 1024  # memory above which a command counts as faulty; chosen by hand
_LAST_S = 60.0  # seconds that a command may take to end after Ctrl-C
_MIB = 2**20


class Run(NamedTuple):
    """Result of a command.

    Attributes:
        fault: description of a fault, `""` for none.
        status: exit status; `None` for a command that had to be killed.
        err: end of standard error.
        memory_mb: peak memory in MiB, with that of every command.
        seconds: duration.
    """

    fault: str
    status: int | None
    err: str
    memory_mb: int
    seconds: float


def run_apart(words: list[str], folder: Path, given: bytes, *, busy_s: float = BUSY_S) -> Run:
    """Run a command in a process and folder of its own.

    Args:
        words: words of the command line, without `evenhand`.
        folder: current folder of the command; its output is kept next to that folder.
        given: standard input.
        busy_s: seconds after which a command with output is ended by Ctrl-C.
    """
    inp, out, err = (folder.with_name(f"{folder.name}.{end}") for end in ("in", "out", "err"))
    inp.write_bytes(given)
    began_s = time.monotonic()
    child = os.fork()
    if child == 0:
        _exec_command(words, folder, inp, out, err)
    status = None
    interrupted_s = None
    first_output_s = None
    n_bytes = 0
    last_output_s = began_s
    fault = ""
    while True:
        done, code, usage = os.wait4(child, os.WNOHANG)
        now_s = time.monotonic()
        if done:
            status = os.waitstatus_to_exitcode(code)
            break
        n_bytes_now = sum(path.stat().st_size for path in (out, err) if path.exists())
        if n_bytes_now != n_bytes:
            n_bytes = n_bytes_now
            last_output_s = now_s
            first_output_s = now_s if first_output_s is None else first_output_s
        if not fault and interrupted_s is None and now_s - last_output_s > SILENCE_S:
            fault = f"no output for {SILENCE_S:.0f} s"
            os.kill(child, signal.SIGKILL)
        elif (
            interrupted_s is None
            and first_output_s is not None  # a second ago, so that it is not just about to end
            and now_s > 1 + max(first_output_s, began_s + busy_s)
        ):
            interrupted_s = now_s
            os.kill(child, signal.SIGINT)
        elif interrupted_s is not None and now_s - interrupted_s > _LAST_S and not fault:
            fault = f"goes on for {_LAST_S:.0f} s after Ctrl-C"
            os.kill(child, signal.SIGKILL)
        time.sleep(0.005)
    memory_mb = usage.ru_maxrss // 1024
    text = err.read_text(encoding="utf-8", errors="replace") if err.exists() else ""
    if not fault:
        fault = _fault(status, text, memory_mb, is_interrupted=interrupted_s is not None)
    return Run(fault, status, text[-3_000:], memory_mb, time.monotonic() - began_s)


def _fault(status: int, text: str, memory_mb: int, *, is_interrupted: bool) -> str:
    """Return a description of the fault of a finished command, `""` for none."""
    if "Traceback" in text:
        return f"traceback: {text.strip().splitlines()[-1][:200]}"
    if "a fault of evenhand" in text:
        return text.strip().splitlines()[-1][:200]
    if status not in {0, 1, 2} and not (is_interrupted and status == 130):
        return f"status {status}"
    return f"{memory_mb} MB of memory" if memory_mb > MEMORY_MB else ""


def _exec_command(words: list[str], folder: Path, inp: Path, out: Path, err: Path) -> None:
    """Run the command with files in place of the terminal; never returns."""
    status = 70
    try:
        os.setsid()
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limit = 8 * 1024 * _MIB  # bytes of address space, so that no command exhausts the machine
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for number, file in enumerate(
            (os.open(inp, os.O_RDONLY), os.open(out, flags), os.open(err, flags))
        ):
            os.dup2(file, number)
        sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), encoding="utf-8", write_through=True)
        os.environ["FORCE_COLOR"] = "1"  # show progress as in a terminal
        sys.argv = ["evenhand", *words]
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 (exceptions that escape the command line are the target)
        import traceback

        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
    finally:
        os._exit(status)

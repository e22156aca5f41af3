"""A command in a forked process: what became of it, how much memory, how long without a word."""

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

SILENCE_S = 60.0  # without a word
BUSY_S = 6.0  # after which what has said something is ended by Ctrl-C
MEMORY_MB = 1024
_LAST_S = 60.0  # to end after Ctrl-C
_MIB = 2**20


class Run(NamedTuple):
    """What became of a command.

    Attributes:
        fault: what is wrong, `""` for nothing.
        status: its exit status; `None` for one that had to be killed.
        err: the end of standard error.
        memory_mb: the most that it had, with what every command has.
        seconds: how long it took.
    """

    fault: str
    status: int | None
    err: str
    memory_mb: int
    seconds: float


def run_apart(words: list[str], folder: Path, given: bytes, *, busy_s: float = BUSY_S) -> Run:
    """Run a command in a process of its own, in a folder.

    Args:
        words: of the command line, without `evenhand`.
        folder: the current one of the command; what it says is kept beside it.
        given: standard input.
        busy_s: after so long one that has said something is ended by Ctrl-C, as people do.
    """
    inp, out, err = (folder.with_name(f"{folder.name}.{end}") for end in ("in", "out", "err"))
    inp.write_bytes(given)
    began_s = time.monotonic()
    child = os.fork()
    if child == 0:
        _be_the_command(words, folder, inp, out, err)
    status = None
    interrupted_s = None
    spoke_s = None
    heard = 0
    heard_s = began_s
    fault = ""
    while True:
        done, code, usage = os.wait4(child, os.WNOHANG)
        now_s = time.monotonic()
        if done:
            status = os.waitstatus_to_exitcode(code)
            break
        said = sum(path.stat().st_size for path in (out, err) if path.exists())
        if said != heard:
            heard = said
            heard_s = now_s
            spoke_s = now_s if spoke_s is None else spoke_s
        if not fault and interrupted_s is None and now_s - heard_s > SILENCE_S:
            fault = f"no word for {SILENCE_S:.0f} s"
            os.kill(child, signal.SIGKILL)
        elif (
            interrupted_s is None
            and spoke_s is not None  # a second ago, so that this was not its last word
            and now_s > 1 + max(spoke_s, began_s + busy_s)
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
    if "Traceback" in text:
        return f"traceback: {text.strip().splitlines()[-1][:200]}"
    if "a fault of evenhand" in text:
        return text.strip().splitlines()[-1][:200]
    if status not in {0, 1, 2} and not (is_interrupted and status == 130):
        return f"status {status}"
    return f"{memory_mb} MB of memory" if memory_mb > MEMORY_MB else ""


def _be_the_command(words: list[str], folder: Path, inp: Path, out: Path, err: Path) -> None:
    """Run the command with files in place of the terminal; never returns."""
    status = 70
    try:
        os.setsid()
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limit = 8 * 1024 * _MIB  # of addresses: so that what runs away does not take the machine
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for number, file in enumerate(
            (os.open(inp, os.O_RDONLY), os.open(out, flags), os.open(err, flags))
        ):
            os.dup2(file, number)
        sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), encoding="utf-8", write_through=True)
        os.environ["FORCE_COLOR"] = "1"  # let progress be shown, as to somebody who watches
        sys.argv = ["evenhand", *words]
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 (what the command line lets through is looked for)
        import traceback

        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
    finally:
        os._exit(status)

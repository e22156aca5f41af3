"""A process that works for another one: how it is begun, and what it does."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from sim.play.workers.current import working_with
from sim.play.workers.seam import Shelf
from sim.play.workers.threads import Threads


@dataclass(frozen=True)
class Answer:
    """What a piece came to: a value, or what was raised."""

    seconds: float
    value: Any = None
    error: Exception | None = None

    def result(self) -> Any:
        """The value.

        Raises:
            Exception: what was raised where the piece was done.
        """
        if self.error is not None:
            raise self.error
        return self.value


def spawned(work: Callable[..., None], *told: Any) -> tuple[BaseProcess, Connection]:
    """Begin a process; nothing but what it is told reaches it.

    It never hears Ctrl-C, which is for whoever began it, not even while it loads.

    Args:
        work: what it does, given its end of a pipe and `told`.
        told: what else it needs.

    Returns:
        The process, and our end of the pipe.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, *told), daemon=True)
    with _deaf_to_ctrl_c():
        process.start()
    theirs.close()
    return process, ours


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let what is begun inside hear no Ctrl-C, where signals can be held back."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would hear them again once it has started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection) -> None:
    """Do the pieces that come through a pipe, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began this hears it, and ends us
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    shelf = Shelf()
    with working_with(Threads(1)):
        while True:
            try:
                digest, content, piece = pipe.recv()
            except EOFError:
                return
            pipe.send(answered(shelf, digest, content, piece))


def answered(shelf: Shelf, digest: str, content: Any, piece: Any) -> Answer:
    """Do a piece, whatever it raises."""
    began_s = time.perf_counter()
    try:
        value = shelf.do(digest, content, piece)
    except Exception as error:  # noqa: BLE001 (it is raised again where the piece is wanted)
        return Answer(time.perf_counter() - began_s, error=_sendable(error))
    return Answer(time.perf_counter() - began_s, value)


def _sendable(error: Exception) -> Exception:
    """The error itself if it travels, else what it says; with where it was raised."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    except Exception:  # noqa: BLE001 (whatever a stranger's error does)
        return RuntimeError("".join(traceback.format_exception(error)))
    error.add_note("In a worker:\n" + "".join(traceback.format_exception(error)))
    return error


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

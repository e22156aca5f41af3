"""What a process does that works for another one."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from sim.play.workers.current import working_with
from sim.play.workers.seam import Shelf
from sim.play.workers.threads import Threads

SHELF_SIZE = 4  # jobs that it keeps


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


def serve(pipe: Connection) -> None:
    """Do the pieces that come through a pipe, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began this hears it, and ends us
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    shelf = Shelf(SHELF_SIZE)
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

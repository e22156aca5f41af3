"""Deferral of Ctrl-C while an interruption would be unsafe."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block, for compiling or loading the engine.

    The compiler calls back into Python; an exception raised there would crash the process or be
    lost. Outside the main thread the block runs as it is, since only the main thread receives
    Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if received:
        signal.raise_signal(signal.SIGINT)

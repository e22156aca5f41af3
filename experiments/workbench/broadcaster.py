"""Event broadcaster: sends each event to all tabs, and the latest lasting events to a new tab."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, NamedTuple

LASTING = ("state", "rates", "effects")
"""Events of which only the latest counts, in the order in which a new tab receives them."""

TABS_MAX = 32  # one connection each; far more than one person uses
_PASSING_MAX = 100  # other events that wait for a slow tab; older ones are dropped
_KEEP_ALIVE_S = 10.0  # without an event; chosen by hand, so that a dead connection is noticed soon


class Event(NamedTuple):
    """An event for the page.

    Attributes:
        name: name of the event, such as `state`.
        data: its data, plain enough for JSON.
    """

    name: str
    data: Any


class _Tab:
    """An open page, and the events that have not been sent to it yet."""

    def __init__(self, loop: asyncio.AbstractEventLoop, lasting: dict[str, Any]) -> None:
        self.loop = loop
        self.wake = asyncio.Event()
        self.lasting = lasting
        self.passing = deque[Event](maxlen=_PASSING_MAX)

    def take(self) -> list[Event]:
        """Return and forget the events that wait, lasting ones first."""
        lasting = self.lasting
        self.lasting = {}
        passing = [*self.passing]
        self.passing.clear()
        return [*(Event(name, lasting[name]) for name in LASTING if name in lasting), *passing]


class EventBroadcaster:
    """Sends events from any thread to all open tabs."""

    def __init__(self) -> None:
        """Start without tabs and without events."""
        self._lock = threading.Lock()
        self._latest = dict[str, Any]()
        self._tabs = set[_Tab]()
        self._is_closed = False

    def publish(self, name: str, data: Any) -> None:
        """Send an event to all tabs; may be called by any thread.

        Args:
            name: name of the event.
            data: its data, plain enough for JSON.
        """
        with self._lock:
            if name in LASTING:
                self._latest[name] = data
            for tab in self._tabs:
                if name in LASTING:
                    tab.lasting[name] = data
                else:
                    tab.passing.append(Event(name, data))
                _wake(tab)

    def close(self) -> None:
        """End the event streams of all tabs."""
        with self._lock:
            self._is_closed = True
            for tab in self._tabs:
                _wake(tab)

    @property
    def is_full(self) -> bool:
        """Whether as many tabs as permitted are open."""
        return len(self._tabs) >= TABS_MAX

    async def events(self) -> AsyncIterator[Event | None]:
        """Yield the events for a new tab until `close`; `None` after a while without an event."""
        with self._lock:
            tab = _Tab(asyncio.get_running_loop(), dict(self._latest))
            self._tabs.add(tab)
        try:
            while not self._is_closed:
                with self._lock:
                    tab.wake.clear()
                    waiting = tab.take()
                for event in waiting:
                    yield event
                if not waiting:
                    try:
                        await asyncio.wait_for(tab.wake.wait(), _KEEP_ALIVE_S)
                    except TimeoutError:
                        yield None
        finally:
            with self._lock:
                self._tabs.discard(tab)


def _wake(tab: _Tab) -> None:
    """Make a tab's stream look for events."""
    with suppress(RuntimeError):  # its event loop has ended
        tab.loop.call_soon_threadsafe(tab.wake.set)

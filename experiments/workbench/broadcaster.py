"""Event broadcaster: sends every event to all open tabs, and the latest state to a new tab."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, NamedTuple

LASTING = ("state", "rates", "effects")
"""Names of lasting events: a newer event replaces an older event of the same name.

A new tab receives the latest event of each name, in this order.
"""

TABS_MAX = 32  # chosen by hand, not tuned: far more than one person opens
"""Maximum number of open tabs; each holds one connection."""

# Chosen by hand: bounds the memory for a tab that does not read; the oldest events are dropped.
_PASSING_MAX = 100  # events that are not lasting, per tab
# Chosen by hand: a write fails on a dead connection, so its tab is removed after about this time.
_KEEP_ALIVE_S = 10.0  # seconds without an event


class Event(NamedTuple):
    """An event for the page.

    Attributes:
        name: name of the event, such as `state`.
        data: data of the event; JSON must be able to represent them.
    """

    name: str
    data: Any


class _Tab:
    """Queue of the events that have not been sent yet to one open tab.

    Attributes:
        loop: event loop that sends the events.
        wake: set when the queue has new events or the broadcaster closes.
        lasting: latest unsent data of each lasting event, by name.
        passing: other unsent events, oldest first; the oldest are dropped above `_PASSING_MAX`.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, lasting: dict[str, Any]) -> None:
        self.loop = loop
        self.wake = asyncio.Event()
        self.lasting = lasting
        self.passing = deque[Event](maxlen=_PASSING_MAX)

    def take(self) -> list[Event]:
        """Remove and return all unsent events.

        Lasting events precede the others and have the order of `LASTING`.
        """
        lasting = self.lasting
        self.lasting = {}
        passing = [*self.passing]
        self.passing.clear()
        return [*(Event(name, lasting[name]) for name in LASTING if name in lasting), *passing]


class EventBroadcaster:
    """Distributor of events to all open tabs; any thread may publish."""

    def __init__(self) -> None:
        """Create a broadcaster without tabs and without events."""
        self._lock = threading.Lock()
        self._latest = dict[str, Any]()
        self._tabs = set[_Tab]()
        self._is_closed = False

    def publish(self, name: str, data: Any) -> None:
        """Queue an event for all open tabs; a lasting event is also kept for new tabs.

        Args:
            name: name of the event, such as `state`.
            data: data of the event; JSON must be able to represent them.
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
        """Whether `TABS_MAX` or more tabs are open."""
        return len(self._tabs) >= TABS_MAX

    async def events(self) -> AsyncIterator[Event | None]:
        """Register a new tab, and yield its events until `close` is called.

        Yields:
            First the latest lasting events, then events as they are published; `None` after each
            `_KEEP_ALIVE_S` seconds without an event.
        """
        with self._lock:
            tab = _Tab(asyncio.get_running_loop(), dict(self._latest))
            self._tabs.add(tab)
        try:
            while not self._is_closed:
                with self._lock:
                    # Cleared before the events are taken, so that later events set `wake` again.
                    tab.wake.clear()
                    unsent = tab.take()
                for event in unsent:
                    yield event
                if not unsent:
                    try:
                        await asyncio.wait_for(tab.wake.wait(), _KEEP_ALIVE_S)
                    except TimeoutError:
                        yield None
        finally:
            with self._lock:
                self._tabs.discard(tab)


def _wake(tab: _Tab) -> None:
    """Wake up a tab's event stream; do nothing if its event loop has ended."""
    with suppress(RuntimeError):  # raised if the event loop is closed
        tab.loop.call_soon_threadsafe(tab.wake.set)

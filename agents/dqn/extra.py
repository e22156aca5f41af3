"""The extra that learning needs, and whether it is installed."""

from __future__ import annotations

from importlib.util import find_spec

from sim.errors import InputError


def require_torch(what: str) -> None:
    """Refuse `what` ("agent 'dqn:ember.pt'", "evenhand train") where torch is not installed.

    Raises:
        InputError: names the extra that brings it.
    """
    if find_spec("torch") is None:
        raise InputError(f'{what} needs the extra: pip install "evenhand[rl]"')

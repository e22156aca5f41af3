"""Agents that learn by deep Q-learning (DQN): train one, keep it, let it play.

Read in this order: `settings` (what may be told), `network` (what the learner sees and thinks),
`replay` with `sampler` (what it remembers), `learner` (how it learns), `trainer` (how it meets
its games), `pilot`, `provenance` and `checkpoint` (what is left when training ends),
`compiled_pilot` (a pilot as searches ask it).

This module and `settings` load without torch; most others need it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from sim import InputError
from sim.engine import ENGINE_HASH
from sim.engine.cache import source_hash, use_cache

use_cache(__name__, f"{ENGINE_HASH}-{source_hash(Path(__file__).parent)}")


def require_torch(what: str) -> None:
    """Refuse `what` ("agent 'dqn:ember.pt'", "evenhand train") where torch is not installed.

    Raises:
        InputError: names the extra that brings it.
    """
    if find_spec("torch") is None:
        raise InputError(f'{what} needs the extra: pip install "evenhand[rl]"')

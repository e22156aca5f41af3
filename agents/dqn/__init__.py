"""Agents that learn by deep Q-learning (DQN): training, files and play.

Modules in reading order: `settings` (settings of a training run), `network` (from observations to
values of actions), `replay` and `sampler` (memory of transitions), `learner` (updates of the
weights), `trainer` (training runs), `pilot` (trained networks as agents), `provenance` and
`checkpoint` (files of pilots), `compiled_pilot` (pilots for use inside searches).

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
    """Check that torch is installed, without importing it.

    Args:
        what: agent or command that needs torch, for the message, such as "agent 'dqn:ember.pt'".

    Raises:
        InputError: torch is not installed; the message names the extra that installs it.
    """
    if find_spec("torch") is None:
        raise InputError(
            "needs torch, which is not installed",
            place=what,
            remedy='run: pip install "evenhand[rl]"',
        )

"""What the simulator asks of an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sim.engine.compiled import POLICY, address_of

Policy = Callable[[Any, Any], int]


@dataclass(frozen=True)
class CompiledAgent:
    """An agent whose whole mind is one compiled function.

    Attributes:
        name: what experiments and results call it.
        policy: function of (state, table) that returns an action of the seat to move. It may
            read only what that seat may see, and write nothing.
    """

    name: str
    policy: Policy

    @cached_property
    def address(self) -> int:
        """Where the engine calls it; compiled on first use."""
        return address_of(self.policy, POLICY)

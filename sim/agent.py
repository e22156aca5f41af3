"""What the simulator asks of an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.addresses import address_of
from sim.engine.compiled import POLICY

Policy = Callable[[Any, Any], int]


@dataclass(frozen=True)
class CompiledAgent:
    """An agent whose whole mind is one compiled function.

    Attributes:
        name: what experiments and results call it.
        policy: function of (state, table) that returns an action of the seat to move. It may
            read only what that seat may see, and write nothing.
        searches: whether a game with it takes milliseconds, not microseconds.
        general: the same agent where games are not plain (`sim.table.Table.is_general`), or
            where to find it (`"module:function"`); default `policy`, which then has to know all
            games.
    """

    name: str
    policy: Policy
    searches: bool = False
    general: Policy | str | None = None

    @cached_property
    def address(self) -> int:
        """Where the engine calls it in plain games; compiled on first use."""
        return address_of(self.policy, POLICY)

    @cached_property
    def general_address(self) -> int:
        """Where the engine calls it in all other games; likewise."""
        if self.general is None:
            return self.address
        policy = resolve_name(self.general) if isinstance(self.general, str) else self.general
        return address_of(policy, POLICY)


class LearnedAgent(Protocol):
    """An agent that answers many positions at once, as its view shows them.

    It may have an attribute `view`, the `sim.view_size.ViewSize` that it was made for; games that
    are seen by another view then refuse it.
    """

    @property
    def name(self) -> str:
        """What experiments and results call it."""

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """A legal action for each position; it may not depend on which others are asked.

        Args:
            observations: ``[B, values]`` what the seat to move sees (`sim.view`).
            masks: ``[B, A]`` what it may do.

        Returns:
            ``[B]`` numbers of the view's actions.
        """


Agent = CompiledAgent | LearnedAgent

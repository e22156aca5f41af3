"""What the simulator asks of an agent."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.addresses import address_of
from sim.engine.compiled import POLICY
from sim.engine.layout import ASK
from sim.errors import InputError, error_place
from sim.observation.view_size import ViewSize
from sim.play.table import Table

Policy = Callable[..., int]
"""A function of (state, table) to an action."""

DecksMet = Callable[[], npt.NDArray[np.int16]]
"""Tells ``[D, DECK_ROW_SIZE]`` deck rows; few agents ask."""


@dataclass(frozen=True)
class CompiledAgent:
    """An agent whose whole parameters is one compiled function.

    Attributes:
        name: what experiments and results call it.
        policy: function of (state, table) that returns an action of the seat to move, in any
            game. It may read only what that seat may see, and write nothing but the list of
            actions (`sim.engine.listing`).
        searches: whether a game with it takes milliseconds, not microseconds.
        shortcut: a faster function that chooses the same in plain games.
    """

    name: str
    policy: Policy
    searches: bool = False
    shortcut: Policy | None = None

    def address(self, *, general: bool) -> int:
        """Where the engine calls it, in plain or in all other games; compiled on first use.

        Raises:
            InputError: it cannot be compiled.
        """
        with error_place(f"agent {self.name!r}"):
            return self.entry(general=general)

    @property
    def view(self) -> ViewSize | None:
        """The view that what it rests on was trained with, if anything was."""
        return None

    def seated(self, _table: Table, _met: DecksMet, /) -> CompiledAgent:
        """The agent as it plays games of a table: itself, unless it sees them by a view.

        Args:
            _table: the numbers of the cards.
            _met: tells the rows of the decks in these games, its own too.

        Raises:
            InputError: it cannot see a card, or play by these rules.
        """
        return self

    def __getstate__(self) -> dict[str, Any]:
        """What it is made of; another process finds addresses of its own.

        Raises:
            InputError: its policy exists in this process only.
        """
        home = sys.modules.get(self.policy.__module__)
        if self.policy.__module__ == "__main__" or not hasattr(home, self.policy.__qualname__):
            raise InputError(
                f"agent {self.name!r}: is known to this process only; workers elsewhere need a "
                "module to import it from, as an installed package declares one by the "
                "entry-point group evenhand.agents (docs/plugins.md)"
            )
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def entry(self, *, general: bool) -> int:
        """The address of what chooses for it, in plain or in all other games; compiled but once."""
        return address_of(self.policy if general else self.shortcut or self.policy, POLICY)


class LearnedAgent(Protocol):
    """An agent that answers many positions at once, as its view shows them.

    It may have an attribute `view`, the `sim.observation.view_size.ViewSize` it was made for;
    games that are seen by another view then refuse it.
    """

    @property
    def name(self) -> str:
        """What experiments and results call it."""

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """A legal action for each position; it may not depend on which others are asked.

        Args:
            observations: ``[B, values]`` what the seat to move sees (`sim.observation.view`).
            masks: ``[B, A]`` what it may do.

        Returns:
            ``[B]`` numbers of the view's actions.
        """


Agent = CompiledAgent | LearnedAgent


def require_agent(agent: object) -> None:
    """Refuse what is no agent, such as the name of one.

    Raises:
        InputError: says what it is, and what makes an agent of a name.
    """
    if isinstance(agent, str):
        raise InputError(f"agent {agent!r}: is a name; agent_named({agent!r}) is the agent")
    if isinstance(agent, type) or not (
        isinstance(agent, CompiledAgent)
        or (hasattr(agent, "name") and callable(getattr(agent, "choose", None)))
    ):
        raise InputError(
            f"agent {agent!r}: must be a CompiledAgent, or an object with `name` and `choose`"
        )


def address_of_agent(agent: Agent, table: Table, met: DecksMet, *, general: bool) -> int:
    """Where the engine calls an agent (`CompiledAgent.seated`); `ASK` for a learned one."""
    if not isinstance(agent, CompiledAgent):
        return ASK
    return agent.seated(table, met).address(general=general)

"""Interface between the simulator and agents, which are compiled functions or learned policies."""

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
"""Function that maps a state and the words of a card table to the number of an engine action."""

DecksMet = Callable[[], npt.NDArray[np.int16]]
"""Function that returns the rows of all decks in an agent's games, shape ``[D, DECK_ROW_SIZE]``.

The rows are passed as a function because collecting them takes time and few agents need them.
"""


@dataclass(frozen=True)
class CompiledAgent:
    """An agent that consists of one compiled function.

    Attributes:
        name: name of the agent in experiments and results.
        policy: function of (state, table) that returns an action of the seat to move, in any
            game. It may read only what that seat may see, and may write only the list of
            actions (`sim.engine.listing`).
        searches: whether the agent takes milliseconds for a game instead of microseconds.
        shortcut: faster function that makes the same choices as `policy` in games of plain cards;
            `None` if `policy` also plays those games.
    """

    name: str
    policy: Policy
    searches: bool = False
    shortcut: Policy | None = None

    def address(self, *, general: bool) -> int:
        """Return the address at which the engine calls the agent; the first call compiles it.

        Args:
            general: whether to return the address for games under the general rules; otherwise
                that for games of plain cards.

        Raises:
            InputError: the policy cannot be compiled.
        """
        with error_place(f"agent {self.name!r}"):
            return self.entry(general=general)

    @property
    def view(self) -> ViewSize | None:
        """Shape of the view that the agent's network was trained with; `None` if it has none."""
        return None

    def seated(self, _table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Return the agent prepared for the games of a table.

        The base class returns the agent itself. Agents that observe games through a view return a
        copy with the view of these games.

        Args:
            _table: card table of the games.
            _met: function that returns the rows of all decks in these games, including the
                agent's own deck.

        Raises:
            InputError: the agent's view cannot show one of the cards or these rules.
        """
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields to pickle; compiled addresses are left out, as they differ by process.

        Raises:
            InputError: the policy is defined where other processes cannot import it.
        """
        module = sys.modules.get(self.policy.__module__)
        if self.policy.__module__ == "__main__" or not hasattr(module, self.policy.__qualname__):
            raise InputError(
                "is defined in this process only, and other processes cannot import it",
                place=f"agent {self.name!r}",
                value=self.name,
                remedy="declare it in an installed package, by the entry-point group "
                "evenhand.agents (docs/plugins.md), or use --workers threads",
            )
        return {parameter.name: getattr(self, parameter.name) for parameter in fields(self)}

    def entry(self, *, general: bool) -> int:
        """Return the address of the agent's compiled function, and compile it if necessary.

        Args:
            general: whether to return the address of `policy`; otherwise that of `shortcut`, or of
                `policy` if `shortcut` is `None`.
        """
        return address_of(self.policy if general else self.shortcut or self.policy, POLICY)


class LearnedAgent(Protocol):
    """An agent that chooses in many positions at once, from observations of a view.

    The agent may have an attribute `view`: the `sim.observation.view_size.ViewSize` it was trained
    with. Games with a view of another shape then reject the agent.
    """

    @property
    def name(self) -> str:
        """Name of the agent in experiments and results."""

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Choose a legal action in each of ``B`` positions, independently of the other positions.

        Args:
            observations: observation of the seat to move in each position
                (`sim.observation.view`), shape ``[B, values]``.
            masks: whether each action of the view is legal in each position, shape ``[B, A]``.

        Returns:
            Number of the chosen action in each position, shape ``[B]``.
        """


Agent = CompiledAgent | LearnedAgent


def require_agent(agent: object) -> None:
    """Check that an object is an agent and not, for example, the name of an agent.

    Raises:
        InputError: the object is not an agent; for a name, the message refers to `agent_named`.
    """
    if isinstance(agent, str):
        raise InputError(
            "is the name of an agent, not an agent",
            place=f"agent {agent!r}",
            value=agent,
            remedy=f"use agent_named({agent!r})",
        )
    if isinstance(agent, type) or not (
        isinstance(agent, CompiledAgent)
        or (hasattr(agent, "name") and callable(getattr(agent, "choose", None)))
    ):
        raise InputError(
            "must be a CompiledAgent, or an object with `name` and `choose`",
            place=f"agent {agent!r}",
            value=agent,
        )


def address_of_agent(agent: Agent, table: Table, met: DecksMet, *, general: bool) -> int:
    """Return the address at which the engine calls an agent; `ASK` for a learned agent.

    Args:
        agent: compiled or learned agent; a compiled agent is compiled if necessary.
        table: card table of the games.
        met: function that returns the rows of all decks in the agent's games
            (`CompiledAgent.seated`).
        general: whether the games need the general rules.

    Raises:
        InputError: the agent cannot be compiled, or its view cannot show these games.
    """
    if not isinstance(agent, CompiledAgent):
        return ASK
    return agent.seated(table, met).address(general=general)

"""The interface between the simulator and agents: compiled functions and learned policies."""

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
"""A function that maps (state, table) to the number of an engine action."""

DecksMet = Callable[[], npt.NDArray[np.int16]]
"""A function that returns the ``[D, DECK_ROW_SIZE]`` rows of the decks an agent meets.

It is a function because few agents need the rows, and finding them takes time.
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
        shortcut: a faster function that makes the same choices in games of plain cards; `None`
            to use `policy` there too.
    """

    name: str
    policy: Policy
    searches: bool = False
    shortcut: Policy | None = None

    def address(self, *, general: bool) -> int:
        """Return the address at which the engine calls the agent, and compile it on first use.

        Args:
            general: whether the address is for games under the general rules; otherwise it is for
                games of plain cards.

        Raises:
            InputError: the policy cannot be compiled.
        """
        with error_place(f"agent {self.name!r}"):
            return self.entry(general=general)

    @property
    def view(self) -> ViewSize | None:
        """The shape of the view that the agent's network was trained with; `None` without one."""
        return None

    def seated(self, _table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Return the agent prepared for the games of a table.

        The base class returns the agent itself. Agents that see games through a view return a copy
        that holds the view of these games.

        Args:
            _table: the card table of the games.
            _met: returns the rows of all decks in these games, the agent's own deck included.

        Raises:
            InputError: the agent cannot see one of the cards, or cannot play by these rules.
        """
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields to pickle; each process looks up compiled addresses by itself.

        Raises:
            InputError: the policy is defined where other processes cannot import it.
        """
        home = sys.modules.get(self.policy.__module__)
        if self.policy.__module__ == "__main__" or not hasattr(home, self.policy.__qualname__):
            raise InputError(
                "is defined in this process only, and other processes cannot import it",
                place=f"agent {self.name!r}",
                value=self.name,
                remedy="declare it in an installed package, by the entry-point group "
                "evenhand.agents (docs/plugins.md), or use --workers threads",
            )
        return {parameter.name: getattr(self, parameter.name) for parameter in fields(self)}

    def entry(self, *, general: bool) -> int:
        """Return the address of the function that chooses for the agent; each is compiled once.

        Args:
            general: whether to return the address of `policy`; otherwise that of `shortcut`, if
                there is one.
        """
        return address_of(self.policy if general else self.shortcut or self.policy, POLICY)


class LearnedAgent(Protocol):
    """An agent that chooses in many positions at once, from observations of its view.

    The agent may have an attribute `view`: the `sim.observation.view_size.ViewSize` it was trained
    with. Games that are seen by a view of another shape then reject the agent.
    """

    @property
    def name(self) -> str:
        """Name of the agent in experiments and results."""

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Choose a legal action in each position, independently of the other positions.

        Args:
            observations: ``[B, values]`` observation of the seat to move
                (`sim.observation.view`), one row per position.
            masks: ``[B, A]`` whether each action is legal.

        Returns:
            ``[B]`` numbers of the chosen actions of the view.
        """


Agent = CompiledAgent | LearnedAgent


def require_agent(agent: object) -> None:
    """Check that an object is an agent, and not, for example, the name of one.

    Raises:
        InputError: the object is no agent; the remedy names `agent_named` for a name.
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
        agent: the agent.
        table: the card table of the games.
        met: returns the rows of all decks in the agent's games (`CompiledAgent.seated`).
        general: whether the games need the general rules.
    """
    if not isinstance(agent, CompiledAgent):
        return ASK
    return agent.seated(table, met).address(general=general)

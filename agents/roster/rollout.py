"""The family of agents `rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]`: flat Monte-Carlo search.

The search is fair: it imagines only games that its seat cannot distinguish from the actual game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from agents.declaration import AgentFamily, number_in_name
from agents.dqn.compiled_pilot import compiled_pilot
from agents.explanation import Explainer
from agents.registry import agent_named, compiled_agent_named
from agents.search.flat import (
    WORLDS_MAX,
    best_action,
    best_by_halving,
    first_halving,
    flat_explainer,
)
from sim import InputError, error_place, view_for
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.observation.view_size import ViewSize
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.reach import reach_of_rows
from sim.play.table import Table

if TYPE_CHECKING:  # not imported at run time, since this module loads torch
    from agents.dqn.pilot import DQNPilot

# Agent that continues imagined games if no pilot is named ("Yardstick" in docs/learning.md).
BASE = "control"
_PILOT = ":dqn:"


@dataclass(frozen=True, kw_only=True)
class _Rollout(CompiledAgent):
    """Flat Monte-Carlo search with compiled agents that continue the imagined games.

    Attributes:
        n_worlds: number of games that the search imagines for each action.
        base: agent that chooses the later actions of the own seat in imagined games.
        opponent: agent that chooses the actions of the enemy in imagined games.
    """

    n_worlds: int
    base: CompiledAgent
    opponent: CompiledAgent

    def entry(self, *, general: bool) -> int:
        """Return the address of the search, bound to the number of worlds and to both agents.

        Args:
            general: whether the game is general, so that the agents need their general functions.
        """
        pilots = (pilot.address(general=general) for pilot in (self.base, self.opponent))
        return bind(address_of(self.policy, SEARCH), self.n_worlds, *pilots)

    def explainer(self, words: npt.NDArray[np.int16]) -> Explainer:
        """Return the function that explains a choice by the points of all actions.

        Args:
            words: words of the table of the games to explain.
        """
        addresses = {
            general: (self.base.address(general=general), self.opponent.address(general=general))
            for general in (False, True)
        }
        halves = self.policy is best_by_halving
        halves_after = first_halving(self.n_worlds) if halves else self.n_worlds
        return flat_explainer(words, self.n_worlds, addresses, halves_after)


@dataclass(frozen=True, kw_only=True)
class _PilotRollout(CompiledAgent):
    """Flat Monte-Carlo search with a trained agent, which must be bound to a table before it plays.

    Attributes:
        n_worlds: number of games that the search imagines for each action.
        pilot: trained agent that chooses the later actions of the own seat in imagined games.
        opponent: agent that chooses the actions of the enemy in imagined games; `None` if the pilot
            also plays for the enemy.
    """

    n_worlds: int
    pilot: DQNPilot
    opponent: CompiledAgent | None
    _seats: dict[bytes, CompiledAgent] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # The bound agents contain memory addresses, which are not valid in another process.
        return super().__getstate__() | {"_seats": {}}

    @property
    def view(self) -> ViewSize:
        """Sizes of the pilot's view; the search can play only games with this view."""
        return self.pilot.view

    def seated(self, table: Table, met: DecksMet, /) -> CompiledAgent:
        """Return the search with its pilot compiled for the view of a table.

        Calls with equal views return the same agent.

        Args:
            table: numbers of the cards and rules.
            met: function that returns the rows of all decks in the games.

        Raises:
            InputError: the pilot cannot play games with this table.
        """
        view = view_for(table, self, reach_of_rows(table.pool, table.ruleset, met()))
        key = view.words.tobytes()
        if key not in self._seats:
            base = compiled_pilot(self.pilot, view)
            self._seats[key] = _Rollout(
                *(self.name, self.policy),
                searches=True,
                n_worlds=self.n_worlds,
                base=base,
                opponent=self.opponent or base,
            )
        return self._seats[key]


def rollout(parameters: str) -> CompiledAgent:
    """Return the agent that tries each action in WORLDS imagined games and takes the best.

    The games are played to the end. The trained agent `dqn:PILOT.pt` plays for the own seat, or
    `control` if no pilot is given. OPPONENT plays for the enemy, or the agent of the own seat if no
    opponent is given.

    Args:
        parameters: text `WORLDS[:OPPONENT][:dqn:PILOT.pt]`, where WORLDS is a whole number and
            OPPONENT the name of a compiled agent without parameters.

    Raises:
        InputError: the number of worlds is not valid, the opponent is not a compiled agent or has
            parameters, or the pilot cannot be loaded.
    """
    name = f"rollout:{parameters}"
    _, has_pilot, path = name.partition(_PILOT)
    if not has_pilot:
        return _on_scripts(name)
    parse_name(name)  # before the slow loading of the pilot, so that a wrong name fails at once
    return rollout_on(name, cast("DQNPilot", agent_named(f"{_PILOT[1:]}{path}")))


def rollout_on(name: str, pilot: DQNPilot) -> CompiledAgent:
    """Return a flat Monte-Carlo search that continues imagined games with a loaded pilot.

    Args:
        name: full name of the search, `rollout:WORLDS[:OPPONENT]:dqn:...`.
        pilot: trained agent that plays for the own seat, and for the enemy if the name contains no
            opponent.

    Raises:
        InputError: the number of worlds or the opponent in the name is not valid.
    """
    n_worlds, opponent = parse_name(name)
    return _PilotRollout(
        *(name, best_by_halving), searches=True, n_worlds=n_worlds, pilot=pilot, opponent=opponent
    )


@cache
def _on_scripts(name: str) -> CompiledAgent:
    """Return the search with a name that contains no pilot; equal names give the same agent.

    Raises:
        InputError: the number of worlds or the opponent in the name is not valid.
    """
    base = compiled_agent_named(BASE)
    n_worlds, opponent = parse_name(name)
    return _Rollout(
        *(name, best_action),
        searches=True,
        n_worlds=n_worlds,
        base=base,
        opponent=opponent or base,
    )


def parse_name(name: str) -> tuple[int, CompiledAgent | None]:
    """Return the number of worlds and the opponent in the name of a search.

    Args:
        name: full name, `rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]`.

    Returns:
        Number of worlds, and the opponent; `None` if the name has no opponent.

    Raises:
        InputError: the number of worlds is not a whole number from 1 to `WORLDS_MAX`, or the
            opponent is not a compiled agent without parameters.
    """
    parameters = name.partition(":")[2].partition(_PILOT)[0]
    worlds, has_opponent, opponent = parameters.partition(":")
    with error_place(f"agent {name!r}"):
        n_worlds = number_in_name("worlds", worlds, WORLDS_MAX, "rollout:50")
        if ":" in opponent:
            raise InputError(
                f"the opponent {opponent!r} must have no parameters",
                value=opponent,
                remedy="name an agent without a colon, such as 'aggro'",
            )
        return n_worlds, compiled_agent_named(opponent) if has_opponent else None


# Not fixed, since a pilot's file may change; searches without a pilot are cached above.
AGENT = AgentFamily(
    "rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]", rollout, is_fixed=False, example="rollout:50"
)

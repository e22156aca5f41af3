"""The family of agents `rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]`: flat Monte-Carlo search.

The search is fair: it imagines only games that its seat cannot distinguish from the actual one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from agents.declaration import AgentFamily, number_in_name
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

if TYPE_CHECKING:  # loads torch
    from agents.dqn.pilot import DQNPilot

BASE = "control"  # plays imagined games on without a pilot ("Yardstick" in docs/learning.md)
_PILOT = ":dqn:"


@dataclass(frozen=True, kw_only=True)
class _Rollout(CompiledAgent):
    """Search bound to its number of worlds and to the agents that play the imagined games on.

    Attributes:
        n_worlds: number of games that the search imagines for each action.
        base: agent that plays on for the own seat.
        opponent: agent that plays on for the enemy.
    """

    n_worlds: int
    base: CompiledAgent
    opponent: CompiledAgent

    def entry(self, *, general: bool) -> int:
        """Return the address of the search, bound to its compiled agents for the game's rules."""
        pilots = (pilot.address(general=general) for pilot in (self.base, self.opponent))
        return bind(address_of(self.policy, SEARCH), self.n_worlds, *pilots)

    def explainer(self, words: npt.NDArray[np.int16]) -> Explainer:
        """Return the function that explains a choice by the points of all actions.

        Args:
            words: the table of the games to explain.
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
    """Search on a trained agent, to be bound to a table before it can play.

    Attributes:
        n_worlds: number of games that the search imagines for each action.
        pilot: trained agent that plays on for the own seat.
        opponent: agent that plays on for the enemy; `None` for the pilot itself.
    """

    n_worlds: int
    pilot: DQNPilot
    opponent: CompiledAgent | None
    _seats: dict[bytes, CompiledAgent] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # The bound agents hold memory addresses, which mean nothing in another process.
        return super().__getstate__() | {"_seats": {}}

    @property
    def view(self) -> ViewSize:
        """View of the pilot; games that it cannot see are refused for the search as well."""
        return self.pilot.view

    def seated(self, table: Table, met: DecksMet, /) -> CompiledAgent:
        """Return the search bound to `table`; one agent per view, which later calls share."""
        from agents.dqn.compiled_pilot import compiled_pilot  # noqa: PLC0415 (few need it)

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

    The games are played to the end: for the own seat by the trained agent `dqn:PILOT.pt`, else by
    `control`; for the enemy by `OPPONENT`, else by the same agent.

    Args:
        parameters: `WORLDS[:OPPONENT][:dqn:PILOT.pt]`; the opponent is a registered agent.

    Raises:
        InputError: the number of worlds is not valid or out of range, the opponent is not a
            compiled agent, or there is no such pilot.
    """
    name = f"rollout:{parameters}"
    _, has_pilot, path = name.partition(_PILOT)
    if not has_pilot:
        return _on_scripts(name)
    parse_name(name)  # before the pilot is loaded, so that a bad name is refused at once
    return rollout_on(name, cast("DQNPilot", agent_named(f"{_PILOT[1:]}{path}")))


def rollout_on(name: str, pilot: DQNPilot) -> CompiledAgent:
    """Return the search `rollout:WORLDS[:OPPONENT]:dqn:...` on a pilot that is already loaded.

    Args:
        name: full name of the search.
        pilot: the trained agent.

    Raises:
        InputError: the name is not valid; as for `rollout`.
    """
    n_worlds, opponent = parse_name(name)
    return _PilotRollout(
        *(name, best_by_halving), searches=True, n_worlds=n_worlds, pilot=pilot, opponent=opponent
    )


@cache
def _on_scripts(name: str) -> CompiledAgent:
    """Return the search without a pilot; cached, since its name always means the same agent."""
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
    """Return the number of worlds and the opponent in the name of a search; `None` without one.

    Raises:
        InputError: the name is not valid; as for `rollout`.
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

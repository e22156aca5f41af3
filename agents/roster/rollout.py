"""The agents `rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]`: fair flat Monte-Carlo search."""

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

BASE = "control"  # plays on where nobody else is named
_PILOT = ":dqn:"


@dataclass(frozen=True, kw_only=True)
class _Rollout(CompiledAgent):
    """The search, bound to its numbers and to who plays on.

    Attributes:
        n_worlds: how many games it imagines for each action.
        base: who plays on for its own seat in them.
        opponent: who does for the other.
    """

    n_worlds: int
    base: CompiledAgent
    opponent: CompiledAgent

    def entry(self, *, general: bool) -> int:
        """The search with its agents as the game's rules call them; they are compiled now."""
        pilots = (pilot.address(general=general) for pilot in (self.base, self.opponent))
        return bind(address_of(self.policy, SEARCH), self.n_worlds, *pilots)

    def explainer(self, words: npt.NDArray[np.int16]) -> Explainer:
        """Tells the points of all actions, in games with these numbers."""
        addresses = {
            general: (self.base.address(general=general), self.opponent.address(general=general))
            for general in (False, True)
        }
        halves = self.policy is best_by_halving
        halves_after = first_halving(self.n_worlds) if halves else self.n_worlds
        return flat_explainer(words, self.n_worlds, addresses, halves_after)


@dataclass(frozen=True, kw_only=True)
class _PilotRollout(CompiledAgent):
    """The search on a trained agent, which must be seated before it can play.

    Attributes:
        n_worlds: how many games it imagines for each action.
        pilot: who plays on for its own seat in them.
        opponent: who does for the other; `None` for the pilot.
    """

    n_worlds: int
    pilot: DQNPilot
    opponent: CompiledAgent | None
    _seats: dict[bytes, CompiledAgent] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_seats": {}}  # they hold addresses

    @property
    def view(self) -> ViewSize:
        """The pilot's: what it cannot see is refused as it is to the pilot itself."""
        return self.pilot.view

    def seated(self, table: Table, met: DecksMet, /) -> CompiledAgent:
        """The search as it plays games of `table`; one agent for each view."""
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
    """Tries each action in WORLDS games that it imagines to their end, and takes the best.

    The games are played to the end: for its own seat by the trained agent `dqn:PILOT.pt`, else by
    `control`; for the other by `OPPONENT`, else by the same.

    Args:
        parameters: `WORLDS[:OPPONENT][:dqn:PILOT.pt]`; the opponent is a registered agent.

    Raises:
        InputError: the number of worlds is none, or out of range, the opponent is no compiled
            agent, or there is no such pilot.
    """
    name = f"rollout:{parameters}"
    _, has_pilot, path = name.partition(_PILOT)
    if not has_pilot:
        return _on_scripts(name)
    told_by(name)  # refuses what is wrong before anything is loaded
    return rollout_on(name, cast("DQNPilot", agent_named(f"{_PILOT[1:]}{path}")))


def rollout_on(name: str, pilot: DQNPilot) -> CompiledAgent:
    """The search `rollout:WORLDS[:OPPONENT]:dqn:...` on a pilot that is loaded already.

    Raises:
        InputError: as `rollout`.
    """
    n_worlds, opponent = told_by(name)
    return _PilotRollout(
        *(name, best_by_halving), searches=True, n_worlds=n_worlds, pilot=pilot, opponent=opponent
    )


@cache
def _on_scripts(name: str) -> CompiledAgent:
    """The search whose agents are compiled ones; a name means the same for ever."""
    base = compiled_agent_named(BASE)
    (n_worlds, opponent) = told_by(name)
    return _Rollout(
        *(name, best_action),
        searches=True,
        n_worlds=n_worlds,
        base=base,
        opponent=opponent or base,
    )


def told_by(name: str) -> tuple[int, CompiledAgent | None]:
    """What the name of a search says besides its pilot: how many worlds, and the opponent if any.

    Raises:
        InputError: as `rollout`.
    """
    told = name.partition(":")[2].partition(_PILOT)[0]
    worlds, has_opponent, opponent = told.partition(":")
    with error_place(f"agent {name!r}"):
        n_worlds = number_in_name("worlds", worlds, WORLDS_MAX, "rollout:50")
        if ":" in opponent:
            raise InputError(f"the opponent {opponent!r} may take no parameters")
        return n_worlds, compiled_agent_named(opponent) if has_opponent else None


# A pilot's file may change; of the others each is one agent.
AGENT = AgentFamily(
    "rollout:WORLDS[:OPPONENT][:dqn:PILOT.pt]", rollout, is_fixed=False, example="rollout:50"
)

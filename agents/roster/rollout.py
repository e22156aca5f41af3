"""The agents `rollout:WORLDS` and `rollout:WORLDS:OPPONENT`: fair flat Monte-Carlo search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agents.declaration import AgentFamily
from agents.registry import compiled_agent_named
from agents.search.flat import WORLDS_MAX, best_action
from sim import InputError
from sim.engine.addresses import address_of, call_search
from sim.engine.compiled import SEARCH
from sim.play.agent import CompiledAgent, Policy

BASE = "control"  # plays on for the searching seat, and for an opponent that nobody named


@dataclass(frozen=True, kw_only=True)
class _Rollout(CompiledAgent):
    """The search, bound to its numbers and to who plays on.

    Attributes:
        n_worlds: how many games it imagines for each action.
        opponent: who plays for the other seat in them.
    """

    n_worlds: int
    opponent: CompiledAgent

    def policy_in(self, *, general: bool) -> Policy:
        """The search with its agents as the game's rules call them; they are compiled now."""
        search, n_worlds = address_of(best_action, SEARCH), self.n_worlds
        own_agent = compiled_agent_named(BASE).address(general=general)
        enemy_agent = self.opponent.address(general=general)

        def policy(state: Any, table: Any) -> int:
            return call_search(search, state, table, n_worlds, own_agent, enemy_agent)

        return policy


def rollout(parameters: str) -> CompiledAgent:
    """The agent that tries each action in `WORLDS` imagined games and takes the best.

    The games are played to the end: by `control` for its own seat, by `OPPONENT` for the other.

    Args:
        parameters: `WORLDS` or `WORLDS:OPPONENT`, a registered agent.

    Raises:
        InputError: the number of worlds is none, or out of range, or the opponent is no
            compiled agent.
    """
    name = f"rollout:{parameters}"
    n_worlds_text, _, opponent_name = parameters.partition(":")
    n_worlds = _worlds(name, n_worlds_text)
    opponent = _opponent(name, opponent_name if ":" in parameters else BASE)
    return _Rollout(name, best_action, searches=True, n_worlds=n_worlds, opponent=opponent)


def _worlds(name: str, text: str) -> int:
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= WORLDS_MAX:
        return int(text)
    raise InputError(
        f"agent {name!r}: the number of worlds is {text!r}; "
        f"it must be a whole number from 1 to {WORLDS_MAX}, as in 'rollout:50'"
    )


def _opponent(name: str, opponent: str) -> CompiledAgent:
    if ":" in opponent:
        raise InputError(f"agent {name!r}: the opponent {opponent!r} may take no parameters")
    try:
        return compiled_agent_named(opponent)
    except InputError as error:
        raise InputError(f"agent {name!r}: {error}") from None


AGENT = AgentFamily("rollout:WORLDS[:OPPONENT]", rollout)

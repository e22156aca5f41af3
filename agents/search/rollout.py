"""The agents `rollout:WORLDS` and `rollout:WORLDS:OPPONENT`: fair flat Monte-Carlo search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agents.registry import compiled_agent_named
from agents.search.flat import WORLDS_MAX, best_action
from sim.agent import CompiledAgent, Policy
from sim.engine.addresses import address_of, call_search
from sim.engine.compiled import POLICY, SEARCH
from sim.errors import InputError

BASE = "control"  # plays on for the searching seat, and for an opponent that nobody named


def _policy(n_worlds: int, own_agent: int, enemy_agent: int) -> Policy:
    """The search with agents at these addresses."""
    search = address_of(best_action, SEARCH)

    def policy(state: Any, table: Any) -> int:
        return call_search(search, state, table, n_worlds, own_agent, enemy_agent)

    return policy


@dataclass(frozen=True, kw_only=True)
class _Rollout(CompiledAgent):
    """In games that are not plain it plays out with the agents that know those games.

    Attributes:
        n_worlds: how many games it imagines for each action.
        opponent: who plays for the other seat in them.
    """

    n_worlds: int
    opponent: CompiledAgent

    @cached_property
    def general_address(self) -> int:
        """Where the engine calls it in such games; its agents are compiled on first use."""
        own_agent = compiled_agent_named(BASE).general_address
        policy = _policy(self.n_worlds, own_agent, self.opponent.general_address)
        return address_of(policy, POLICY)


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
    policy = _policy(n_worlds, compiled_agent_named(BASE).address, opponent.address)
    return _Rollout(name, policy, searches=True, n_worlds=n_worlds, opponent=opponent)


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

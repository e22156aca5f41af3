"""The agents `rollout:WORLDS` and `rollout:WORLDS:OPPONENT`: fair flat Monte-Carlo search."""

from __future__ import annotations

import re
from typing import Any

from agents.registry import compiled_agent_named
from agents.search.flat import WORLDS_MAX, best_action
from sim.agent import CompiledAgent
from sim.engine.compiled import SEARCH, address_of, call_search
from sim.errors import InputError

BASE = "control"  # plays on for the searching seat, and for an opponent that nobody named


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
    search = address_of(best_action, SEARCH)
    own_agent, enemy_agent = compiled_agent_named(BASE).address, opponent.address

    def policy(state: Any, table: Any) -> int:
        return call_search(search, state, table, n_worlds, own_agent, enemy_agent)

    return CompiledAgent(name, policy, searches=True)


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

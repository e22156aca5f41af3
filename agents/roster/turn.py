"""The agents `turn:NODES[:WEIGHTS]`: fair search of the whole own turn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from agents.declaration import AgentFamily
from agents.registry import compiled_agent_named
from agents.search.turn.search import best_turn
from agents.search.turn.tree import N_NODES_MAX
from agents.search.turn.weights import Words16, mind_of, weights_named
from sim import InputError
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.play.agent import CompiledAgent

ANSWERS = "greedy"  # for the enemy, and ends lines that were not searched to their end


@dataclass(frozen=True, kw_only=True)
class TurnAgent(CompiledAgent):
    """The search, bound to its settings and weights.

    Attributes:
        mind: ``[MIND_SIZE]`` what it is told (`agents.search.turn.mind`).
        told: the same as numbers: two agents are one if they are told the same.
        answers: who answers for the enemy.
    """

    mind: Words16 = field(compare=False, repr=False)
    told: tuple[int, ...] = field(repr=False)
    answers: CompiledAgent

    def entry(self, *, general: bool) -> int:
        """The search with its mind, and with whom it imagines as the game's rules call him."""
        answers = self.answers.address(general=general)
        return bind(address_of(self.policy, SEARCH), self.mind.ctypes.data, answers, answers)


def turn_agent(name: str, mind: Words16) -> TurnAgent:
    """The agent that searches by a mind of its own: one of many candidates, say.

    Args:
        name: what results call it.
        mind: ``[MIND_SIZE]`` settings and weights (`agents.search.turn.mind`), copied.
    """
    words, told = np.array(mind, dtype=np.int16), tuple(int(word) for word in mind)
    answers = compiled_agent_named(ANSWERS)
    return TurnAgent(name, best_turn, searches=True, mind=words, told=told, answers=answers)


def turn(parameters: str) -> CompiledAgent:
    """The agent that searches its whole turn and takes the first action of the best line.

    Args:
        parameters: `NODES[:WEIGHTS]`; how many positions a decision may try, and a file of
            weights or the name of one that is shipped.

    Raises:
        InputError: the number of nodes is none, or out of range, or there are no such weights.
    """
    name = f"turn:{parameters}"
    n_nodes, has_weights, weights = parameters.partition(":")
    if has_weights:
        return turn_agent(name, mind_of(weights_named(weights, name), _nodes(name, n_nodes)))
    return _by_our_weights(name, _nodes(name, n_nodes))


@cache
def _by_our_weights(name: str, n_nodes: int) -> CompiledAgent:
    """The search by the weights that are shipped; a name means the same for ever."""
    return turn_agent(name, mind_of(weights_named("tuned", name), n_nodes))


def _nodes(name: str, text: str) -> int:
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= N_NODES_MAX:
        return int(text)
    raise InputError(
        f"agent {name!r}: the number of nodes is {text!r}; "
        f"it must be a whole number from 1 to {N_NODES_MAX}, as in 'turn:200'"
    )


# A file of weights may change; without one each name is one agent.
AGENT = AgentFamily("turn:NODES[:WEIGHTS]", turn, is_fixed=False)

"""The agents `turn:NODES[:WEIGHTS]`: fair search of the whole own turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

import numpy as np

from agents.declaration import AgentFamily, number_told
from agents.explanation import Explainer
from agents.registry import compiled_agent_named
from agents.search.turn.search import best_turn
from agents.search.turn.tree import N_NODES_MAX
from agents.search.turn.weights import Words16, load_weights
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.errors import InputError, blaming
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.table import Table

ANSWERS = "greedy"  # for the enemy, and ends lines that were not searched to their end


@dataclass(frozen=True, kw_only=True)
class TurnAgent(CompiledAgent):
    """The search, bound to settings and weights: they are data, so it is compiled but once.

    Attributes:
        minds: by whether games are general, ``[MIND_SIZE]`` what it is told in them
            (`agents.search.turn.mind`).
        told: the same as numbers: two agents are one if they are told the same.
        ruleset: the only rules that it plays by, if not all.
        answers: who answers for the enemy.
    """

    minds: tuple[Words16, Words16] = field(compare=False, repr=False)
    told: tuple[int, ...] = field(repr=False)
    ruleset: str | None
    answers: CompiledAgent

    @property
    def content(self) -> str:
        """SHA-256 of what it is told: what its name says of a file's weights is but where."""
        return sha256(b"".join(mind.tobytes() for mind in self.minds)).hexdigest()

    def seated(self, table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Itself, unless its weights are for other rules."""
        if self.ruleset not in {None, table.ruleset.name}:
            raise InputError(
                f"agent {self.name!r}: its weights are for the ruleset {self.ruleset!r}, "
                f"not {table.ruleset.name!r}"
            )
        return self

    def entry(self, *, general: bool) -> int:
        """The search with its mind, and with whom it imagines as the game's rules call him."""
        answers = self.answers.address(general=general)
        mind_at = self.minds[general].ctypes.data
        return bind(address_of(self.policy, SEARCH), mind_at, answers, 0)

    def explainer(self, words: Words16) -> Explainer:
        """Tells the lines that were compared, in games with these numbers."""
        from agents.search.turn.why import turn_explainer  # noqa: PLC0415 (few ask)

        plain, rich = (self.answers.address(general=general) for general in (False, True))
        return turn_explainer(words, self.minds, (plain, rich))


def turn_agent(
    name: str, plain: Words16, rich: Words16 | None = None, *, ruleset: str | None = None
) -> TurnAgent:
    """The agent that searches by a mind of its own: one of many candidates, say.

    Args:
        name: what results call it.
        plain: ``[MIND_SIZE]`` settings and weights (`agents.search.turn.mind`), copied.
        rich: those for games that are not plain; default the same.
        ruleset: the only rules that it plays by; default all.
    """
    minds = (np.array(plain), np.array(plain if rich is None else rich))
    told = tuple(int(word) for mind in minds for word in mind)
    return TurnAgent(
        *(name, best_turn),
        searches=True,
        minds=minds,
        told=told,
        ruleset=ruleset,
        answers=compiled_agent_named(ANSWERS),
    )


def turn(parameters: str) -> CompiledAgent:
    """The agent that searches its whole turn and takes the first action of the best line.

    Args:
        parameters: `NODES[:WEIGHTS]`; how many positions a decision may try, and a file of
            weights or the name of some that are shipped. Without, plain games are played by
            `plain` and all others by `rich`.

    Raises:
        InputError: the number of nodes is none, or out of range, or there are no such weights.
    """
    name = f"turn:{parameters}"
    nodes, has_weights, weights_name = parameters.partition(":")
    with blaming(f"agent {name!r}"):
        n_nodes = number_told("nodes", nodes, N_NODES_MAX, "turn:200")
        if not has_weights:
            return _by_our_weights(name, n_nodes)
        weights = load_weights(weights_name)
    return turn_agent(name, weights.mind(n_nodes), ruleset=weights.ruleset)


@cache
def _by_our_weights(name: str, n_nodes: int) -> CompiledAgent:
    """The search by the weights that are shipped; a name means the same for ever."""
    plain, rich = (load_weights(kind).mind(n_nodes) for kind in ("plain", "rich"))
    return turn_agent(name, plain, rich)


# A file of weights may change; without one each name is one agent.
AGENT = AgentFamily("turn:NODES[:WEIGHTS]", turn, is_fixed=False, example="turn:200")

"""The agents `turn:NODES`: fair search of the whole own turn, by limits and weights of choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

import numpy as np

from agents.declaration import AgentFamily, number_in_name
from agents.explanation import Explainer
from agents.registry import compiled_agent_named
from agents.search.turn.search import best_turn
from agents.search.turn.tree import N_NODES_MAX
from agents.search.turn.weights import (
    LEAVES_MAX,
    WINS_MAX,
    WORLDS_MAX,
    Weights,
    Words16,
    load_weights,
)
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.errors import InputError, error_place, known_word
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.table import Table

ANSWERS = "greedy"  # for the enemy, and ends lines that were not searched to their end
LIMITS = {
    "leaves": LEAVES_MAX,
    "worlds": WORLDS_MAX,
    "wins": WINS_MAX,
}  # words of a name, and the most of each


@dataclass(frozen=True, kw_only=True)
class TurnAgent(CompiledAgent):
    """The search, bound to settings and weights: they are data, so it is compiled but once.

    Attributes:
        parameter_rows: by whether games are general, ``[PARAMETERS_SIZE]`` what it is told in them
            (`agents.search.turn.parameters`).
        told: the same as numbers: two agents are one if they are told the same.
        ruleset: the only rules that it plays by, if not all.
        answers: who answers for the enemy.
    """

    parameter_rows: tuple[Words16, Words16] = field(compare=False, repr=False)
    told: tuple[int, ...] = field(repr=False)
    ruleset: str | None
    answers: CompiledAgent

    @property
    def content(self) -> str:
        """SHA-256 of what it is told: what its name says of a file's weights is but where."""
        return sha256(
            b"".join(parameters.tobytes() for parameters in self.parameter_rows)
        ).hexdigest()

    def seated(self, table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Itself, unless its weights are for other rules."""
        if self.ruleset not in {None, table.ruleset.name}:
            raise InputError(
                f"agent {self.name!r}: its weights are for the ruleset {self.ruleset!r}, "
                f"not {table.ruleset.name!r}"
            )
        return self

    def entry(self, *, general: bool) -> int:
        """Return the address of the search with its parameters and the answering agent."""
        answers = self.answers.address(general=general)
        parameters_at = self.parameter_rows[general].ctypes.data
        return bind(address_of(self.policy, SEARCH), parameters_at, answers, 0)

    def explainer(self, words: Words16) -> Explainer:
        """Tells the lines that were compared, in games with these numbers."""
        from agents.search.turn.why import turn_explainer  # noqa: PLC0415 (few ask)

        plain, rich = (self.answers.address(general=general) for general in (False, True))
        return turn_explainer(words, self.parameter_rows, (plain, rich))


def turn_agent(
    name: str, plain: Words16, rich: Words16 | None = None, *, ruleset: str | None = None
) -> TurnAgent:
    """The agent that searches by a parameters of its own: one of many candidates, say.

    Args:
        name: what results call it.
        plain: ``[PARAMETERS_SIZE]`` settings and weights (`agents.search.turn.parameters`), copied.
        rich: those for games that are not plain; default the same.
        ruleset: the only rules that it plays by; default all.
    """
    parameter_rows = (np.array(plain), np.array(plain if rich is None else rich))
    told = tuple(int(word) for parameters in parameter_rows for word in parameters)
    return TurnAgent(
        *(name, best_turn),
        searches=True,
        parameter_rows=parameter_rows,
        told=told,
        ruleset=ruleset,
        answers=compiled_agent_named(ANSWERS),
    )


def turn(parameters: str) -> CompiledAgent:
    """Searches its whole turn, NODES positions of it, and begins the best line of actions.

    Args:
        parameters: `NODES[:leaves=L][:worlds=W][:wins=P][:WEIGHTS]`; how many positions a
            decision may try, how many ends of the turn the enemy answers in how many worlds and
            how many positions the search for a win may try, where that is not as the weights say,
            and a file of weights or the name of some that are shipped. Without weights, plain
            games are played by `plain` and all others by `rich`.

    Raises:
        InputError: a number is none, or out of range, a word is given twice or unknown, or there
            are no such weights.
    """
    name = f"turn:{parameters}"
    nodes, *words = parameters.split(":")
    with error_place(f"agent {name!r}"):
        n_nodes = number_in_name("nodes", nodes, N_NODES_MAX, "turn:200")
        limits = _limits(words)
        weights_name = ":".join(words[len(limits) :])  # a path may hold colons itself
        if len(words) == len(limits):
            return turn_agent_by_shipped_weights(name, n_nodes, **limits)
        weights = load_weights(weights_name)
    row = _limited(weights, limits).parameters(n_nodes)
    return turn_agent(name, row, ruleset=weights.ruleset)


def _limits(words: Sequence[str]) -> dict[str, int]:
    """The limits that a name begins with: `leaves=L`, `worlds=W` and `wins=P`.

    Raises:
        InputError: a number is out of range, or a word is given twice or unknown.
    """
    limits: dict[str, int] = {}
    for word in words:
        key, is_limit, number = word.partition("=")
        if not is_limit or word.endswith(".toml"):  # a file of weights may have any name
            break
        known_word("word", key, LIMITS)
        if key in limits:
            raise InputError(f"{key} is given twice")
        limits[key] = number_in_name(key, number, LIMITS[key], f"turn:20:{key}=4")
    return limits


def _limited(weights: Weights, limits: Mapping[str, int]) -> Weights:
    """The same weights with other limits of the search."""
    return weights.model_copy(update={"search": weights.search.model_copy(update=dict(limits))})


@cache
def turn_agent_by_shipped_weights(name: str, n_nodes: int, **limits: int) -> CompiledAgent:
    """The search by the weights that are shipped, `plain` in plain games and `rich` in others.

    Args:
        name: the agent's; a name means the same agent for ever.
        n_nodes: positions that a decision may try.
        limits: `leaves`, `worlds` and `wins`, where not as the weights say.
    """
    plain, rich = (
        _limited(load_weights(kind), limits).parameters(n_nodes) for kind in ("plain", "rich")
    )
    return turn_agent(name, plain, rich)


# A file of weights may change; without one each name is one agent.
AGENT = AgentFamily(
    "turn:NODES[:leaves=L][:worlds=W][:wins=P][:WEIGHTS]", turn, is_fixed=False, example="turn:200"
)

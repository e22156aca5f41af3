"""The family of agents `turn:NODES`, which search the whole own turn without hidden information."""

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
from agents.search.turn.why import turn_explainer
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.errors import InputError, error_place, known_word
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.table import Table

# Fast, and the best scripted agent in the mean of all mirrors (docs/turn_search.md).
ANSWERS = "greedy"
LIMITS = {"leaves": LEAVES_MAX, "worlds": WORLDS_MAX, "wins": WINS_MAX}
"""Maximum values of the search limits that a name may set, by the word in the name."""


@dataclass(frozen=True, kw_only=True)
class TurnAgent(CompiledAgent):
    """Search of the whole own turn with given settings and weights.

    Settings and weights are data, so that all agents share the same compiled code.

    Attributes:
        parameter_rows: settings and weights for plain games and for all other games, each of shape
            ``[PARAMETERS_SIZE]`` (`agents.search.turn.parameters`).
        parameter_values: contents of both rows as a tuple, by which agents are compared and hashed.
        ruleset: name of the only ruleset that the agent may play; `None` if it may play all.
        answers: agent that plays the enemy's turn in imagined games.
    """

    parameter_rows: tuple[Words16, Words16] = field(compare=False, repr=False)
    parameter_values: tuple[int, ...] = field(repr=False)
    ruleset: str | None
    answers: CompiledAgent

    @property
    def content(self) -> str:
        """SHA-256 of settings and weights in hexadecimal; the name has only their file's path."""
        return sha256(
            b"".join(parameters.tobytes() for parameters in self.parameter_rows)
        ).hexdigest()

    def seated(self, table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Return the agent itself, after a check of the ruleset of a table.

        Raises:
            InputError: the weights are for another ruleset than that of the table.
        """
        if self.ruleset not in {None, table.ruleset.name}:
            raise InputError(
                f"its weights are for the ruleset {self.ruleset!r}, not {table.ruleset.name!r}",
                place=f"agent {self.name!r}",
                value=table.ruleset.name,
                limit=self.ruleset,
                remedy="name other weights or another agent",
            )
        return self

    def entry(self, *, general: bool) -> int:
        """Return the address of the search, bound to its parameters and to the answering agent.

        Args:
            general: whether the game is general, which selects the row of parameters and the
                function of the answering agent.
        """
        answers = self.answers.address(general=general)
        parameters_at = self.parameter_rows[general].ctypes.data
        return bind(address_of(self.policy, SEARCH), parameters_at, answers, 0)

    def explainer(self, words: Words16) -> Explainer:
        """Return the function that explains a choice by the compared sequences of actions.

        Args:
            words: words of the table of the games to explain.
        """
        plain, rich = (self.answers.address(general=general) for general in (False, True))
        return turn_explainer(words, self.parameter_rows, (plain, rich))


def turn_agent(
    name: str, plain: Words16, rich: Words16 | None = None, *, ruleset: str | None = None
) -> TurnAgent:
    """Return an agent that searches its whole turn with given settings and weights.

    Args:
        name: name of the agent in results.
        plain: settings and weights for plain games, shape ``[PARAMETERS_SIZE]``
            (`agents.search.turn.parameters`); copied.
        rich: settings and weights for all other games, in the same form; default: `plain`.
        ruleset: name of the only ruleset that the agent may play; default: all rulesets.
    """
    parameter_rows = (np.array(plain), np.array(plain if rich is None else rich))
    values = tuple(int(word) for parameters in parameter_rows for word in parameters)
    return TurnAgent(
        *(name, best_turn),
        searches=True,
        parameter_rows=parameter_rows,
        parameter_values=values,
        ruleset=ruleset,
        answers=compiled_agent_named(ANSWERS),
    )


def turn(parameters: str) -> CompiledAgent:
    """Return the agent that searches NODES positions of its turn and begins the best line.

    Args:
        parameters: text `NODES[:leaves=L][:worlds=W][:wins=P][:WEIGHTS]`. NODES is the number of
            positions tried per decision, L the number of ends of the turn that the enemy answers, W
            the number of worlds in which it answers, and P the number of positions tried in search
            of a win. L, W and P replace settings of the weights. WEIGHTS is the path of a weights
            file or the name of shipped weights; without WEIGHTS, plain games use the shipped
            weights `plain`, all other games `rich`.

    Raises:
        InputError: a number is not valid or out of range, a word is repeated or unknown, or the
            weights cannot be loaded.
    """
    name = f"turn:{parameters}"
    nodes, *words = parameters.split(":")
    with error_place(f"agent {name!r}"):
        n_nodes = number_in_name("nodes", nodes, N_NODES_MAX, "turn:200")
        limits = _limits(words)
        weights_name = ":".join(words[len(limits) :])  # joined, since a path may hold colons
        if len(words) == len(limits):
            return turn_agent_by_shipped_weights(name, n_nodes, **limits)
        weights = load_weights(weights_name)
    row = _with_limits(weights, limits).parameters(n_nodes)
    return turn_agent(name, row, ruleset=weights.ruleset)


def _limits(words: Sequence[str]) -> dict[str, int]:
    """Return the search limits in the parameters of a name; `leaves=4` sets the limit `leaves`.

    Args:
        words: parameters after NODES, split at colons. The first parameter that is not of the form
            WORD=NUMBER, or that ends in `.toml`, ends the limits.

    Raises:
        InputError: a number is out of range, or a word is repeated or unknown.
    """
    limits: dict[str, int] = {}
    for word in words:
        key, is_limit, number = word.partition("=")
        if not is_limit or word.endswith(".toml"):  # a path may hold an equals sign
            break
        known_word("setting", key, LIMITS)
        if key in limits:
            raise InputError(f"{key!r} is given twice", value=word, remedy="keep one")
        limits[key] = number_in_name(key, number, LIMITS[key], f"turn:20:{key}=4")
    return limits


def _with_limits(weights: Weights, limits: Mapping[str, int]) -> Weights:
    """Return a copy of the weights, with the given limits of the search replaced."""
    return weights.model_copy(update={"search": weights.search.model_copy(update=dict(limits))})


@cache
def turn_agent_by_shipped_weights(name: str, n_nodes: int, **limits: int) -> CompiledAgent:
    """Return a search with the shipped weights `plain` in plain games and `rich` in all others.

    Equal arguments return the same agent.

    Args:
        name: name of the agent in results.
        n_nodes: number of positions that a decision may try.
        limits: values of `leaves`, `worlds` and `wins` that replace the settings of the weights.
    """
    plain, rich = (
        _with_limits(load_weights(kind), limits).parameters(n_nodes) for kind in ("plain", "rich")
    )
    return turn_agent(name, plain, rich)


# Not fixed, since a file of weights may change; agents with shipped weights are cached above.
AGENT = AgentFamily(
    "turn:NODES[:leaves=L][:worlds=W][:wins=P][:WEIGHTS]", turn, is_fixed=False, example="turn:200"
)

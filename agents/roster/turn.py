"""The family of agents `turn:NODES`, which search the whole own turn without hidden information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from agents.declaration import AgentFamily, number_in_name
from agents.explanation import Explainer
from agents.policy.evaluate import best_action
from agents.policy.policy_network import PolicyNetwork
from agents.reading.network_file import SUFFIX, load_network, shipped_pair
from agents.reading.seated_network import SeatedNetwork, seats_of
from agents.registry import compiled_agent_named
from agents.roster.policy import PolicyAgent
from agents.search.turn import parameters as param
from agents.search.turn.search import best_turn
from agents.search.turn.tree import N_NODES_MAX
from agents.search.turn.weights import (
    LEAVES_MAX,
    TRIALS_MAX,
    VALUE_MAX,
    WINS_MAX,
    WORLDS_MAX,
    Weights,
    Words16,
    load_weights,
)
from agents.search.turn.why import turn_explainer
from agents.search.value.value_network import ValueNetwork
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.errors import InputError, error_place, known_word
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.table import Table

# Fast, and the best scripted agent in the mean of all mirrors (docs/turn_search.md).
ANSWERS = "greedy"
# Settings without effect if `VALUE` is 0.
_OF_VALUE = (param.VALUE, param.LOGIT, param.LINES, param.TRIALS)
VALUE_SHARES = {"plain": 12, "rich": 8}
"""Weights of the shipped learned values in 16ths, for plain games and for all other games.

With real cards, 12 won less often than 8 (docs/log.md); in the duel both were equal for `reader`.
"""
LIMITS = {
    "leaves": LEAVES_MAX,
    "worlds": WORLDS_MAX,
    "wins": WINS_MAX,
    "value": VALUE_MAX,
    "lines": LEAVES_MAX,
    "trials": TRIALS_MAX,
}
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
        networks: learned value and policy for all games; `None` to use the shipped ones if the
            parameters give the learned value a weight.
        network_content: hash of `networks`, by which agents are compared; `""` for `None`.
        seats: learned values of a table, for plain games and for all other games; `None` if the
            agent is not bound to a table.
        partner: policy that answers the best lines again, and mulligans; kept alive here, since
            compiled code calls it by address.
    """

    parameter_rows: tuple[Words16, Words16] = field(compare=False, repr=False)
    parameter_values: tuple[int, ...] = field(repr=False)
    ruleset: str | None
    answers: CompiledAgent
    networks: tuple[ValueNetwork, PolicyNetwork | None] | None = field(
        default=None, compare=False, repr=False
    )
    network_content: str = ""
    seats: tuple[SeatedNetwork, SeatedNetwork] | None = field(
        default=None, compare=False, repr=False
    )
    partner: PolicyAgent | None = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # Bound values contain memory addresses, which are not valid in another process.
        return super().__getstate__() | {"seats": None, "partner": None}

    @property
    def content(self) -> str:
        """SHA-256 of settings, weights and networks; the name has only their file's path.

        Agents without the learned value have the hash that they had before there was one, so that
        their runs keep their folders.
        """
        if not self._uses_value:
            rows = (np.delete(row, _OF_VALUE) for row in self.parameter_rows)
            return sha256(b"".join(row.tobytes() for row in rows)).hexdigest()
        digest = sha256(b"".join(row.tobytes() for row in self.parameter_rows))
        for pair in self._networks:
            for network in pair or ():
                digest.update(network.content.encode())
        return digest.hexdigest()

    @property
    def _uses_value(self) -> bool:
        """Whether the learned value has a weight in any games."""
        return any(row[param.VALUE] for row in self.parameter_rows)

    @property
    def _networks(
        self,
    ) -> tuple[tuple[ValueNetwork, ValueNetwork], tuple[PolicyNetwork, PolicyNetwork] | None]:
        """Learned values and policies, each for plain games and for all other games."""
        if self.networks is None:
            return shipped_pair(ValueNetwork), shipped_pair(PolicyNetwork)
        value, policy = self.networks
        return (value, value), None if policy is None else (policy, policy)

    def with_networks(self, value: ValueNetwork, policy: PolicyNetwork | None = None) -> TurnAgent:
        """Return the agent with networks for all games, in place of the shipped ones.

        Args:
            value: learned value.
            policy: policy network; `None` for a search that answers mulligans by a rule and
                compares no lines again.
        """
        content = value.content + (policy.content if policy else "")
        return replace(self, networks=(value, policy), network_content=content)

    def seated(self, table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Return the agent, bound to a table if it uses the learned value.

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
        if not self._uses_value:
            return self
        # Kept with the table, since its games read the memory of the bound agent. Another thread
        # may bind it at the same time, and both must get the object that is kept.
        if self not in table.companions:
            table.companions.setdefault(self, self._bound(table))
        bound: CompiledAgent = table.companions[self]
        return bound

    def _bound(self, table: Table) -> TurnAgent:
        """Return the agent with the learned values of a table."""
        values, policies = self._networks
        seats = seats_of(values, table)
        partner = None
        if policies is not None:
            partner = PolicyAgent("partner", best_action, seats=seats_of(policies, table))
            for kind in table.kinds_of_games:
                seats[kind].name_partner(partner.address(general=kind))
        return replace(self, seats=seats, partner=partner)

    def entry(self, *, general: bool) -> int:
        """Return the address of the search, bound to its parameters and to the answering agent.

        Args:
            general: whether the game is general, which selects the row of parameters and the
                function of the answering agent.
        """
        answers = self.answers.address(general=general)
        parameters_at = self.parameter_rows[general].ctypes.data
        if self.seats is None and self._uses_value:
            raise InputError(
                "reads cards by a learned value, so it must be bound to a table",
                place=f"agent {self.name!r}",
                value=self.name,
                remedy="call `seated` first",
            )
        value_at = self.seats[general].address if self.seats else 0
        return bind(address_of(self.policy, SEARCH), parameters_at, answers, value_at)

    def explainer(self, words: Words16) -> Explainer:
        """Return the function that explains a choice by the compared sequences of actions.

        Args:
            words: words of the table of the games to explain.
        """
        plain, rich = (self.answers.address(general=general) for general in (False, True))
        mulligan = self.partner.explainer(words) if self.partner else None
        return turn_explainer(words, self.parameter_rows, (plain, rich), self.seats, mulligan)


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
        parameters: text `NODES[:KEY=N...][:WEIGHTS]`. NODES is the number of positions tried per
            decision. The keys replace settings of the weights: `leaves`, the number of ends of the
            turn that the enemy answers; `worlds`, in which it answers; `wins`, the number of
            positions tried in search of a win; `value`, the weight of the learned value in 16ths;
            `lines`, the number of lines that are compared again. WEIGHTS is the path of a weights
            file or the name of shipped weights; without WEIGHTS, plain games use the shipped
            weights `plain`, all other games `rich`. WEIGHTS may also be the path of a learned
            value, which is then used with these weights.

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
        if weights_name.endswith(SUFFIX):
            agent = reading_agent(name, n_nodes, **limits)
            path = Path(weights_name)
            return agent.with_networks(
                load_network(path, ValueNetwork), load_network(path, PolicyNetwork)
            )
        weights = load_weights(weights_name)
    row = _with_limits(weights, limits).parameters(n_nodes)
    return turn_agent(name, row, ruleset=weights.ruleset)


def _limits(words: Sequence[str]) -> dict[str, int]:
    """Return the search limits in the parameters of a name; `leaves=4` sets the limit `leaves`.

    Args:
        words: parameters after NODES, split at colons. The first parameter that is not of the form
            WORD=NUMBER, or that ends like a file, ends the limits.

    Raises:
        InputError: a number is out of range, or a word is repeated or unknown.
    """
    limits: dict[str, int] = {}
    for word in words:
        key, is_limit, number = word.partition("=")
        if not is_limit or word.endswith((".toml", SUFFIX)):  # a path may hold an equals sign
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
def turn_agent_by_shipped_weights(name: str, n_nodes: int, **limits: int) -> TurnAgent:
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


def reading_agent(name: str, n_nodes: int, **limits: int) -> TurnAgent:
    """Return a search with the shipped weights and the shipped learned values.

    Args:
        name: name of the agent in results.
        n_nodes: number of positions that a decision may try.
        limits: values of `leaves`, `worlds`, `wins` and `lines` that replace the settings of the
            weights.
    """
    plain, rich = (
        _with_limits(load_weights(kind), {"value": share} | limits).parameters(n_nodes)
        for kind, share in VALUE_SHARES.items()
    )
    return turn_agent(name, plain, rich)


# Not fixed, since a file of weights may change; agents with shipped weights are cached above.
AGENT = AgentFamily("turn:NODES[:KEY=N...][:WEIGHTS]", turn, is_fixed=False, example="turn:200")

"""The family of agents `policy`, which take the action that a network scores highest.

They do not search. One network plays every deck: it reads the numbers and texts of all visible
cards, and of the card and the target of each action (docs/agents.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.declaration import AgentFamily
from agents.explanation import Explainer
from agents.policy.evaluate import best_action
from agents.policy.policy_network import PolicyNetwork
from agents.policy.why import policy_explainer
from agents.reading.network_file import load_network, shipped_pair
from agents.reading.seated_network import SeatedNetwork, seats_of
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH
from sim.errors import InputError, error_place
from sim.play.agent import CompiledAgent, DecksMet
from sim.play.table import Table


@dataclass(frozen=True, kw_only=True)
class PolicyAgent(CompiledAgent):
    """Agent that takes the action with the highest score of a policy network.

    Attributes:
        network: network for all games; `None` to use the shipped ones.
        network_content: hash of `network`, by which agents are compared; `""` for `None`.
        seats: networks of a table, for plain games and for all other games; `None` if the agent is
            not bound to a table.
    """

    network: PolicyNetwork | None = field(default=None, compare=False, repr=False)
    network_content: str = ""
    seats: tuple[SeatedNetwork, SeatedNetwork] | None = field(
        default=None, compare=False, repr=False
    )

    def __getstate__(self) -> dict[str, Any]:
        # Bound networks contain memory addresses, which are not valid in another process.
        return super().__getstate__() | {"seats": None}

    def with_network(self, network: PolicyNetwork) -> PolicyAgent:
        """Return the agent with a network for all games, in place of the shipped ones."""
        return replace(self, network=network, network_content=network.content)

    def seated(self, table: Table, _met: DecksMet, /) -> CompiledAgent:
        """Return the agent, bound to a table."""
        # Kept with the table, since its games read the memory of the bound agent. Another thread
        # may bind it at the same time, and both must get the object that is kept.
        if self not in table.companions:
            seats = seats_of(self._networks, table)
            table.companions.setdefault(self, replace(self, seats=seats))
        bound: CompiledAgent = table.companions[self]
        return bound

    @property
    def _networks(self) -> tuple[PolicyNetwork, PolicyNetwork]:
        """Networks for plain games and for all other games."""
        if self.network is not None:
            return self.network, self.network
        return shipped_pair(PolicyNetwork)

    def entry(self, *, general: bool) -> int:
        """Return the address of the policy, bound to the network of a table.

        Args:
            general: whether the game is general, which selects the network.
        """
        return bind(address_of(self.policy, SEARCH), self._seats()[general].address, 0, 0)

    def explainer(self, words: npt.NDArray[np.int16]) -> Explainer:
        """Return the function that explains a choice by the scores of all legal actions.

        Args:
            words: words of the table of the games to explain.
        """
        return policy_explainer(words, self._seats())

    def _seats(self) -> tuple[SeatedNetwork, SeatedNetwork]:
        """Return the networks of the table.

        Raises:
            InputError: the agent is not bound to a table.
        """
        if self.seats is None:
            raise InputError(
                "reads cards by a network, so it must be bound to a table",
                place=f"agent {self.name!r}",
                value=self.name,
                remedy="call `seated` first",
            )
        return self.seats


def policy(parameters: str) -> CompiledAgent:
    """Return the agent that takes the action which a network scores highest, without a search.

    Args:
        parameters: path of the file of a policy network; if empty, the shipped networks are used.

    Raises:
        InputError: the file cannot be read, or contains no policy network.
    """
    if not parameters:
        return PolicyAgent("policy", best_action, searches=True)
    name = f"policy:{parameters}"
    with error_place(f"agent {name!r}"):
        network = load_network(Path(parameters), PolicyNetwork)
    return PolicyAgent(name, best_action, searches=True).with_network(network)


# Not fixed, since a file may change.
AGENT = AgentFamily("policy[:NETWORK.npz]", policy, is_fixed=False, example="policy")

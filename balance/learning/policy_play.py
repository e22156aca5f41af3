"""Play by which a policy network improves: against itself, or against a fixed network."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agents.policy.improvement import PolicyImprover
from agents.policy.policy_network import PolicyNetwork
from agents.policy.sampling import sampled_action
from agents.roster.policy import PolicyAgent
from agents.torch_device import device_named
from balance.learning.net_settings import NetSettings
from balance.learning.policy_games import Cast, record_random_decisions
from balance.learning.random_games import RandomGames
from sim.play import CompiledAgent

SAMPLER = PolicyAgent("sampler", sampled_action)
"""Policy agent that plays at random, by the probabilities of a network."""


class Improved(NamedTuple):
    """Result of play.

    Attributes:
        network: improved network.
        n_decisions: number of decisions from which it learned.
    """

    network: PolicyNetwork
    n_decisions: int


def improve(
    network: PolicyNetwork,
    games_of: Callable[[int], list[RandomGames]],
    n_iterations: int,
    seed: int,
    *,
    rival: CompiledAgent | None = None,
    settings: NetSettings | None = None,
) -> Improved:
    """Improve a network by play; in the first iteration only the critic learns.

    Args:
        network: network at the beginning.
        games_of: function that returns the games of an iteration, by table.
        n_iterations: number of iterations.
        seed: seed of the training.
        rival: fixed opponent; `None` for play against itself.
        settings: passes, learning rate and device of the training; default: the usual ones.
    """
    settings = settings or NetSettings()
    improver: PolicyImprover | None = None
    n_decisions = 0
    for iteration in range(n_iterations):
        cast = Cast(SAMPLER.with_network(network), rival=rival)
        played = [record_random_decisions(games, cast) for games in games_of(iteration)]
        if improver is None:
            improver = PolicyImprover(
                network,
                played,
                seed,
                passes=settings.play_passes,
                rate=settings.play_rate,
                device=device_named(settings.device),
            )
        improver.learn(played, critic_only=iteration == 0)
        network = improver.network()
        n_decisions += sum(len(part.rows) for part in played)
    return Improved(network, n_decisions)

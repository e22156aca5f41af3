"""What each part of the learned value brings, at a quarter of the games.

`python -m experiments.benchmarks.value_ablation` trains values for plain games in which one part is
left out each: temporal differences, varied numbers, the zones of cards that only the deck lists
show. It measures searches with each against `turn:200` in mirrors of random decks, then searches
without the anchor of the features, without the value, and with the second comparison.
"""

from __future__ import annotations

from collections import deque
from typing import Annotated

import typer

from agents import agent_named
from agents.policy.policy_network import PolicyNetwork
from agents.reading.network_file import shipped_pair
from agents.reading.position import ENEMY_UNSEEN, OWN_DECK
from agents.roster.turn import TurnAgent, reading_agent
from agents.search.value.value_network import ValueNetwork
from balance.learning.net_settings import NetSettings
from balance.learning.value_rounds import Recipe, value_rounds
from balance.statistics.intervals import rate_over_seeds
from experiments.benchmarks.script import run_script
from experiments.benchmarks.train_networks import POOLS
from experiments.benchmarks.turn_search import decks_of, mirror_points
from experiments.screen import percent_between
from sim import load_pool, load_ruleset
from sim.play.table import pack_table

RECIPES = {
    "all parts": Recipe(),
    "targets are results": Recipe(share=1.0),
    "no varied numbers": Recipe(are_varied=False),
    "own deck and unseen cards not seen": Recipe(unlisted=frozenset({OWN_DECK, ENEMY_UNSEEN})),
}
"""Ways to train a value, by what they leave out."""
_LIMITS = {"leaves": 15}  # as for `reader`, but without the second comparison
_NODES = 200
_AGAINST = "turn:200"


def trained(recipe: Recipe, games: int, seed: int) -> ValueNetwork:
    """Return the value that a recipe yields for plain games, after three rounds."""
    tables = [pack_table(load_pool(pool), load_ruleset(rules)) for pool, rules in POOLS["plain"]]
    rounds = value_rounds(tables, NetSettings(games=games), seed, recipe=recipe)
    (last,) = deque(rounds, maxlen=1)
    return last.network


def main(
    games: Annotated[int, typer.Option(min=400, help="Games of the last round.")] = 60_000,
    seeds: Annotated[int, typer.Option(min=2, help="Seeds of each mirror, two games each.")] = 100,
    seed: int = 1,
) -> None:
    """Measure what each part of the learned value brings, and print it."""
    policy = shipped_pair(PolicyNetwork)[0]
    agents = list[TurnAgent]()
    for name, recipe in RECIPES.items():
        value = trained(recipe, games, seed)
        agents.append(reading_agent(name, _NODES, **_LIMITS).with_networks(value, policy))
        if name == "all parts":
            alone = reading_agent("no anchor", _NODES, **_LIMITS, value=16)
            again = reading_agent("second comparison", _NODES, **_LIMITS, lines=4)
            agents += [one.with_networks(value, policy) for one in (alone, again)]
    without = reading_agent("no value", _NODES, **_LIMITS, value=0)
    decks = [decks_of("unseen_duel")]
    for agent in [*agents, without]:
        (points,) = mirror_points(
            decks, [agent, agent_named(_AGAINST)], n_seeds=seeds, run_seed=seed
        )
        rate = percent_between(rate_over_seeds(points.mean(axis=1)))
        typer.echo(f"{agent.name}: {rate} against {_AGAINST}, {2 * seeds} games a deck")


if __name__ == "__main__":
    run_script(main)

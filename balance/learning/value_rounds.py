"""Rounds of self-play in which a value of positions is learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.roster.turn import TurnAgent, turn_agent_by_shipped_weights
from agents.search.value.recording import Recorded
from agents.search.value.training import LAMBDA, train_value
from agents.search.value.value_network import ValueNetwork
from balance.learning.net_settings import NetSettings
from balance.learning.random_games import divided_games, record_random_games
from sim.play import Table

N_NODES = 60
LIMITS = {"leaves": 8, "worlds": 3}
"""Limits of the search that plays: a game takes a third of that with the shipped limits."""
_VALUE = 8  # weight of the learned value in this search, in 16ths
_GAMES_OF_TABLE = 1_000  # games with the same numbers of cards


class ValueRound(NamedTuple):
    """Result of a round of training.

    Attributes:
        number: number of the round, from 1.
        n_games: number of games of the round.
        n_positions: number of recorded positions of all rounds so far.
        loss: mean logarithmic loss on games that a network was not trained on.
        network: learned value after the round.
    """

    number: int
    n_games: int
    n_positions: int
    loss: float
    network: ValueNetwork


class Recipe(NamedTuple):
    """What a value learns from; other values than the defaults show what each part brings.

    Attributes:
        share: weight of later targets in a target (`agents.search.value.training`).
        are_varied: whether the numbers of cards are varied in half of the games.
        unlisted: zones with cards that the value does not see (`agents.reading.position`).
    """

    share: float = LAMBDA
    are_varied: bool = True
    unlisted: frozenset[int] = frozenset()


USUAL = Recipe()


def value_rounds(
    tables: Sequence[Table],
    settings: NetSettings,
    seed: int,
    known: Sequence[ValueNetwork] = (),
    *,
    recipe: Recipe = USUAL,
) -> Iterator[ValueRound]:
    """Train a value in rounds, and yield the result of each round that is trained.

    Args:
        tables: tables of the games; the games of a round are divided among them.
        settings: numbers of rounds and games.
        seed: seed of the run, which determines the games and the training.
        known: learned values of the first rounds of an earlier run with equal arguments. Their
            games are recorded again, but nothing is trained on them.
        recipe: what the value learns from.
    """
    network: ValueNetwork | None = None
    recorded = list[Recorded]()
    for k in range(settings.rounds if len(known) < settings.rounds else 0):
        n_games = settings.games >> (settings.rounds - 1 - k)
        first = len(recorded)
        played = _record_round(tables, recording_search(network), n_games, seed, first, recipe)
        recorded += [part.without_zones(recipe.unlisted) for part in played]
        if k < len(known):
            network = known[k]
            continue
        module, loss = train_value(recorded, seed, share=recipe.share)
        network = module.exported().without_places(recipe.unlisted)
        n_positions = sum(len(part.rows) for part in recorded)
        yield ValueRound(k + 1, n_games, n_positions, loss, network)


def recording_search(network: ValueNetwork | None) -> TurnAgent:
    """Return the search that plays the recorded games.

    Args:
        network: learned value of the round before; `None` for the features alone.
    """
    if network is None:
        return turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS)
    agent = turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS, value=_VALUE)
    return agent.with_networks(network)


def _record_round(
    tables: Sequence[Table],
    agent: TurnAgent,
    n_games: int,
    seed: int,
    first: int,
    recipe: Recipe,
) -> list[Recorded]:
    """Record the games of a round, divided equally among the tables.

    Args:
        tables: tables of the games.
        agent: agent of both seats.
        n_games: number of games.
        seed: seed of the run.
        first: number of the first recording.
        recipe: what the value learns from.
    """
    step = 1 if recipe.are_varied else 2  # the numbers of cards vary if a recording's is odd
    recordings = divided_games(tables, n_games, _GAMES_OF_TABLE)
    return [
        record_random_games(table, agent, n, seed, step * number)
        for number, (table, n) in enumerate(recordings, start=first)
    ]

"""Rounds of self-play in which a value of positions is learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.roster.turn import TurnAgent, turn_agent_by_shipped_weights
from agents.search.value.encoder import ValueNetwork
from agents.search.value.recording import Recorded
from agents.search.value.training import train_value
from balance.learning.net_settings import NetSettings
from balance.learning.random_games import record_random_games
from sim.play import Table

N_NODES = 60
LIMITS = {"leaves": 8, "worlds": 3}
"""Limits of the search that plays: a game takes a third of that with the shipped limits."""
_VALUE = 8  # weight of the learned value in this search, in 16ths
_GAMES_OF_TABLE = 1_000  # games with the same numbers of cards
_LEAST_TABLES = 2  # tables of a pool in a round: one of its cards as they are, one varied


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


def value_rounds(
    tables: Sequence[Table], settings: NetSettings, seed: int, known: Sequence[ValueNetwork] = ()
) -> Iterator[ValueRound]:
    """Train a value in rounds, and yield the result of each round that is trained.

    Args:
        tables: tables of the games; the games of a round are divided among them.
        settings: numbers of rounds and games.
        seed: seed of the run, which determines the games and the training.
        known: learned values of the first rounds of an earlier run with equal arguments. Their
            games are recorded again, but nothing is trained on them.
    """
    network: ValueNetwork | None = None
    recorded = list[Recorded]()
    for k in range(settings.rounds):
        n_games = settings.games >> (settings.rounds - 1 - k)
        recorded += _record_round(tables, _recorder(network), n_games, seed, len(recorded))
        if k < len(known):
            network = known[k]
            continue
        module, loss = train_value(recorded, seed)
        network = module.exported()
        n_positions = sum(len(part.rows) for part in recorded)
        yield ValueRound(k + 1, n_games, n_positions, loss, network)


def _recorder(network: ValueNetwork | None) -> TurnAgent:
    """Return the search that plays the recorded games.

    Args:
        network: learned value of the round before; `None` for the features alone.
    """
    if network is None:
        return turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS)
    agent = turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS, value=_VALUE)
    return agent.with_network(network)


def _record_round(
    tables: Sequence[Table], agent: TurnAgent, n_games: int, seed: int, first: int
) -> list[Recorded]:
    """Record the games of a round, divided equally among the tables.

    Args:
        tables: tables of the games.
        agent: agent of both seats.
        n_games: number of games.
        seed: seed of the run.
        first: number of the first recording.
    """
    n_recordings = max(n_games // _GAMES_OF_TABLE, _LEAST_TABLES * len(tables))
    # Two recordings of a table follow each other, of which the second varies its numbers.
    return [
        record_random_games(
            tables[k // 2 % len(tables)], agent, n_games // n_recordings, seed, first + k
        )
        for k in range(n_recordings)
    ]

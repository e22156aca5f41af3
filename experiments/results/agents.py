"""Rows about a round robin of agents: one per agent, and one per pair in each mirror."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from balance import Interval
from balance.metagame.round_robin import RoundRobin


class AgentRow(NamedTuple):
    """Row of `agents.csv`: an agent's rating, its win rate over all other agents and its turn time.

    Attributes:
        agent: name of the agent.
        rating: Elo rating, with its 95 % interval.
        win_rate: win rate over all other agents in all mirrors, with its 95 % interval.
        n: number of games that the agent played.
        turn_ms: mean time of a turn in milliseconds.
    """

    agent: str
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int
    turn_ms: float


class PairRow(NamedTuple):
    """Row of `agent_pairs.csv`: result of two agents in one mirror, or in all mirrors together.

    Attributes:
        a: name of the first agent.
        b: name of the second agent.
        deck: name of the player with the mirrored deck, or `ALL_DECKS`.
        win_rate: win rate of `a`, with its 95 % interval.
        n: number of games between the two agents in these mirrors.
    """

    a: str
    b: str
    deck: str
    win_rate: Annotated[Interval, ("win_rate_a", "low", "high")]
    n: int


ALL_DECKS = "(all)"  # replaces the name of a deck in rows over all mirrors


def agent_rows(names: Sequence[str], robin: RoundRobin, turns_s: Sequence[float]) -> list[AgentRow]:
    """Return a row for each agent, sorted by decreasing rating.

    Args:
        names: names of the agents, in the order of the round robin.
        robin: results of the round robin.
        turns_s: mean time of a turn of each agent in seconds.
    """
    n_games = robin.n_games * (len(names) - 1)
    rows = (
        AgentRow(name, robin.ratings.at(k), robin.overall.at(k), n_games, 1000 * turns_s[k])
        for k, name in enumerate(names)
    )
    return sorted(rows, key=lambda row: -float(row.rating.estimate))


def pair_rows(names: Sequence[str], decks: Sequence[str], robin: RoundRobin) -> list[PairRow]:
    """Return rows for each pair of agents: first one over all mirrors, then one for each mirror.

    Args:
        names: names of the agents, in the order of the round robin.
        decks: names of the players with the mirrored decks.
        robin: results of the round robin.
    """
    rows = []
    for m, (a, b) in enumerate(robin.pairs):
        rows.append(PairRow(names[a], names[b], ALL_DECKS, robin.rates.at(m), robin.n_games))
        rows += [
            PairRow(names[a], names[b], deck, robin.by_deck.at(m, d), robin.n_games // len(decks))
            for d, deck in enumerate(decks)
        ]
    return rows

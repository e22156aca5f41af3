"""What agents came to against each other, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from balance import Interval
from balance.metagame.round_robin import RoundRobin


class AgentRow(NamedTuple):
    """An agent: its rating, its win rate over all others, and what a turn costs."""

    agent: str
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int
    turn_ms: float


class PairRow(NamedTuple):
    """Two agents in the mirror of a deck, or in all of them."""

    a: str
    b: str
    deck: str
    win_rate: Annotated[Interval, ("win_rate_a", "low", "high")]
    n: int


ALL_DECKS = "(all)"


def agent_rows(names: Sequence[str], found: RoundRobin, turns_s: Sequence[float]) -> list[AgentRow]:
    """One row per agent, the strongest first."""
    n_games = found.n_games * (len(names) - 1)
    rows = [
        AgentRow(name, found.ratings.at(k), found.overall.at(k), n_games, 1000 * turns_s[k])
        for k, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: -float(row.rating.estimate))


def pair_rows(names: Sequence[str], decks: Sequence[str], found: RoundRobin) -> list[PairRow]:
    """One row per pair over all mirrors, and one in each."""
    rows = []
    for m, (a, b) in enumerate(found.pairs):
        rows.append(PairRow(names[a], names[b], ALL_DECKS, found.rates.at(m), found.n_games))
        rows += [
            PairRow(names[a], names[b], deck, found.by_deck.at(m, d), found.n_games // len(decks))
            for d, deck in enumerate(decks)
        ]
    return rows

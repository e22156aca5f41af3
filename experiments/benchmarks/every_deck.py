"""Games of all decks of a small pool against a field: the strongest decks, and their win rates.

A pool has 14 kinds of cards. Decks have seven kinds, two copies each, so there are 3,432 of them,
which a race plays all.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.cards.card_contest import CardContest, DeckRows
from balance.decks.halving import halve
from balance.metagame.field import Field, field_of, play_field
from balance.statistics.intervals import Counts, Floats, Interval, Positions
from sim.play import Agent, deck_row

PILOTS = ("aggro", "greedy")
COPIES = 2
KINDS_OF_A_POOL = 14
KINDS_OF_A_DECK = 7
EVERY_DECK: Counts = np.array([*combinations(range(KINDS_OF_A_POOL), KINDS_OF_A_DECK)])
"""Positions of the kinds of cards of every deck, shape [3432, 7]."""
FIRST_ROUND = 8
"""Games of each deck against each opponent in the first round of a race."""
_TO_CHOOSE = 4_000  # games per opponent of the decks among which one is chosen
_RACED = 30  # decks that a race leaves
_FEW = 16  # games against each opponent by which all decks are compared


class StrongDeck(NamedTuple):
    """The strongest of all decks against a field.

    Attributes:
        position: position of the deck in `EVERY_DECK`.
        pilot: name of the agent with which it is strongest.
        rate: its mean win rate against the field, in games that did not choose it.
    """

    position: int
    pilot: str
    rate: Interval


def strongest(
    contest: CardContest,
    seed: int,
    purpose: str,
    *,
    first_round: int = FIRST_ROUND,
    n_games: int = 20_000,
) -> StrongDeck:
    """Return the strongest of all decks with any of the pilots, found by races of all decks.

    Args:
        contest: decks of the field.
        seed: seed of the games.
        purpose: prefix of the names of the streams of game seeds.
        first_round: games of each deck against each opponent in the first round of a race.
        n_games: games per opponent that measure the deck which further games have chosen among
            the best of a race.
    """
    found = list[StrongDeck]()
    for agent in pilots():
        field = field_of(contest.piloted_by(agent))
        best = _race(field, agent, seed, f"{purpose}/{agent.name}", first_round)
        rates = _rates(field, agent, best, _TO_CHOOSE, seed, f"{purpose}/choose").estimate
        chosen = best[[int(np.argmax(rates))]]
        rate = _rates(field, agent, chosen, n_games, seed, f"{purpose}/measure").at(0)
        found.append(StrongDeck(int(chosen[0]), agent.name, rate))
    return max(found, key=lambda deck: float(deck.rate.estimate))


@cache
def pilots() -> tuple[Agent, ...]:
    """Return the agents that play all decks."""
    return tuple(map(agent_named, PILOTS))


def best_few(contest: CardContest, seed: int, purpose: str) -> tuple[Positions, Floats]:
    """Return the positions of strong decks by a few games, and their win rates in more games."""
    rates = [all_rates(contest, agent, seed, purpose) for agent in pilots()]
    top = np.argsort(-np.max(rates, axis=0), kind="stable")[:_RACED]
    return top, _worst_rates(contest, top, seed, f"{purpose}/top")


def off_pp(contest: CardContest, seed: int, n_games: int) -> float:
    """Return the largest distance of a matchup from 50 %, with any of the pilots, in points."""
    rates = np.stack([own_rates(contest, agent, seed, n_games) for agent in pilots()])
    return float(100 * np.abs(rates - 0.5).max())


def own_rates(contest: CardContest, agent: Agent, seed: int, n_games: int) -> Floats:
    """Return the win rates of the decks of the field against each other, shape [D, D]."""
    field = field_of(contest.piloted_by(agent))
    counts = play_field(
        field, contest.deck_rows, agent, n_games=n_games, run_seed=seed, purpose="planted/own"
    )
    return np.asarray(counts.points / n_games)


def _worst_rates(contest: CardContest, decks: Positions, seed: int, purpose: str) -> Floats:
    """Return the mean win rates of decks against the field, with the pilot that wins most."""
    rates = [
        _rates(
            field_of(contest.piloted_by(agent)), agent, decks, _TO_CHOOSE, seed, purpose
        ).estimate
        for agent in pilots()
    ]
    return np.asarray(np.max(rates, axis=0))


def all_rates(contest: CardContest, agent: Agent, seed: int, purpose: str) -> Floats:
    """Return the mean win rates of all decks against the field in a few games, shape [3432]."""
    field = field_of(contest.piloted_by(agent))
    counts = play_field(
        field, _every_row(), agent, n_games=_FEW, run_seed=seed, purpose=f"planted/{purpose}"
    )
    return np.asarray(field.score(counts.points) / _FEW)


def _race(field: Field, agent: Agent, seed: int, purpose: str, first_round: int) -> Positions:
    """Return the positions of the decks that a race of all decks leaves, best first."""

    def play(racing: Positions, n_games: int, first: int) -> Floats:
        counts = play_field(
            field,
            _every_row()[racing],
            agent,
            n_games=n_games,
            run_seed=seed,
            purpose=purpose,
            first_game=first,
        )
        return field.score(counts.points)

    order = halve(len(EVERY_DECK), play, first_round=first_round, keep=_RACED).order
    return np.asarray(order[:_RACED])


def _rates(
    field: Field, agent: Agent, decks: Positions, n_games: int, seed: int, purpose: str
) -> Interval:
    """Return the mean win rates of decks against a field, with intervals over seeds."""
    counts = play_field(
        field,
        _every_row()[decks],
        agent,
        n_games=n_games,
        run_seed=seed,
        purpose=purpose,
        keep_games=True,
    )
    return counts.score()


@cache
def _every_row() -> DeckRows:
    """Return all decks as rows for the simulator."""
    return np.stack([deck_row(np.repeat(kinds, COPIES).tolist()) for kinds in EVERY_DECK])

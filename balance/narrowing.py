"""Narrowing: which cards' numbers a search may move at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.card_contest import CardContest
from balance.levers import Levers
from balance.power import CardPower
from balance.search_space import SearchSpace
from balance.statistics.intervals import Interval
from sim.seeds import generator


@dataclass(frozen=True)
class Narrowing:
    """The outcome of narrowing.

    Attributes:
        by: what the scores are.
        scores: card to its score; larger is kept first.
        intervals: card to the signed estimate behind its score, where that was measured.
        kept: cards whose numbers may move.
        n_games: games spent on the scores.
        full: the space before.
        space: the space after.
    """

    by: str
    scores: Mapping[int, float]
    intervals: Mapping[int, Interval]
    kept: tuple[int, ...]
    n_games: int
    full: SearchSpace
    space: SearchSpace


def power_intervals(powers: Sequence[CardPower]) -> dict[int, Interval]:
    """Each card's power per copy in the deck where it is largest, up or down."""
    strongest: dict[int, Interval] = {}
    for power in powers:
        held = strongest.get(power.card)
        if held is None or abs(power.per_copy.estimate) > abs(held.estimate):
            strongest[power.card] = power.per_copy
    return strongest


def lever_intervals(levers: Levers, space: SearchSpace) -> dict[int, Interval]:
    """Each card's largest lever, up or down, over its numbers and all matchups."""
    strongest: dict[int, Interval] = {}
    for k, gene in enumerate(space.genes):
        m = int(np.argmax(np.abs(levers.slope.estimate[k])))
        lever = levers.slope.at(k, m)
        held = strongest.get(gene.owner)
        if held is None or abs(lever.estimate) > abs(held.estimate):
            strongest[gene.owner] = lever
    return strongest


def scores_of(intervals: Mapping[int, Interval]) -> dict[int, float]:
    """The size of each estimate: what cards are ranked by."""
    return {card: float(abs(interval.estimate)) for card, interval in intervals.items()}


def random_scores(space: SearchSpace, run_seed: int) -> dict[int, float]:
    """A random order of the cards: what any informed score has to beat."""
    numbers = generator(run_seed, "narrow").random(len(space.cards))
    return dict(zip(space.cards, numbers.tolist(), strict=True))


def no_scores(space: SearchSpace) -> dict[int, float]:
    """Scores for keeping everything."""
    return dict.fromkeys(space.cards, float("nan"))


def narrow(
    contest: CardContest,
    space: SearchSpace,
    scores: Mapping[int, float],
    *,
    by: str,
    keep: int,
    decks: Collection[str] | None = None,
    intervals: Mapping[int, Interval] | None = None,
    n_games: int = 0,
) -> Narrowing:
    """Keep the `keep` best cards of each deck, ties by id; with `by="none"`, all.

    Cards that may not move anyway are passed over, so a locked card takes no place.

    Args:
        contest: cards and players.
        space: all numbers that may move.
        scores: card to score.
        by: what the scores are.
        keep: cards per deck.
        decks: names of the decks that are tuned; default all.
        intervals: what was measured behind the scores, for the report.
        n_games: games spent on that, for the report.
    """
    pool, kept = contest.table.pool, set[int]()
    for player in contest.players:
        if decks is None or player.deck.name in decks:
            movable = set(player.deck.slots(pool)) & set(space.cards)
            ranked = sorted(movable, key=lambda card: (-scores[card], pool.cards[card].id))
            kept.update(ranked if by == "none" else ranked[:keep])
    ordered = tuple(card for card in space.cards if card in kept)
    narrowed = space.restricted_to(ordered)
    return Narrowing(by, dict(scores), dict(intervals or {}), ordered, n_games, space, narrowed)

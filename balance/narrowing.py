"""Narrowing: which cards' numbers a search may move at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.contest import Contest
from balance.levers import Levers
from balance.power import CardPower
from balance.search_space import SearchSpace
from sim.seeds import generator


@dataclass(frozen=True)
class Narrowing:
    """The outcome of narrowing.

    Attributes:
        by: what the scores are.
        scores: card to its score; larger is kept first.
        kept: cards whose numbers may move.
        full: the space before.
        space: the space after.
    """

    by: str
    scores: Mapping[int, float]
    kept: tuple[int, ...]
    full: SearchSpace
    space: SearchSpace


def power_scores(powers: Sequence[CardPower]) -> dict[int, float]:
    """Each card's largest absolute power per copy over the decks that hold it."""
    scores: dict[int, float] = {}
    for power in powers:
        size = abs(float(power.per_copy.estimate))
        scores[power.card] = max(size, scores.get(power.card, 0.0))
    return scores


def lever_scores(levers: Levers, space: SearchSpace) -> dict[int, float]:
    """Each card's largest lever over its numbers and all matchups."""
    scores: dict[int, float] = {}
    for gene, strength in zip(space.genes, levers.strength, strict=True):
        scores[gene.card] = max(float(strength), scores.get(gene.card, 0.0))
    return scores


def random_scores(space: SearchSpace, run_seed: int) -> dict[int, float]:
    """A random order of the cards: what any informed score has to beat."""
    numbers = generator(run_seed, "narrow").random(len(space.cards))
    return dict(zip(space.cards, numbers.tolist(), strict=True))


def no_scores(space: SearchSpace) -> dict[int, float]:
    """Scores for keeping everything."""
    return dict.fromkeys(space.cards, float("nan"))


def narrow(
    contest: Contest, space: SearchSpace, scores: Mapping[int, float], *, by: str, keep: int
) -> Narrowing:
    """Keep the `keep` best cards of each deck, ties by id; with `by="none"`, all.

    Cards that may not move anyway are passed over, so a locked card takes no place.
    """
    pool = contest.table.pool
    if by == "none":
        return Narrowing(by, dict(scores), space.cards, space, space)
    kept: set[int] = set()
    for player in contest.players:
        movable = set(player.deck.slots(pool)) & set(space.cards)
        ranked = sorted(movable, key=lambda card: (-scores[card], pool.cards[card].id))
        kept.update(ranked[:keep])
    ordered = tuple(card for card in space.cards if card in kept)
    return Narrowing(by, dict(scores), ordered, space, space.restricted_to(ordered))


def is_finite(score: float) -> bool:
    """Whether a card has a score at all."""
    return bool(np.isfinite(score))

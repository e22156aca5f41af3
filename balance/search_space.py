"""The numbers that a search may move, and how far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from balance.card_contest import CardContest
from balance.settings import Tune
from balance.statistics.arithmetic import log10, weighted_sum
from balance.statistics.intervals import Floats
from sim.cards.card import Card
from sim.errors import InputError, did_you_mean
from sim.play.table import Gene
from sim.ruleset import Ruleset

Steps = npt.NDArray[np.int16]


@dataclass(frozen=True)
class SearchSpace:
    """``K`` genes; a genome is ``[K]`` steps from today's numbers.

    Attributes:
        genes: the numbers.
        low: ``[K]`` lowest step of each, 0 or below.
        high: ``[K]`` highest step, 0 or above.
        weights: ``[K]`` what one step counts in `change`.
    """

    genes: tuple[Gene, ...]
    low: Steps
    high: Steps
    weights: Floats

    @property
    def log10_size(self) -> float:
        """How many genomes there are, as a power of ten."""
        return log10(prod((self.high.astype(int) - self.low + 1).tolist()))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards that some gene moves."""
        return tuple(dict.fromkeys(gene.card for gene in self.genes))

    def restricted_to(self, cards: Collection[int]) -> SearchSpace:
        """The same space with only the genes of `cards`."""
        kept = [k for k, gene in enumerate(self.genes) if gene.card in cards]
        return SearchSpace(
            tuple(self.genes[k] for k in kept), self.low[kept], self.high[kept], self.weights[kept]
        )

    def change(self, steps: Steps) -> Floats:
        """``[P]`` weighted sum of absolute steps of ``[P, K]`` genomes."""
        return weighted_sum(np.abs(steps), self.weights)

    def cards_touched(self, steps: Steps) -> npt.NDArray[np.int64]:
        """``[P]`` number of cards with an edit."""
        owners = np.array([gene.card for gene in self.genes])
        touched = [(steps[:, owners == card] != 0).any(axis=1) for card in self.cards]
        total: npt.NDArray[np.int64] = np.sum(touched, axis=0, dtype=np.int64)
        return total


def build_space(contest: CardContest, tune: Tune) -> SearchSpace:
    """All numbers that the experiment lets move.

    A card's own `tunable` ranges override the experiment's fields and steps; the ruleset's
    limits bind both.

    Raises:
        InputError: `tune` names an unknown deck or card, or nothing may move.
    """
    pool, ruleset = contest.table.pool, contest.table.ruleset
    locked = {pool.index(card_id) for card_id in _known_ids(tune.lock, [c.id for c in pool.cards])}
    genes, low, high = [], [], []
    for card in _cards_of(contest, tune):
        if card in locked:
            continue
        for field, (lowest, highest) in _ranges(pool.cards[card], tune, ruleset).items():
            present = pool.cards[card].number(field)
            if lowest < highest:
                genes.append(Gene(card, field))
                low.append(lowest - present)
                high.append(highest - present)
    if not genes:
        raise InputError("tune: no number may move (all cards locked, or all ranges of width 0)")
    weights = [tune.weights.of(gene.field) for gene in genes]
    return SearchSpace(
        tuple(genes), np.array(low, np.int16), np.array(high, np.int16), np.array(weights)
    )


def _known_ids(ids: Collection[str], known: Collection[str]) -> Collection[str]:
    for card_id in ids:
        if card_id not in known:
            raise InputError(f"tune.lock: no card {card_id!r}{did_you_mean(card_id, known)}")
    return ids


def _cards_of(contest: CardContest, tune: Tune) -> list[int]:
    """Cards of the decks to tune, in pool order."""
    names = [player.deck.name for player in contest.players]
    for name in tune.decks or ():
        if name not in names:
            raise InputError(f"tune.decks: no player has deck {name!r}{did_you_mean(name, names)}")
    wanted = names if tune.decks is None else tune.decks
    pool = contest.table.pool
    slots = [player.deck.slots(pool) for player in contest.players if player.deck.name in wanted]
    return sorted({card for deck in slots for card in deck})


def _ranges(card: Card, tune: Tune, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of each number of a card that may move."""
    ranges = {}
    for field in card.fields:
        if card.tunable is not None:
            if field not in card.tunable:
                continue
            lowest, highest = card.tunable[field]
        elif field.partition("_")[0] in tune.fields:
            lowest = card.number(field) - tune.max_steps
            highest = card.number(field) + tune.max_steps
        else:
            continue
        bounds = (card.possible(field), ruleset.limits.of(field))
        ranges[field] = (
            max(lowest, *(least for least, _ in bounds)),
            min(highest, *(most for _, most in bounds)),
        )
    return ranges

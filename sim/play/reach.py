"""Which cards games can reach: what decks hold, and what that may bring.

A card that no deck reaches is as good as absent. Whatever asks a pool for more than its decks'
cards (what a learner sees, whom a trained agent can play) asks for these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from sim import Deck, Pool, Ruleset
from sim.engine.layout import BLANK, DECK_POWER


def reachable(pool: Pool, ruleset: Ruleset, cards: Iterable[int]) -> tuple[int, ...]:
    """The numbers of all cards that games can reach in which decks hold `cards`, sorted.

    Args:
        pool: the cards.
        ruleset: the rules; where they deal a coin, that is reached too.
        cards: numbers of cards, and of hero powers.
    """
    everything = pool.everything
    numbers = {card.id: number for number, card in enumerate(everything)}
    waiting = set(cards)
    if ruleset.coin and pool.coin is not None:
        waiting.add(numbers[pool.coin])
    found: set[int] = set()
    while waiting:
        number = waiting.pop()
        found.add(number)
        card = everything[number]
        brought = {*card.options, *(name for row in card.effects for name in row.cards)}
        waiting |= {numbers[name] for name in brought} - found
    return tuple(sorted(found))


def reach_of_rows(pool: Pool, ruleset: Ruleset, rows: npt.NDArray[np.int16]) -> tuple[int, ...]:
    """As `reachable`, for deck rows ``[..., DECK_ROW_SIZE]`` (`sim.play.batch.deck_row`)."""
    held = rows[..., 1:] if ruleset.hero_powers else rows[..., 1:DECK_POWER]
    return reachable(pool, ruleset, set(np.unique(held).tolist()) - {BLANK})


def reach_of_decks(pool: Pool, ruleset: Ruleset, decks: Collection[Deck]) -> tuple[int, ...]:
    """As `reachable`, for whole decks.

    Raises:
        InputError: a deck's hero or a card is not in the pool.
    """
    cards = {number for deck in decks for number in deck.slots(pool)}
    if ruleset.hero_powers:
        cards |= {deck.power(pool) for deck in decks} - {BLANK}
    return reachable(pool, ruleset, cards)

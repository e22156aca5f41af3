"""Reachable cards: the cards of decks, and all cards that their effects can create or offer.

Other cards of the pool have no influence on games. Views of learners and checks of trained agents
therefore consider only the reachable cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from sim import Deck, Pool, Ruleset
from sim.engine.layout import BLANK, DECK_POWER


def reachable(pool: Pool, ruleset: Ruleset, cards: Iterable[int]) -> tuple[int, ...]:
    """Return the sorted numbers of all cards that can appear in games with given cards.

    Args:
        pool: pool that numbers the cards.
        ruleset: rules of the games; if they use the coin, the coin is reachable too.
        cards: numbers in the pool of the cards and hero powers of the decks.
    """
    everything = pool.everything
    numbers = {card.id: number for number, card in enumerate(everything)}
    pending = set(cards)
    if ruleset.coin and pool.coin is not None:
        pending.add(numbers[pool.coin])
    reached: set[int] = set()
    while pending:
        number = pending.pop()
        reached.add(number)
        card = everything[number]
        created = {*card.options, *(name for row in card.effects for name in row.cards)}
        pending |= {numbers[name] for name in created} - reached
    return tuple(sorted(reached))


def reach_of_rows(pool: Pool, ruleset: Ruleset, rows: npt.NDArray[np.int16]) -> tuple[int, ...]:
    """Return the sorted numbers of all cards that can appear in games with given deck rows.

    Args:
        pool: pool that numbers the cards.
        ruleset: rules of the games; hero powers are included only if these rules have them.
        rows: deck rows (`sim.play.batch.deck_row`), shape ``[..., DECK_ROW_SIZE]``.
    """
    held = rows[..., 1:] if ruleset.hero_powers else rows[..., 1:DECK_POWER]
    return reachable(pool, ruleset, set(np.unique(held).tolist()) - {BLANK})


def reach_of_decks(pool: Pool, ruleset: Ruleset, decks: Collection[Deck]) -> tuple[int, ...]:
    """Return the sorted numbers of all cards that can appear in games with given decks.

    Args:
        pool: pool that numbers the cards.
        ruleset: rules of the games; hero powers are included only if these rules have them.
        decks: decks that may be played.

    Raises:
        InputError: a deck's hero or a card is not in the pool.
    """
    cards = {number for deck in decks for number in deck.slots(pool)}
    if ruleset.hero_powers:
        cards |= {deck.power(pool) for deck in decks} - {BLANK}
    return reachable(pool, ruleset, cards)

"""Genetic operators on decks: crossover and mutation of multisets of cards.

An operator changes only the slots of the cards that it exchanges. A game draws slots, so a child
draws the same cards as its parent from all other slots. The paired comparison of parent and child
therefore has little noise.
"""

from __future__ import annotations

import numpy as np

from balance.decks.space import DeckSpace, Slots
from balance.statistics.intervals import Counts

# Probabilities of the operators: all chosen by hand, not tuned.
CROSSOVER_RATE = 0.7  # a child has cards of both parents; a usual value in genetic algorithms
# Probability that a child of an improved deck only combines the swaps of both parents, without a
# mutation: two good swaps are often good together.
JOIN_RATE = 0.4
# Probability that a mutation replaces all copies of a card instead of one: strong decks hold most
# cards as often as is permitted.
COPIES_RATE = 0.5
MUTATIONS = (0.7, 0.2, 0.1)  # probabilities that a child has one, two or three mutations
# Probability that a mutation of an improved deck changes a slot that is already swapped, so that
# the number of swaps does not always grow.
REVISION_RATE = 0.5
# Probability that a mutation of a swapped slot restores the original card, so that useless swaps
# disappear.
RETURN_RATE = 0.4


def breed(parents: Slots, space: DeckSpace, rng: np.random.Generator) -> Slots:
    """Return one child for each pair of consecutive parents.

    Children may be illegal; the caller must drop them.

    Args:
        parents: legal decks, in pairs of consecutive rows, shape [2 n, size].
        space: space of legal decks.
        rng: generator of the random choices, which is advanced.

    Returns:
        Children, shape [n, size], with unchanged cards in the slots of the first parent.
    """
    children = parents[0::2].copy()
    for child, other in zip(children, parents[1::2], strict=True):
        if space.origin is not None and rng.random() < JOIN_RATE:
            join(child, other, space.origin, rng)
            continue
        if rng.random() < CROSSOVER_RATE and _fit_together(child, other, space):
            cross(child, other, rng)
        for _ in range(1 + rng.choice(len(MUTATIONS), p=MUTATIONS)):
            mutate(child, space, rng)
    return children


def _fit_together(child: Slots, other: Slots, space: DeckSpace) -> bool:
    """Return whether the factions permit the cards of two decks in one deck."""
    if space.factions is None:
        return True
    held = space.counts(np.concatenate([child, other])[np.newaxis]) > 0
    return bool(space.fits_together(held)[0])


def cross(child: Slots, other: Slots, rng: np.random.Generator) -> None:
    """Replace about half of the cards of `child` that `other` lacks by cards that `child` lacks.

    Decks are compared as multisets, so no card gets more copies than it has in one of the decks.

    Args:
        child: deck that is changed in place, shape [size].
        other: second parent, shape [size].
        rng: generator of the random choices, which is advanced.
    """
    n_cards = int(max(child.max(), other.max())) + 1
    surplus = np.bincount(child, minlength=n_cards) - np.bincount(other, minlength=n_cards)
    gained = rng.permutation(np.repeat(np.arange(n_cards), np.maximum(-surplus, 0)))
    spare = rng.permutation(_last_slots(child, np.maximum(surplus, 0)))
    taken = spare[: rng.binomial(len(spare), 0.5)]
    child[taken] = gained[: len(taken)]


def join(child: Slots, other: Slots, origin: Slots, rng: np.random.Generator) -> None:
    """Add swaps of another deck to `child`, each with probability one half.

    A swap is skipped if `child` no longer has the card to replace. The result may have too many
    copies of a card.

    Args:
        child: deck that is changed in place, aligned with the origin (`align`), shape [size].
        other: second parent, aligned with the origin, shape [size].
        origin: deck that both parents improve, shape [size].
        rng: generator of the random choices, which is advanced.
    """
    for slot in rng.permutation(np.flatnonzero(other != origin)):
        held = np.flatnonzero(child == origin[slot])
        if len(held) and rng.random() < 0.5:
            child[held[-1]] = other[slot]


def mutate(child: Slots, space: DeckSpace, rng: np.random.Generator) -> None:
    """Replace one copy of a random card, or all its copies, by a card with free copies.

    In an improved deck the mutation may instead restore the original card of a slot. The deck stays
    unchanged if no other card has free copies.

    Args:
        child: deck that is changed in place, shape [size].
        space: space of legal decks.
        rng: generator of the random choices, which is advanced.
    """
    counts = np.bincount(child, minlength=len(space.most))
    slot = int(rng.integers(space.size))
    if space.origin is not None:
        changed = np.flatnonzero(child != space.origin)
        is_full = len(changed) >= space.swaps
        if len(changed) and (is_full or rng.random() < REVISION_RATE):
            slot = int(rng.choice(changed))
            before = space.origin[slot]
            if counts[before] < space.most[before] and rng.random() < RETURN_RATE:
                child[slot] = before
                return
    old = child[slot]
    open_cards = np.flatnonzero(counts < space.most)
    open_cards = open_cards[open_cards != old]
    if space.factions is not None:
        counts[old] -= 1
        open_cards = open_cards[space.joining(counts > 0)[open_cards]]
    if not len(open_cards):
        return
    new = int(rng.choice(open_cards))
    slots = np.array([slot])
    if rng.random() < COPIES_RATE:
        slots = np.flatnonzero(child == old)[: space.most[new] - counts[new]]
    child[slots] = new


def align(decks: Slots, origin: Slots) -> Slots:
    """Return equal decks with shared cards in the slots of the origin, shape [P, size].

    The cards that a deck shares with the origin are in the slots that they have in the origin. The
    remaining cards fill the last slots of the cards that they replace.

    Args:
        decks: decks to reorder, shape [P, size].
        origin: deck that they improve, shape [size].
    """
    settled = np.repeat(origin[np.newaxis], len(decks), axis=0)
    n_cards = int(max(decks.max(initial=0), origin.max())) + 1
    before = np.bincount(origin, minlength=n_cards)
    for row, deck in zip(settled, decks, strict=True):
        surplus = before - np.bincount(deck, minlength=n_cards)
        gained = np.repeat(np.arange(n_cards), np.maximum(-surplus, 0))
        row[_last_slots(origin, np.maximum(surplus, 0))] = gained
    return settled


def single_swaps(space: DeckSpace, origin: Slots) -> Slots:
    """Return all legal decks that differ from the origin in one card, shape [Q, size].

    Args:
        space: space of legal decks.
        origin: deck to improve, shape [size].
    """
    before = space.counts(origin[np.newaxis])[0]
    slots = _last_slots(origin, np.ones_like(before))
    decks = np.repeat(origin[np.newaxis], len(slots) * len(before), axis=0)
    rows = np.arange(len(decks))
    decks[rows, np.repeat(slots, len(before))] = np.tile(np.arange(len(before)), len(slots))
    return np.asarray(decks[space.legal(decks) & (space.n_swaps(decks) == 1)])


def _last_slots(deck: Slots, n_copies: Counts) -> Counts:
    """Return the positions of the last slots of each card in a deck, in rising order.

    Args:
        deck: card in each slot, shape [size].
        n_copies: number of slots to return for each card, shape [C].
    """
    # For each slot, the number of later slots with the same card.
    n_later = np.triu(deck[:, np.newaxis] == deck, k=1).sum(axis=1)
    return np.flatnonzero(n_later < n_copies[deck])

"""Children of decks: crossover and mutation of multisets that leave all other slots alone.

A draw brings a slot, so a child that keeps its parent's slots keeps its parent's luck, and the
two are compared by the cards in which they differ.
"""

from __future__ import annotations

import numpy as np

from balance.decks.space import DeckSpace, Slots
from balance.statistics.intervals import Counts

CROSSOVER_RATE = 0.7
JOIN_RATE = 0.4  # of children of an improved deck that have swaps of both parents and no more
COPIES_RATE = 0.5  # of mutations that replace all copies of a card rather than one
MUTATIONS = (0.7, 0.2, 0.1)  # how often a child has one, two, three mutations
REVISION_RATE = 0.5  # of mutations of a changed deck that touch what was changed
RETURN_RATE = 0.4  # of these that bring back the card that was there


def breed(parents: Slots, space: DeckSpace, rng: np.random.Generator) -> Slots:
    """Children of consecutive parents; they may break limits on several cards together.

    Args:
        parents: ``[2 n, size]`` legal decks.
        space: the legal decks.
        rng: consumed.

    Returns:
        ``[n, size]``, each in the slots of its first parent.
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
    """Whether a deck of both parents' cards keeps to one faction."""
    if space.factions is None:
        return True
    held = space.counts(np.concatenate([child, other])[np.newaxis]) > 0
    return bool(space.fits_together(held)[0])


def cross(child: Slots, other: Slots, rng: np.random.Generator) -> None:
    """Replace a random half of the cards that `other` lacks by cards that `child` lacks.

    Both are ``[size]``; the differences are those of multisets, so no card gets more copies
    than in one of the two.
    """
    n_cards = int(max(child.max(), other.max())) + 1
    surplus = np.bincount(child, minlength=n_cards) - np.bincount(other, minlength=n_cards)
    gained = rng.permutation(np.repeat(np.arange(n_cards), np.maximum(-surplus, 0)))
    spare = rng.permutation(_last_slots(child, np.maximum(surplus, 0)))
    taken = spare[: rng.binomial(len(spare), 0.5)]
    child[taken] = gained[: len(taken)]


def join(child: Slots, other: Slots, origin: Slots, rng: np.random.Generator) -> None:
    """Add to the swaps of `child` a random part of those by which `other` left the origin.

    All are ``[size]``, and those of an origin's space aligned with it. A card may get too many
    copies.
    """
    for slot in rng.permutation(np.flatnonzero(other != origin)):
        held = np.flatnonzero(child == origin[slot])
        if len(held) and rng.random() < 0.5:
            child[held[-1]] = other[slot]


def mutate(child: Slots, space: DeckSpace, rng: np.random.Generator) -> None:
    """Replace one card of ``[size]`` slots, or all its copies, by a card that has room."""
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


def aligned(decks: Slots, origin: Slots) -> Slots:
    """The same ``[P, size]`` decks with the cards of the origin in their slots there."""
    settled = np.repeat(origin[np.newaxis], len(decks), axis=0)
    n_cards = int(max(decks.max(initial=0), origin.max())) + 1
    before = np.bincount(origin, minlength=n_cards)
    for row, deck in zip(settled, decks, strict=True):
        surplus = before - np.bincount(deck, minlength=n_cards)
        gained = np.repeat(np.arange(n_cards), np.maximum(-surplus, 0))
        row[_last_slots(origin, np.maximum(surplus, 0))] = gained
    return settled


def single_swaps(space: DeckSpace, origin: Slots) -> Slots:
    """``[Q, size]`` every legal deck in which one card of the origin is another."""
    before = space.counts(origin[np.newaxis])[0]
    slots = _last_slots(origin, np.ones_like(before))
    decks = np.repeat(origin[np.newaxis], len(slots) * len(before), axis=0)
    rows = np.arange(len(decks))
    decks[rows, np.repeat(slots, len(before))] = np.tile(np.arange(len(before)), len(slots))
    return np.asarray(decks[space.legal(decks) & (space.n_swaps(decks) == 1)])


def _last_slots(deck: Slots, n_copies: Counts) -> Counts:
    """In slot order, the last slots of each card, as many as ``[C]`` `n_copies` says."""
    n_later = np.triu(deck[:, np.newaxis] == deck, k=1).sum(axis=1)
    return np.flatnonzero(n_later < n_copies[deck])

"""Space of legal decks: limits on size, copies, curve, collection, budget and swaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.decks.allowed_cards import Tagged, allowed_by, allowed_cards, factions
from balance.settings import BalanceSettings
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats
from sim import Deck, InputError, Pool, Ruleset, error_place
from sim.play.batch import BLANK
from sim.play.table import Table

Slots = npt.NDArray[np.int16]
"""Pool position of the card in each slot of a deck, shape [size], or of several, shape [P,
size]."""

# Relative tolerance of sums of prices: that of the integer programs, so that a deck which they
# find is never illegal here.
_ROUNDING = 1e-6


class Quota(NamedTuple):
    """Permitted numbers of cards with a label.

    Attributes:
        has_label: which cards have the label, shape [C].
        low: fewest of them in a deck.
        high: most of them in a deck.
    """

    has_label: Flags
    low: int
    high: int


@dataclass(frozen=True)
class DeckSpace:
    """The legal decks.

    Attributes:
        pool: the ``C`` cards.
        size: number of cards in a deck.
        copies: most copies of a card in general.
        limits: most copies of each card, at most `copies`, shape [C].
        curve: fewest and most cards of a cost, by cost.
        owned: copies of each card that the player owns, shape [C]; `None` if all are owned.
        prices: price of one copy of each card that is not owned, shape [C].
        budget: most that these copies may cost together; `None` if none may be bought.
        origin: slots of the deck to improve, shape [size]; `None` for a new deck.
        swaps: most cards of the original deck that are replaced.
        hero: hero of the decks, which may hold the hero's cards and neutral ones; `""` for neutral
            cards only.
        is_allowed: which cards the settings permit for any hero, shape [C]; `None` for all.
        allowed_by: names of the settings behind `is_allowed`, for messages.
        factions: cards that may be together in a deck, one row per faction, shape [F, C]; each deck
            keeps to one row. `None` if all may.
        quotas: quotas of cards with a label, by label.
    """

    pool: Pool
    size: int
    copies: int
    limits: Counts
    curve: Mapping[int, tuple[int, int]]
    owned: Counts | None
    prices: Floats
    budget: float | None
    origin: Slots | None
    swaps: int
    hero: str = ""
    is_allowed: Flags | None = None
    allowed_by: str = "only"
    factions: Flags | None = None
    quotas: Mapping[str, Quota] = field(default_factory=dict)

    @cached_property
    def power(self) -> int:
        """Number of the decks' hero power in the pool; `BLANK` if they have none."""
        return self.pool.number(self.pool.hero(self.hero).power) if self.hero else BLANK

    @cached_property
    def is_offered(self) -> Flags:
        """Whether decks of the hero may hold each card, shape [C]."""
        offered = np.array([card.hero in ("", self.hero) for card in self.pool.cards])
        if self.is_allowed is not None:
            offered &= self.is_allowed
        return offered if self.factions is None else offered & self.factions.any(axis=0)

    @cached_property
    def costs(self) -> Counts:
        """Mana cost of each card, shape [C]."""
        return np.array([card.cost for card in self.pool.cards])

    @cached_property
    def most(self) -> Counts:
        """Most copies of each card in a deck by the limits on single cards, shape [C]."""
        most = np.where(self.is_offered, np.minimum(self.limits, self.size), 0)
        return (
            most if self.owned is None or self.budget is not None else np.minimum(most, self.owned)
        )

    def counts(self, decks: Slots) -> Counts:
        """Return the copies of each card in each deck, shape [P, C].

        Args:
            decks: decks, shape [P, size].
        """
        counts = np.zeros((len(decks), len(self.pool.cards)), dtype=np.int64)
        np.add.at(counts, (np.arange(len(decks))[:, np.newaxis], decks), 1)
        return counts

    def price(self, decks: Slots) -> Floats:
        """Return the price of the copies of each deck that are not owned, shape [P].

        Args:
            decks: decks, shape [P, size].
        """
        if self.owned is None:
            return np.zeros(len(decks))
        bought = np.maximum(self.counts(decks) - self.owned, 0)
        return weighted_sum(bought, self.prices)

    def n_swaps(self, decks: Slots) -> Counts:
        """Return how many cards of the original deck each deck replaces, shape [P]; 0 without one.

        Args:
            decks: decks, shape [P, size].
        """
        if self.origin is None:
            return np.zeros(len(decks), dtype=np.int64)
        gone = self.counts(self.origin[np.newaxis]) - self.counts(decks)
        return np.asarray(np.maximum(gone, 0).sum(axis=1))

    @cached_property
    def holds_origin(self) -> bool:
        """Whether there is an original deck and it is legal itself."""
        return self.origin is not None and bool(self.legal(self.origin[np.newaxis])[0])

    def legal(self, decks: Slots) -> Flags:
        """Return whether each deck is legal, shape [P].

        Args:
            decks: decks, shape [P, size].
        """
        counts = self.counts(decks)
        fits: Flags = np.all(counts <= self.most, axis=1)
        for cost, (low, high) in self.curve.items():
            n_of_cost = counts[:, self.costs == cost].sum(axis=1)
            fits &= (low <= n_of_cost) & (n_of_cost <= high)
        for has_label, low, high in self.quotas.values():
            n_of_label = counts[:, has_label].sum(axis=1)
            fits &= (low <= n_of_label) & (n_of_label <= high)
        if self.factions is not None:
            fits &= self.fits_together(counts > 0)
        if self.budget is not None:
            fits &= self.price(decks) <= self.budget * (1 + _ROUNDING)
        if self.origin is not None:
            fits &= self.n_swaps(decks) <= self.swaps
        return fits

    def fits_together(self, held: Flags) -> Flags:
        """Return whether the cards of each deck may be together by their factions, shape [P].

        Args:
            held: which cards each deck holds, shape [P, C].
        """
        if self.factions is None:
            return np.ones(len(held), dtype=np.bool_)
        excluded = held[:, np.newaxis, :] & ~self.factions
        return np.asarray(~np.all(np.any(excluded, axis=2), axis=1))

    def joining(self, held: Flags) -> Flags:
        """Return which cards may be added to a deck by its faction, shape [C].

        Args:
            held: which cards the deck holds, shape [C].
        """
        if self.factions is None:
            return np.ones(len(held), dtype=np.bool_)
        fitting = ~np.any(held & ~self.factions, axis=1)
        return np.asarray(self.factions[fitting].any(axis=0))


def deck_space(
    table: Table,
    settings: BalanceSettings,
    origin: Deck | None = None,
    *,
    hero: str = "",
    opponents: Sequence[Deck] = (),
) -> DeckSpace:
    """Return the space of the decks that `settings.build` and `settings.collection` permit.

    Args:
        table: cards and rules.
        settings: the settings, of which `build` and `collection` count.
        origin: the deck to improve, of which all copies count as owned; `None` for a new deck.
        hero: hero of a new deck, if `settings.build.hero` names none.
        opponents: decks from which the size of a new deck is taken, if `settings.build.size` gives
            none: the most frequent size.

    Raises:
        InputError: a number exceeds the ruleset's, a card or hero is unknown, or a table is
            missing.
    """
    pool = table.pool
    build = settings.build
    tagged = Tagged(pool)
    slots = None if origin is None else np.array(origin.slots(pool), dtype=np.int16)
    copies = _copies(settings, table.ruleset)
    limits = _by_card(build.limits, pool, "build.limits", copies).astype(np.int64)
    return DeckSpace(
        pool=pool,
        size=_size(settings, table.ruleset, origin, opponents),
        copies=copies,
        limits=np.minimum(limits, copies),
        curve={int(cost): bounds for cost, bounds in build.curve.items()},
        owned=_owned_copies(settings, pool, slots),
        prices=_by_card(build.prices, pool, "build.prices", 1.0),
        budget=build.budget,
        origin=slots,
        swaps=build.swaps,
        hero=_hero(settings, pool, hero) if origin is None else origin.hero,
        is_allowed=allowed_cards(settings.build, tagged, origin),
        allowed_by=allowed_by(settings.build),
        factions=factions(settings.build, tagged) if origin is None else None,
        quotas={
            label: Quota(tagged.has(label), *bounds)
            for label, bounds in (build.quotas or {}).items()
        },
    )


def deck_of(slots: Slots, name: str, table: Table, hero: str = "") -> Deck:
    """Return the deck in some slots, its cards in the order of their first slots.

    A deck file lists each card once, so the deck's slots may be in another order than those given.

    Args:
        slots: cards of the deck, shape [size].
        name: name of the deck.
        table: cards and rules.
        hero: hero of the deck; `""` for none.
    """
    cards = Counter(table.pool.cards[position].id for position in slots.tolist())
    pool = table.pool.name
    ruleset = table.ruleset.name
    return Deck(name=name, pool=pool, ruleset=ruleset, hero=hero, cards=dict(cards))


def _hero(settings: BalanceSettings, pool: Pool, usual: str) -> str:
    """Return the hero of a new deck: the setting's, else the usual one.

    Raises:
        InputError: the pool has no such hero.
    """
    wanted = settings.build.hero
    if wanted is None:
        return usual
    with error_place("build.hero"):
        return pool.hero(wanted).id


def _size(
    settings: BalanceSettings, ruleset: Ruleset, origin: Deck | None, opponents: Sequence[Deck]
) -> int:
    """Return the number of cards of a deck: the original deck's, the setting's, or the usual one.

    Raises:
        InputError: it differs from the original deck's, or the ruleset excludes it.
    """
    wanted = settings.build.size
    if origin is not None:
        if wanted not in {None, origin.n_cards}:
            raise InputError(
                f"{wanted}: deck {origin.name!r} has {origin.n_cards} cards, and swaps do not "
                "change that",
                place="build.size",
                value=wanted,
                limit=origin.n_cards,
                separator=" = ",
            )
        return origin.n_cards
    size = _usual_size(opponents, ruleset) if wanted is None else wanted
    if size > ruleset.deck_limit:
        raise InputError(
            f"{size} must be at most {ruleset.deck_limit} (deck_limit of ruleset {ruleset.name!r})",
            place="build.size",
            value=size,
            limit=ruleset.deck_limit,
            separator=" = ",
        )
    to_deal = max(ruleset.opening_hand)
    if ruleset.deck_out == "lose" and size < to_deal:
        raise InputError(
            f"{size} must be at least {to_deal} (opening_hand of ruleset {ruleset.name!r}), or "
            "players lose while the first cards are dealt",
            place="build.size",
            value=size,
            limit=to_deal,
            separator=" = ",
        )
    return size


def _usual_size(opponents: Sequence[Deck], ruleset: Ruleset) -> int:
    """Return the most frequent number of cards of some decks; of several the largest."""
    sizes = Counter(deck.n_cards for deck in opponents)
    return max(sizes, key=lambda size: (sizes[size], size), default=ruleset.deck_limit)


def _copies(settings: BalanceSettings, ruleset: Ruleset) -> int:
    """Return the most copies of a card: the setting, else the ruleset's limit.

    Raises:
        InputError: the setting exceeds the ruleset's limit.
    """
    copies = ruleset.copy_limit if settings.build.copies is None else settings.build.copies
    if copies > ruleset.copy_limit:
        raise InputError(
            f"{copies} must be at most {ruleset.copy_limit} (copy_limit of ruleset "
            f"{ruleset.name!r})",
            place="build.copies",
            value=copies,
            limit=ruleset.copy_limit,
            separator=" = ",
        )
    return copies


def _owned_copies(settings: BalanceSettings, pool: Pool, origin: Slots | None) -> Counts | None:
    """Return the copies that the player owns, shape [C]; `None` without a collection.

    Raises:
        InputError: there is a budget but no collection, or a card is unknown.
    """
    if settings.collection is None:
        if settings.build.budget is not None:
            raise InputError(
                f"{settings.build.budget:g}: without a [collection] all cards are owned and none "
                "is bought",
                place="build.budget",
                value=settings.build.budget,
                remedy="add a [collection], which may be empty",
                separator=" = ",
            )
        return None
    owned = _by_card(settings.collection, pool, "collection", 0).astype(np.int64)
    if origin is not None:
        owned = np.maximum(owned, np.bincount(origin, minlength=len(pool.cards)))
    return owned


def _by_card(values: Mapping[str, float], pool: Pool, place: str, default: float) -> Floats:
    """Return a value for each card of a pool, shape [C].

    Args:
        values: values by card id.
        pool: the cards.
        place: name of the setting, for messages.
        default: value of the cards without an entry.

    Raises:
        InputError: a card is unknown.
    """
    by_card = np.full(len(pool.cards), default, dtype=np.float64)
    for card, value in values.items():
        with error_place(place):
            by_card[pool.index(card)] = value
    return by_card

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
from balance.settings.tables import BalanceSettings
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats
from sim import Deck, InputError, Pool, Ruleset, error_place
from sim.play.batch import BLANK
from sim.play.table import Table
from sim.value_error import value_error

Slots = npt.NDArray[np.int16]
"""Position in the pool of the card in each slot of one deck, shape [size], or of several decks,
shape [P, size].
"""

# Relative tolerance of sums of prices: that of the integer programs, so that a deck that a program
# finds is never illegal here.
_ROUNDING = 1e-6


class Quota(NamedTuple):
    """Limits on the number of cards with a label in a deck.

    Attributes:
        has_label: whether each card has the label, shape [C].
        low: minimum number of cards with the label in a deck.
        high: maximum number of cards with the label in a deck.
    """

    has_label: Flags
    low: int
    high: int


@dataclass(frozen=True)
class DeckSpace:
    """Space of legal decks, defined by limits on their cards.

    Attributes:
        pool: pool with the ``C`` cards.
        size: number of cards in a deck.
        copies: maximum number of copies of any card.
        limits: maximum number of copies of each card, not above `copies`, shape [C].
        curve: minimum and maximum number of cards of a mana cost, by cost.
        owned: number of copies of each card that the player owns, shape [C]; `None` if the player
            owns all cards.
        prices: price of one copy of each card that is not owned, shape [C].
        budget: maximum total price of the copies that are not owned; `None` if no copy may be
            bought.
        origin: slots of the deck to improve, shape [size]; `None` for a new deck.
        swaps: maximum number of cards of the original deck that are replaced.
        hero: id of the decks' hero; they may hold cards of the hero and neutral cards. `""` permits
            neutral cards only.
        is_allowed: whether the settings permit each card, shape [C]; `None` if they permit all.
        allowed_by: names of the settings that determine `is_allowed`, for messages.
        factions: whether a deck of each faction may hold each card, shape [F, C]; all cards of a
            deck must be permitted by one row. `None` if there are no factions.
        quotas: limits on the number of cards with a label, by label.
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
        """Number of the hero power in the pool; `BLANK` if the decks have no hero."""
        return self.pool.number(self.pool.hero(self.hero).power) if self.hero else BLANK

    @cached_property
    def is_offered(self) -> Flags:
        """Whether hero, settings and factions permit each card in a deck, shape [C]."""
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
        """Maximum number of copies of each card by the limits on single cards, shape [C].

        The collection limits the copies only if no card may be bought.
        """
        most = np.where(self.is_offered, np.minimum(self.limits, self.size), 0)
        return (
            most if self.owned is None or self.budget is not None else np.minimum(most, self.owned)
        )

    def counts(self, decks: Slots) -> Counts:
        """Return the number of copies of each card in each deck, shape [P, C].

        Args:
            decks: slots of the decks, shape [P, size].
        """
        counts = np.zeros((len(decks), len(self.pool.cards)), dtype=np.int64)
        np.add.at(counts, (np.arange(len(decks))[:, np.newaxis], decks), 1)
        return counts

    def price(self, decks: Slots) -> Floats:
        """Return the total price of the copies in each deck that are not owned, shape [P].

        The prices are 0 if the player owns all cards.

        Args:
            decks: slots of the decks, shape [P, size].
        """
        if self.owned is None:
            return np.zeros(len(decks))
        bought = np.maximum(self.counts(decks) - self.owned, 0)
        return weighted_sum(bought, self.prices)

    def n_swaps(self, decks: Slots) -> Counts:
        """Return the number of cards of the original deck that each deck replaces, shape [P].

        All numbers are 0 if there is no original deck.

        Args:
            decks: slots of the decks, shape [P, size].
        """
        if self.origin is None:
            return np.zeros(len(decks), dtype=np.int64)
        removed = self.counts(self.origin[np.newaxis]) - self.counts(decks)
        return np.asarray(np.maximum(removed, 0).sum(axis=1))

    @cached_property
    def holds_origin(self) -> bool:
        """Whether there is an original deck that is legal itself."""
        return self.origin is not None and bool(self.legal(self.origin[np.newaxis])[0])

    def legal(self, decks: Slots) -> Flags:
        """Return whether each deck satisfies all limits of the space, shape [P].

        Args:
            decks: slots of the decks, shape [P, size].
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
        """Return whether at least one faction permits all cards of each deck, shape [P].

        Args:
            held: whether each deck holds each card, shape [P, C].
        """
        if self.factions is None:
            return np.ones(len(held), dtype=np.bool_)
        excluded = held[:, np.newaxis, :] & ~self.factions
        return np.asarray(~np.all(np.any(excluded, axis=2), axis=1))

    def joining(self, held: Flags) -> Flags:
        """Return whether the factions permit adding each card to a deck, shape [C].

        A faction counts if it permits all present cards of the deck.

        Args:
            held: whether the deck holds each card, shape [C].
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
        table: table with the pool and the ruleset.
        settings: settings of the run, of which `build` and `collection` count.
        origin: deck to improve, of which all copies count as owned; `None` for a new deck.
        hero: id of a new deck's hero if `settings.build.hero` is not set.
        opponents: decks of which the most frequent size is the size of a new deck if
            `settings.build.size` is not set.

    Raises:
        InputError: a number is outside the limits of the ruleset, the size differs from that of the
            original deck, a card or hero is unknown, or there is a budget but no collection.
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
    """Return a deck with the cards in the given slots.

    A deck lists each card once, in the order of first slots, so its slots may be in a different
    order.

    Args:
        slots: position in the pool of the card in each slot, shape [size].
        name: name of the deck.
        table: table with the pool and the ruleset.
        hero: id of the deck's hero; `""` for a deck without a hero.
    """
    cards = Counter(table.pool.cards[position].id for position in slots.tolist())
    pool = table.pool.name
    ruleset = table.ruleset.name
    return Deck(name=name, pool=pool, ruleset=ruleset, hero=hero, cards=dict(cards))


def _hero(settings: BalanceSettings, pool: Pool, usual: str) -> str:
    """Return the hero of a new deck: `settings.build.hero`, or `usual` if it is not set.

    Raises:
        InputError: the pool does not have the hero of the setting.
    """
    hero = settings.build.hero
    if hero is None:
        return usual
    with error_place("build.hero"):
        return pool.hero(hero).id


def _size(
    settings: BalanceSettings, ruleset: Ruleset, origin: Deck | None, opponents: Sequence[Deck]
) -> int:
    """Return the number of cards of a deck.

    It is that of the original deck. For a new deck it is `settings.build.size`, or the most
    frequent size of the opponents if the setting is not set.

    Raises:
        InputError: the setting differs from the size of the original deck, or the ruleset excludes
            the size of a new deck.
    """
    requested = settings.build.size
    if origin is not None:
        if requested not in {None, origin.n_cards}:
            raise InputError(
                f"{requested} must be {origin.n_cards}, the size of deck {origin.name!r}, which "
                "swaps do not change",
                place="build.size",
                value=requested,
                limit=origin.n_cards,
                remedy="leave build.size out",
                separator=" = ",
            )
        return origin.n_cards
    size = _usual_size(opponents, ruleset) if requested is None else requested
    if size > ruleset.deck_limit:
        raise value_error(
            "build.size",
            size,
            f"must be at most {ruleset.deck_limit} (deck_limit of ruleset {ruleset.name!r})",
            limit=ruleset.deck_limit,
        )
    to_deal = max(ruleset.opening_hand)
    if ruleset.deck_out == "lose" and size < to_deal:
        raise value_error(
            "build.size",
            size,
            f"must be at least {to_deal} (opening_hand of ruleset {ruleset.name!r}), since a "
            "player loses if the deck is smaller than the opening hand",
            limit=to_deal,
        )
    return size


def _usual_size(opponents: Sequence[Deck], ruleset: Ruleset) -> int:
    """Return the most frequent number of cards of the opponents' decks.

    If several numbers are equally frequent, the largest is returned; without opponents it is the
    deck limit of the ruleset.
    """
    sizes = Counter(deck.n_cards for deck in opponents)
    return max(sizes, key=lambda size: (sizes[size], size), default=ruleset.deck_limit)


def _copies(settings: BalanceSettings, ruleset: Ruleset) -> int:
    """Return the maximum number of copies of a card: the setting, or the ruleset's copy limit.

    Raises:
        InputError: the setting exceeds the ruleset's limit.
    """
    copies = ruleset.copy_limit if settings.build.copies is None else settings.build.copies
    if copies > ruleset.copy_limit:
        raise value_error(
            "build.copies",
            copies,
            f"must be at most {ruleset.copy_limit} (copy_limit of ruleset {ruleset.name!r})",
            limit=ruleset.copy_limit,
        )
    return copies


def _owned_copies(settings: BalanceSettings, pool: Pool, origin: Slots | None) -> Counts | None:
    """Return the number of copies of each card that the player owns, shape [C].

    All copies of the original deck count as owned. The result is `None` if there is no collection.

    Raises:
        InputError: there is a budget but no collection, or a card is unknown.
    """
    if settings.collection is None:
        if settings.build.budget is not None:
            raise InputError(
                f"{settings.build.budget:g} needs a [collection], since without one all cards "
                "count as owned",
                place="build.budget",
                value=settings.build.budget,
                remedy="add a [collection], which may be empty, or leave build.budget out",
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
        values: values of some cards, by card id.
        pool: pool with the ``C`` cards.
        place: name of the setting that has the values, for messages.
        default: value of cards without an entry in `values`.

    Raises:
        InputError: the pool does not have a card of `values`.
    """
    by_card = np.full(len(pool.cards), default, dtype=np.float64)
    for card, value in values.items():
        with error_place(place):
            by_card[pool.index(card)] = value
    return by_card

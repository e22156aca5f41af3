"""Legal decks: size, copies, curve, what is owned, what may be bought, what may move."""

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
"""A deck, ``[size]``, or several, ``[P, size]``: the pool position of the card in each slot."""

_ROUNDING = 1e-6  # of sums of prices, as integer programs allow it


class Quota(NamedTuple):
    """How many cards of a deck may have a label."""

    has_label: Flags
    low: int
    high: int


@dataclass(frozen=True)
class DeckSpace:
    """The legal decks.

    Attributes:
        pool: the ``C`` cards.
        size: cards in a deck.
        copies: most copies of one card.
        limits: ``[C]`` the same of each card: fewer of some.
        curve: by cost, the fewest and the most cards of that cost.
        owned: ``[C]`` copies that are owned; `None` for all of all.
        prices: ``[C]`` what a copy that is not owned costs.
        budget: most that these copies may cost together; `None` if none may be bought.
        origin: ``[size]`` slots of the deck that is changed; `None` if a deck is built anew.
        swaps: most cards of the origin that are replaced.
        hero: who plays the decks, and whose cards they may hold besides nobody's; `""` for decks
            that belong to nobody.
        is_allowed: ``[C]`` whether decks may hold each card, whatever their hero; `None` for all.
        allowed_by: the settings that say so.
        factions: ``[F, C]`` which cards may be together, as those of one faction and of none; a
            deck keeps to one row. `None` if all may.
        quotas: by label, which ``[C]`` cards have it, and the fewest and the most of them.
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
        """The pool's number of the hero power of all decks; `BLANK` if they have none."""
        return self.pool.number(self.pool.hero(self.hero).power) if self.hero else BLANK

    @cached_property
    def is_offered(self) -> Flags:
        """``[C]`` whether the hero's decks may hold each card."""
        offered = np.array([card.hero in ("", self.hero) for card in self.pool.cards])
        if self.is_allowed is not None:
            offered &= self.is_allowed
        return offered if self.factions is None else offered & self.factions.any(axis=0)

    @cached_property
    def costs(self) -> Counts:
        """``[C]`` mana that each card costs."""
        return np.array([card.cost for card in self.pool.cards])

    @cached_property
    def most(self) -> Counts:
        """``[C]`` copies of each card that a deck may have, as far as one card alone decides."""
        most = np.where(self.is_offered, np.minimum(self.limits, self.size), 0)
        return (
            most if self.owned is None or self.budget is not None else np.minimum(most, self.owned)
        )

    def counts(self, decks: Slots) -> Counts:
        """``[P, C]`` copies of each card."""
        counts = np.zeros((len(decks), len(self.pool.cards)), dtype=np.int64)
        np.add.at(counts, (np.arange(len(decks))[:, np.newaxis], decks), 1)
        return counts

    def price(self, decks: Slots) -> Floats:
        """``[P]`` what the copies that are not owned cost."""
        if self.owned is None:
            return np.zeros(len(decks))
        bought = np.maximum(self.counts(decks) - self.owned, 0)
        return weighted_sum(bought, self.prices)

    def n_swaps(self, decks: Slots) -> Counts:
        """``[P]`` cards of the origin that are replaced; 0 if there is no origin."""
        if self.origin is None:
            return np.zeros(len(decks), dtype=np.int64)
        gone = self.counts(self.origin[np.newaxis]) - self.counts(decks)
        return np.asarray(np.maximum(gone, 0).sum(axis=1))

    @cached_property
    def holds_origin(self) -> bool:
        """Whether there is an origin and it is legal as it is."""
        return self.origin is not None and bool(self.legal(self.origin[np.newaxis])[0])

    def legal(self, decks: Slots) -> Flags:
        """``[P]`` whether each deck is legal."""
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
        """``[P]`` whether the cards that each deck holds, ``[P, C]``, are of one faction."""
        if self.factions is None:
            return np.ones(len(held), dtype=np.bool_)
        strangers = held[:, np.newaxis, :] & ~self.factions
        return np.asarray(~np.all(np.any(strangers, axis=2), axis=1))

    def joining(self, held: Flags) -> Flags:
        """``[C]`` which cards fit together with those that a deck holds, ``[C]``."""
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
    """The decks that `settings.build` and `settings.collection` allow.

    Args:
        table: cards and rules.
        settings: what is allowed.
        origin: the deck that is changed; the copies that it has count as owned.
        hero: who plays a deck that is built anew, unless `settings.build.hero` says.
        opponents: a deck that is built anew has as many cards as most of these, unless
            `settings.build.size` says.

    Raises:
        InputError: a number is beyond the ruleset's, a card or hero is unknown, or a table is
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
        owned=_owned(settings, pool, slots),
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
    """The deck in ``[size]`` slots, its cards in the order of their first slots.

    A deck's copies of a card are neighbours, so its slots may be others than those given.
    """
    cards = Counter(table.pool.cards[position].id for position in slots.tolist())
    pool = table.pool.name
    ruleset = table.ruleset.name
    return Deck(name=name, pool=pool, ruleset=ruleset, hero=hero, cards=dict(cards))


def _hero(settings: BalanceSettings, pool: Pool, usual: str) -> str:
    wanted = settings.build.hero
    if wanted is None:
        return usual
    with error_place("build.hero"):
        return pool.hero(wanted).id


def _size(
    settings: BalanceSettings, ruleset: Ruleset, origin: Deck | None, opponents: Sequence[Deck]
) -> int:
    wanted = settings.build.size
    if origin is not None:
        if wanted not in {None, origin.n_cards}:
            raise InputError(
                f"build.size = {wanted}: deck {origin.name!r} has {origin.n_cards} cards, and "
                "swaps leave it so"
            )
        return origin.n_cards
    size = _usual_size(opponents, ruleset) if wanted is None else wanted
    if size > ruleset.deck_limit:
        raise InputError(
            f"build.size = {size} must be at most {ruleset.deck_limit} (deck_limit of ruleset "
            f"{ruleset.name!r})"
        )
    to_deal = max(ruleset.opening_hand)
    if ruleset.deck_out == "lose" and size < to_deal:
        raise InputError(
            f"build.size = {size} must be at least {to_deal} (opening_hand of ruleset "
            f"{ruleset.name!r}): the game would be lost while dealing"
        )
    return size


def _usual_size(opponents: Sequence[Deck], ruleset: Ruleset) -> int:
    """As many cards as most opponents have, of several such numbers the largest."""
    sizes = Counter(deck.n_cards for deck in opponents)
    return max(sizes, key=lambda size: (sizes[size], size), default=ruleset.deck_limit)


def _copies(settings: BalanceSettings, ruleset: Ruleset) -> int:
    copies = ruleset.copy_limit if settings.build.copies is None else settings.build.copies
    if copies > ruleset.copy_limit:
        raise InputError(
            f"build.copies = {copies} must be at most {ruleset.copy_limit} (copy_limit of ruleset "
            f"{ruleset.name!r})"
        )
    return copies


def _owned(settings: BalanceSettings, pool: Pool, origin: Slots | None) -> Counts | None:
    if settings.collection is None:
        if settings.build.budget is not None:
            raise InputError(
                f"build.budget = {settings.build.budget:g}: without a [collection] all cards are "
                "owned and none is bought; an empty [collection] owns none"
            )
        return None
    owned = _by_card(settings.collection, pool, "collection", 0).astype(np.int64)
    if origin is not None:
        owned = np.maximum(owned, np.bincount(origin, minlength=len(pool.cards)))
    return owned


def _by_card(values: Mapping[str, float], pool: Pool, place: str, default: float) -> Floats:
    """``[C]`` the values of the cards that have one, and the default of the others."""
    by_card = np.full(len(pool.cards), default, dtype=np.float64)
    for card, value in values.items():
        with error_place(place):
            by_card[pool.index(card)] = value
    return by_card

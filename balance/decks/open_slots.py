"""Vacant slots of a deck with missing cards, and the cards that may fill these slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import DeckRows
from balance.decks.allowed_cards import Tagged
from balance.settings.tables import CopyCount
from balance.statistics.intervals import Flags
from sim import Deck, InputError, Pool, Ruleset, did_you_mean, error_place
from sim.arguments import Arguments
from sim.errors import listed
from sim.short_repr import short_repr

_COLLECTION = Arguments(collection=dict[str, CopyCount])

Filling = tuple[int, ...]
"""Position in the pool of the card that fills each vacancy, in the order of the vacancies."""


class Vacancy(NamedTuple):
    """Slots of a deck that are filled with copies of the same substitute.

    Attributes:
        card: position in the pool of the missing card.
        slots: positions of the vacant slots in the deck.
    """

    card: int
    slots: tuple[int, ...]


@dataclass(frozen=True)
class Vacancies:
    """All slots of a deck that substitutes must fill.

    Attributes:
        open: vacancies of the deck, at least one.
        kept: number of copies that remain in the deck, by position of the card in the pool.
        most: maximum number of copies in the deck, by position of the card in the pool. A card
            without an entry may not be used.
        limits: names of the limits that determine `most`, for messages.
    """

    open: tuple[Vacancy, ...]
    kept: Mapping[int, int]
    most: Mapping[int, int]
    limits: str = "copy limit and collection"

    def __repr__(self) -> str:
        return short_repr(self, "open", "limits", kept=sum(self.kept.values()))

    @property
    def missing(self) -> tuple[int, ...]:
        """Positions in the pool of the missing cards, without repeats."""
        return tuple(dict.fromkeys(vacancy.card for vacancy in self.open))

    def stand_ins(self, vacancy: Vacancy) -> list[int]:
        """Return the positions in the pool of the cards that may fill one vacancy alone.

        All other vacancies count as empty. A missing card is never returned.

        Args:
            vacancy: vacancy to fill.
        """
        return [
            card
            for card, most in self.most.items()
            if card not in self.missing and self.kept.get(card, 0) + len(vacancy.slots) <= most
        ]

    def is_legal(self, filling: Sequence[int]) -> bool:
        """Return whether a filling keeps within the maximum number of copies of each card.

        Args:
            filling: cards of the first vacancies; may be shorter than `open`.
        """
        copies = self.copies_of(filling)
        return all(self.kept.get(card, 0) + n <= self.most[card] for card, n in copies.items())

    def copies_of(self, filling: Sequence[int]) -> Counter[int]:
        """Return the number of copies of each card that a filling adds.

        Args:
            filling: cards of the first vacancies; may be shorter than `open`.
        """
        places = zip(filling, self.open, strict=False)
        return Counter(card for card, vacancy in places for _ in vacancy.slots)

    def best_fillings(self, scores: Sequence[Mapping[int, float]], most: int) -> list[Filling]:
        """Return legal fillings with the largest sums of scores, best first, by a beam search.

        The search is exact for one vacancy, and for several if at most `most` partial fillings are
        legal. Ties are broken by the positions of the cards.

        Args:
            scores: scores of the cards that may fill each vacancy, by position in the pool.
            most: maximum number of fillings that are kept and returned.
        """
        beam: list[tuple[float, Filling]] = [(0.0, ())]
        for options in scores:
            longer = [
                (total + score, (*filling, card))
                for total, filling in beam
                for card, score in options.items()
            ]
            longer.sort(key=lambda entry: (-entry[0], entry[1]))
            beam = [entry for entry in longer if self.is_legal(entry[1])][:most]
        return [filling for _, filling in beam]

    def some_filling(self) -> Filling | None:
        """Return a legal filling, found by a greedy method, or `None` if it fails.

        The largest vacancies are filled first, each with the suitable card that has the fewest free
        copies. The method finds an existing filling if no card has more than three copies.
        """
        n_free = {card: most - self.kept.get(card, 0) for card, most in self.most.items()}
        chosen: dict[int, int] = {}  # substitute by position of its vacancy in `open`
        for k in sorted(range(len(self.open)), key=lambda k: -len(self.open[k].slots)):
            n_slots = len(self.open[k].slots)
            candidates = [card for card in self.stand_ins(self.open[k]) if n_free[card] >= n_slots]
            if not candidates:
                return None
            chosen[k] = min(candidates, key=lambda card: (n_free[card], card))
            n_free[chosen[k]] -= n_slots
        return tuple(chosen[k] for k in range(len(self.open)))

    def require_filling(self, pool: Pool) -> None:
        """Check that `some_filling` finds cards for all vacancies.

        Args:
            pool: pool with the names of the cards, for the message.

        Raises:
            InputError: no legal filling was found; the message names the missing cards and the
                number of free copies.
        """
        if self.some_filling() is not None:
            return
        missing = ", ".join(repr(pool.cards[card].id) for card in self.missing)
        n_places = sum(len(vacancy.slots) for vacancy in self.open)
        cards = {card for vacancy in self.open for card in self.stand_ins(vacancy)}
        n_free = sum(self.most[card] - self.kept.get(card, 0) for card in cards)
        raise InputError(
            f"their {n_places} slots cannot all be filled, because {self.limits} leave only "
            f"{n_free} copies of possible substitutes",
            place=f"cards {missing}",
            value=n_places,
            limit=n_free,
            remedy="relax one of these limits",
        )

    def fill(self, row: DeckRows, filling: Sequence[int]) -> DeckRows:
        """Return a copy of a deck row with a filling in the vacant slots.

        Args:
            row: row of the intact deck (`sim.play.batch.deck_row`).
            filling: cards of all vacancies.
        """
        filled = row.copy()
        for card, vacancy in zip(filling, self.open, strict=True):
            filled[1 + np.array(vacancy.slots)] = card
        return filled


def find_vacancies(
    deck: Deck,
    pool: Pool,
    ruleset: Ruleset,
    missing: Sequence[str] = (),
    collection: Mapping[str, int] | None = None,
    *,
    only: Sequence[str] | None = None,
    within: Sequence[str] | str | None = None,
) -> Vacancies:
    """Return the vacant slots of a deck with missing cards, and the limits on substitutes.

    Copies in the last slots of a card are the missing ones.

    Args:
        deck: deck with the missing cards.
        pool: pool of the deck's cards.
        ruleset: ruleset that limits the copies of a card.
        missing: ids of the missing cards; if empty, all cards of which the collection has fewer
            copies than the deck.
        collection: number of copies that the player owns, by card id; cards without an entry are
            not owned. If `None`, all copies of the cards in `missing` are missing, and all other
            cards are owned.
        only: labels `tag:TAG` of which a substitute must have at least one; `None` permits all
            cards.
        within: labels such as those of the factions. A substitute must have none of them, or share
            one with a card of the deck. `None` permits all cards.

    Raises:
        InputError: a card is not in the deck, is not missing, or has no possible substitute; or the
            collection names an unknown card or an invalid number of copies.
    """
    slots = deck.slots(pool)
    check_collection(collection or {}, pool)
    for card_id in missing:
        pool.index(card_id)
        if card_id not in deck.cards:
            raise InputError(
                f"is not in deck {deck.name!r}, which has {', '.join(deck.cards)}",
                place=f"card {card_id!r}",
                value=card_id,
                limit=tuple(deck.cards),
                remedy=did_you_mean(card_id, list(deck.cards)),
                separator=" ",
            )
    owned = dict.fromkeys((card.id for card in pool.cards), ruleset.copy_limit)
    if collection is not None:
        owned = {card_id: collection.get(card_id, 0) for card_id in owned}
    named = dict.fromkeys(missing) or [card for card, n in deck.cards.items() if owned[card] < n]
    if not named:
        raise InputError(
            "the collection has all its cards",
            place=f"deck {deck.name!r}",
            remedy="name the cards to replace",
        )
    lacking = {
        card: deck.cards[card] - (owned[card] if collection is not None else 0) for card in named
    }
    for card_id, n in lacking.items():
        if n <= 0:
            raise InputError(
                f"is not missing: the collection has {owned[card_id]} of the "
                f"{deck.cards[card_id]} copies in deck {deck.name!r}",
                place=f"card {card_id!r}",
                value=card_id,
                separator=" ",
            )
    n_missing = {pool.index(card_id): n for card_id, n in lacking.items()}
    slots_of = {
        card: [slot for slot, held in enumerate(slots) if held == card] for card in n_missing
    }
    open_slots = tuple(Vacancy(card, tuple(slots_of[card][-n:])) for card, n in n_missing.items())
    kept = Counter(slots)
    kept.subtract(n_missing)
    is_substitute = _may_stand_in(deck, pool, only, within)
    most = {
        position: min(ruleset.copy_limit, owned[card.id])
        for position, card in enumerate(pool.cards)
        if owned[card.id] > 0 and card.hero in ("", deck.hero) and is_substitute[position]
    }
    restrictions = {"within": within, "only": only}
    named_limits = [key for key, value in restrictions.items() if value is not None]
    limits = listed(["copy limit", "collection", *named_limits])
    return _split_where_needed(Vacancies(open_slots, dict(kept), most, limits), pool)


def _may_stand_in(
    deck: Deck, pool: Pool, only: Sequence[str] | None, within: Sequence[str] | str | None
) -> Flags:
    """Return whether the tags of each card permit it as a substitute, shape [C].

    Args:
        deck: deck with the missing cards.
        pool: pool with the ``C`` cards.
        only: labels of which a substitute must have at least one; `None` permits all cards.
        within: labels of which a substitute must have none, or share one with a card of the deck;
            `None` permits all cards.
    """
    tagged = Tagged(pool)
    fits: Flags = np.ones(len(pool.cards), dtype=np.bool_)
    if only is not None:
        fits &= tagged.has_any(only)
    if within is not None:
        fits &= tagged.near(within, deck)
    return fits


def check_collection(collection: Mapping[str, int], pool: Pool) -> None:
    """Check that a collection names cards of a pool, with valid numbers of copies.

    Args:
        collection: number of copies of each card, by card id.
        pool: pool that must have the cards.

    Raises:
        InputError: the pool lacks a card, or a number of copies is invalid; the message names the
            card.
    """
    for card_id in collection:
        with error_place("collection"):
            pool.index(card_id)
    _COLLECTION.check("collection", {"collection": dict(collection)})


def _split_where_needed(vacancies: Vacancies, pool: Pool) -> Vacancies:
    """Return the vacancies; those that no card can fill as a whole are split into single slots.

    Args:
        vacancies: vacancies of the deck, one for each missing card.
        pool: pool with the names of the cards, for the message.

    Raises:
        InputError: no card can fill a single slot of a vacancy.
    """
    parts: list[Vacancy] = []
    for vacancy in vacancies.open:
        singles = [Vacancy(vacancy.card, (slot,)) for slot in vacancy.slots]
        if vacancies.stand_ins(vacancy):
            parts.append(vacancy)
        elif vacancies.stand_ins(singles[0]):
            parts.extend(singles)
        else:
            raise InputError(
                f"no card of pool {pool.name!r} can replace it under these limits: "
                f"{vacancies.limits}",
                place=f"card {pool.cards[vacancy.card].id!r}",
                remedy="relax one of them",
            )
    return replace(vacancies, open=tuple(parts))

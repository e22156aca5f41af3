"""Slots of a deck's missing cards, and the cards that may fill them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from balance.card_contest import DeckRows
from balance.decks.allowed_cards import Tagged
from balance.settings import CopyCount
from balance.statistics.intervals import Flags
from sim import Deck, InputError, Pool, Ruleset, did_you_mean, error_place
from sim.arguments import Arguments
from sim.errors import listed

_COLLECTION = Arguments(collection=dict[str, CopyCount])

Filling = tuple[int, ...]
"""Card for the slots of each vacancy, in the order of the vacancies, by position in the pool."""


class Vacancy(NamedTuple):
    """Slots of a deck that one substitute fills together.

    Attributes:
        card: position of the missing card in the pool.
        slots: positions of the slots in the deck.
    """

    card: int
    slots: tuple[int, ...]


@dataclass(frozen=True)
class Vacancies:
    """All slots of a deck that substitutes must fill.

    Attributes:
        open: the vacancies, at least one.
        kept: copies that stay in the deck, by card.
        most: most copies of each card that the deck may hold, by copy limit and collection; a card
            without an entry may not be used.
        limits: names of the limits behind `most`, for messages.
    """

    open: tuple[Vacancy, ...]
    kept: Mapping[int, int]
    most: Mapping[int, int]
    limits: str = "copy limit and collection"

    @property
    def missing(self) -> tuple[int, ...]:
        """The missing cards without repeats, by position in the pool."""
        return tuple(dict.fromkeys(vacancy.card for vacancy in self.open))

    def stand_ins(self, vacancy: Vacancy) -> list[int]:
        """Return the cards that may fill one vacancy if the others stay empty.

        Args:
            vacancy: one of `open`.
        """
        return [
            card
            for card, most in self.most.items()
            if card not in self.missing and self.kept.get(card, 0) + len(vacancy.slots) <= most
        ]

    def is_legal(self, filling: Sequence[int]) -> bool:
        """Return whether cards may fill the first vacancies together.

        Args:
            filling: a card for each of the first vacancies; may be shorter than `open`.
        """
        copies = self.copies_of(filling)
        return all(self.kept.get(card, 0) + n <= self.most[card] for card, n in copies.items())

    def copies_of(self, filling: Sequence[int]) -> Counter[int]:
        """Return the copies of each card that a filling adds; equal for fillings of the same deck.

        Args:
            filling: a card for each of the first vacancies.
        """
        places = zip(filling, self.open, strict=False)
        return Counter(card for card, vacancy in places for _ in vacancy.slots)

    def best_fillings(self, scores: Sequence[Mapping[int, float]], most: int) -> list[Filling]:
        """Return the legal fillings with the largest sums of scores, best first, by a beam search.

        It is exact for one vacancy, and for several as long as no more than `most` partial fillings
        are legal.

        Args:
            scores: scores of the cards that may fill each vacancy.
            most: most fillings to keep.
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
        """Return a legal filling, or `None` if there is none.

        The largest vacancies are filled first, each with the card of fewest free copies that
        suffices. That finds a filling if there is one as long as no card is permitted more than
        three times.
        """
        n_free = {card: most - self.kept.get(card, 0) for card, most in self.most.items()}
        chosen: dict[int, int] = {}  # by position of the vacancy
        for k in sorted(range(len(self.open)), key=lambda k: -len(self.open[k].slots)):
            n_slots = len(self.open[k].slots)
            candidates = [card for card in self.stand_ins(self.open[k]) if n_free[card] >= n_slots]
            if not candidates:
                return None
            chosen[k] = min(candidates, key=lambda card: (n_free[card], card))
            n_free[chosen[k]] -= n_slots
        return tuple(chosen[k] for k in range(len(self.open)))

    def require_filling(self, pool: Pool) -> None:
        """Check that some legal cards can fill all vacancies together.

        Args:
            pool: the cards, for the message.

        Raises:
            InputError: no cards can; names the missing cards and how many copies are free.
        """
        if self.some_filling() is not None:
            return
        missing = ", ".join(repr(pool.cards[card].id) for card in self.missing)
        n_places = sum(len(vacancy.slots) for vacancy in self.open)
        cards = {card for vacancy in self.open for card in self.stand_ins(vacancy)}
        n_free = sum(self.most[card] - self.kept.get(card, 0) for card in cards)
        raise InputError(
            f"no legal cards fill their {n_places} slots together: by {self.limits}, only {n_free} "
            "copies of possible substitutes are free",
            place=f"cards {missing}",
            value=n_places,
            limit=n_free,
        )

    def fill(self, row: DeckRows, filling: Sequence[int]) -> DeckRows:
        """Return the deck's row in a batch with a filling in the vacant slots.

        Args:
            row: row of the intact deck (`sim.play.batch.deck_row`).
            filling: a card for each vacancy.
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
    """Find the slots of a deck's missing cards.

    Args:
        deck: the deck.
        pool: the pool of its cards.
        ruleset: the rules, which limit the copies of a card.
        missing: ids of cards of the deck. Without a collection all their copies are missing.
        collection: copies that the player owns, by id; cards without an entry are not owned.
            Default all. If `missing` is empty, all cards are missing of which the deck has more
            copies.
        only: tags, as `tag:TAG`, of which a substitute must have at least one; default any card.
        within: tags, such as the factions; a substitute has none of them, or one that a card of the
            deck has too.

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
    """Return whether each card has the tags of a substitute, shape [C].

    Args:
        deck: the deck.
        pool: the cards.
        only: tags of which a substitute must have at least one; default any card.
        within: tags of which a substitute has none, or one that a card of the deck has too.
    """
    tagged = Tagged(pool)
    fits: Flags = np.ones(len(pool.cards), dtype=np.bool_)
    if only is not None:
        fits &= tagged.has_any(only)
    if within is not None:
        fits &= tagged.near(within, deck)
    return fits


def check_collection(collection: Mapping[str, int], pool: Pool) -> None:
    """Check that a collection names cards of the pool, with valid numbers of copies.

    Args:
        collection: copies of each card, by id.
        pool: the cards.

    Raises:
        InputError: names the card.
    """
    for card_id in collection:
        with error_place("collection"):
            pool.index(card_id)
    _COLLECTION.check("collection", {"collection": dict(collection)})


def _split_where_needed(vacancies: Vacancies, pool: Pool) -> Vacancies:
    """Return the vacancies, split into single copies where no card has enough copies for all slots.

    Args:
        vacancies: one vacancy for each missing card.
        pool: the cards, for the message.

    Raises:
        InputError: no card can fill even one slot.
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
                f"no card of pool {pool.name!r} may replace it, by {vacancies.limits}",
                place=f"card {pool.cards[vacancy.card].id!r}",
            )
    return replace(vacancies, open=tuple(parts))

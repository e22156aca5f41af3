"""The slots that missing cards leave in a deck, and which cards may take them."""

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
"""The card that takes each vacancy's slots, by position in the pool."""


class Vacancy(NamedTuple):
    """Slots that one card fills together.

    Attributes:
        card: the missing card, by position in the pool.
        slots: of the deck.
    """

    card: int
    slots: tuple[int, ...]


@dataclass(frozen=True)
class Vacancies:
    """The slots to fill in a deck.

    Attributes:
        open: at least one vacancy.
        kept: copies that stay in the deck, by card.
        most: most copies of each card that the deck may hold, by copy limit and collection; a
            card that is not named may not be used.
        limits: what bounds them, in words.
    """

    open: tuple[Vacancy, ...]
    kept: Mapping[int, int]
    most: Mapping[int, int]
    limits: str = "copy limit and collection"

    @property
    def missing(self) -> tuple[int, ...]:
        """The missing cards, each once."""
        return tuple(dict.fromkeys(vacancy.card for vacancy in self.open))

    def stand_ins(self, vacancy: Vacancy) -> list[int]:
        """Cards that may take a vacancy's slots, the other vacancies left aside."""
        return [
            card
            for card, most in self.most.items()
            if card not in self.missing and self.kept.get(card, 0) + len(vacancy.slots) <= most
        ]

    def is_legal(self, filling: Sequence[int]) -> bool:
        """Whether these cards may take the slots of the first vacancies together."""
        copies = self.copies_of(filling)
        return all(self.kept.get(card, 0) + n <= self.most[card] for card, n in copies.items())

    def copies_of(self, filling: Sequence[int]) -> Counter[int]:
        """Copies of each card that come into the deck: alike for fillings that make one deck."""
        places = zip(filling, self.open, strict=False)
        return Counter(card for card, vacancy in places for _ in vacancy.slots)

    def best_fillings(self, scores: Sequence[Mapping[int, float]], most: int) -> list[Filling]:
        """The legal fillings with the largest sums of scores, the best first.

        A beam search: exact for one vacancy, and else for as long as no more than `most`
        beginnings are legal.

        Args:
            scores: for each vacancy, those of the cards that may take it.
            most: how many fillings to keep.
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
        """A legal filling, if there is one: the largest places first, each the tightest fit.

        Exact where no card may be in a deck more than three times.
        """
        room = {card: most - self.kept.get(card, 0) for card, most in self.most.items()}
        taken: dict[int, int] = {}
        for place in sorted(range(len(self.open)), key=lambda k: -len(self.open[k].slots)):
            n_slots = len(self.open[place].slots)
            fitting = [card for card in self.stand_ins(self.open[place]) if room[card] >= n_slots]
            if not fitting:
                return None
            taken[place] = min(fitting, key=lambda card: (room[card], card))
            room[taken[place]] -= n_slots
        return tuple(taken[place] for place in range(len(self.open)))

    def require_filling(self, pool: Pool) -> None:
        """Refuse if no legal cards can take all places together.

        Raises:
            InputError: names the missing cards, and how many copies there are for their places.
        """
        if self.some_filling() is not None:
            return
        missing = ", ".join(repr(pool.cards[card].id) for card in self.missing)
        n_places = sum(len(vacancy.slots) for vacancy in self.open)
        cards = {card for vacancy in self.open for card in self.stand_ins(vacancy)}
        n_free = sum(self.most[card] - self.kept.get(card, 0) for card in cards)
        raise InputError(
            f"cards {missing}: no legal cards can take their {n_places} places together; by "
            f"{self.limits}, those that may stand in ({len(cards)}) have {n_free} free"
        )

    def fill(self, row: DeckRows, filling: Sequence[int]) -> DeckRows:
        """The deck's row in a batch with these cards in the vacant slots."""
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
    """The slots of missing cards.

    Args:
        deck: the deck.
        pool: its cards.
        ruleset: sets how many copies of a card a deck may hold.
        missing: ids of cards of the deck. Without a collection all their copies are missing.
        collection: copies that are owned, by id. If no card is named as missing, those are
            missing that the deck has more copies of.
        only: tags, as `tag:TAG`, one of which a stand-in has; default any card.
        within: tags, such as the factions; a stand-in has none, or one that the deck's cards have.

    Raises:
        InputError: a card is not in the deck, or not missing, or nothing can take its place; or
            the collection has a card that the pool has not, or no number of copies.
    """
    slots = deck.slots(pool)
    check_collection(collection or {}, pool)
    for card_id in missing:
        pool.index(card_id)
        if card_id not in deck.cards:
            raise InputError(
                f"card {card_id!r} is not in deck {deck.name!r}, which has "
                f"{', '.join(deck.cards)}{did_you_mean(card_id, list(deck.cards))}"
            )
    owned = dict.fromkeys((card.id for card in pool.cards), ruleset.copy_limit)
    if collection is not None:
        owned = {card_id: collection.get(card_id, 0) for card_id in owned}
    named = dict.fromkeys(missing) or [card for card, n in deck.cards.items() if owned[card] < n]
    if not named:
        raise InputError(f"deck {deck.name!r}: the collection has all its cards; nothing to do")
    lacking = {
        card: deck.cards[card] - (owned[card] if collection is not None else 0) for card in named
    }
    for card_id, n in lacking.items():
        if n <= 0:
            raise InputError(
                f"card {card_id!r} is not missing: the collection has {owned[card_id]} of the "
                f"{deck.cards[card_id]} copies in deck {deck.name!r}"
            )
    gone = {pool.index(card_id): n for card_id, n in lacking.items()}
    places = {card: [slot for slot, held in enumerate(slots) if held == card] for card in gone}
    open_slots = tuple(Vacancy(card, tuple(places[card][-n:])) for card, n in gone.items())
    kept = Counter(slots)
    kept.subtract(gone)
    may_stand_in = _may_stand_in(deck, pool, only, within)
    most = {
        position: min(ruleset.copy_limit, owned[card.id])
        for position, card in enumerate(pool.cards)
        if owned[card.id] > 0 and card.hero in ("", deck.hero) and may_stand_in[position]
    }
    said = {"within": within, "only": only}
    limits = ["copy limit", "collection", *(key for key, told in said.items() if told is not None)]
    return _with_room(Vacancies(open_slots, dict(kept), most, listed(limits)), pool)


def _may_stand_in(
    deck: Deck, pool: Pool, only: Sequence[str] | None, within: Sequence[str] | str | None
) -> Flags:
    """``[C]`` whether each card has the tags of a stand-in."""
    tagged = Tagged(pool)
    fits: Flags = np.ones(len(pool.cards), dtype=np.bool_)
    if only is not None:
        fits &= tagged.has_any(only)
    if within is not None:
        fits &= tagged.near(within, deck)
    return fits


def check_collection(collection: Mapping[str, int], pool: Pool) -> None:
    """Refuse a collection of other cards, or of what are no numbers of copies.

    Raises:
        InputError: names the card.
    """
    for card_id in collection:
        with error_place("collection"):
            pool.index(card_id)
    _COLLECTION.fitting("collection", {"collection": dict(collection)})


def _with_room(vacancies: Vacancies, pool: Pool) -> Vacancies:
    """The vacancies; copy by copy where no single card has enough copies for all of them.

    Raises:
        InputError: no card can take even one slot.
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
                f"card {pool.cards[vacancy.card].id!r}: no card of pool {pool.name!r} may take its "
                f"place, by {vacancies.limits}"
            )
    return replace(vacancies, open=tuple(parts))

"""Provenance: where a pilot comes from, and so which games it can play."""

from __future__ import annotations

from collections.abc import Iterable

from agents.dqn.settings import TrainSettings
from sim import Deck, Pool, Ruleset, StrictModel, content_hash

_SHOWN_DIGITS = 12  # of a hash, in messages


class Stamp(StrictModel):
    """One version of a ruleset or a deck.

    Attributes:
        name: as in its file.
        content: its `content_hash`.
    """

    name: str
    content: str

    @classmethod
    def of(cls, model: Ruleset | Deck) -> Stamp:
        """The version that `model` is."""
        return cls(name=model.name, content=content_hash(model))

    def __str__(self) -> str:
        return f"{self.name!r} ({self.content[:_SHOWN_DIGITS]})"


class Provenance(StrictModel):
    """Where a pilot comes from.

    Attributes:
        ruleset: whose games it learned.
        pool: the name of the pool whose cards it saw.
        cards: the `content_hash` of each card that it could meet, by id; names do not count.
        decks: which it learned to pilot.
        settings: how it was trained.
        seed: of its training run.
        steps: decisions it learned from.
        opponents: whom it met, in words.
        seat: where it sat: `first`, `second` or `either`.
        leave_out: how often a side played without one kind of card.
        versions: of the packages it was trained with.
    """

    ruleset: Stamp
    pool: str
    cards: dict[str, str]
    decks: tuple[Stamp, ...]
    settings: TrainSettings
    seed: int
    steps: int
    opponents: str
    seat: str
    leave_out: float
    versions: dict[str, str]


def stamps_of_cards(pool: Pool, numbers: Iterable[int]) -> dict[str, str]:
    """What `Provenance.cards` says of the cards of a pool that have these numbers."""
    cards = (pool.everything[number] for number in numbers)
    return {card.id: content_hash(card.nameless()) for card in cards}

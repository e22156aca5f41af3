"""Provenance: where a pilot comes from, and so which games it can play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from agents.dqn.settings import TrainSettings
from sim import Card, Deck, Pool, Ruleset, StrictModel, content_hash

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


class NumberRange(StrictModel):
    """A number of a card as a pilot learned with it.

    Attributes:
        value: on the card itself.
        low: the least in any variant that it met.
        high: the most.
    """

    value: int
    low: int
    high: int


Numbers = Mapping[str, Mapping[str, NumberRange]]
"""Ranges by the card's id and the field."""


class Provenance(StrictModel):
    """Where a pilot comes from.

    Attributes:
        ruleset: whose games it learned.
        pool: the name of the pool whose cards it saw.
        cards: the `content_hash` of each card that it could meet, by id; names do not count.
        numbers: of these cards, those with which it met variants; others it knows only as they are.
        decks: which it learned to pilot.
        settings: how it was trained.
        seed: of its training run.
        steps: decisions it learned from.
        opponents: whom it met, in words.
        seat: where it sat: `first`, `second` or `either`.
        leave_out: how often a side played without one kind of card.
        moved_pp: by how much its last round with the other learners moved the matchup that moved
            most, if they learned together.
        versions: of the packages it was trained with.
    """

    ruleset: Stamp
    pool: str
    cards: dict[str, str]
    numbers: dict[str, dict[str, NumberRange]] = Field(default_factory=dict)
    decks: tuple[Stamp, ...]
    settings: TrainSettings
    seed: int
    steps: int
    opponents: str
    seat: str
    leave_out: float
    moved_pp: float | None = None
    versions: dict[str, str]


def stamps_of_cards(pool: Pool, numbers: Iterable[int]) -> dict[str, str]:
    """What `Provenance.cards` says of the cards of a pool that have these numbers."""
    cards = (pool.everything[number] for number in numbers)
    return {card.id: stamp_of_card(card) for card in cards}


def stamp_of_card(card: Card) -> str:
    """The hash of all of a card that games depend on."""
    return content_hash(card.nameless())

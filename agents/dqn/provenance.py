"""Provenance of pilots: games and settings of the training, which limit where a pilot can play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from agents.dqn.settings import TrainSettings
from sim import Card, Deck, Pool, Ruleset, StrictModel, content_hash

_SHOWN_DIGITS = 12  # number of digits of a hash in messages, enough to compare versions by eye


class Stamp(StrictModel):
    """Name and content hash that identify one version of a ruleset or a deck.

    Attributes:
        name: name of the ruleset or deck.
        content: `content_hash` of the ruleset or deck.
    """

    name: str
    content: str

    @classmethod
    def of(cls, model: Ruleset | Deck) -> Stamp:
        """Return the name and the content hash of a ruleset or a deck."""
        return cls(name=model.name, content=content_hash(model))

    def __str__(self) -> str:
        return f"{self.name!r} (version {self.content[:_SHOWN_DIGITS]})"


class NumberRange(StrictModel):
    """Range of one number of a card over the card variants of a training.

    Attributes:
        value: number on the card itself, without variants.
        low: lowest number in the variants.
        high: highest number in the variants.
    """

    value: int
    low: int
    high: int


Numbers = Mapping[str, Mapping[str, NumberRange]]
"""Ranges of cards' numbers in a training, by the id of the card and the field of the number."""


class Provenance(StrictModel):
    """Origin of a pilot: the games, the settings and the versions of its training.

    Attributes:
        ruleset: version of the ruleset.
        pool: name of the card pool.
        cards: `content_hash` of each card that could occur in the games, without the card's name,
            by the id of the card.
        numbers: ranges of the numbers that the training varied, by the id of the card and the field
            of the number; all other numbers were fixed.
        decks: versions of the decks that the pilot learned to play.
        settings: settings of the training.
        seed: seed of the training run.
        steps: number of decisions of the learner in the training.
        opponents: description of the opponents.
        seat: seat of the learner: `first`, `second` or `either`.
        leave_out: share of the players in training games who played without one kind of card.
        moved_pp: largest change of a matchup in the last round of training with other learners, in
            percentage points; `None` if the pilot learned alone.
        versions: versions of the packages used, by the name of the package.
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
    """Return the content hashes of cards without their names, by the id of the card.

    Args:
        pool: card pool with the cards.
        numbers: indices of the cards in `pool.everything`.
    """
    cards = (pool.everything[number] for number in numbers)
    return {card.id: stamp_of_card(card) for card in cards}


def stamp_of_card(card: Card) -> str:
    """Return the content hash of a card without its name, which does not affect games."""
    return content_hash(card.nameless())

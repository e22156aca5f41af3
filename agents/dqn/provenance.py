"""Provenance of pilots: games and settings of their training, which limit where they can play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from agents.dqn.settings import TrainSettings
from sim import Card, Deck, Pool, Ruleset, StrictModel, content_hash

_SHOWN_DIGITS = 12  # digits of a hash in messages: enough to distinguish versions by eye


class Stamp(StrictModel):
    """Version of a ruleset or a deck.

    Attributes:
        name: name in the file.
        content: `content_hash` of the ruleset or deck.
    """

    name: str
    content: str

    @classmethod
    def of(cls, model: Ruleset | Deck) -> Stamp:
        """Return the version of a ruleset or a deck."""
        return cls(name=model.name, content=content_hash(model))

    def __str__(self) -> str:
        return f"{self.name!r} ({self.content[:_SHOWN_DIGITS]})"


class NumberRange(StrictModel):
    """Range of one number of a card in the training of a pilot.

    Attributes:
        value: the number on the card itself.
        low: lowest number in the variants of the training.
        high: highest number in these variants.
    """

    value: int
    low: int
    high: int


Numbers = Mapping[str, Mapping[str, NumberRange]]
"""Ranges of cards' numbers, by the id of the card and by the field."""


class Provenance(StrictModel):
    """Origin of a pilot: the games, the settings and the versions of its training.

    Attributes:
        ruleset: version of the ruleset.
        pool: name of the card pool.
        cards: `content_hash` of each card that the games could reach, by id; names of cards do not
            count.
        numbers: ranges of the cards' numbers that the training varied; all others were fixed.
        decks: versions of the decks that the pilot learned to play.
        settings: settings of the training.
        seed: seed of the training run.
        steps: number of decisions that it learned from.
        opponents: description of the opponents.
        seat: seat of the learner: `first`, `second` or `either`.
        leave_out: share of sides that played without one kind of card.
        moved_pp: largest change of a matchup in the last round with other learners, in percentage
            points; `None` if it learned alone.
        versions: versions of the packages used.
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
    """Return the content hashes of cards by id, as `Provenance.cards` holds them.

    Args:
        pool: the card pool.
        numbers: numbers of the cards in the pool.
    """
    cards = (pool.everything[number] for number in numbers)
    return {card.id: stamp_of_card(card) for card in cards}


def stamp_of_card(card: Card) -> str:
    """Return the hash of everything of a card that affects games, so without its name."""
    return content_hash(card.nameless())

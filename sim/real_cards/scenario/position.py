"""A position as scenarios see it: a game state, and the records that labels refer to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sim import Card, Pool
from sim.cards.effect import Token
from sim.engine import layout as at
from sim.engine.stepping import Words16, may_act, perform
from sim.play.table import Table
from sim.real_cards.scenario.moves import place_of
from sim.ruleset import N_SEATS


@dataclass(frozen=True)
class Ground:
    """The cards and rules that scenarios are played with.

    Attributes:
        table: the packed cards and rules.
    """

    table: Table

    @property
    def pool(self) -> Pool:
        """The pool of the cards."""
        return self.table.pool

    @property
    def numbers(self) -> Words16:
        """The packed table as a vector."""
        return np.asarray(self.table.words[0])

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Cards, tokens, and the plain tokens that rows bring, by their numbers."""
        everything = self.pool.everything
        plain = [row.token for card in everything for row in card.effects if row.token]
        return (*everything, *(_as_card(token) for token in plain))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Numbers of cards and tokens by id."""
        return {card.id: number for number, card in enumerate(self.pool.everything)}


def _as_card(token: Token) -> Card:
    """Return a plain token as a card with a name that describes it: `token_1_1`."""
    name = f"token_{token.attack}_{token.health}"
    return Card(
        id=name,
        name=name,
        cost=0,
        attack=token.attack,
        health=token.health,
        keywords=token.keywords,
    )


class Entity(NamedTuple):
    """The card that a label refers to.

    Attributes:
        record: offset of the card's record in the state, present or last.
        serial: serial number of the card in the record; a later card there has another.
        gone_to: the zone that the card has gone to for good, or `""`.
    """

    record: int
    serial: int
    gone_to: str = ""


class NothingThereError(LookupError):
    """A reference names nothing in this position."""


@dataclass(frozen=True)
class Position:
    """One game in progress.

    Attributes:
        ground: its cards and rules.
        words: its state, a vector of 16-bit words.
        labels: the card that each label refers to.
    """

    ground: Ground
    words: Words16
    labels: dict[str, Entity] = field(default_factory=dict)

    def word(self, offset: int) -> int:
        """Return one word of the state."""
        return int(self.words[offset])

    @property
    def active(self) -> int:
        """The seat to move."""
        return self.word(at.ACTIVE)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.word(at.RESULT) != at.RUNNING

    def zone(self, seat: int, offset: int) -> list[int]:
        """Return the content of a player's zone, in order.

        Args:
            seat: the player's seat.
            offset: offset of the zone in the player's block, such as `HAND`.
        """
        start = player_block(seat) + offset
        return [int(item) for item in self.words[start + 1 : start + 1 + self.word(start)]]

    def find(self, reference: str) -> int:
        """Return the record that a reference names now.

        Raises:
            NothingThereError: nothing is there, or the label's card has left hands and boards.
        """
        place = place_of(reference)
        if place is None:
            entity = self.labels[reference]
            if entity.gone_to:
                raise NothingThereError
            return entity.record
        block = player_block(place.seat)
        if place.zone == "hero":
            return block
        weapon = self.word(block + at.WEAPON)
        records = {
            "weapon": [weapon] if weapon else [],
            "hand": self.zone(place.seat, at.HAND),
            "board": self.zone(place.seat, at.BOARD),
        }[place.zone]
        if place.position >= len(records):
            raise NothingThereError
        return records[place.position]

    def label(self, label: str, record: int) -> None:
        """Make a label refer to the card that a record now holds."""
        self.labels[label] = Entity(record, self.word(record + at.SERIAL))

    def follow_labels(self) -> None:
        """Update the labels after an action; to be called after every one.

        Within one action no record is given to another card. So if a record is still in use and its
        serial has changed, the card was printed anew: in a hand it is the same card, returned to
        its player, and on the board another card, into which it was transformed.
        """
        for label, entity in self.labels.items():
            if entity.gone_to:
                continue
            zone = self.word(entity.record + at.ZONE)
            serial = self.word(entity.record + at.SERIAL)
            if zone not in {at.IN_HAND, at.IN_PLAY, at.IN_SECRET}:
                self.labels[label] = entity._replace(gone_to="graveyard")
            elif serial != entity.serial and zone == at.IN_PLAY:
                self.labels[label] = entity._replace(gone_to="removed")
            else:
                self.label(label, entity.record)

    def may(self, action: int) -> bool:
        """Return whether an action of the engine is legal for the seat to move."""
        return not self.is_over and bool(may_act(self.words, self.ground.numbers, action))

    def do(self, action: int) -> None:
        """Carry out an action of the engine."""
        perform(self.words, self.ground.numbers, action)
        self.follow_labels()

    def card(self, record: int) -> Card:
        """Return the card in a record, which must not be a hero's."""
        return self.ground.cards[self.word(record + at.CARD)]

    def cards(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of cards by their numbers."""
        return tuple(self.ground.cards[number].id for number in numbers)


def player_block(seat: int) -> int:
    """Return the offset of a player's block in the state, which begins with the player's record."""
    return at.SEATS + at.SEAT_SIZE * seat


def hero_seat(record: int) -> int | None:
    """Return the seat of the player that a record belongs to; `None` for the record of a card."""
    blocks: Sequence[int] = [player_block(seat) for seat in range(N_SEATS)]
    return blocks.index(record) if record in blocks else None

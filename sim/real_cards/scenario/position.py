"""A position as scenarios see it: a state, and which of its records their labels mean."""

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
    """The cards and rules that scenarios are played with."""

    table: Table

    @property
    def pool(self) -> Pool:
        """The cards."""
        return self.table.pool

    @property
    def numbers(self) -> Words16:
        """The packed table."""
        return np.asarray(self.table.words[0])

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Cards, tokens, and the plain tokens that rows bring, by their number."""
        everything = self.pool.everything
        plain = [row.token for card in everything for row in card.effects if row.token]
        return (*everything, *(_as_card(token) for token in plain))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Numbers of cards and tokens by id."""
        return {card.id: number for number, card in enumerate(self.pool.everything)}


def _as_card(token: Token) -> Card:
    """A plain token under a name that says all there is to say: `token_1_1`."""
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
    """What a label means.

    Attributes:
        record: where the card is, or was.
        serial: what tells it from whatever the record holds later.
        gone_to: the zone that it has gone to for good, or `""`.
    """

    record: int
    serial: int
    gone_to: str = ""


class NothingThereError(LookupError):
    """A reference leads to nothing in this position."""


@dataclass(frozen=True)
class Position:
    """One game in progress.

    Attributes:
        ground: its cards and rules.
        words: its state.
        labels: what they mean.
    """

    ground: Ground
    words: Words16
    labels: dict[str, Entity] = field(default_factory=dict)

    def word(self, offset: int) -> int:
        """One word of the state."""
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
        """What lies in a player's zone, in order.

        Args:
            seat: whose.
            offset: of the zone in the player's block, such as `HAND`.
        """
        start = player_block(seat) + offset
        return [int(item) for item in self.words[start + 1 : start + 1 + self.word(start)]]

    def find(self, reference: str) -> int:
        """The record that a reference means now.

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
        """Let a label mean what a record now holds."""
        self.labels[label] = Entity(record, self.word(record + at.SERIAL))

    def follow_labels(self) -> None:
        """Find out what has become of the labelled cards; to be called after every action.

        Within one action no record is given to another card. So one that is still in use has
        been printed anew where its serial has changed: on the way to a hand for the same card,
        which its player gets back, and on the board for another, into which it was transformed.
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
        """Whether the seat to move may take an action of the engine."""
        return not self.is_over and bool(may_act(self.words, self.ground.numbers, action))

    def do(self, action: int) -> None:
        """Carry out an action of the engine."""
        perform(self.words, self.ground.numbers, action)
        self.follow_labels()

    def card(self, record: int) -> Card:
        """The card that a record holds; not for heroes."""
        return self.ground.cards[self.word(record + at.CARD)]

    def cards(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Ids of cards by their numbers."""
        return tuple(self.ground.cards[number].id for number in numbers)


def player_block(seat: int) -> int:
    """Where a player's block begins, with the player's record."""
    return at.SEATS + at.SEAT_SIZE * seat


def hero_seat(record: int) -> int | None:
    """The seat whose player a record is; `None` for a card's."""
    blocks: Sequence[int] = [player_block(seat) for seat in range(N_SEATS)]
    return blocks.index(record) if record in blocks else None

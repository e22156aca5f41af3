"""Position of a scenario: a game state, and the entity records that labels refer to."""

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
    """Cards and rules for playing scenarios.

    Attributes:
        table: packed cards and rules.
    """

    table: Table

    @property
    def pool(self) -> Pool:
        """Pool of the packed cards."""
        return self.table.pool

    @property
    def numbers(self) -> Words16:
        """Packed cards and rules as a vector of 16-bit words, for engine functions."""
        return np.asarray(self.table.words[0])

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Cards, tokens, and minions that rows summon by `token`; positions are card numbers."""
        everything = self.pool.everything
        plain = [row.token for card in everything for row in card.effects if row.token]
        return (*everything, *(_as_card(token) for token in plain))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Number of each card and token in packed data, by id."""
        return {card.id: number for number, card in enumerate(self.pool.everything)}


def _as_card(token: Token) -> Card:
    """Convert a minion that rows summon by `token` to a card with an id such as `token_1_1`."""
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
    """Card that a label refers to, as found in the game state.

    Attributes:
        record: offset in the state of the card's entity record; the last one if the card is gone.
        serial: serial number of the card in the record; each new card there has a new number.
        gone_to: `graveyard` or `removed` if the card is gone; else `""`.
    """

    record: int
    serial: int
    gone_to: str = ""


class NothingThereError(LookupError):
    """Error for a reference to a card that does not exist in a position."""


@dataclass(frozen=True)
class Position:
    """State of a scenario's game, which `do` changes in place.

    Attributes:
        ground: cards and rules of the game.
        words: state of the game as a vector of 16-bit words.
        labels: card that each label refers to, by label.
    """

    ground: Ground
    words: Words16
    labels: dict[str, Entity] = field(default_factory=dict)

    def word(self, offset: int) -> int:
        """Return the word of the state at an offset, such as `sim.engine.layout.PHASE`."""
        return int(self.words[offset])

    @property
    def active(self) -> int:
        """Seat of the active player, 0 or 1."""
        return self.word(at.ACTIVE)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.word(at.RESULT) != at.RUNNING

    def zone(self, seat: int, offset: int) -> list[int]:
        """Return the content of a player's zone, in order.

        The items are offsets of entity records, or slots of the player's deck for the zone `DECK`.

        Args:
            seat: seat of the player, 0 or 1.
            offset: offset of the zone within the player's block, such as `HAND`.
        """
        start = player_block(seat) + offset  # word with the number of items, which follow it
        return [int(item) for item in self.words[start + 1 : start + 1 + self.word(start)]]

    def find(self, reference: str) -> int:
        """Return the offset of the entity record that a reference currently names.

        Args:
            reference: place such as `p1.hand[0]`, or a label of the scenario.

        Raises:
            NothingThereError: no card is at the place, or the label's card is gone.
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
        """Set the card of a label to the card that is currently in an entity record.

        Args:
            label: label to set.
            record: offset of the entity record in the state.
        """
        self.labels[label] = Entity(record, self.word(record + at.SERIAL))

    def follow_labels(self) -> None:
        """Update the cards of all labels; must be called after every action.

        Within an action, the engine does not reuse a record for an unrelated card. A changed serial
        number in a used record therefore means that the same card returned to its player's hand, or
        that a card on the board was transformed and is gone.
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
        """Return whether an engine action is legal for the active player; `False` after the end."""
        return not self.is_over and bool(may_act(self.words, self.ground.numbers, action))

    def do(self, action: int) -> None:
        """Carry out an engine action, which must be legal, and update the labels."""
        perform(self.words, self.ground.numbers, action)
        self.follow_labels()

    def card(self, record: int) -> Card:
        """Return the card in an entity record, which must not be the record of a hero.

        Args:
            record: offset of the entity record in the state.
        """
        return self.ground.cards[self.word(record + at.CARD)]

    def cards(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of the cards with given numbers, in the same order."""
        return tuple(self.ground.cards[number].id for number in numbers)


def player_block(seat: int) -> int:
    """Return the offset in the state of a player's block, which begins with the hero's record."""
    return at.SEATS + at.SEAT_SIZE * seat


def hero_seat(record: int) -> int | None:
    """Return the seat of the hero in an entity record; `None` if the record is not a hero's.

    Args:
        record: offset of the entity record in the state.
    """
    blocks: Sequence[int] = [player_block(seat) for seat in range(N_SEATS)]
    return blocks.index(record) if record in blocks else None

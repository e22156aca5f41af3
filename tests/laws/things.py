"""What stands where in a position, as objects, without what auras give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim import Card, Pool
from sim.cards.effect import Effect, Token
from sim.cards.vocabulary import Keyword, Kind
from sim.engine import layout as at

Words16 = npt.NDArray[np.int16]


@dataclass
class Thing:
    """A player, a minion, a weapon or a card in a hand."""

    at: int  # where its record lies
    seat: int
    card: Card | Token | None  # `None` for players
    attack: int  # without auras, until they are added
    health: int
    max_health: int
    keywords: Keyword
    cost: int
    status: int
    n_made: int
    aura_health: int = 0

    @property
    def kind(self) -> Kind | None:
        if self.card is None:
            return None
        return Kind[self.card.kind.upper()] if isinstance(self.card, Card) else Kind.MINION

    @property
    def rows(self) -> tuple[Effect, ...]:
        is_mute = self.status & at.IS_SILENCED or not isinstance(self.card, Card)
        return () if is_mute or not isinstance(self.card, Card) else self.card.effects


@dataclass
class Side:
    """All that a seat has where auras reach."""

    player: Thing
    board: list[Thing]
    hand: list[Thing]
    weapon: Thing | None
    secrets: list[Thing]
    n_played: int
    n_minions_played: int
    armor: int
    crystals: int

    @property
    def in_play(self) -> list[Thing]:
        return [*self.board, *self.wielded]

    @property
    def wielded(self) -> list[Thing]:
        return [self.weapon] if self.weapon else []

    def found(self, word: str) -> list[Thing]:
        """What a selector that ends in `word` finds on this side."""
        return {
            "player": [self.player],
            "minion": self.board,
            "character": [self.player, *self.board],
            "weapon": self.wielded,
            "hand": self.hand,
            "secret": self.secrets,
        }[word.rpartition("_")[2]]


@dataclass
class Reader:
    """Reads a state of the general rules."""

    pool: Pool
    state: Words16

    def sides(self) -> list[Side]:
        return [self._side(seat) for seat in range(2)]

    @cached_property
    def _cards(self) -> list[Card | Token]:
        cards: list[Card | Token] = [*self.pool.cards, *self.pool.tokens]
        cards += [row.token for card in [*cards] for row in card.effects if row.token]  # type: ignore[union-attr]
        return cards

    def _word(self, offset: int) -> int:
        return int(self.state[offset])

    def _thing(self, record: int, seat: int, *, is_player: bool = False) -> Thing:
        card = None if is_player else self._cards[self._word(record + at.CARD)]
        printed = 0 if card is None or isinstance(card, Token) else card.cost
        lent = (at.OWN_KEYWORDS, at.TURN_KEYWORDS, at.NEXT_KEYWORDS)
        keywords = Keyword(0)
        for word in lent:
            keywords |= Keyword(self._word(record + word))
        attack = self._word(record + at.ATTACK) - self._word(record + at.AURA_ATTACK)
        return Thing(
            at=record,
            seat=seat,
            card=card,
            attack=self._word(record + at.TURN_ATTACK) if is_player else attack,
            health=self._word(record + at.HEALTH),
            max_health=self._word(record + at.MAX_HEALTH) - self._word(record + at.AURA_HEALTH),
            keywords=keywords,
            cost=printed + self._word(record + at.COST_CHANGE),
            status=self._word(record + at.STATUS),
            n_made=self._word(record + at.N_MADE),
        )

    def _zone(self, zone: int, seat: int) -> list[Thing]:
        return [
            self._thing(self._word(zone + 1 + place), seat) for place in range(self._word(zone))
        ]

    def _side(self, seat: int) -> Side:
        block = at.SEATS + at.SEAT_SIZE * seat
        weapon = self._word(block + at.WEAPON)
        return Side(
            player=self._thing(block, seat, is_player=True),
            board=self._zone(block + at.BOARD, seat),
            hand=self._zone(block + at.HAND, seat),
            weapon=self._thing(weapon, seat) if weapon else None,
            secrets=self._zone(block + at.SECRETS, seat),
            n_played=self._word(block + at.N_PLAYED),
            n_minions_played=self._word(block + at.N_MINIONS_PLAYED),
            armor=self._word(block + at.ARMOR),
            crystals=self._word(block + at.MANA_CAP),
        )

"""The records of a position as objects, without the effects of auras."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np
import numpy.typing as npt

from sim import Card, Pool
from sim.cards.effect import Effect, Token
from sim.cards.vocabulary import Keyword, Kind
from sim.engine import layout as at

Words16 = npt.NDArray[np.int16]


@dataclass
class Thing:
    """A player, a minion, a weapon or a card in a hand.

    Attributes:
        at: offset of its record.
        seat: its owner.
        card: its card; `None` for players.
        attack: attack without auras, until they are added.
        health: current health.
        max_health: limit of healing, without auras.
        keywords: own and lent keywords.
        cost: cost without auras and discounts.
        status: IS_* bits.
        n_made: number of attacks made in this turn.
        aura_health: health from auras that is not added yet.
    """

    at: int
    seat: int
    card: Card | Token | None
    attack: int
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
        has_text = isinstance(self.card, Card) and not self.status & at.IS_SILENCED
        return self.card.effects if has_text else ()


@dataclass
class Side:
    """The records of a seat that auras can apply to, and counts of the seat."""

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

    def records(self, word: str) -> list[Thing]:
        """Return the records of this side that a selector ending in `word` finds."""
        return {
            "player": [self.player],
            "minion": self.board,
            "character": [self.player, *self.board],
            "weapon": self.wielded,
            "hand": self.hand,
            "secret": self.secrets,
        }[word.rpartition("_")[2]]


def sides_of(pool: Pool, state: Words16) -> list[Side]:
    """Return the records of both seats in a state of the general rules."""
    tokens = [row.token for card in pool.everything for row in card.effects if row.token]
    return [_side([*pool.everything, *tokens], state.tolist(), seat) for seat in range(2)]


def _side(cards: list[Card | Token], words: list[int], seat: int) -> Side:
    block = at.SEATS + at.SEAT_SIZE * seat

    def things(records: list[int]) -> list[Thing]:
        return [_thing(words, record, seat, cards[words[record + at.CARD]]) for record in records]

    def zone(start: int) -> list[Thing]:
        return things(words[start + 1 :][: words[start]])

    weapon = words[block + at.WEAPON]
    return Side(
        player=_thing(words, block, seat, None),
        board=zone(block + at.BOARD),
        hand=zone(block + at.HAND),
        weapon=things([weapon])[0] if weapon else None,
        secrets=zone(block + at.SECRETS),
        n_played=words[block + at.N_PLAYED],
        n_minions_played=words[block + at.N_MINIONS_PLAYED],
        armor=words[block + at.ARMOR],
        crystals=words[block + at.MANA_CAP],
    )


def _thing(words: list[int], record: int, seat: int, card: Card | Token | None) -> Thing:
    lent = (at.OWN_KEYWORDS, at.TURN_KEYWORDS, at.NEXT_KEYWORDS)
    attack = words[record + at.ATTACK] - words[record + at.AURA_ATTACK]
    return Thing(
        at=record,
        seat=seat,
        card=card,
        attack=attack if card else words[record + at.TURN_ATTACK],
        health=words[record + at.HEALTH],
        max_health=words[record + at.MAX_HEALTH] - words[record + at.AURA_HEALTH],
        keywords=reduce(or_, (Keyword(words[record + word]) for word in lent)),
        cost=(card.cost if isinstance(card, Card) else 0) + words[record + at.COST_CHANGE],
        status=words[record + at.STATUS],
        n_made=words[record + at.N_MADE],
    )

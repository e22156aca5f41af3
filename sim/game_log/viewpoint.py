"""To whom a game is told, and in which names: to a reader, who sees everything, or to a player."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim import Card, Pool
from sim.cards.vocabulary import Keyword
from sim.game_log.snapshot import Record

_OF_YOU = {"is": "are", "has": "have", "may": "may"}


@dataclass(frozen=True)
class Viewpoint:
    """Who is told a game: what of the seats is shown, and what they are called.

    Attributes:
        seat: whose player it is; `None` for a reader, who is shown both hands.
    """

    seat: int | None = None

    @property
    def plays(self) -> bool:
        """Whether it has a seat, and may not see what the other one holds."""
        return self.seat is not None

    def sees(self, seat: int) -> bool:
        """Whether it is shown the cards that a seat holds, draws and chooses from."""
        return self.seat in (None, seat)

    def named(self, seat: int) -> str:
        """What a seat is called."""
        if self.seat is None:
            return f"seat {seat}"
        return "you" if seat == self.seat else "the opponent"

    def does(self, seat: int, verb: str) -> str:
        """Who does something: `seat 0 draws`, `you draw` or `the opponent draws`.

        Args:
            seat: who.
            verb: in the third person.
        """
        if seat == self.seat:
            verb = _OF_YOU.get(verb, verb.removesuffix("s"))
        return f"{self.named(seat)} {verb}"

    def whose(self, seat: int) -> str:
        """Whose something is: `seat 0`, `your` or `the opponent's`."""
        if self.seat is None:
            return f"seat {seat}"
        return "your" if seat == self.seat else "the opponent's"


READER = Viewpoint()
"""Somebody who has no seat."""


@dataclass(frozen=True)
class Names:
    """What the cards of a game are called.

    Attributes:
        pool: all of them.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
    """

    pool: Pool
    decks: npt.NDArray[np.int16]

    @cached_property
    def everything(self) -> tuple[Card, ...]:
        """Cards and tokens, by their numbers."""
        return self.pool.everything

    def of_card(self, number: int) -> str:
        """The name of a card or token; `""` for what a row says in place, which has none."""
        return self.everything[number].name if number < len(self.everything) else ""

    def of(self, record: Record) -> str:
        """A card's name; what has none is known by its numbers."""
        return self.of_card(record.card) or f"token {stats(record)}"

    def beside_stats(self, record: Record, witness: Viewpoint) -> str:
        """What a unit is called where its attack and health stand beside the name.

        A player reads a token's numbers once; a reader's playthroughs keep the words that they
        have always had.
        """
        return self.of_card(record.card) or ("token" if witness.plays else self.of(record))

    def is_from_deck(self, seat: int, card: Record) -> bool:
        """Whether a card is the one that its slot held when the game began."""
        return bool(
            card.slot < self.decks[seat, 0] and self.decks[seat, 1 + card.slot] == card.card
        )


def n_cards(number: int) -> str:
    """So many cards that are not shown."""
    return "a card" if number == 1 else f"{number} cards"


def stats(record: Record) -> str:
    """Attack and health of a unit, attack and durability of a weapon."""
    return f"{record.attack}/{record.health}"


def described(names: Names, record: Record) -> str:
    """A card with its numbers and keywords, as far as it has any."""
    words = [names.of_card(record.card) or "token"]
    if record.max_health:
        words.append(stats(record))
    words += keyword_names(record.keywords)
    words += ["frozen"] * record.is_frozen + ["silenced"] * record.is_silenced
    return " ".join(words)


def keyword_names(keywords: Keyword) -> list[str]:
    """The keywords that are there, each by its name."""
    names = [word.name for word in Keyword if word in keywords]
    return [name.lower().replace("_", " ") for name in names if name]

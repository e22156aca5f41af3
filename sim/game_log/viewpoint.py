"""Viewpoints of a game log, omniscient or a player's, and the names of cards and seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim import Card, Pool
from sim.cards.vocabulary import Keyword
from sim.game_log.snapshot import Record

_OF_YOU = {"is": "are", "has": "have", "may": "may"}
"""Forms of the second person that are not the third person without its s."""


@dataclass(frozen=True)
class Viewpoint:
    """The reader of a log: what is visible, and what the seats are called.

    Attributes:
        seat: seat of the player who reads the log; `None` for a reader who sees both hands.
    """

    seat: int | None = None

    @property
    def is_player(self) -> bool:
        """Whether the viewpoint is a player's, from which the other hand is hidden."""
        return self.seat is not None

    def sees(self, seat: int) -> bool:
        """Return whether the cards that a seat holds, draws and chooses from are visible."""
        return self.seat in (None, seat)

    def name_of(self, seat: int) -> str:
        """Return the name of a seat."""
        if self.seat is None:
            return f"seat {seat}"
        return "you" if seat == self.seat else "the opponent"

    def does(self, seat: int, verb: str) -> str:
        """Return a seat with a verb: `seat 0 draws`, `you draw` or `the opponent draws`.

        Args:
            seat: the seat.
            verb: the verb in the third person singular.
        """
        if seat == self.seat:
            verb = _OF_YOU.get(verb, verb.removesuffix("s"))
        return f"{self.name_of(seat)} {verb}"

    def possessive(self, seat: int) -> str:
        """Return the possessive of a seat: `seat 0`, `your` or `the opponent's`."""
        if self.seat is None:
            return f"seat {seat}"
        return "your" if seat == self.seat else "the opponent's"


READER = Viewpoint()
"""The viewpoint of a reader without a seat, who sees everything."""


@dataclass(frozen=True)
class Names:
    """Names of the cards of a game.

    Attributes:
        pool: the cards.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
    """

    pool: Pool
    decks: npt.NDArray[np.int16]

    @cached_property
    def everything(self) -> tuple[Card, ...]:
        """Cards and tokens, by their numbers."""
        return self.pool.everything

    def of_card(self, number: int) -> str:
        """Return the name of a card or token; `""` for a plain token, which has none."""
        return self.everything[number].name if number < len(self.everything) else ""

    def of(self, record: Record) -> str:
        """Return the name of a record; a plain token is named by its numbers."""
        return self.of_card(record.card) or f"token {stats(record)}"

    def name_before_stats(self, record: Record, viewpoint: Viewpoint) -> str:
        """Return the name of a unit for a phrase that also shows its attack and health.

        In a player's log, a plain token is called `token` there, so that its numbers appear only
        once. A reader's log names its numbers twice, as all earlier logs did.
        """
        return self.of_card(record.card) or ("token" if viewpoint.is_player else self.of(record))

    def is_from_deck(self, seat: int, card: Record) -> bool:
        """Return whether a card is the one that its deck slot held when the game began."""
        return bool(
            card.slot < self.decks[seat, 0] and self.decks[seat, 1 + card.slot] == card.card
        )


def n_cards(number: int) -> str:
    """Return a number of hidden cards in words."""
    return "a card" if number == 1 else f"{number} cards"


def stats(record: Record) -> str:
    """Return attack and health of a unit, or attack and durability of a weapon."""
    return f"{record.attack}/{record.health}"


def description(names: Names, record: Record) -> str:
    """Return the name of a record with its numbers, keywords and states."""
    words = [names.of_card(record.card) or "token"]
    if record.max_health:
        words.append(stats(record))
    words += keyword_names(record.keywords)
    words += ["frozen"] * record.is_frozen + ["silenced"] * record.is_silenced
    return " ".join(words)


def keyword_names(keywords: Keyword) -> list[str]:
    """Return the name of each keyword of a set."""
    names = [word.name for word in Keyword if word in keywords]
    return [name.lower().replace("_", " ") for name in names if name]

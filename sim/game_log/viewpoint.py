"""Viewpoint of a game log (omniscient or of one player), and the names of cards and seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim import Card, Pool
from sim.cards.vocabulary import Keyword
from sim.game_log.snapshot import Record

_OF_YOU = {"is": "are", "has": "have", "may": "may"}
"""Second person of verbs that do not form it by removing the s of the third person."""


@dataclass(frozen=True)
class Viewpoint:
    """Viewpoint of a game log, which determines the visible cards and the names of the seats.

    Attributes:
        seat: seat of the player who reads the log; `None` for an omniscient reader, who sees all
            cards.
    """

    seat: int | None = None

    @property
    def is_player(self) -> bool:
        """Whether the reader is one of the players, so that the hand of the other is hidden."""
        return self.seat is not None

    def sees(self, seat: int) -> bool:
        """Return whether the reader sees the cards that a seat holds, draws and chooses from."""
        return self.seat in (None, seat)

    def name_of(self, seat: int) -> str:
        """Return the name of a seat: `you` or `the opponent` for a player, else `seat 0`."""
        if self.seat is None:
            return f"seat {seat}"
        return "you" if seat == self.seat else "the opponent"

    def does(self, seat: int, verb: str) -> str:
        """Return the name of a seat with a verb: `seat 0 draws`, `you draw`, `the opponent draws`.

        Args:
            seat: seat that acts.
            verb: verb in the third person singular; it is changed to the second person after `you`.
        """
        if seat == self.seat:
            verb = _OF_YOU.get(verb, verb.removesuffix("s"))
        return f"{self.name_of(seat)} {verb}"

    def possessive(self, seat: int) -> str:
        """Return the name of a seat as an owner: `seat 0`, `your` or `the opponent's`."""
        if self.seat is None:
            return f"seat {seat}"
        return "your" if seat == self.seat else "the opponent's"


READER = Viewpoint()
"""Viewpoint of an omniscient reader, who has no seat and sees all cards."""


@dataclass(frozen=True)
class Names:
    """Names of the cards in one game, for logs.

    Attributes:
        pool: pool that numbers the cards.
        decks: row of each seat's deck (`sim.play.batch.deck_row`), shape ``[2, DECK_ROW_SIZE]``.
    """

    pool: Pool
    decks: npt.NDArray[np.int16]

    @cached_property
    def everything(self) -> tuple[Card, ...]:
        """All cards and tokens of the pool, in the order of their numbers."""
        return self.pool.everything

    def of_card(self, number: int) -> str:
        """Return the name of the card or token with a number; `""` for a plain token."""
        return self.everything[number].name if number < len(self.everything) else ""

    def of(self, record: Record) -> str:
        """Return the name of a record's card; for a plain token it is, for example, `token 1/1`."""
        return self.of_card(record.card) or f"token {stats(record)}"

    def name_before_stats(self, record: Record, viewpoint: Viewpoint) -> str:
        """Return the name of a unit for a phrase that shows its attack and health after the name.

        A plain token is called `token` in a player's log, so that its numbers appear only once. In
        an omniscient log it is called `token 1/1`, so its numbers appear twice.
        """
        # The omniscient form is kept so that logs remain equal to those of earlier versions.
        return self.of_card(record.card) or ("token" if viewpoint.is_player else self.of(record))

    def is_from_deck(self, seat: int, card: Record) -> bool:
        """Return whether a card is the card that its deck slot had at the beginning of the game.

        Args:
            seat: seat that owns the deck.
            card: record of the card.
        """
        return bool(
            card.slot < self.decks[seat, 0] and self.decks[seat, 1 + card.slot] == card.card
        )


def n_cards(number: int) -> str:
    """Return the words for a number of hidden cards: `a card` or, for example, `2 cards`."""
    return "a card" if number == 1 else f"{number} cards"


def stats(record: Record) -> str:
    """Return the numbers of a unit as `attack/health`, or of a weapon as `attack/durability`."""
    return f"{record.attack}/{record.health}"


def description(names: Names, record: Record) -> str:
    """Return the name of a card with its numbers, keywords and states, separated by spaces.

    Args:
        names: names of the cards.
        record: record of the card; spells have no numbers.
    """
    words = [names.of_card(record.card) or "token"]
    if record.max_health:
        words.append(stats(record))
    words += keyword_names(record.keywords)
    words += ["frozen"] * record.is_frozen + ["silenced"] * record.is_silenced
    return " ".join(words)


def keyword_names(keywords: Keyword) -> list[str]:
    """Return the names of the keywords in a set, in lower case with spaces."""
    names = [word.name for word in Keyword if word in keywords]
    return [name.lower().replace("_", " ") for name in names if name]

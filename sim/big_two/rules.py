"""Rules of Big Two: every number and switch, with the usual variants by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field

from sim import StrictModel, known_word, validate
from sim.big_two.cards import FIRST_FOUR, HAND_SIZE, N_ACTIONS, N_CARDS, N_SEATS, RANKS
from sim.big_two.sets import FLUSH_BY_SUIT, MAY_GROW, ORDER_SIZE, PLACE_SHIFT

Numbers = npt.NDArray[np.int64]

_NATURAL = tuple("A23456789TJQKA"[place : place + 5] for place in range(10))
_TWO_IS_HIGH = ("34567", *_NATURAL[3:], "34562", "345A2")


def _are_straights(straights: tuple[str, ...]) -> tuple[str, ...]:
    for one in straights:
        if len(one) != 5 or len({*one} & {*RANKS}) != 5:
            raise ValueError(f"{one!r} must be five different ranks of {RANKS}")
    if len({frozenset(one) for one in straights}) < len(straights):
        raise ValueError("must not name the same five ranks twice")
    return straights


CardCount = Annotated[int, Field(ge=5, le=HAND_SIZE)]


class BigTwoRules(StrictModel):
    """The rules of one game.

    Attributes:
        opening_card: the number of the card (`sim.big_two.cards`) whose holder begins; where it
            was not dealt, the next higher one. 0 is the diamond three, 51 the spade two.
        opening_lead: what the first lead must be: 0 anything, 1 a set with the opening card,
            2 that card alone.
        pass_locks: 1 where who passed may not play again before the table is cleared, else 0.
        fours_alone: 1 where four cards of a rank may be played without a fifth, else 0.
        straights: their ranks, from the lowest straight to the highest; the card of the rank named
            last decides among straights of equal ranks.
        flushes: whether a flush is the higher by its ranks, or by its suit first.
        cards: how many cards each seat is dealt; fewer are a head start.
        double_from: from how many cards left each counts double.
        triple_from: from how many each counts threefold; 14 is never.
    """

    opening_card: int = Field(default=0, ge=0, le=N_CARDS - 1)
    opening_lead: int = Field(default=1, ge=0, le=2)
    pass_locks: int = Field(default=0, ge=0, le=1)
    fours_alone: int = Field(default=0, ge=0, le=1)
    straights: Annotated[tuple[str, ...], AfterValidator(_are_straights)] = _NATURAL
    flushes: Literal["rank", "suit"] = "rank"
    cards: Annotated[tuple[CardCount, ...], Field(min_length=N_SEATS, max_length=N_SEATS)] = (
        HAND_SIZE,
    ) * N_SEATS
    double_from: int = Field(default=10, ge=1, le=HAND_SIZE + 1)
    triple_from: int = Field(default=HAND_SIZE + 1, ge=1, le=HAND_SIZE + 1)

    @property
    def n_actions(self) -> int:
        """How many numbers of actions there are: fours alone are the last."""
        return N_ACTIONS if self.fours_alone else FIRST_FOUR

    @cached_property
    def order(self) -> Numbers:
        """``[ORDER_SIZE]`` straights, and how flushes compare (`sim.big_two.sets`)."""
        ranks = np.arange(ORDER_SIZE)
        order = np.where(np.bitwise_count(ranks) <= 2, MAY_GROW, 0)
        order[FLUSH_BY_SUIT] = self.flushes == "suit"
        for place, straight in enumerate(self.straights, 1):
            numbers = [RANKS.index(rank) for rank in straight]
            whole = sum(1 << number for number in numbers)
            order[(ranks & whole == ranks) & (ranks > 0)] |= MAY_GROW
            order[whole] |= place << PLACE_SHIFT | numbers[-1]
        return order

    @property
    def numbers(self) -> Numbers:
        """``[N_NUMBERS]`` what a deal needs to know, in the order of `NUMBERS`."""
        return np.array([self.number(field) for field in NUMBERS], dtype=np.int64)

    def number(self, field: str) -> int:
        """The value of one of `NUMBERS`, or of another number of the rules."""
        if field in CARDS_OF_SEATS:
            return self.cards[CARDS_OF_SEATS.index(field)]
        return int(getattr(self, field))

    def with_numbers(self, numbers: Mapping[str, int]) -> BigTwoRules:
        """The same rules with other values of some of their numbers.

        Raises:
            InputError: they are no rules then; names the key, the value and the limit.
        """
        told = {**self.model_dump(), **numbers}
        told["cards"] = [told.pop(k, n) for k, n in zip(CARDS_OF_SEATS, self.cards, strict=True)]
        return validate(BigTwoRules, told, source="rules")

    def owed(self, cards_left: npt.ArrayLike) -> Numbers:
        """What each of these numbers of cards left costs."""
        left = np.asarray(cards_left, dtype=np.int64)
        return left * (1 + (left >= self.double_from) + (left >= self.triple_from))


CARDS_OF_SEATS = tuple(f"cards_of_seat_{seat}" for seat in range(N_SEATS))
NUMBERS = ("opening_card", "opening_lead", "pass_locks", "fours_alone", *CARDS_OF_SEATS)
"""The numbers of the rules that a game is dealt with, in the engine's order."""

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "locked": {"pass_locks": 1},
    "hong_kong": {"flushes": "suit", "straights": _TWO_IS_HIGH, "triple_from": HAND_SIZE},
    "single_lead": {"opening_lead": 2},
    "free_lead": {"opening_lead": 0},
    "fours": {"fours_alone": 1},
    "no_low_straights": {"straights": _NATURAL[2:]},
}
"""Rules by name, as what they change of the standard."""


def rules_of(variant: str = "standard", **changes: Any) -> BigTwoRules:
    """The rules of a variant, with changes.

    Raises:
        InputError: there is no such variant, or the changes do not fit.
    """
    return validate(
        BigTwoRules,
        {**VARIANTS[known_word("variant", variant, VARIANTS)], **changes},
        source="rules",
    )

"""Rules of Big Two: all numbers and options, and named variants."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field

from sim import InputError, StrictModel, known_word, validate
from sim.big_two.cards import FIRST_FOUR, HAND_SIZE, N_ACTIONS, N_CARDS, N_SEATS, RANKS
from sim.big_two.sets import FLUSH_BY_SUIT, MAY_GROW, ORDER_SIZE, PLACE_SHIFT

Numbers = npt.NDArray[np.int64]

_NATURAL = tuple("A23456789TJQKA"[place : place + 5] for place in range(10))
"""Straights from ace to five up to ten to ace."""

_TWO_IS_HIGH = ("34567", *_NATURAL[3:], "34562", "345A2")
"""Straights in the order of Hong Kong rules, where those with a two are the highest."""


def _check_straights(straights: tuple[str, ...]) -> tuple[str, ...]:
    """Check that each straight has five different ranks, and that none occurs twice."""
    for straight in straights:
        if len(straight) != 5 or len({*straight} & {*RANKS}) != 5:
            raise InputError(
                f"{straight!r} must be five different ranks of {RANKS}",
                value=straight,
                limit=RANKS,
            )
    if len({frozenset(straight) for straight in straights}) < len(straights):
        raise InputError("must not name the same five ranks twice", value=straights)
    return straights


CardCount = Annotated[int, Field(ge=5, le=HAND_SIZE)]
"""Number of cards dealt to a seat; five are needed for the largest sets."""


class BigTwoRules(StrictModel):
    """The rules of a game.

    Attributes:
        opening_card: number of the card (`sim.big_two.cards`) that decides who leads first: its
            holder, or the holder of the next higher card if it was not dealt. 0 is the three of
            diamonds, 51 the two of spades.
        opening_lead: what the first lead must be: 0 anything, 1 a set with the opening card, 2 that
            card alone.
        pass_locks: 1 if a seat that passed may not play again before the table is cleared, else 0.
        fours_alone: 1 if four cards of a rank may be played without a fifth, else 0.
        straights: ranks of all straights, from the lowest straight to the highest; the card of the
            rank named last decides between straights of equal ranks.
        flushes: whether flushes compare by rank or by suit first.
        cards: number of cards dealt to each seat; fewer cards are an advantage.
        double_from: number of cards left from which each counts double.
        triple_from: number of cards left from which each counts three times; 14 means never.
    """

    opening_card: int = Field(default=0, ge=0, le=N_CARDS - 1)
    opening_lead: int = Field(default=1, ge=0, le=2)
    pass_locks: int = Field(default=0, ge=0, le=1)
    fours_alone: int = Field(default=0, ge=0, le=1)
    straights: Annotated[tuple[str, ...], AfterValidator(_check_straights)] = _NATURAL
    flushes: Literal["rank", "suit"] = "rank"
    cards: Annotated[tuple[CardCount, ...], Field(min_length=N_SEATS, max_length=N_SEATS)] = (
        HAND_SIZE,
    ) * N_SEATS
    # The common payment: ten and more cards count double, and nothing counts three times.
    double_from: int = Field(default=10, ge=1, le=HAND_SIZE + 1)
    triple_from: int = Field(default=HAND_SIZE + 1, ge=1, le=HAND_SIZE + 1)

    @property
    def n_actions(self) -> int:
        """Number of actions; fours without a fifth card are the last ones."""
        return N_ACTIONS if self.fours_alone else FIRST_FOUR

    @cached_property
    def order(self) -> Numbers:
        """The straights, and how flushes compare (`sim.big_two.sets`), shape ``[ORDER_SIZE]``."""
        ranks = np.arange(ORDER_SIZE)
        # Two ranks may still become a full house or four of a rank with a fifth card.
        order = np.where(np.bitwise_count(ranks) <= 2, MAY_GROW, 0)
        order[FLUSH_BY_SUIT] = self.flushes == "suit"
        for place, straight in enumerate(self.straights, 1):
            numbers = [RANKS.index(rank) for rank in straight]
            straight_ranks = sum(1 << number for number in numbers)
            order[(ranks & straight_ranks == ranks) & (ranks > 0)] |= MAY_GROW
            order[straight_ranks] |= place << PLACE_SHIFT | numbers[-1]
        return order

    @property
    def numbers(self) -> Numbers:
        """Numbers that a deal needs, in the order of `NUMBERS`, shape ``[N_NUMBERS]``."""
        return np.array([self.number(field) for field in NUMBERS], dtype=np.int64)

    def number(self, field: str) -> int:
        """Return the value of a number of the rules, such as one of `NUMBERS`."""
        if field in CARDS_OF_SEATS:
            return self.cards[CARDS_OF_SEATS.index(field)]
        return int(getattr(self, field))

    def with_numbers(self, numbers: Mapping[str, int]) -> BigTwoRules:
        """Return the rules with other values of some numbers.

        Args:
            numbers: the new values, by name (`number`).

        Raises:
            InputError: a value is not permitted; names the key, the value and the limit.
        """
        fields = {**self.model_dump(), **numbers}
        fields["cards"] = [
            fields.pop(name, n_cards)
            for name, n_cards in zip(CARDS_OF_SEATS, self.cards, strict=True)
        ]
        return validate(BigTwoRules, fields, source="rules")

    def owed(self, cards_left: npt.ArrayLike) -> Numbers:
        """Return the payment for a number of cards left, element by element.

        n cards cost n, 2 n from `double_from` on, and 3 n from `triple_from` on.

        Args:
            cards_left: numbers of cards, of any shape.
        """
        left = np.asarray(cards_left, dtype=np.int64)
        return left * (1 + (left >= self.double_from) + (left >= self.triple_from))


CARDS_OF_SEATS = tuple(f"cards_of_seat_{seat}" for seat in range(N_SEATS))
NUMBERS = ("opening_card", "opening_lead", "pass_locks", "fours_alone", *CARDS_OF_SEATS)
"""Names of the numbers that a deal needs, in the order of the compiled code."""

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "locked": {"pass_locks": 1},
    "hong_kong": {"flushes": "suit", "straights": _TWO_IS_HIGH, "triple_from": HAND_SIZE},
    "single_lead": {"opening_lead": 2},
    "free_lead": {"opening_lead": 0},
    "fours": {"fours_alone": 1},
    "no_low_straights": {"straights": _NATURAL[2:]},
}
"""Changes of the standard rules, by the name of the variant."""


def rules_of(variant: str = "standard", **changes: Any) -> BigTwoRules:
    """Return the rules of a variant, with changes.

    Args:
        variant: name of the variant.
        **changes: other values of fields of `BigTwoRules`.

    Raises:
        InputError: there is no such variant, or a change is not permitted.
    """
    return validate(
        BigTwoRules,
        {**VARIANTS[known_word("variant", variant, VARIANTS)], **changes},
        source="rules",
    )

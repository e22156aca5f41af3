"""Rules of Big Two with all their options, and named variants of the rules."""

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
"""Ranks of the straights from A2345, the lowest, to TJQKA, the highest."""

_TWO_IS_HIGH = ("34567", *_NATURAL[3:], "34562", "345A2")
"""Ranks of the straights under Hong Kong rules, in rising order; those with a two are highest."""


def _check_straights(straights: tuple[str, ...]) -> tuple[str, ...]:
    """Return straights unchanged if each has five different ranks and none occurs twice.

    Raises:
        InputError: a straight does not have five different ranks, or two have the same ranks.
    """
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
"""Number of cards dealt to a seat: at least five, which the largest sets need, at most 13."""


class BigTwoRules(StrictModel):
    """The rules of a game of Big Two.

    Attributes:
        opening_card: number of the card (`sim.big_two.cards`) that decides which seat leads first,
            from 0 (the three of diamonds) to 51 (the two of spades). Its holder leads. If it was
            not dealt, the next higher card that was dealt takes its place.
        opening_lead: condition on the first lead: 0 if any set may be led, 1 for a set with the
            opening card, 2 for the opening card alone.
        pass_locks: 1 if a seat that passed may not play again before the table is cleared, else 0.
        fours_alone: 1 if four cards of a rank may be played without a fifth card, else 0.
        straights: ranks of all straights, from the lowest to the highest straight. The suit of the
            rank that is named last decides between straights of equal ranks.
        flushes: property that flushes are first compared by, `rank` or `suit`.
        cards: number of cards dealt to each seat; fewer cards are an advantage.
        double_from: number of cards left from which each card costs two points.
        triple_from: number of cards left from which each card costs three points; 14 means never.
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
    # The usual payment: ten or more cards cost double, and no number of cards costs triple.
    double_from: int = Field(default=10, ge=1, le=HAND_SIZE + 1)
    triple_from: int = Field(default=HAND_SIZE + 1, ge=1, le=HAND_SIZE + 1)

    @property
    def n_actions(self) -> int:
        """Number of actions, which includes fours without a fifth card if the rules allow them."""
        return N_ACTIONS if self.fours_alone else FIRST_FOUR

    @cached_property
    def order(self) -> Numbers:
        """Table of the order of straights and flushes for compiled code, shape ``[ORDER_SIZE]``.

        `sim.big_two.sets` describes its entries.
        """
        ranks = np.arange(ORDER_SIZE)
        # Up to two ranks can become a full house, or four of a rank with a fifth card.
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
        """Values of the numbers in `NUMBERS`, which a deal needs, shape ``[N_NUMBERS]``."""
        return np.array([self.number(field) for field in NUMBERS], dtype=np.int64)

    def number(self, field: str) -> int:
        """Return the value of a field that is a whole number, or of one of `CARDS_OF_SEATS`."""
        if field in CARDS_OF_SEATS:
            return self.cards[CARDS_OF_SEATS.index(field)]
        return int(getattr(self, field))

    def with_numbers(self, numbers: Mapping[str, int]) -> BigTwoRules:
        """Return a copy of the rules with new values of some numbers.

        Args:
            numbers: new values, by the names that `number` takes.

        Raises:
            InputError: a value is not permitted; the message names the key, value and limit.
        """
        fields = {**self.model_dump(), **numbers}
        fields["cards"] = [
            fields.pop(name, n_cards)
            for name, n_cards in zip(CARDS_OF_SEATS, self.cards, strict=True)
        ]
        return validate(BigTwoRules, fields, source="rules")

    def owed(self, cards_left: npt.ArrayLike) -> Numbers:
        """Return the points to pay for numbers of remaining cards, in the shape of `cards_left`.

        The payment for n cards is n, plus n if n is at least `double_from`, plus n if n is at least
        `triple_from`.

        Args:
            cards_left: numbers of remaining cards, of any shape.
        """
        left = np.asarray(cards_left, dtype=np.int64)
        return left * (1 + (left >= self.double_from) + (left >= self.triple_from))


CARDS_OF_SEATS = tuple(f"cards_of_seat_{seat}" for seat in range(N_SEATS))
"""Names of the entries of `BigTwoRules.cards` as single numbers of the rules."""

NUMBERS = ("opening_card", "opening_lead", "pass_locks", "fours_alone", *CARDS_OF_SEATS)
"""Names of the numbers that a deal needs, in the order in which compiled code reads them."""

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "locked": {"pass_locks": 1},
    "hong_kong": {"flushes": "suit", "straights": _TWO_IS_HIGH, "triple_from": HAND_SIZE},
    "single_lead": {"opening_lead": 2},
    "free_lead": {"opening_lead": 0},
    "fours": {"fours_alone": 1},
    "no_low_straights": {"straights": _NATURAL[2:]},
}
"""Named variants of the rules, as the fields of `BigTwoRules` that differ from the standard."""


def rules_of(variant: str = "standard", **changes: Any) -> BigTwoRules:
    """Return the rules of a variant, with further changes.

    Args:
        variant: name of the variant (`VARIANTS`).
        **changes: fields of `BigTwoRules` that replace those of the variant.

    Raises:
        InputError: the variant does not exist, or a value is not permitted.
    """
    return validate(
        BigTwoRules,
        {**VARIANTS[known_word("variant", variant, VARIANTS)], **changes},
        source="rules",
    )

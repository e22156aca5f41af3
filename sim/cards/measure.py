"""Measures: numbers of a position that effect rows multiply by or compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sim.cards.supplied import supplied


@dataclass(frozen=True)
class Measure:
    """Declaration of a measure: a number that rows multiply by (`times`) or compare (`when`).

    Attributes:
        word: the measure's word in files.
        number: the measure's number in compiled code.
        read: compiled function of (state, table, condition, source, target, subject, amount) that
            returns the measured number.
        phrase: description for people, with parts in braces: `the number of {group}`.
        reads: further templates that texts of cards may use.
        yes: clause for the condition that the number is at least 1; `""` if the condition is
            described by its bounds.
        no: clause for the condition that the number is 0; used only if `yes` is given.
        is_bare: whether files name the measure by its word alone, without a group.
        is_random: whether the number is random.
    """

    word: str
    number: int
    read: Callable[..., int]
    phrase: str = ""
    reads: tuple[str, ...] = ()
    yes: str = ""
    no: str = ""
    is_bare: bool = True
    is_random: bool = False


def measures() -> Mapping[str, Measure]:
    """Return all measures by word; the first call imports compiled code and is slow."""
    declared: Mapping[str, Measure] = supplied("measures")
    return declared

"""Measures: the numbers that effect rows multiply by or compare, and the list of all measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Measure:
    """A number of the position that a row may multiply by (`times`) or compare (`when`).

    Attributes:
        word: the measure's word in files.
        number: the measure's number in compiled code.
        read: the compiled function of (state, table, condition, source, target, subject, amount)
            that looks the number up.
        phrase: description for people, with parts in braces: `the number of {group}`.
        yes: phrase of the condition that the number is not 0; `""` to describe it by its bounds.
        no: phrase of the condition that the number is 0.
        is_bare: whether the word alone names the measure, without a group.
        is_random: whether the number depends on chance.
    """

    word: str
    number: int
    read: Callable[..., int]
    phrase: str = ""
    yes: str = ""
    no: str = ""
    is_bare: bool = True
    is_random: bool = False


@cache
def measures() -> Mapping[str, Measure]:
    """Return all measures by word; they are compiled code, so they are loaded at the first call."""
    from sim.engine.general.measures import DECLARED  # noqa: PLC0415 (slow: compiled code)

    return DECLARED

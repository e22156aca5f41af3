"""Measures: the numbers that rows count by or ask about, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Measure:
    """What a row may count by (`times = "..."`) or ask about (`when = "..."`).

    Attributes:
        word: what files call it.
        number: what the engine knows it by.
        read: the compiled function of (state, table, condition, source, target, subject, amount)
            that looks it up.
        phrase: what people read.
        yes: the condition that it is something, as a phrase; `""` if its amount says it better.
        no: the condition that it is nothing.
        is_bare: whether its word alone names it.
        is_luck: whether chance decides what it is.
    """

    word: str
    number: int
    read: Callable[..., int]
    phrase: str = ""
    yes: str = ""
    no: str = ""
    is_bare: bool = True
    is_luck: bool = False


@cache
def measures() -> Mapping[str, Measure]:
    """All of them, by word; loaded when first asked for, since they are compiled code."""
    from sim.engine.general.measures import DECLARED  # noqa: PLC0415 (see above)

    return DECLARED

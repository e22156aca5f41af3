"""Measures: the numbers that rows count by or ask about, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property


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


class Measures(Mapping[str, Measure]):
    """The measures by word, loaded when one is first looked up, since they are compiled code."""

    @cached_property
    def _by_word(self) -> Mapping[str, Measure]:
        from sim.engine.general.measures import DECLARED  # noqa: PLC0415 (see the class)

        return DECLARED

    def __getitem__(self, word: str) -> Measure:
        return self._by_word[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_word)

    def __len__(self) -> int:
        return len(self._by_word)


MEASURES = Measures()

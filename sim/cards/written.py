"""Groups, measures and conditions in the notation of card files, the inverse of their reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sim.cards.notation import (
    ALWAYS,
    NUMBER_HIGH,
    NUMBER_LOW,
    Bounds,
    Group,
    Reading,
)
from sim.cards.vocabulary import Keyword, State


def written_group(group: Group) -> Group:
    """Return a group with its text in the notation, such as `enemy_minions(attack<=3)`."""
    filters = ", ".join(_filters(group))
    word = group.selector.name.lower()
    return replace(group, text=f"{word}({filters})" if filters else word)


def written_reading(reading: Reading) -> Reading:
    """Return a measure with its text in the notation, such as `count own_hand`."""
    group = written_group(reading.group)
    if reading.measure == "count":
        return replace(reading, group=group, text=f"count {group.text}")
    if reading.measure == "stat":
        text = f"{reading.stat.name.lower()} of {group.text}"
        return replace(reading, group=group, text=text)
    return replace(reading, text=reading.measure)


def written_bounds(bounds: Bounds) -> Bounds:
    """Return a condition with its text in the notation, such as `count own_minions >= 1`."""
    clauses = [clause for clause in bounds.clauses if clause != ALWAYS]
    text = " and ".join(_clause(clause) for clause in clauses) or "always"
    return replace(bounds, text=text)


def _filters(group: Group) -> Iterator[str]:
    for state in State:
        if state in group.states:
            yield str(state.name).lower()
    if group.kind is not None:
        yield group.kind.name.lower()
    if group.tribe:
        yield group.tribe
    for keyword in Keyword:
        if keyword in group.keywords:
            yield str(keyword.name).lower()
    if group.without:
        yield f"not {group.without}"
    if group.stat is not None:
        yield f"{group.stat.name.lower()}{_comparison(group.low, group.high)}"


def _clause(clause: Bounds) -> str:
    reading = written_reading(clause.reading).text
    if (clause.low, clause.high) == (NUMBER_LOW, NUMBER_HIGH):
        return f"{reading}>={NUMBER_LOW}"
    return f"{reading} {_spaced(_comparison(clause.low, clause.high))}"


def _comparison(low: int, high: int) -> str:
    if low == high:
        return f"={low}"
    return f"<={high}" if low == NUMBER_LOW else f">={low}"


def _spaced(comparison: str) -> str:
    sign = comparison.rstrip("-0123456789")
    return f"{sign} {comparison.removeprefix(sign)}"

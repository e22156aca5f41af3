"""Conjunction and negation of conditions."""

from __future__ import annotations

from dataclasses import replace

from sim.cards.notation import ALWAYS, NUMBER_HIGH, NUMBER_LOW, Bounds
from sim.cards.vocabulary import Selector, State
from sim.errors import InputError


def both(first: Bounds, second: Bounds) -> Bounds:
    """Return the conjunction of two conditions."""
    if ALWAYS in (first, second):
        return second if first == ALWAYS else first
    *before, last = (*first.clauses, *second.clauses)
    joined = replace(last, also=None)
    for clause in reversed(before):
        joined = replace(clause, also=joined)
    return joined


def negated(condition: Bounds) -> Bounds:
    """Return the opposite of a condition of one clause.

    Raises:
        InputError: the condition always holds, joins several clauses, or has bounds on both sides.
    """
    is_simple = condition != ALWAYS and condition.also is None
    if is_simple and condition.high == NUMBER_HIGH:
        low = 0 if condition.low == 1 else NUMBER_LOW
        return replace(condition, low=low, high=condition.low - 1)
    if is_simple and condition.low in (NUMBER_LOW, 0):
        return replace(condition, low=condition.high + 1, high=NUMBER_HIGH)
    raise InputError("'instead' and 'otherwise' need one simple condition")


def is_about_target(condition: Bounds) -> bool:
    """Return whether a clause of a condition asks about the card's target."""
    return any(clause.reading.group.selector is Selector.TARGET for clause in condition.clauses)


def without_itself(condition: Bounds) -> Bounds:
    """Return a condition about the own hand for a card that is still in the hand.

    When the target is chosen, the card itself is in the hand, and must not count.
    """
    group = condition.reading.group
    also = None if condition.also is None else without_itself(condition.also)
    if group.selector is not Selector.OWN_HAND:
        return replace(condition, also=also)
    reading = replace(condition.reading, group=replace(group, states=group.states | State.OTHER))
    return replace(condition, reading=reading, also=also)

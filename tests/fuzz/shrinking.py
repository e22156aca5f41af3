"""Reduction of a failing case by leaving out every part that the failure does not need."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from typing import Any

from tests.fuzz.playing import loads
from tests.fuzz.pools import RULES, Case
from tests.fuzz.workers import verdict_apart

_RULESET = 1  # position of the ruleset among the parts of a case
_NOTHING = object()


def shrink(case: Case, patience_s: float) -> Case:
    """Return the smallest case found that fails for the same cause; the case itself if it passes.

    Args:
        case: the failing case.
        patience_s: seconds after which a case counts as hung.
    """
    verdict = verdict_apart(case, patience_s)
    if not verdict.is_fault:
        return case
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for path in list(_paths(_parts(case))):
            for tried in _without(case, path):
                if loads(tried) and verdict_apart(tried, patience_s).cause == verdict.cause:
                    case = tried
                    is_smaller = True
                    break
    return case


def _paths(data: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in `data`: a whole before its parts, a list from its end."""
    if isinstance(data, dict):
        steps = list(data)
    elif isinstance(data, list | tuple):
        steps = list(range(len(data)))[::-1]
    else:
        return
    for step in steps:
        yield (step,)
        yield from ((step, *path) for path in _paths(data[step]))


def _without(case: Case, path: tuple[Any, ...]) -> Iterator[Case]:
    """Yield the case without the part at `path`, with half of it, or with a smaller number."""
    try:
        value = reduce(getitem, path, _parts(case))
    except (KeyError, IndexError):
        return  # an earlier step has removed it with something else
    if path[0] == _RULESET:
        if RULES.get(path[-1], value) != value:
            yield _with(case, path, RULES[path[-1]])
    elif len(path) > 1:
        yield _with(case, path, _NOTHING)
        if isinstance(value, int) and value > 2:
            yield _with(case, path, 2)
    if isinstance(value, list) and len(value) > 2:
        yield _with(case, path, value[len(value) // 2 :])
        yield _with(case, path, value[: len(value) // 2])


def _parts(case: Case) -> list[Any]:
    return [case.pool, case.ruleset, case.decks, case.agent, case.seed]


def _with(case: Case, path: tuple[Any, ...], value: object) -> Case:
    """Return a copy with another value at `path`, or without that part."""
    parts = deepcopy(_parts(case))
    place = reduce(getitem, path[:-1], parts)
    if value is _NOTHING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return Case(*parts)

"""The text of a result in a notebook or a debugger is one short line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from balance import (
    BalanceRun,
    BalanceSettings,
    field_of,
    find_substitutes,
    find_vacancies,
    measure_power,
    metagame_of,
    run_balance,
)
from balance.settings.tables import Games, Search
from sim.short_repr import short_repr
from tests.arguments.values import CONTEST, DECK, POOL, RULES, counts_of_contest

LONGEST = 300
GAMES = Games(matchups=40, power=40, search=4, select=40, certify=40)
SEARCH = Search(method="nsga2", population=4, generations=1)


@pytest.fixture(scope="module")
def run() -> BalanceRun:
    return run_balance(CONTEST, BalanceSettings(seed=1, games=GAMES, search=SEARCH))


def results() -> list[Any]:
    """Results of other functions than `run_balance`."""
    counts = counts_of_contest()
    vacancies = find_vacancies(DECK, POOL, RULES, [next(iter(DECK.cards))])
    field = field_of(CONTEST, but=CONTEST.players[0].name)
    games = {"race_games": 4, "n_games": 4, "shown": 1, "run_seed": 1}
    return [
        metagame_of(CONTEST, counts, counts, run_seed=1),
        find_substitutes(CONTEST.players[0], field, vacancies, **games),
        *measure_power(CONTEST, n_games=4, run_seed=1),
    ]


def parts_of(value: Any, known: set[int]) -> Iterator[Any]:
    """Yield the objects of the project within a value, the value included."""
    if id(value) in known or isinstance(value, type):
        return
    known.add(id(value))
    if is_dataclass(value):
        yield value
        inner = [getattr(value, field.name) for field in fields(value)]
    else:
        inner = [*value] if isinstance(value, (list, tuple)) else []
    for part in inner:
        yield from parts_of(part, known)


def test_every_part_of_a_result_has_a_short_text(run: BalanceRun) -> None:
    public = [RULES, POOL, DECK, BalanceSettings(seed=1, games=GAMES, search=SEARCH)]
    parts = [*parts_of([run, *results()], set()), *public]
    assert len({type(part) for part in parts}) > 25
    too_long = {type(part).__name__: len(repr(part)) for part in parts if len(repr(part)) > LONGEST}
    assert not too_long


def test_a_run_shows_its_verdict_and_its_patch(run: BalanceRun) -> None:
    assert repr(run) == "BalanceRun(certified=False, change=0, cards=0, games=40)"


def test_large_values_are_shown_by_their_size(run: BalanceRun) -> None:
    values = {"n": 412_000, "share": 1 / 3, "none": None, "is_good": True, "word": "a"}
    short = "dict(n=412,000, share=0.3333, none=None, is_good=True, word='a'"
    assert short_repr({}, **values) == f"{short})"
    large = {"numbers": list(range(100)), "seen": run.state.seen, "text": "x" * 100}
    rows, columns = run.state.seen.shape
    sizes = f"numbers=100 items, seen=array[{rows}, {columns}], text=str(...)"
    assert short_repr({}, **large) == f"dict({sizes})"

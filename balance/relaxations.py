"""Relaxations: settings that bind a patch, and what each would be if it bound less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings
from balance.tune import TUNABLE, Sense, Tune

_HANDS = ("opening_hand_first", "opening_hand_second")
_CARDS_IN_HAND = 2  # more or fewer, that are tried where the first seat is asked about
_MOST_LOCKS = 40  # that are tried one by one

Change = Callable[[Tune], Tune]


def relaxed_spaces(
    contest: CardContest, settings: BalanceSettings, here: SearchSpace
) -> tuple[dict[str, SearchSpace], SearchSpace]:
    """The space with each setting relaxed by itself, by its name, and one that holds them all.

    Args:
        contest: whose cards are to be balanced.
        settings: of which `tune` and `narrow` are relaxed.
        here: the space as it is, perhaps of few cards.
    """
    wide = tune = settings.tune
    changes = dict(_relaxed(contest, tune))
    if settings.demands_in(contest).with_first_seat:
        changes |= _other_hands(contest, tune)
    for change in changes.values():
        wide = change(wide)
    spaces = {name: build_space(contest, change(tune)) for name, change in changes.items()}
    every = build_space(contest, tune)
    if len(every.cards) > len(here.cards):
        spaces = {name: there.restricted_to(here.cards) for name, there in spaces.items()}
        spaces['narrow.by = "none"'] = every
    return spaces, build_space(contest, wide)


def _relaxed(contest: CardContest, tune: Tune) -> Iterator[tuple[str, Change]]:
    """Settings that bind, and what each would be."""

    def having(**changes: object) -> Change:
        return lambda told: told.model_copy(update=changes)

    yield f"tune.max_steps = {2 * tune.max_steps}", having(max_steps=2 * tune.max_steps)
    fields = {field.partition("_")[0] for card in contest.table.pool.cards for field in card.fields}
    for field in TUNABLE:
        if field in fields.difference(tune.fields):
            yield f"tune.fields with {field!r}", partial(_with_field, field=field)
    if len(tune.lock) <= _MOST_LOCKS:
        for card in tune.lock:
            yield f"tune.lock without {card!r}", partial(_without_lock, card=card)
    if len(tune.lock) > 1:
        yield "no tune.lock", having(lock=())
    off = Sense(**dict.fromkeys(Sense.model_fields, False))
    for name, free in _FREE.items():
        if getattr(tune, name) != free:
            yield f"no tune.{name}", having(**{name: free})
    if tune.sense != off:
        yield "tune.sense = false", having(sense=off)


# Settings of `[tune]` that bind, and what they are where nothing is bound.
_FREE: dict[str, Any] = {
    "decks": None,
    "ranges": {},
    "direction": {},
    "max_cards": None,
    "max_change": None,
    "stat_budget": None,
    "zero_sum": None,
}


def _other_hands(contest: CardContest, tune: Tune) -> Iterator[tuple[str, Change]]:
    """Opening hands, which decide most of what the first seat is worth."""
    rules = contest.table.ruleset
    for field in _HANDS:
        if field not in tune.rules:
            today = rules.number(field)
            lowest = min(max(today - _CARDS_IN_HAND, 1), today)
            ends = lowest, min(today + _CARDS_IN_HAND, rules.hand_limit)
            yield f"tune.rules.{field} = {[*ends]}", partial(_with_rule, field=field, ends=ends)


def _with_rule(tune: Tune, field: str, ends: tuple[int, int]) -> Tune:
    return tune.model_copy(update={"rules": {**tune.rules, field: ends}})


def _with_field(tune: Tune, field: str) -> Tune:
    return tune.model_copy(update={"fields": (*tune.fields, field)})


def _without_lock(tune: Tune, card: str) -> Tune:
    return tune.model_copy(update={"lock": tuple(one for one in tune.lock if one != card)})

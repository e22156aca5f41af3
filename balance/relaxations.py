"""Relaxations: settings that bind a patch, and what each would be if it bound less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings
from balance.tune import TUNABLE, Sense, Tune

_HANDS = ("opening_hand_first", "opening_hand_second")
_CARDS_IN_HAND = 2  # more or fewer, that are tried where the first seat is asked about
# Likewise what the second player is given besides: each is worth about as much as two cards are.
_EXTRAS = {"extra_life_second": 5, "extra_mana_second": 1}
_MOST_LOCKS = 40  # that are tried one by one

# Settings of `[tune]` that bind, and what they are where nothing is bound.
_FREE: dict[str, Any] = {
    "decks": None,
    "ranges": {},
    "direction": {},
    "max_cards": None,
    "max_change": None,
    "max_card_change": None,
    "stat_budget": None,
    "zero_sum": None,
}


def relaxed_spaces(
    contest: CardContest, settings: BalanceSettings, here: SearchSpace
) -> tuple[dict[str, SearchSpace], SearchSpace]:
    """The space with each setting relaxed by itself, by its name, and one that holds them all.

    Args:
        contest: whose cards are to be balanced.
        settings: of which `tune` and `narrow` are relaxed.
        here: the space as it is, perhaps of few cards.
    """

    def space_with(change: dict[str, Any]) -> SearchSpace:
        return build_space(contest, settings.tune.model_copy(update=change))

    tune = settings.tune
    cards = contest.table.pool.cards
    known = {field.partition("_")[0] for card in cards for field in card.fields}
    fields = [field for field in TUNABLE if field in known.difference(tune.fields)]
    first_seat = settings.demands_in(contest).with_first_seat
    openings = dict(_other_openings(contest, tune)) if first_seat else {}
    changes = dict(_relaxed(tune, fields))
    for field, ends in openings.items():
        changes[f"tune.rules.{field} = {[*ends]}"] = {"rules": {**tune.rules, field: ends}}
    wide = {name: value for change in changes.values() for name, value in change.items()}
    wide |= {"fields": (*tune.fields, *fields), "rules": tune.rules | openings}
    spaces = {name: space_with(change) for name, change in changes.items()}
    every = space_with({})
    if len(every.cards) > len(here.cards):
        spaces = {name: space.restricted_to(here.cards) for name, space in spaces.items()}
        spaces['narrow.by = "none"'] = every
    return spaces, space_with(wide)


def _relaxed(tune: Tune, fields: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Settings that bind, and what of `tune` is another without each; `fields` do not move."""
    farther = tune.with_times_steps(2)
    yield f"tune.max_steps = {farther.steps_words}", {"max_steps": farther.max_steps}
    for field in fields:
        yield f"tune.fields with {field!r}", {"fields": (*tune.fields, field)}
    if len(tune.lock) <= _MOST_LOCKS:
        for card in tune.lock:
            others = tuple(one for one in tune.lock if one != card)
            yield f"tune.lock without {card!r}", {"lock": others}
    if len(tune.lock) > 1:
        yield "no tune.lock", {"lock": ()}
    for name, free in _FREE.items():
        if getattr(tune, name) != free:
            yield f"no tune.{name}", {name: free}
    off = Sense(**dict.fromkeys(Sense.model_fields, False))
    if tune.sense != off:
        yield "tune.sense = false", {"sense": off}


def _other_openings(contest: CardContest, tune: Tune) -> Iterator[tuple[str, tuple[int, int]]]:
    """Numbers of the rules that decide most of what the first seat is worth, and their ranges."""
    rules = contest.table.ruleset
    for field in _HANDS:
        if field not in tune.rules:
            today = rules.number(field)
            lowest = min(max(today - _CARDS_IN_HAND, 1), today)
            yield field, (lowest, min(today + _CARDS_IN_HAND, rules.hand_limit))
    for field, more in _EXTRAS.items():
        if field not in tune.rules:
            yield field, (0, rules.number(field) + more)

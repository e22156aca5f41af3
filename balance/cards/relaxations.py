"""Search spaces with relaxed settings, for explanations and price lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from balance.cards.card_contest import CardContest
from balance.cards.card_space import build_space
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from balance.space.tune import TUNABLE, Sense, Tune

# Numbers of the rules that affect the first-turn advantage most. They are relaxed only if the first
# seat's rate is demanded. The ranges are chosen by hand as the widest that a designer would accept:
# two cards in hand more or fewer, or an extra of the second player, which has about the effect of
# two cards.
_HANDS = ("opening_hand_first", "opening_hand_second")
_CARDS_IN_HAND = 2  # maximum difference from the baseline
_EXTRAS = {"extra_life_second": 5, "extra_mana_second": 1}
# Maximum number of locked cards that are unlocked one by one, since each takes a separate search
# space. Chosen by hand, not tuned.
_MOST_LOCKS = 40

# Settings of `[tune]` that restrict patches, with their values without any restriction.
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
    contest: CardContest, settings: BalanceSettings, current: SearchSpace
) -> tuple[dict[str, SearchSpace], SearchSpace]:
    """Return search spaces with one relaxed setting each, and one with all settings relaxed.

    Args:
        contest: contest with the cards to balance.
        settings: settings of the run, of which `tune` and `narrow` are relaxed.
        current: current search space, after narrowing.

    Returns:
        Spaces by the name of the relaxed setting, restricted to the cards that narrowing kept; and
        a space that contains all of them.
    """

    def space_with(change: dict[str, Any]) -> SearchSpace:
        """Return the search space after changes of settings `[tune]`, given by name."""
        return build_space(contest, settings.tune.model_copy(update=change))

    tune = settings.tune
    cards = contest.table.pool.cards
    known = {field.partition("_")[0] for card in cards for field in card.fields}
    fields = [field for field in TUNABLE if field in known.difference(tune.fields)]
    first_seat = settings.demands_in(contest).with_first_seat
    openings = dict(_other_openings(contest, tune)) if first_seat else {}
    changes = dict(_relaxed_settings(tune, fields))
    for field, ends in openings.items():
        changes[f"tune.rules.{field} = {[*ends]}"] = {"rules": {**tune.rules, field: ends}}
    wide = {name: value for change in changes.values() for name, value in change.items()}
    wide |= {"fields": (*tune.fields, *fields), "rules": tune.rules | openings}
    spaces = {name: space_with(change) for name, change in changes.items()}
    full = space_with({})
    # After narrowing, each setting is relaxed only for the kept cards. Permitting all cards is a
    # separate relaxation.
    if len(full.cards) > len(current.cards):
        spaces = {name: space.restricted_to(current.cards) for name, space in spaces.items()}
        spaces['narrow.by = "none"'] = full
    return spaces, space_with(wide)


# Limits that keep edits plausible. Limits on whole patches, such as `max_cards`, are left out:
# without them patches grow.
_DESIGN_LIMITS = {"max_steps", "max_card_change", "stat_budget", "zero_sum"}


def spaces_without_rules(
    contest: CardContest, tune: Tune, current: SearchSpace
) -> dict[str, SearchSpace]:
    """Return search spaces without one design rule each, by a description of the change.

    A rule that restricts no number and no patch is left out.

    Args:
        contest: contest with the cards to balance.
        tune: settings `[tune]`, of which one rule at a time is relaxed.
        current: current search space, after narrowing.
    """
    changes = {
        name: change
        for name, change in _relaxed_settings(tune, [])
        if change.keys() <= _DESIGN_LIMITS
    }
    for rule in Sense.model_fields:
        if getattr(tune.sense, rule):
            relaxed = tune.sense.model_copy(update={rule: False})
            changes[f"tune.sense.{rule} = false"] = {"sense": relaxed}
    spaces = {
        name: build_space(contest, tune.model_copy(update=change)).restricted_to(current.cards)
        for name, change in changes.items()
    }
    return {name: space for name, space in spaces.items() if _differs(space, current)}


def _differs(space: SearchSpace, current: SearchSpace) -> bool:
    """Return whether a space has other ranges or other kinds of constraints."""
    limits, present = (
        (
            each.low.tolist(),
            each.high.tolist(),
            len(each.constraints),
            each.sums is None,
            each.card_change is None,
        )
        for each in (space, current)
    )
    return limits != present


def _relaxed_settings(tune: Tune, fields: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a description and a change of `[tune]` for each setting that can be relaxed.

    Args:
        tune: current settings.
        fields: fields that cards have and that the settings do not permit to change.
    """
    doubled = tune.with_times_steps(2)
    yield f"tune.max_steps = {doubled.steps_words}", {"max_steps": doubled.max_steps}
    for field in fields:
        yield f"tune.fields with {field!r}", {"fields": (*tune.fields, field)}
    if len(tune.lock) <= _MOST_LOCKS:
        for card in tune.lock:
            others = tuple(locked for locked in tune.lock if locked != card)
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
    """Yield numbers of the rules that affect the first-turn advantage, with their relaxed ranges.

    Numbers that the settings already permit to change are skipped.
    """
    rules = contest.table.ruleset
    for field in _HANDS:
        if field not in tune.rules:
            today = rules.number(field)
            lowest = min(max(today - _CARDS_IN_HAND, 1), today)
            yield field, (lowest, min(today + _CARDS_IN_HAND, rules.hand_limit))
    for field, more in _EXTRAS.items():
        if field not in tune.rules:
            yield field, (0, rules.number(field) + more)

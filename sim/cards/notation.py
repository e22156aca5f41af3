"""The small language of effect rows: groups, measures and conditions, read from one line.

    group      own_minions          enemy_minions(attack<=3)          own_minions(other, beast)
    measure    count own_hand       attack of own_weapon              cards_played
    condition  count target(frozen) >= 1         combo         absent and count own_minions <= 6

A group is a selector with filters in parentheses: keywords, states, kinds, comparisons of a
number, a card that is left out (`not ID`), or a tribe (any other word). A measure is a number
that the row looks up when it is reached. A condition bounds a measure, or is several that must
all hold, joined by `and`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from sim.cards.vocabulary import Keyword, Kind, Measure, Selector, Stat, State
from sim.errors import unknown_word

NUMBER_LOW, NUMBER_HIGH = -10_000, 10_000  # bounds of a comparison that has only one

CLAUSES_MAX = 16  # conditions that `and` may join

_GROUP = re.compile(r"([a-z_]+)\s*(?:\(([^()]*)\))?")
_COMPARISON = re.compile(r"(.+?)\s*(<=|>=|=)\s*(-?\d+)")
_TRIBE = re.compile(r"[a-z][a-z0-9_]*")
_BARE_MEASURES = (
    "event",
    "cards_played",
    "coin_flip",
    "attacking",
    "odd_deck",
    "even_deck",
    "minions_played",
    "hand_gap",
    "absent",
)
_SHORT_CONDITIONS = {"combo": "cards_played >= 1", "no_combo": "cards_played <= 0"}
_NO_KEYWORDS, _NO_STATES = Keyword(0), State(0)


@dataclass(frozen=True)
class Group:
    """A set of cards: a selector, and what its members must be like.

    Attributes:
        selector: where they are looked for.
        tribe: what they must belong to, or `""`.
        without: id of the card that they must not be, or `""`.
        keywords: what they must all have.
        states: what they must all be.
        kind: what kind they must be of, if any.
        stat: the number that is bounded, if any.
        low: its least value.
        high: its greatest value.
    """

    selector: Selector
    tribe: str = ""
    without: str = ""
    keywords: Keyword = _NO_KEYWORDS
    states: State = _NO_STATES
    kind: Kind | None = None
    stat: Stat | None = None
    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH

    @property
    def is_filtered(self) -> bool:
        """Whether anything is asked of the members."""
        return self != Group(self.selector)

    @property
    def is_of_deck(self) -> bool:
        """Whether its members are cards of a deck."""
        return self.selector in (Selector.OWN_DECK, Selector.ENEMY_DECK)


@dataclass(frozen=True)
class Reading:
    """A measure: what it reads, and of whom."""

    measure: Measure = Measure.ONE
    group: Group = Group(Selector.SELF)
    stat: Stat = Stat.ATTACK


@dataclass(frozen=True)
class Bounds:
    """A condition: a measure must lie between two numbers, both included.

    Attributes:
        reading: the measure.
        low: the least that it may be.
        high: the most.
        also: what else must hold, if anything.
    """

    reading: Reading = Reading()
    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH
    also: Bounds | None = None


@cache
def _words(vocabulary: type[Enum]) -> tuple[str, ...]:
    return tuple(member.name.lower() for member in vocabulary)


def read_group(text: str) -> Group:
    """The group that `text` names.

    Raises:
        ValueError: it does not follow the notation; says which word is wrong.
    """
    match = _GROUP.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} must be a selector, or a selector(filter, ...)")
    word, filters = match.groups()
    if word not in _words(Selector):
        raise ValueError(unknown_word("selector", word, _words(Selector)))
    parts = [part.strip() for part in filters.split(",")] if filters else []
    group = Group(Selector[word.upper()])
    for part in parts:
        group = _narrowed(group, part)
    if group.is_of_deck and (group.keywords or group.states or group.stat not in (None, Stat.COST)):
        raise ValueError(f"{text!r}: cards in a deck are told by kind, tribe, cost and id only")
    return group


def _narrowed(group: Group, text: str) -> Group:
    """`group` with one more filter."""
    settings = dict(vars(group))
    if match := _COMPARISON.fullmatch(text):
        word, operator, number = match.groups()
        if word not in _words(Stat):
            raise ValueError(unknown_word("number", word, _words(Stat)))
        if group.stat is not None:
            raise ValueError(f"{text!r}: a group may bound one number only")
        low, high = _bounds(operator, int(number))
        settings |= {"stat": Stat[word.upper()], "low": low, "high": high}
    elif text in _words(Keyword):
        settings["keywords"] = group.keywords | Keyword[text.upper()]
    elif text in _words(State):
        settings["states"] = group.states | State[text.upper()]
    elif text in _words(Kind):
        settings["kind"] = Kind[text.upper()]
    elif text.startswith("not "):
        if group.without:
            raise ValueError(f"{text!r}: a group may leave out one card only")
        settings["without"] = text.removeprefix("not ").strip()
    elif _TRIBE.fullmatch(text) and not group.tribe:
        settings["tribe"] = text
    else:
        raise ValueError(f"{text!r} is no filter")
    return Group(**settings)


def _bounds(operator: str, number: int) -> tuple[int, int]:
    if not NUMBER_LOW <= number <= NUMBER_HIGH:
        raise ValueError(f"{number} must be from {NUMBER_LOW} to {NUMBER_HIGH}")
    return {
        "<=": (NUMBER_LOW, number),
        ">=": (number, NUMBER_HIGH),
        "=": (number, number),
    }[operator]


def read_measure(text: str) -> Reading:
    """The measure that `text` names.

    Raises:
        ValueError: it does not follow the notation.
    """
    text = text.strip()
    if text in _BARE_MEASURES:
        return Reading(Measure[text.upper()])
    if text.startswith("count "):
        return Reading(Measure.COUNT, read_group(text.removeprefix("count ")))
    stat, of, group = text.partition(" of ")
    if of:
        if stat not in _words(Stat):
            raise ValueError(unknown_word("number", stat, _words(Stat)))
        measured = read_group(group)
        if measured.is_of_deck:
            raise ValueError(f"{text!r}: cards in a deck can only be counted")
        return Reading(Measure.STAT, measured, Stat[stat.upper()])
    known = ", ".join(_BARE_MEASURES)
    raise ValueError(f"{text!r} must be 'count GROUP', 'NUMBER of GROUP' or one of: {known}")


def read_condition(text: str) -> Bounds:
    """The condition that `text` states; `"always"` holds always.

    Raises:
        ValueError: it does not follow the notation.
    """
    if text.count(" and ") >= CLAUSES_MAX:
        raise ValueError(f"{text.count(' and ') + 1} conditions are joined; at most {CLAUSES_MAX}")
    text, _, rest = text.partition(" and ")
    if rest:
        return replace(read_condition(text), also=read_condition(rest))
    text = _SHORT_CONDITIONS.get(text.strip(), text.strip())
    if text == "always":
        return Bounds()
    # The comparison that counts is the last one: a group may hold others in parentheses.
    match = re.fullmatch(r"(.+?)\s*(<=|>=|=)\s*(-?\d+)", text) if not text.endswith(")") else None
    if match is None:
        return Bounds(read_measure(text), 1, NUMBER_HIGH)
    depth_safe = re.fullmatch(r"(.*\)|[^()]*?)\s*(<=|>=|=)\s*(-?\d+)", text)
    if depth_safe is None:
        raise ValueError(f"{text!r} must be a measure, or a measure with >=, <= or = a number")
    measure, operator, number = depth_safe.groups()
    return Bounds(read_measure(measure), *_bounds(operator, int(number)))

"""Notation of groups, measures and conditions in effect rows, and its parser.

    group      own_minions          enemy_minions(attack<=3)          own_minions(other, beast)
    measure    count own_hand       attack of own_weapon              cards_played
    condition  count target(frozen) >= 1         combo         absent and count own_minions <= 6

A group is a selector with filters in parentheses: keywords, states, kinds, one comparison of a
number, one excluded card (`not ID`), and one tribe (any other word). A measure is a number that is
computed when the engine reaches the row. A condition is one or several clauses joined by `and`,
which must all hold; a clause compares a measure with a number, and a measure alone must be at least
1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from sim.cards.action import WORD
from sim.cards.measure import measures
from sim.cards.vocabulary import Keyword, Kind, Selector, Stat, State
from sim.errors import InputError
from sim.names import named_word

# Bounds for the open side of a comparison: beyond all numbers of a game, within 16-bit words.
NUMBER_LOW = -10_000
NUMBER_HIGH = 10_000

CLAUSES_MAX = 16  # limits the recursion over `and`; several times more than any card needs

_GROUP = re.compile(r"([a-z_]+)\s*(?:\(([^()]*)\))?")
_COMPARISON = re.compile(r"(.+?)\s*(<=|>=|=)\s*(-?\d+)")
_LAST_COMPARISON = re.compile(r"(.*\)|[^()]*?)\s*(<=|>=|=)\s*(-?\d+)")
_SHORT_CONDITIONS = {"combo": "cards_played >= 1", "no_combo": "cards_played = 0"}
_NO_KEYWORDS = Keyword(0)
_NO_STATES = State(0)


@dataclass(frozen=True, repr=False)
class Notation:
    """Base class of parsed notation, which keeps the author's text for writing files.

    Comparison ignores the text, so that two spellings with the same meaning are equal.

    Attributes:
        text: the text as the author wrote it; `""` for notation that was not parsed from a text.
    """

    text: str = field(default="", compare=False, kw_only=True)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True, repr=False)
class Group(Notation):
    """Set of cards or players: a selector, and filters that every member must pass.

    Attributes:
        selector: set from which the filters choose the members, such as `OWN_MINIONS`.
        tribe: tribe that every member must belong to; `""` for no such filter.
        without: id of the card that is excluded; `""` for no such filter.
        keywords: keywords that every member must have; no bits for no such filter.
        states: states that every member must be in; no bits for no such filter.
        kind: kind that every member must be of; `None` for no such filter.
        stat: number of the members that must lie from `low` to `high`; `None` for no such filter.
        low: minimum of the number `stat`, inclusive.
        high: maximum of the number `stat`, inclusive.
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
        """Whether the group has at least one filter."""
        return self != Group(self.selector)

    @property
    def is_of_deck(self) -> bool:
        """Whether the members are cards in a deck."""
        return self.selector in (Selector.OWN_DECK, Selector.ENEMY_DECK)


@dataclass(frozen=True, repr=False)
class Reading(Notation):
    """Measure as a row uses it, such as `count own_hand` or `attack of own_weapon`.

    Attributes:
        measure: word of the measure, such as `count`; `stat` for a number of one card.
        group: group that the measure `count` counts, or that contains the card with the number
            for the measure `stat`; other measures ignore the group.
        stat: number that the measure `stat` returns; other measures ignore this attribute.
    """

    measure: str = "one"
    group: Group = Group(Selector.SELF)
    stat: Stat = Stat.ATTACK

    @property
    def is_random(self) -> bool:
        """Whether the measured number is random."""
        return measures()[self.measure].is_random


@dataclass(frozen=True, repr=False)
class Bounds(Notation):
    """Condition that a measure lies within bounds, and that a further condition, if any, holds.

    Attributes:
        reading: measure that is compared.
        low: minimum of the measure, inclusive.
        high: maximum of the measure, inclusive.
        also: further condition that must also hold; `None` if there is only one clause.
    """

    reading: Reading = Reading()
    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH
    also: Bounds | None = None

    @property
    def is_random(self) -> bool:
        """Whether the measure of any clause is random."""
        return any(clause.reading.is_random for clause in self.clauses)

    @property
    def clauses(self) -> list[Bounds]:
        """Conditions joined by `and`, in their order in the text, beginning with this one."""
        return [self, *(self.also.clauses if self.also else ())]


ALWAYS = Bounds(text="always")
OWN_PLAYER = Group(Selector.OWN_PLAYER, text="own_player")


@cache
def words(vocabulary: type[Enum]) -> tuple[str, ...]:
    """Return the lower-case words of an enum of `sim.cards.vocabulary`, as files spell them."""
    return tuple(member.name.lower() for member in vocabulary)


MemberT = TypeVar("MemberT", bound=Enum)


def _member(what: str, word: str, vocabulary: type[MemberT]) -> MemberT:
    return vocabulary[named_word(what, word, words(vocabulary)).upper()]


def read_group(text: str) -> Group:
    """Parse a group, such as `enemy_minions(attack<=3)`.

    Raises:
        InputError: the text is not in the notation, has an unknown word or a repeated filter, or
            filters cards in a deck by a property that the engine knows only outside decks.
    """
    match = _GROUP.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} must be SELECTOR or SELECTOR(FILTER, ...)", value=text)
    word, filters = match.groups()
    group = Group(_member("selector", word, Selector))
    for part in filters.split(",") if filters else []:
        group = replace(group, **_filter(group, part.strip()))
    if group.is_of_deck and (group.keywords or group.states or group.stat not in (None, Stat.COST)):
        raise InputError(
            f"{text!r} has a filter that is not permitted for cards in a deck",
            value=text,
            remedy="filter these cards only by kind, tribe, cost or id",
        )
    return group


def _filter(group: Group, text: str) -> dict[str, Any]:
    """Parse a filter, and return the new values of the attributes of `group` that it changes.

    Raises:
        InputError: the text is no filter, or a second bound, excluded card or tribe of the group.
    """
    if match := _COMPARISON.fullmatch(text):
        stat = _member("number", match[1], Stat)
        if group.stat is not None:
            raise InputError(f"{text!r} is a second bound; a group has at most one", value=text)
        low, high = _bounds(match[2], int(match[3]))
        return {"stat": stat, "low": low, "high": high}
    # Words of the vocabulary take precedence over tribes, which may be any word.
    if text in words(Keyword):
        return {"keywords": group.keywords | Keyword[text.upper()]}
    if text in words(State):
        return {"states": group.states | State[text.upper()]}
    if text in words(Kind):
        return {"kind": Kind[text.upper()]}
    if text.startswith("not "):
        if group.without:
            raise InputError(
                f"{text!r} excludes a second card from the group, but only one may be excluded",
                value=text,
            )
        return {"without": text.removeprefix("not ").strip()}
    if WORD.fullmatch(text) and not group.tribe:
        return {"tribe": text}
    raise InputError(
        f"{text!r} is not a filter",
        value=text,
        remedy="write a keyword, a state, a kind, a tribe, a bound such as attack<=3, or not ID",
    )


def _bounds(operator: str, number: int) -> tuple[int, int]:
    if not NUMBER_LOW <= number <= NUMBER_HIGH:
        raise InputError(
            f"the bound {number} must be from {NUMBER_LOW} to {NUMBER_HIGH}",
            value=number,
            limit=(NUMBER_LOW, NUMBER_HIGH),
        )
    return NUMBER_LOW if operator == "<=" else number, NUMBER_HIGH if operator == ">=" else number


def read_measure(text: str) -> Reading:
    """Parse a measure: `count GROUP`, `NUMBER of GROUP`, or a word such as `cards_played`.

    Raises:
        InputError: the text is not in the notation, or reads a number of cards in a deck, which
            can only be counted.
    """
    text = text.strip()
    bare = [measure.word for measure in measures().values() if measure.is_bare]
    if text in bare:
        return Reading(text)
    if text.startswith("count "):
        return Reading("count", read_group(text.removeprefix("count ")))
    stat, of, group = text.partition(" of ")
    if not of:
        known = ", ".join(bare)
        raise InputError(
            f"{text!r} must be 'count GROUP', 'NUMBER of GROUP' or one of: {known}",
            value=text,
            limit=tuple(bare),
        )
    reading = Reading("stat", stat=_member("number", stat, Stat), group=read_group(group))
    if reading.group.is_of_deck:
        raise InputError(
            f"{text!r} reads a number of cards in a deck, which can only be counted", value=text
        )
    return reading


def read_condition(text: str) -> Bounds:
    """Parse a condition: `always`, or clauses joined by `and`.

    A measure alone, such as `count own_hand`, means at least 1. `combo` means that the player has
    already played a card in this turn, and `no_combo` the opposite.

    Raises:
        InputError: the text is not in the notation, or joins more than `CLAUSES_MAX` clauses.
    """
    n_clauses = 1 + text.count(" and ")
    if n_clauses > CLAUSES_MAX:
        raise InputError(
            f"joins {n_clauses} conditions, but the limit is {CLAUSES_MAX}",
            value=n_clauses,
            limit=CLAUSES_MAX,
        )
    text, _, rest = text.partition(" and ")
    if rest:
        return replace(read_condition(text), also=read_condition(rest))
    text = _SHORT_CONDITIONS.get(text.strip(), text.strip())
    if text == "always":
        return ALWAYS
    # A group may contain comparisons in parentheses, so the last comparison is the condition's.
    if text.endswith(")") or not _COMPARISON.fullmatch(text):
        return Bounds(read_measure(text), 1, NUMBER_HIGH)
    match = _LAST_COMPARISON.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text!r} must be a measure, or a measure with >=, <= or = and a number", value=text
        )
    return Bounds(read_measure(match[1]), *_bounds(match[2], int(match[3])))

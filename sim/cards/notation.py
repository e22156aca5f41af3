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
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from sim.cards.action import WORD
from sim.cards.measure import measures
from sim.cards.vocabulary import Keyword, Kind, Selector, Stat, State
from sim.names import named_word

NUMBER_LOW = -10_000
NUMBER_HIGH = 10_000  # bounds of a comparison that has only one

CLAUSES_MAX = 16  # conditions that `and` may join

_GROUP = re.compile(r"([a-z_]+)\s*(?:\(([^()]*)\))?")
_COMPARISON = re.compile(r"(.+?)\s*(<=|>=|=)\s*(-?\d+)")
_LAST_COMPARISON = re.compile(r"(.*\)|[^()]*?)\s*(<=|>=|=)\s*(-?\d+)")
_SHORT_CONDITIONS = {"combo": "cards_played >= 1", "no_combo": "cards_played <= 0"}
_NO_KEYWORDS = Keyword(0)
_NO_STATES = State(0)


@dataclass(frozen=True, repr=False)
class Notation:
    """What was read, and the text that it was read from, which files get back as it was.

    Things that were read from different texts are equal if they mean the same.
    """

    text: str = field(default="", compare=False, kw_only=True)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True, repr=False)
class Group(Notation):
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


@dataclass(frozen=True, repr=False)
class Reading(Notation):
    """A measure: the word for what it reads, and of whom.

    A number of a group is the measure `stat`.
    """

    measure: str = "one"
    group: Group = Group(Selector.SELF)
    stat: Stat = Stat.ATTACK

    @property
    def is_luck(self) -> bool:
        """Whether chance decides what it is."""
        return measures()[self.measure].is_luck


@dataclass(frozen=True, repr=False)
class Bounds(Notation):
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

    @property
    def is_luck(self) -> bool:
        """Whether chance decides whether it holds."""
        return any(clause.reading.is_luck for clause in self.clauses)

    @property
    def clauses(self) -> list[Bounds]:
        """The conditions that it joins."""
        return [self, *(self.also.clauses if self.also else ())]


ALWAYS = Bounds(text="always")
OWN_PLAYER = Group(Selector.OWN_PLAYER, text="own_player")


@cache
def words(vocabulary: type[Enum]) -> tuple[str, ...]:
    """The words of one enum of `sim.cards.vocabulary`, as files spell them."""
    return tuple(member.name.lower() for member in vocabulary)


MemberT = TypeVar("MemberT", bound=Enum)


def _member(what: str, word: str, vocabulary: type[MemberT]) -> MemberT:
    return vocabulary[named_word(what, word, words(vocabulary)).upper()]


def read_group(text: str) -> Group:
    """The group that `text` names.

    Raises:
        ValueError: it does not follow the notation; says which word is wrong.
    """
    match = _GROUP.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} must be a selector, or a selector(filter, ...)")
    word, filters = match.groups()
    group = Group(_member("selector", word, Selector))
    for part in filters.split(",") if filters else []:
        group = replace(group, **_filter(group, part.strip()))
    if group.is_of_deck and (group.keywords or group.states or group.stat not in (None, Stat.COST)):
        raise ValueError(f"{text!r}: cards in a deck are told by kind, tribe, cost and id only")
    return group


def _filter(group: Group, text: str) -> dict[str, Any]:
    """What one more filter changes of a group."""
    if match := _COMPARISON.fullmatch(text):
        stat = _member("number", match[1], Stat)
        if group.stat is not None:
            raise ValueError(f"{text!r}: a group may bound one number only")
        low, high = _bounds(match[2], int(match[3]))
        return {"stat": stat, "low": low, "high": high}
    if text in words(Keyword):
        return {"keywords": group.keywords | Keyword[text.upper()]}
    if text in words(State):
        return {"states": group.states | State[text.upper()]}
    if text in words(Kind):
        return {"kind": Kind[text.upper()]}
    if text.startswith("not "):
        if group.without:
            raise ValueError(f"{text!r}: a group may leave out one card only")
        return {"without": text.removeprefix("not ").strip()}
    if WORD.fullmatch(text) and not group.tribe:
        return {"tribe": text}
    raise ValueError(f"{text!r} is no filter")


def _bounds(operator: str, number: int) -> tuple[int, int]:
    if not NUMBER_LOW <= number <= NUMBER_HIGH:
        raise ValueError(f"{number} must be from {NUMBER_LOW} to {NUMBER_HIGH}")
    return NUMBER_LOW if operator == "<=" else number, NUMBER_HIGH if operator == ">=" else number


def read_measure(text: str) -> Reading:
    """The measure that `text` names.

    Raises:
        ValueError: it does not follow the notation.
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
        raise ValueError(f"{text!r} must be 'count GROUP', 'NUMBER of GROUP' or one of: {known}")
    reading = Reading("stat", stat=_member("number", stat, Stat), group=read_group(group))
    if reading.group.is_of_deck:
        raise ValueError(f"{text!r}: cards in a deck can only be counted")
    return reading


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
        return ALWAYS
    # The comparison that counts is the last one: a group may hold others in parentheses.
    if text.endswith(")") or not _COMPARISON.fullmatch(text):
        return Bounds(read_measure(text), 1, NUMBER_HIGH)
    match = _LAST_COMPARISON.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} must be a measure, or a measure with >=, <= or = a number")
    return Bounds(read_measure(match[1]), *_bounds(match[2], int(match[3])))

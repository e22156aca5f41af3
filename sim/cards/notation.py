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
from sim.errors import InputError
from sim.names import named_word

# Bounds of a comparison with only one: beyond all numbers of a game, within words of 16 bits.
NUMBER_LOW = -10_000
NUMBER_HIGH = 10_000

CLAUSES_MAX = 16  # conditions that `and` may join; several times more than any card needs

_GROUP = re.compile(r"([a-z_]+)\s*(?:\(([^()]*)\))?")
_COMPARISON = re.compile(r"(.+?)\s*(<=|>=|=)\s*(-?\d+)")
_LAST_COMPARISON = re.compile(r"(.*\)|[^()]*?)\s*(<=|>=|=)\s*(-?\d+)")
_SHORT_CONDITIONS = {"combo": "cards_played >= 1", "no_combo": "cards_played <= 0"}
_NO_KEYWORDS = Keyword(0)
_NO_STATES = State(0)


@dataclass(frozen=True, repr=False)
class Notation:
    """A parsed text together with the text itself, so that files keep the author's spelling.

    Two notations are equal if they mean the same, even if their texts differ.
    """

    text: str = field(default="", compare=False, kw_only=True)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True, repr=False)
class Group(Notation):
    """A set of cards: a selector, and filters that its members must pass.

    Attributes:
        selector: the place that the members are taken from.
        tribe: the tribe that members must belong to, or `""`.
        without: id of a card that is left out, or `""`.
        keywords: the keywords that members must all have.
        states: the states that members must all be in.
        kind: the kind that members must be of; `None` for any.
        stat: the number that is bounded; `None` for no bound.
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
        """Whether it has any filter besides the selector."""
        return self != Group(self.selector)

    @property
    def is_of_deck(self) -> bool:
        """Whether its members are cards of a deck."""
        return self.selector in (Selector.OWN_DECK, Selector.ENEMY_DECK)


@dataclass(frozen=True, repr=False)
class Reading(Notation):
    """A measure, with the group and the number that it reads.

    Attributes:
        measure: word of the measure; `stat` for a number of one card.
        group: the group that is counted or read.
        stat: the number that the measure `stat` reads.
    """

    measure: str = "one"
    group: Group = Group(Selector.SELF)
    stat: Stat = Stat.ATTACK

    @property
    def is_random(self) -> bool:
        """Whether the number depends on chance."""
        return measures()[self.measure].is_random


@dataclass(frozen=True, repr=False)
class Bounds(Notation):
    """A condition: a measure must lie between two numbers, both included.

    Attributes:
        reading: the measure.
        low: its least permitted value.
        high: its greatest permitted value.
        also: a further condition that must hold as well, if any.
    """

    reading: Reading = Reading()
    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH
    also: Bounds | None = None

    @property
    def is_random(self) -> bool:
        """Whether it depends on chance."""
        return any(clause.reading.is_random for clause in self.clauses)

    @property
    def clauses(self) -> list[Bounds]:
        """The conditions that `and` joins, this one first."""
        return [self, *(self.also.clauses if self.also else ())]


ALWAYS = Bounds(text="always")
OWN_PLAYER = Group(Selector.OWN_PLAYER, text="own_player")


@cache
def words(vocabulary: type[Enum]) -> tuple[str, ...]:
    """Return the words of one enum of `sim.cards.vocabulary`, as files spell them."""
    return tuple(member.name.lower() for member in vocabulary)


MemberT = TypeVar("MemberT", bound=Enum)


def _member(what: str, word: str, vocabulary: type[MemberT]) -> MemberT:
    return vocabulary[named_word(what, word, words(vocabulary)).upper()]


def read_group(text: str) -> Group:
    """Return the group that `text` names.

    Raises:
        InputError: it does not follow the notation; names the wrong word.
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
            f"{text!r} filters cards in a deck, which only kind, tribe, cost and id can", value=text
        )
    return group


def _filter(group: Group, text: str) -> dict[str, Any]:
    """Return the attributes of a group that one more filter changes."""
    if match := _COMPARISON.fullmatch(text):
        stat = _member("number", match[1], Stat)
        if group.stat is not None:
            raise InputError(f"{text!r} is a second bound; a group has at most one", value=text)
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
            raise InputError(
                f"{text!r} leaves out a second card; a group leaves out one", value=text
            )
        return {"without": text.removeprefix("not ").strip()}
    if WORD.fullmatch(text) and not group.tribe:
        return {"tribe": text}
    raise InputError(
        f"{text!r} is no filter",
        value=text,
        remedy="write a keyword, a state, a kind, a tribe, a bound such as attack<=3, or not ID",
    )


def _bounds(operator: str, number: int) -> tuple[int, int]:
    if not NUMBER_LOW <= number <= NUMBER_HIGH:
        raise InputError(
            f"{number} must be from {NUMBER_LOW} to {NUMBER_HIGH}",
            value=number,
            limit=(NUMBER_LOW, NUMBER_HIGH),
        )
    return NUMBER_LOW if operator == "<=" else number, NUMBER_HIGH if operator == ">=" else number


def read_measure(text: str) -> Reading:
    """Return the measure that `text` names.

    Raises:
        InputError: it does not follow the notation.
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
    """Return the condition that `text` states; `"always"` holds always.

    Raises:
        InputError: it does not follow the notation.
    """
    n_clauses = 1 + text.count(" and ")
    if n_clauses > CLAUSES_MAX:
        raise InputError(
            f"joins {n_clauses} conditions, must be at most {CLAUSES_MAX}",
            value=n_clauses,
            limit=CLAUSES_MAX,
        )
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
        raise InputError(
            f"{text!r} must be a measure, or a measure with >=, <= or = and a number", value=text
        )
    return Bounds(read_measure(match[1]), *_bounds(match[2], int(match[3])))

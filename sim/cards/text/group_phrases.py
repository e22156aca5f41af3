"""Phrases for the groups, measures and conditions of effect rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from sim.cards.measure import measures
from sim.cards.notation import ALWAYS, NUMBER_HIGH, NUMBER_LOW, Bounds, Group, Reading
from sim.cards.vocabulary import (
    GOING_ON,
    STAT_NOUNS,
    STATE_PHRASES,
    Keyword,
    Selector,
    Stat,
)
from sim.errors import listed

Names = Mapping[str, str]
"""Type of a mapping from ids of cards to their printed names."""

NO_NAMES: Names = {}


def group_words(
    group: Group, names: Names = NO_NAMES, *, one: bool = False, every: bool = False
) -> str:
    """Return a group as a phrase, such as `enemy minions with 3 or less attack` or `the target`.

    Args:
        group: group to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
        one: whether to describe one member, in the singular and without an article.
        every: whether to begin a phrase for several members with `your` or `all`.
    """
    noun = group.selector.about
    if group.selector.is_single:
        predicate = predicate_words(group, names)
        return f"{noun.one} provided it {predicate}" if predicate else noun.one
    before, after = _filters(group, names)
    owner, determiner = noun.owner, ""
    if every:
        is_own = owner == "friendly"
        owner, determiner = ("", "your") if is_own else (owner, "all")
    word = noun.one if one else noun.many
    parts = [determiner, *before, owner, group.tribe, _kind_noun(group, word), noun.where, *after]
    return " ".join(filter(None, parts))


def member_words(group: Group, names: Names = NO_NAMES) -> str:
    """Return a phrase for one member of a group, such as `an enemy minion with 3 or less attack`.

    Args:
        group: group of the member.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    phrase = group_words(group, names, one=True)
    return phrase if group.selector.is_single else with_article(phrase)


def picked_words(group: Group, pick: int, spare: int, names: Names = NO_NAMES) -> str:
    """Return a phrase for the members of a group that a row acts on: `2 random enemy minions`.

    Args:
        group: group that the row acts on.
        pick: number of members picked at random; 0 for all members.
        spare: number of members left out at random, if `pick` is 0.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    if spare and not pick:
        return f"all but {spare} random {group_words(group, names)}"
    if not pick or group.selector.is_single:
        return group_words(group, names, every=True)
    if pick == 1:
        return f"a random {group_words(group, names, one=True)}"
    return f"{pick} random {group_words(group, names)}"


def measure_words(reading: Reading, names: Names = NO_NAMES) -> str:
    """Return a measure as a phrase, such as `the number of friendly minions`.

    Args:
        reading: measure to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return measures()[reading.measure].phrase.format(
        group=group_words(reading.group, names),
        member=group_words(reading.group, names, one=True),
        number=stat_noun(reading.stat),
    )


def condition_words(condition: Bounds, names: Names = NO_NAMES) -> str:
    """Return a condition as a clause, such as `your hero has 12 or less health`.

    Args:
        condition: condition to describe; for `ALWAYS` the clause is `""`.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    clauses = (clause for clause in condition.clauses if clause != ALWAYS)
    return " and ".join(_clause_words(clause, names) for clause in clauses)


def predicate_words(group: Group, names: Names = NO_NAMES) -> str:
    """Return the filters of a group as a predicate of one card: `is frozen and has taunt`.

    Args:
        group: group with the filters; for a group without filters the predicate is `""`.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return " and ".join(_predicates(group, names))


def with_article(phrase: str) -> str:
    """Return a singular phrase with `a`, `an` or, before `other`, as one word: `another minion`."""
    if phrase.startswith("other "):
        return f"an{phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def stat_noun(stat: Stat) -> str:
    """Return the noun for a number of a card, such as `lost health`."""
    return STAT_NOUNS.get(stat, word_of(stat))


def bounds_words(low: int, high: int) -> str:
    """Return bounds of a number as words: `3`, `3 or more` or `3 or less`."""
    if low == high:
        return str(low)
    if low == NUMBER_LOW:
        return f"{high} or less"
    return f"{low} or more"


def word_of(member: Enum) -> str:
    """Return a word of the vocabulary as texts spell it, in lower case and with spaces."""
    return member.name.lower().replace("_", " ")


def played_words(group: Group, names: Names = NO_NAMES, noun: str = "") -> str:
    """Return a phrase for a played card without its side, such as `another spell`.

    Args:
        noun: noun for the card; `""` for the noun of its kind.
        group: group of the card.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    before, after = _filters(group, names)
    if noun and group.kind is not None:
        after.append(f"of kind {word_of(group.kind)}")
    noun = noun or _kind_noun(group, group.selector.about.one)
    phrase = [*before, group.tribe, noun, *after]
    return with_article(" ".join(filter(None, phrase)))


def _kind_noun(group: Group, word: str) -> str:
    """Return the noun of a group's members: `spell` instead of `card` if the group filters them."""
    if group.kind is not None and word in ("card", "cards"):
        return word_of(group.kind) + ("s" if word == "cards" else "")
    return word


def _filters(group: Group, names: Names) -> tuple[list[str], list[str]]:
    """Return phrases for a group's filters: those before the noun and those after the noun.

    The filter by tribe, and by kind if the noun expresses it, are omitted.
    """
    phrases = [STATE_PHRASES[state] for state in STATE_PHRASES if state in group.states]
    before = [phrase.before for phrase in phrases if phrase.before]
    after = [phrase.after for phrase in phrases if phrase.after]
    if group.kind is not None and group.selector.about.one != "card":
        after.append(f"of kind {word_of(group.kind)}")
    if keywords := [word_of(keyword) for keyword in Keyword if keyword in group.keywords]:
        after.append(f"with {listed(keywords)}")
    if group.without:
        after.append(f"other than {names.get(group.without, group.without)}")
    if group.stat is not None:
        after.append(f"with {bounds_words(group.low, group.high)} {stat_noun(group.stat)}")
    return before, after


def _predicates(group: Group, names: Names) -> Iterator[str]:
    for state, phrase in STATE_PHRASES.items():
        if state in group.states:
            yield f"is {phrase.predicate}"
    if group.tribe:
        yield f"is a {group.tribe}"
    if group.kind is not None:
        yield f"is a {word_of(group.kind)}"
    if keywords := [word_of(keyword) for keyword in Keyword if keyword in group.keywords]:
        yield f"has {listed(keywords)}"
    if group.without:
        yield f"is not {names.get(group.without, group.without)}"
    if group.stat is not None:
        yield f"has {bounds_words(group.low, group.high)} {stat_noun(group.stat)}"


def _clause_words(bounds: Bounds, names: Names) -> str:
    """Return a clause for one measure and its bounds, without further conditions."""
    reading = bounds.reading
    measure = measures()[bounds.reading.measure]
    # The bounds "at least 1" and "exactly 0" are clearer as a positive and a negative statement.
    is_yes = (bounds.low, bounds.high) == (1, NUMBER_HIGH)
    is_no = (bounds.low, bounds.high) == (0, 0)
    if is_yes or is_no:
        if measure.yes:
            return measure.yes if is_yes else measure.no
        if reading.measure == "count":
            return _existence_words(reading.group, names, is_yes=is_yes)
    how_many = bounds_words(bounds.low, bounds.high)
    if reading.measure == "count":
        return f"there are {how_many} {group_words(reading.group, names)}"
    return f"{measure_words(reading, names)} is {how_many}"


def _existence_words(group: Group, names: Names, *, is_yes: bool) -> str:
    if not group.selector.is_single:
        return f"there are {'any' if is_yes else 'no'} {group_words(group, names)}"
    noun = group.selector.about.one
    if group.selector is Selector.AIM:
        noun = f"the target of {GOING_ON}"
    predicates = [*_predicates(group, names)] or ["is there"]
    if is_yes:
        return f"{noun} {' and '.join(predicates)}"
    if len(predicates) > 1:
        return f"{noun} is not one that {' and '.join(predicates)}"
    verb, _, rest = predicates[0].partition(" ")
    return f"{noun} {'is not' if verb == 'is' else 'does not have'} {rest}"

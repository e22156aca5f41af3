"""Phrases for the groups, measures and conditions of effect rows."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from sim.cards.measure import measures
from sim.cards.notation import ALWAYS, NUMBER_HIGH, Bounds, Group, Reading
from sim.cards.vocabulary import (
    GOING_ON,
    STAT_NOUNS,
    STATE_ADJECTIVES,
    STATES_BEHIND,
    Keyword,
    Kind,
    Selector,
    Stat,
    State,
)

Names = Mapping[str, str]
"""Type of a mapping from ids of cards to their printed names."""

NO_NAMES: Names = {}


def group_words(
    group: Group, names: Names = NO_NAMES, *, one: bool = False, every: bool = False
) -> str:
    """Return a group as a phrase, such as `enemy minions with attack at most 3` or `the target`.

    Args:
        group: group to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
        one: whether to describe one member, in the singular and without an article.
        every: whether to put `all` or `the` before a phrase for several members that does not
            begin with their side.
    """
    noun = group.selector.about
    if group.selector.is_single:
        return f"{noun.one}, if {_qualities(group, names)}" if group.is_filtered else noun.one
    word = noun.one if one else noun.many
    if group.kind is not None and word in ("card", "cards"):
        word = _word(group.kind) + ("" if one else "s")
    if group.states & State.HERO:
        word = "hero" if one else "heroes"
    before, after = _filters(group, names)
    parts = [*before, noun.owner or _owner_words(group), group.tribe, word, noun.where, *after]
    if every and not noun.owner:
        parts.insert(0, "the" if noun.where.startswith("next") else "all")
    return " ".join(filter(None, parts))


def member_words(group: Group, names: Names = NO_NAMES) -> str:
    """Return a phrase for one member of a group, such as `an enemy minion with attack at most 3`.

    Args:
        group: group of the member.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    phrase = group_words(group, names, one=True)
    return phrase if group.selector.is_single else _with_article(phrase)


def picked_words(group: Group, pick: int, spare: int, names: Names = NO_NAMES) -> str:
    """Return a phrase for the members of a group that a row acts on: `2 random enemy minions`.

    Args:
        group: group that the row acts on.
        pick: number of members picked at random; 0 for all members.
        spare: number of members left out at random; if positive, `pick` is ignored.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    if spare:
        return f"all but {spare} random {group_words(group, names)}"
    if not pick or group.selector.is_single:
        return group_words(group, names, every=True)
    if pick == 1:
        return f"a random {group_words(group, names, one=True)}"
    return f"{pick} random {group_words(group, names)}"


def measure_words(reading: Reading, names: Names = NO_NAMES) -> str:
    """Return a measure as a phrase, such as `the number of own minions`.

    Args:
        reading: measure to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return measures()[reading.measure].phrase.format(
        group=group_words(reading.group, names),
        member=group_words(reading.group, names, one=True),
        number=_stat_noun(reading.stat),
    )


def condition_words(condition: Bounds, names: Names = NO_NAMES) -> str:
    """Return a condition as a clause, such as `if the own player has at most 12 health`.

    Args:
        condition: condition to describe; for `ALWAYS` the clause is `""`.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    parts = [_clause_words(clause, names) for clause in condition.clauses if clause != ALWAYS]
    return " and ".join(parts[:1] + [part.removeprefix("if ") for part in parts[1:]])


def _with_article(phrase: str) -> str:
    if phrase.startswith("other "):  # "another" is one word
        return f"an{phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def _clause_words(bounds: Bounds, names: Names) -> str:
    """Return an `if` clause for one measure and its bounds, without further conditions."""
    reading = bounds.reading
    measure = measures()[bounds.reading.measure]
    is_yes = bounds.low >= 1
    # The bounds "at least 1" and "at most 0" are clearer as a positive and a negative statement.
    if (bounds.low == 1 and bounds.high == NUMBER_HIGH) or bounds.low <= 0 == bounds.high:
        if measure.yes:
            return measure.yes if is_yes else measure.no
        if reading.measure == "count":
            return _existence_words(reading.group, names, is_yes=is_yes)
    how_many = _bounds_words(bounds.low, bounds.high)
    if reading.measure == "count":
        return f"if there are {how_many} {group_words(reading.group, names)}"
    if reading.measure == "stat":
        member = group_words(reading.group, names, one=True)
        return f"if {member} has {how_many} {_stat_noun(reading.stat)}"
    return f"if {measure_words(reading, names)} is {how_many}"


def _existence_words(group: Group, names: Names, *, is_yes: bool) -> str:
    is_so = "is" if is_yes else "is not"
    if not group.selector.is_single:
        return f"if there are {'any' if is_yes else 'no'} {group_words(group, names)}"
    who = group.selector.about.one
    if group.selector is Selector.AIM:
        return f"if {GOING_ON} {is_so} aimed at {_aimed_character_words(group, names)}"
    if group == Group(group.selector, states=State.OWN):
        return f"if {who} is on the {'own' if is_yes else 'enemy'} side"
    return f"if {who} {is_so} {_qualities(group, names) if group.is_filtered else 'there'}"


def _owner_words(group: Group) -> str:
    return "own" if group.states & State.OWN else ""


def _aimed_character_words(group: Group, names: Names) -> str:
    """Return a phrase for the target of an attack or spell, such as `the own hero`, `a minion`."""
    noun = "minion" if group.kind is Kind.MINION else "character"
    before, after = _filters(group, names)
    word = "hero" if group.states & State.HERO else noun
    phrase = " ".join(filter(None, [*before, _owner_words(group), group.tribe, word, *after]))
    return f"the {phrase}" if phrase == "own hero" else _with_article(phrase)


def _qualities(group: Group, names: Names) -> str:
    """Return a group's filters as a predicate of one card: `a beast with attack at most 3`."""
    before, after = _filters(group, names)
    hero = State.HERO.name if group.states & State.HERO else None
    nouns = [group.tribe, group.kind.name if group.kind is not None else None, hero]
    side = ["on the own side"] if group.states & State.OWN else []
    return " ".join([*before, *(f"a {noun.lower()}" for noun in nouns if noun), *after, *side])


def _filters(group: Group, names: Names) -> tuple[list[str], list[str]]:
    """Return phrases for a group's filters: those before the noun and those after the noun.

    The filters by side, tribe, kind and the state `HERO` are omitted.
    """
    states = [state for state in State if state in group.states & ~(State.OWN | State.HERO)]
    in_front = [state for state in states if state not in STATES_BEHIND]
    before = [STATE_ADJECTIVES.get(state, _word(state)) for state in in_front]
    before += [_word(keyword) for keyword in Keyword if keyword in group.keywords]
    after = [STATES_BEHIND[state] for state in states if state in STATES_BEHIND]
    if group.without:
        after.append(f"other than {names.get(group.without, group.without)}")
    if group.stat is not None:
        after.append(f"with {_stat_noun(group.stat)} {_bounds_words(group.low, group.high)}")
    return before, after


def _word(member: Enum) -> str:
    return member.name.lower().replace("_", " ")


def _stat_noun(stat: Stat) -> str:
    return STAT_NOUNS.get(stat, _word(stat))


def _bounds_words(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"at least {low}" if high == NUMBER_HIGH else f"at most {high}"

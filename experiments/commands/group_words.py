"""Groups, measures and conditions of effect rows in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from sim.notation import (
    NUMBER_HIGH,
    Bounds,
    Group,
    Reading,
    read_condition,
    read_group,
    read_measure,
)
from sim.vocabulary import Keyword, Measure, Selector, Stat, State


class _Noun(NamedTuple):
    """How a selector is spoken of: `enemy` + `minions`, or `cards` + `in the own hand`."""

    whose: str
    one: str
    many: str
    where: str = ""


_GROUPS = {
    Selector.PLAYERS: _Noun("", "player", "players"),
    Selector.OWN_MINIONS: _Noun("own", "minion", "minions"),
    Selector.ENEMY_MINIONS: _Noun("enemy", "minion", "minions"),
    Selector.MINIONS: _Noun("", "minion", "minions"),
    Selector.OWN_CHARACTERS: _Noun("own", "character", "characters"),
    Selector.ENEMY_CHARACTERS: _Noun("enemy", "character", "characters"),
    Selector.CHARACTERS: _Noun("", "character", "characters"),
    Selector.OWN_HAND: _Noun("", "card", "cards", "in the own hand"),
    Selector.ENEMY_HAND: _Noun("", "card", "cards", "in the enemy hand"),
    Selector.HANDS: _Noun("", "card", "cards", "in the hands"),
    Selector.OWN_CARDS: _Noun("own", "card", "cards"),
    Selector.ENEMY_CARDS: _Noun("enemy", "card", "cards"),
    Selector.CARDS: _Noun("", "card", "cards"),
    Selector.NEIGHBOURS: _Noun("", "minion", "minions", "next to it"),
    Selector.TARGET_NEIGHBOURS: _Noun("", "minion", "minions", "next to the target"),
}
_SINGLES = {
    Selector.OWN_PLAYER: "the own player",
    Selector.ENEMY_PLAYER: "the enemy player",
    Selector.OWN_WEAPON: "the own weapon",
    Selector.ENEMY_WEAPON: "the enemy weapon",
    Selector.TARGET: "the target",
    Selector.SELF: "this card",
    Selector.SUBJECT: "whom it happened to",
    Selector.PREVIOUS: "what the row before brought",
}
_CARDS = ("card", "cards")
_STATES = {State.OVERLOAD: "overloading", State.UNTARGETED: "other than the target"}
_STATS = {
    Stat.DAMAGE: "lost health",
    Stat.CRYSTALS: "mana crystals",
    Stat.ARMOR: "armour",
}
_MEASURES = {
    Measure.ONE: "1",
    Measure.EVENT: "the amount of the event",
    Measure.CARDS_PLAYED: "the number of cards played before in this turn",
    Measure.COIN_FLIP: "a coin flip (0 or 1)",
    Measure.MINIONS_PLAYED: "the number of minions played in this turn",
    Measure.HAND_GAP: "the number of cards that the enemy hand has more",
    Measure.ABSENT: "the number of cards it could still summon",
}
_YES_OR_NO = {
    Measure.COIN_FLIP: ("half of the time", "half of the time"),
    Measure.ATTACKING: ("while the own hero attacks", "while the own hero does not attack"),
    Measure.ODD_DECK: (
        "if every card left in the own deck has an odd cost",
        "if some card left in the own deck has an even cost",
    ),
    Measure.EVEN_DECK: (
        "if every card left in the own deck has an even cost",
        "if some card left in the own deck has an odd cost",
    ),
    Measure.CARDS_PLAYED: (
        "if another card was played before in this turn",
        "if no other card was played before in this turn",
    ),
}


def group_words(text: str) -> str:
    """A group as a phrase: `enemy minions with attack at most 3`, `the target`."""
    return _phrase(read_group(text), "many")


def member_words(text: str) -> str:
    """One of a group: `an enemy minion with attack at most 3`."""
    group = read_group(text)
    if group.selector in _SINGLES:
        return _phrase(group, "one")
    phrase = _phrase(group, "one")
    if phrase.startswith("other "):
        return f"an{phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def picked_words(text: str, pick: int, spare: int) -> str:
    """Those of a group that chance picks or spares: `2 random enemy minions`."""
    group = read_group(text)
    if spare:
        return f"all but {spare} random {_phrase(group, 'many')}"
    if not pick or group.selector in _SINGLES:
        return _phrase(group, "many", every=True)
    if pick == 1:
        return f"a random {_phrase(group, 'one')}"
    return f"{pick} random {_phrase(group, 'many')}"


def measure_words(text: str) -> str:
    """A measure as a phrase: `the number of own minions`, `the attack of the own weapon`."""
    return _reading_words(read_measure(text))


def condition_words(text: str) -> str:
    """A condition with its `if`: `if the own player has at most 12 health`; `""` for always."""
    bounds = read_condition(text)
    if bounds == Bounds():
        return ""
    reading, is_yes = bounds.reading, bounds.low >= 1
    if _is_yes_or_no(bounds):
        if reading.measure in _YES_OR_NO:
            return _YES_OR_NO[reading.measure][not is_yes]
        if reading.measure is Measure.COUNT:
            return _there(reading.group, is_yes=is_yes)
    how_many = _bounds_words(bounds.low, bounds.high)
    if reading.measure is Measure.COUNT:
        return f"if there are {how_many} {_phrase(reading.group, 'many')}"
    if reading.measure is Measure.STAT:
        return f"if {_phrase(reading.group, 'one')} has {how_many} {_stat(reading.stat)}"
    return f"if {_reading_words(reading)} is {how_many}"


def _is_yes_or_no(bounds: Bounds) -> bool:
    """Whether a condition tells nothing from something."""
    return (bounds.low == 1 and bounds.high == NUMBER_HIGH) or (bounds.low <= 0 == bounds.high)


def _there(group: Group, *, is_yes: bool) -> str:
    if group.selector not in _SINGLES:
        return f"if there are {'any' if is_yes else 'no'} {_phrase(group, 'many')}"
    who = _SINGLES[group.selector]
    if not group.is_filtered:
        return f"if {who} is {'' if is_yes else 'not '}there"
    return f"if {who} is {'' if is_yes else 'not '}{_qualities(group)}"


def _phrase(group: Group, number: str, *, every: bool = False) -> str:
    if group.selector in _SINGLES:
        who = _SINGLES[group.selector]
        return f"{who}, if {_qualities(group)}" if group.is_filtered else who
    noun = _GROUPS[group.selector]
    word = noun.one if number == "one" else noun.many
    if group.kind is not None and word in _CARDS:
        word = group.kind.name.lower() + ("" if number == "one" else "s")
    before, after = _filters(group)
    parts = [*before, noun.whose, group.tribe, word, noun.where, *after]
    if every and not noun.whose:
        parts.insert(0, "the" if noun.where.startswith("next") else "all")
    return " ".join(part for part in parts if part)


def _qualities(group: Group) -> str:
    """What a single card must be like: `frozen`, `a beast with attack at most 3`."""
    before, after = _filters(group)
    kind = [] if group.kind is None else [f"a {group.kind.name.lower()}"]
    tribe = [f"a {group.tribe}"] if group.tribe else []
    return " ".join([*before, *tribe, *kind, *after])


def _filters(group: Group) -> tuple[list[str], list[str]]:
    """What stands before the noun, and what behind it."""
    states = [state for state in State if state in group.states]
    before = [_STATES.get(state, _word(state)) for state in states if state is not State.UNTARGETED]
    before += [_word(keyword) for keyword in Keyword if keyword in group.keywords]
    after = [_STATES[State.UNTARGETED]] if State.UNTARGETED in states else []
    if group.stat is not None:
        after.append(f"with {_stat(group.stat)} {_bounds_words(group.low, group.high)}")
    return before, after


def _word(member: Enum) -> str:
    return member.name.lower().replace("_", " ")


def _stat(stat: Stat) -> str:
    return _STATS.get(stat, _word(stat))


def _bounds_words(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"at least {low}" if high == NUMBER_HIGH else f"at most {high}"


def _reading_words(reading: Reading) -> str:
    if reading.measure is Measure.COUNT:
        return f"the number of {_phrase(reading.group, 'many')}"
    if reading.measure is Measure.STAT:
        return f"the {_stat(reading.stat)} of {_phrase(reading.group, 'one')}"
    return _MEASURES.get(reading.measure, _word(reading.measure))


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    *first, end = parts
    return f"{', '.join(first)} {last} {end}" if first else end

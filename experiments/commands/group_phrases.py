"""Groups, measures and conditions of effect rows in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from sim.cards.notation import (
    NUMBER_HIGH,
    Bounds,
    Group,
    Reading,
    read_condition,
    read_group,
    read_measure,
)
from sim.cards.vocabulary import Keyword, Kind, Measure, Selector, Stat, State

Names = Mapping[str, str]
"""Names of cards by id."""

GOING_ON = "the attack or the spell"
"""What an `aim` belongs to, for who knows which of the two it is to put in its place."""


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
    Selector.OWN_SECRETS: _Noun("own", "secret", "secrets"),
    Selector.ENEMY_SECRETS: _Noun("enemy", "secret", "secrets"),
    Selector.OWN_DECK: _Noun("", "card", "cards", "in the own deck"),
    Selector.ENEMY_DECK: _Noun("", "card", "cards", "in the enemy deck"),
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
    Selector.AIM: f"whom {GOING_ON} is aimed at",
}
_CARDS = ("card", "cards")
_BEFORE = {State.OVERLOAD: "overloading"}  # other states go by their own words
_BEHIND = {
    State.UNTARGETED: "other than the target",
    State.IN_PLAY: "in play",
    State.BYSTANDER: "neither attacking nor attacked",
}
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


def group_words(text: str, names: Names | None = None) -> str:
    """A group as a phrase: `enemy minions with attack at most 3`, `the target`."""
    return _phrase(_named(read_group(text), names), "many")


def member_words(text: str, names: Names | None = None) -> str:
    """One of a group: `an enemy minion with attack at most 3`."""
    group = _named(read_group(text), names)
    phrase = _phrase(group, "one")
    return phrase if group.selector in _SINGLES else _with_article(phrase)


def picked_words(text: str, pick: int, spare: int, names: Names | None = None) -> str:
    """Those of a group that chance picks or spares: `2 random enemy minions`."""
    group = _named(read_group(text), names)
    if spare:
        return f"all but {spare} random {_phrase(group, 'many')}"
    if not pick or group.selector in _SINGLES:
        return _phrase(group, "many", every=True)
    if pick == 1:
        return f"a random {_phrase(group, 'one')}"
    return f"{pick} random {_phrase(group, 'many')}"


def measure_words(text: str, names: Names | None = None) -> str:
    """A measure as a phrase: `the number of own minions`, `the attack of the own weapon`."""
    return _reading_words(_named_reading(read_measure(text), names))


def condition_words(text: str, names: Names | None = None) -> str:
    """A condition with its `if`: `if the own player has at most 12 health`; `""` for always."""
    bounds: Bounds | None = read_condition(text)
    parts = []
    while bounds is not None and bounds != Bounds():
        parts.append(_bounded(bounds, names))
        bounds = bounds.also
    return " and ".join(parts[:1] + [part.removeprefix("if ") for part in parts[1:]])


def _named(group: Group, names: Names | None) -> Group:
    """A group that leaves its card out by name."""
    return replace(group, without=(names or {}).get(group.without, group.without))


def _named_reading(reading: Reading, names: Names | None) -> Reading:
    return replace(reading, group=_named(reading.group, names))


def _with_article(phrase: str) -> str:
    if phrase.startswith("other "):
        return f"an{phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def _bounded(bounds: Bounds, names: Names | None) -> str:
    """What one bound measure asks for."""
    reading, is_yes = _named_reading(bounds.reading, names), bounds.low >= 1
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
    is_so = "is" if is_yes else "is not"
    if group.selector not in _SINGLES:
        return f"if there are {'any' if is_yes else 'no'} {_phrase(group, 'many')}"
    who = _SINGLES[group.selector]
    if group.selector is Selector.AIM:
        return f"if {GOING_ON} {is_so} aimed at {_character(group)}"
    if group == Group(group.selector, states=State.OWN):
        return f"if {who} is on the {'own' if is_yes else 'enemy'} side"
    return f"if {who} {is_so} {_qualities(group) if group.is_filtered else 'there'}"


def _phrase(group: Group, number: str, *, every: bool = False) -> str:
    if group.selector in _SINGLES:
        who = _SINGLES[group.selector]
        return f"{who}, if {_qualities(group)}" if group.is_filtered else who
    noun = _GROUPS[group.selector]
    word = noun.one if number == "one" else noun.many
    if group.kind is not None and word in _CARDS:
        word = group.kind.name.lower() + ("" if number == "one" else "s")
    if group.states & State.HERO:
        word = "hero" if number == "one" else "heroes"
    before, after = _filters(group)
    parts = [*before, noun.whose or _whose(group), group.tribe, word, noun.where, *after]
    if every and not noun.whose:
        parts.insert(0, "the" if noun.where.startswith("next") else "all")
    return " ".join(part for part in parts if part)


def _whose(group: Group) -> str:
    return "own" if group.states & State.OWN else ""


def _character(group: Group) -> str:
    """Whom something is aimed at, of what the filters say: `the own hero`, `a minion`."""
    noun = "minion" if group.kind is Kind.MINION else "character"
    before, after = _filters(group)
    word = "hero" if group.states & State.HERO else noun
    phrase = " ".join(part for part in (*before, _whose(group), group.tribe, word, *after) if part)
    return f"the {phrase}" if phrase == "own hero" else _with_article(phrase)


def _qualities(group: Group) -> str:
    """What a single card must be like: `frozen`, `a beast with attack at most 3`."""
    before, after = _filters(group)
    kind = [] if group.kind is None else [f"a {group.kind.name.lower()}"]
    tribe = [f"a {group.tribe}"] if group.tribe else []
    hero = ["a hero"] if group.states & State.HERO else []
    side = ["on the own side"] if group.states & State.OWN else []
    return " ".join([*before, *tribe, *kind, *hero, *after, *side])


def _filters(group: Group) -> tuple[list[str], list[str]]:
    """What stands before the noun, and what behind it; not whose it is, nor what."""
    states = [state for state in State if state in group.states]
    is_noun = State.OWN | State.HERO
    before = [
        _BEFORE.get(state, _word(state))
        for state in states
        if state not in _BEHIND and not state & is_noun
    ]
    before += [_word(keyword) for keyword in Keyword if keyword in group.keywords]
    after = [_BEHIND[state] for state in states if state in _BEHIND]
    if group.without:
        after.append(f"other than {group.without}")
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

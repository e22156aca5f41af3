"""Rules that read the events of abilities, from the phrases of the declared events."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from sim.cards.notation import Group, read_group
from sim.cards.phrase import Say, said
from sim.cards.reading.group_rules import described_group, filtered
from sim.cards.reading.matcher import Rule, Rules, Values, add
from sim.cards.reading.meanings import How
from sim.cards.reading.sentences import Occurrence
from sim.cards.vocabulary import Event, Kind, Selector, Side, State

_SIDES: dict[Selector, tuple[Selector, Selector, Selector]] = {
    Selector.CARDS: (Selector.OWN_CARDS, Selector.ENEMY_CARDS, Selector.CARDS),
    Selector.MINIONS: (Selector.OWN_MINIONS, Selector.ENEMY_MINIONS, Selector.MINIONS),
}
"""Selectors of the own side, the enemy side and both, by the selector of both."""

_CARDS = (Selector.OWN_CARDS, Selector.ENEMY_CARDS, Selector.CARDS)
_OF_CARDS = ("card_played", "cast", "after_cast", "reveal")
"""Events of cards, and the selectors of their subjects."""

_BODIES = ("character", "player")
_KEYS = ("side", "of", "when", "is_of_aim")
"""Keys of events' templates that change the event; others belong to printing."""

_KINDS = {"cast": Kind.SPELL, "after_cast": Kind.SPELL, "reveal": Kind.SECRET}
"""Kinds of the cards that events of cards happen to."""

_ARTICLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("<a|an> {description}", {"article": "a"}),
    ("any {description}", {"article": "any"}),
    ("another {description}", {"article": "another", "states": State.OTHER}),
    ("one of your {description}", {"article": "a", "side": Side.OWN}),
)

_TURNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("your turn", {"of": Group(Selector.OWN_PLAYER)}),
    ("your opponent's turn", {"of": Group(Selector.ENEMY_PLAYER)}),
    ("<each|every> turn", {"of": Group(Selector.PLAYERS)}),
    ("<each player's|every player's> turn", {"of": Group(Selector.PLAYERS)}),
    ("the turn of {single as single}", {}),
    ("the turn of all {description}", {}),
    ("the turn of your {description}", {"side": Side.OWN}),
)


def add_events(rules: Rules) -> None:
    """Add the rule `event` and the rules of its parts."""
    add(rules, "turns", _TURNS, _turns)
    add(rules, "subject", [*_ARTICLES, ("{single as single}", {})], _subject)
    add(rules, "other_subject", _ARTICLES, _subject)
    add(rules, "played", _ARTICLES, _played)
    add(rules, "spell", _ARTICLES, _spell)
    add(rules, "minion", _ARTICLES, _minion)
    add(rules, "secret", [("{description}", {})], _secret)
    event_rule = Rule(_event)
    for event in Event:
        about = event.about
        for say in (*said(about.says), *said(about.reads)):
            if say.text:
                keys = {key: say.keys[key] for key in _KEYS if key in say.keys}
                event_rule.add(_with_keys(say), {"on": event.name.lower(), **keys})
    rules["event"] = event_rule


def _with_keys(say: Say) -> str:
    """Return a template in which each part is stored under its own name."""
    text = say.text
    for part in ("subject", "other_subject", "played", "spell", "minion", "secret", "turns"):
        text = text.replace(f"{{{part}}}", f"{{{part} as subject}}")
    return text


def _event(values: Values) -> Iterable[Hashable]:
    group, article, where = values.get("subject", (None, "", None))
    if group == "it":
        yield Occurrence(values["on"], is_of_it=True)
        return
    if group is not None and "side" in values:
        if group.selector not in _SIDES:
            return
        group = replace(group, selector=_SIDES[group.selector][values["side"]])
    if "of" in values:
        group = read_group(values["of"])
    if group is not None and not _can_be_subject(values["on"], group, where):
        return
    # "A secret is revealed" and "a spell is cast" say no more than the event itself.
    says_no_more = group is not None and _KINDS.get(values["on"]) is group.kind is not None
    if says_no_more and "side" not in values:
        return
    yield Occurrence(
        values["on"],
        group,
        article,
        values.get("when", ""),
        is_of_aim=values.get("is_of_aim", False),
    )


def _can_be_subject(event: str, group: Group, where: object) -> bool:
    """Return whether the subject of an event can belong to a group, as its phrase means it."""
    is_of_cards = event in _OF_CARDS
    if group.selector in _CARDS:
        return is_of_cards or (group.kind is not Kind.MINION and not group.tribe)
    return not is_of_cards or group.selector.is_single or where is not None


def _subject(values: Values) -> Iterable[Hashable]:
    if "single" in values:
        reference = values["single"]
        if reference.how is How.ALL:
            yield reference.group, "", None
        elif reference.how is How.THAT:
            yield filtered(Group(Selector.SUBJECT), reference.group), "", None
        elif reference.how is How.IT:
            yield "it", "", None
        return
    is_in_play = values.get("where") is not None or values["noun"] in _BODIES
    for place in ("receivers",) if is_in_play else ("receivers", "played"):
        group = described_group(values, place)
        if group is not None:
            yield group, values["article"], values.get("where")


def _played(values: Values) -> Iterable[Hashable]:
    if group := described_group(values, "played"):
        yield group, values["article"], None


def _spell(values: Values) -> Iterable[Hashable]:
    """Yield a group of cards from a phrase of spells, without a filter for spells."""
    if values.get("kind") is Kind.SPELL and values["noun"] == "card":
        yield from _played({**values, "kind": values.get("only")})


def _secret(values: Values) -> Iterable[Hashable]:
    """Yield a group of cards from a phrase of secrets, without a filter for secrets."""
    if values["noun"] == "secret":
        rest = {**values, "noun": "card", "kind": values.get("only"), "article": "a"}
        yield from _played(rest)


def _minion(values: Values) -> Iterable[Hashable]:
    """Yield a group of minions of both sides from a phrase that leaves out the side."""
    group = described_group(values, "receivers")
    if group is not None and group.selector is Selector.MINIONS:
        yield group, values["article"], "board"


def _turns(values: Values) -> Iterable[Hashable]:
    if "of" in values:
        yield values["of"], "", None
    else:
        yield from _subject({"article": "", **values})

"""Rules that read measures and conditions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from sim.cards.measure import measures
from sim.cards.notation import NUMBER_HIGH, Group
from sim.cards.reading.group_rules import OWN, described_group, filtered
from sim.cards.reading.matcher import Values
from sim.cards.reading.meanings import Condition, How, Quantity, Reference
from sim.cards.vocabulary import STATE_PHRASES, Selector, Side, Stat, State

Rules = Iterator[tuple[str, dict[str, Any]]]

_ANY = {"low": 1, "high": NUMBER_HIGH}
_NONE = {"low": 0, "high": 0}
_IT = Reference(How.IT)
_SELF = Reference(How.ALL, Group(Selector.SELF))
_HERO = Reference(How.ALL, Group(Selector.OWN_PLAYER))
_EACH_PLAYER = Reference(How.ALL, Group(Selector.PLAYERS))


def measure_rules() -> Rules:
    """Yield the phrases of measures: those of the vocabulary, and those of published texts."""
    for word, measure in measures().items():
        if word == "count":
            yield "the number of {group as of}", {"measure": "count"}
        elif word == "stat":
            yield "the {stat as stat} of {reference as of}", {"measure": "stat"}
        elif measure.is_bare:
            for phrase in (measure.phrase, *measure.reads):
                yield phrase, {"measure": word}
    yield "{possessed as quantity}", {}


POSSESSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("{reference as of} <'s|'> {stat as stat}", {"measure": "stat"}),
    ("<its|their> {stat as stat}", {"measure": "stat", "of": _IT}),
    ("<its|their> [attack] damage", {"measure": "stat", "of": _IT, "stat": Stat.ATTACK}),
)
"""Phrases of a number of a card that is named before it: `your weapon's attack`."""


COUNTED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("{group as of}", {"measure": "count"}),
    ("{stat as stat} of {reference as of}", {"measure": "stat"}),
    ("of your {description}", OWN),
    ("<armor|armour> you have", {"measure": "stat", "of": _HERO, "stat": Stat.ARMOR}),
    ("damage your hero has taken", {"measure": "stat", "of": _HERO, "stat": Stat.DAMAGE}),
    ("other card you <'ve|have> played this turn", {"measure": "cards_played"}),
    ("other card you've played this turn", {"measure": "cards_played"}),
    ("card in your hand", {"measure": "count", "of": Reference(How.ALL, Group(Selector.OWN_HAND))}),
)
"""Phrases after `for each`."""


def build_quantity(values: Values) -> Iterable[Hashable]:
    """Yield the quantity of a measure's phrase."""
    if values.get("of") == _EACH_PLAYER:
        return  # "for each player" names those who are acted on, and multiplies nothing
    if "noun" in values:
        group = described_group(values, "receivers")
        if group is not None and group != _EACH_PLAYER.group:
            yield Quantity("count", Reference(How.ALL, group))
    elif "quantity" in values:
        yield values["quantity"]
    else:
        yield Quantity(
            values.get("measure", "stat"),
            values.get("of", Reference()),
            values.get("stat", Stat.ATTACK),
        )


def condition_rules() -> Rules:
    """Yield the phrases of conditions: those of the vocabulary, and those of published texts."""
    yield "there are any {group as of}", _ANY
    yield "there are no {group as of}", _NONE
    yield "there are {bounds} {group as of}", {}
    yield "{single as of} {predicate as predicate}", _ANY
    yield "{single as of} is there", _ANY
    yield "{single as of} is not there", _NONE
    yield "{single as of} is not one that {predicate as predicate}", _NONE
    yield "{single as of} {negation as predicate}", _NONE
    yield "{measure as quantity} is {bounds}", {}
    for word, measure in measures().items():
        if measure.yes:
            yield measure.yes, {"measure": word, **_ANY}
            yield measure.no, {"measure": word, **_NONE}
    yield from _PUBLISHED


_PUBLISHED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("attacking", {"measure": "attacking", **_ANY}),
    (
        "[this is] damaged",
        {"of": _SELF, "predicate": Group(Selector.SELF, states=State.DAMAGED), **_ANY},
    ),
    ("combo", {"measure": "cards_played", **_ANY}),
    ("<you control|you have> <a|an|any> {description}", {**OWN, **_ANY}),
    ("<you control|you have> another {description}", {**OWN, **_ANY, "states": State.OTHER}),
    ("<you control|you have> no {description}", {**OWN, **_NONE}),
    ("<you control|you have> {bounds} {description}", OWN),
    ("your opponent <controls|has> <a|an|any> {description}", {"side": Side.ENEMY, **_ANY}),
    ("your opponent <controls|has> no {description}", {"side": Side.ENEMY, **_NONE}),
    ("your opponent <controls|has> {bounds} {description}", {"side": Side.ENEMY}),
    ("there is <a|an> {description}", _ANY),
    (
        "you have a weapon [equipped]",
        {"of": Reference(How.ALL, Group(Selector.OWN_WEAPON)), **_ANY},
    ),
    ("you have {bounds} {stat as stat}", {"measure": "stat", "of": _HERO}),
    ("<a|an> {description} {predicate as predicate}", _ANY),
    (
        "your opponent has {bounds} cards in deck",
        {"of": Reference(How.ALL, Group(Selector.ENEMY_DECK))},
    ),
    (
        "your opponent's hand is empty",
        {"of": Reference(How.ALL, Group(Selector.ENEMY_HAND)), **_NONE},
    ),
    ("your deck has no {in_deck as of}", _NONE),
    (
        "you have {bounds} <card|cards> in [your] hand",
        {"of": Reference(How.ALL, Group(Selector.OWN_HAND))},
    ),
    (
        "your opponent has {bounds} cards in hand",
        {"of": Reference(How.ALL, Group(Selector.ENEMY_HAND))},
    ),
    (
        "you have no cards in [your] hand",
        {"of": Reference(How.ALL, Group(Selector.OWN_HAND)), **_NONE},
    ),
    ("<you have|your hero has> {stat as stat}", {"measure": "stat", "of": _HERO, **_ANY}),
    ("your hand is empty", {"of": Reference(How.ALL, Group(Selector.OWN_HAND)), **_NONE}),
    ("your deck is empty", {"of": Reference(How.ALL, Group(Selector.OWN_DECK)), **_NONE}),
    (
        "you <control|have> no other minions",
        {**_NONE, "of": Reference(How.ALL, Group(Selector.OWN_MINIONS, states=State.OTHER))},
    ),
    ("you're holding <a|an> {held as of}", _ANY),
    (
        "<it 's|it is|it was> [already] {quality as predicate}",
        {"of": _IT, **_ANY},
    ),
    ("it {predicate as predicate}", {"of": _IT, **_ANY}),
    ("that kills it", {"of": _IT, "predicate": Group(Selector.SELF, states=State.DEAD), **_ANY}),
    ("it dies", {"of": _IT, "predicate": Group(Selector.SELF, states=State.DEAD), **_ANY}),
    ("<it survives|it 's still alive|it lives>", {"survives": True}),
    (
        "<there is a target|you have a target>",
        {"of": Reference(How.ALL, Group(Selector.TARGET)), **_ANY},
    ),
)

QUALITIES: tuple[tuple[str, dict[str, Any]], ...] = (
    *((phrase.predicate, {"states": state}) for state, phrase in STATE_PHRASES.items()),
    ("<a|an> {tribe as tribe}", {}),
    ("a friendly {tribe as tribe}", {"states": State.OWN}),
    ("at full health", {"states": State.UNDAMAGED}),
)
"""Predicates after `it's`."""


def negations() -> Rules:
    """Yield the negations of one predicate, such as `is not frozen` or `does not have taunt`."""
    for state, phrase in STATE_PHRASES.items():
        yield f"is not {phrase.predicate}", {"states": state}
    yield "is not <a|an> {tribe as tribe}", {}
    yield "is not a {kind as kind}", {}
    yield "does not have {keyword_set as keywords}", {}
    yield "is not not {card_id as without}", {}
    yield "does not have {bounds as limits} {stat as stat}", {}


def build_condition(values: Values) -> Iterable[Hashable]:
    """Yield the clauses of a condition's phrase, as a tuple."""
    if "survives" in values:
        dead = Reference(How.IT, Group(Selector.SELF, states=State.DEAD))
        yield (
            Condition(Quantity("count", _IT), 1, NUMBER_HIGH),
            Condition(Quantity("count", dead), 0, 0),
        )
        return
    quantity = values.get("quantity")
    if quantity is None and "noun" in values:
        group = described_group(values, "receivers")
        if group is None:
            return
        named = filtered(group, values.get("predicate"))
        quantity = Quantity("count", Reference(How.ALL, named))
    if quantity is None:
        reference = values.get("of", Reference())
        if predicate := values.get("predicate"):
            reference = Reference(
                reference.how, filtered(reference.group, predicate), word=reference.word
            )
        quantity = Quantity(
            values.get("measure", "count"), reference, values.get("stat", Stat.ATTACK)
        )
    low = values.get("exactly", values.get("low"))
    high = values.get("exactly", values.get("high"))
    if low is not None and high is not None:
        yield (Condition(quantity, low, high),)

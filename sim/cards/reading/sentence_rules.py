"""Rules that read sentences and abilities, the parts of a card's text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from sim.cards.notation import Group
from sim.cards.reading.clause_rules import add_clauses, one_row
from sim.cards.reading.matcher import Phrases, Rules, Values, add, listed_values
from sim.cards.reading.meanings import Condition, How, Quantity, Reference
from sim.cards.reading.sentences import (
    Ability,
    Chosen,
    Marks,
    Options,
    Playable,
    Row,
    Sentence,
    Standing,
)
from sim.cards.vocabulary import BODY_KEYWORDS, KEYWORD_SENTENCES, Keyword, Kind, Selector

_SELF = Reference(How.ALL, Group(Selector.SELF))
_FIRST_MINION = Reference(How.ALL, Group(Selector.OWN_HAND, kind=Kind.MINION))
_NONE_PLAYED = Condition(Quantity("minions_played"), 0, 0)

_WHILE = "<,|> <while|if> {conditions as when}"


def add_sentences(rules: Rules) -> None:
    """Add the rules of clauses, sentences, abilities and whole texts."""
    add_clauses(rules)
    add(rules, "sentence", _SENTENCES, _sentence)
    damage = {"do": "damage", "to": "anyone"}
    add(rules, "elided_damage", [("{amount:damage}", damage)], one_row)
    more = "{elided_damage as one} <and|,> {later_clauses as more}"
    add(rules, "elided_clauses", [("{elided_damage as one}", {}), (more, {})], listed_values)
    add(rules, "elided", [("{elided_clauses as clauses}", {}), ("{made as made}", {})], _elided)
    add(rules, "standing", _STANDINGS, _standing)
    add(rules, "marks", _marks(), _build_marks)
    add(rules, "item", _ITEMS, _item)
    add(rules, "card", [("", {}), ("{item as one} {card as more}", {})], _card)


_STATEMENTS = (
    "{clauses as clauses}",
    "if {conditions as when}, {clauses as clauses}",
    "{clauses as clauses} <,|> if {conditions as when}",
    "for each {counted as each}, {clauses as clauses}",
)
_SENTENCES: Phrases = (
    *((statement, {}) for statement in _STATEMENTS),
    *((f"{statement} instead", {"mode": "instead"}) for statement in _STATEMENTS),
    ("otherwise[,] {clauses as clauses}", {"mode": "otherwise"}),
)

_STANDINGS: Phrases = (
    ("{standing_rows as rows}", {}),
    ("{standing_rows as rows}" + _WHILE, {}),
    ("while in play, {standing_rows as rows}", {"is_explicit": True}),
    ("while in play, {standing_rows as rows}" + _WHILE, {"is_explicit": True}),
    ("while {conditions as when}, {standing_rows as rows}", {}),
    ("while in hand, {standing_rows as rows}", {"on": "own_cost"}),
    ("while in hand, {standing_rows as rows}" + _WHILE, {"on": "own_cost"}),
    ("while in play, {clauses as clauses}", {}),
    ("while in play, {clauses as clauses}" + _WHILE, {}),
    ("{own_cost as rows}", {"on": "own_cost"}),
    ("{own_cost as rows} if {conditions as when}", {"on": "own_cost"}),
    ("the first minion you play each turn costs {price as first} less", {}),
)

_CHOICE = "[<battlecry :|when played ,|on play :>] choose one <-|:>"

_ITEMS: Phrases = (
    ("{marks as item}[<.|,>]", {}),
    ("<choose|pick|select> {reference as chosen}[.]", {}),
    ("choose {reference as chosen}, if {conditions as when}[.]", {}),
    ("playable only if {conditions as playable}[.]", {}),
    ("choose one: {name_list as options}[.]", {}),
    (
        f"{_CHOICE} {{sentence as first}}[<;|,|.>] or {{sentence as second}}[.]",
        {},
    ),
    ("{standing as item}[.]", {}),
    (
        f"{_CHOICE} {{sentence as first}}[<;|,|.>] or {{elided as second}}[.]",
        {},
    ),
    ("{event as event} {sentence as sentence}[.]", {}),
    ("secret: {event as event} {sentence as sentence}[.]", {"is_secret": True}),
    ("if {conditions as when} {event as event} {sentence as sentence}[.]", {}),
    ("combo: {sentence as sentence}[.]", {"is_combo": True}),
    ("battlecry and deathrattle: {sentence as sentence}[.]", {"is_both": True}),
    ("{sentence as sentence}[.]", {}),
)


def _sentence(values: Values) -> Iterable[Hashable]:
    yield Sentence(
        values["clauses"], values.get("when", ()), values.get("each"), values.get("mode", "")
    )


def _elided(values: Values) -> Iterable[Hashable]:
    """Yield the second of two options, which leaves out the verb of the first."""
    if "made" in values:
        row = frozenset({("do", "transform"), ("to", _SELF), ("made", values["made"])})
        yield Sentence(((row,),))
    else:
        yield Sentence(values["clauses"])


def _standing(values: Values) -> Iterable[Hashable]:
    on = values.get("on", "aura")
    rows: tuple[Row, ...] = values.get("rows", ())
    if "first" in values:
        rows = (frozenset({"do": "cost", "to": _FIRST_MINION, "less": values["first"]}.items()),)
        yield Standing(rows, (_NONE_PLAYED,), on)
        return
    # "This minion costs (1) less" is about the hand, unless the text says "while in play".
    if on == "aura" and "is_explicit" not in values and any(map(_is_own_cost, rows)):
        return
    for clause in values.get("clauses", ()):
        rows += clause
    yield Standing(rows, values.get("when", ()), on)


def _is_own_cost(row: Row) -> bool:
    keys = dict(row)
    return bool(keys["do"] == "cost" and keys["to"] == _SELF)


def _marks() -> Phrases:
    yield "{keyword_list as keywords}", {}
    yield "spell damage +{number as spell_damage}", {}
    yield "your spells deal {number as spell_damage} <more|extra|additional> damage", {}
    yield "overload: ({number as overload})", {}
    yield "overload ({number as overload})", {}
    for keyword, sentences in KEYWORD_SENTENCES.items():
        for sentence in sentences:
            key = "keywords" if keyword in (*BODY_KEYWORDS, Keyword.BLUNT) else "of_player"
            yield sentence, {key: (str(keyword.name).lower(),)}


def _build_marks(values: Values) -> Iterable[Hashable]:
    if "of_player" in values:
        row = {"do": "grant", "to": "own_player", "keywords": values["of_player"]}
        yield Standing((frozenset(row.items()),))
        return
    yield Marks(
        values.get("keywords", ()), values.get("spell_damage", 0), values.get("overload", 0)
    )


def _item(values: Values) -> Iterable[Hashable]:
    when = values.get("when", ())
    if "item" in values:
        yield values["item"]
    elif "chosen" in values:
        yield Chosen(values["chosen"], when)
    elif "playable" in values:
        yield Playable(values["playable"])
    elif "options" in values:
        yield Options(names=values["options"])
    elif "first" in values:
        yield Options(texts=(values["first"], values["second"]))
    else:
        yield Ability(
            values["sentence"],
            values.get("event"),
            values.get("is_secret", False),
            values.get("is_combo", False),
            when,
            values.get("is_both", False),
        )


def _card(values: Values) -> Iterable[Hashable]:
    if "one" not in values:
        yield ()
        return
    first: Any = values["one"]
    rest: list[Any] = [*values["more"]]
    # Neighbouring keywords are one list, however they are separated; otherwise a text with many
    # keywords would have as many readings as there are ways to divide them.
    if rest and _is_keywords(first) and _is_keywords(rest[0]):
        first = Marks((*first.keywords, *rest.pop(0).keywords))
    yield (first, *rest)


def _is_keywords(item: object) -> bool:
    return isinstance(item, Marks) and not item.spell_damage and not item.overload

"""Grammar of card texts, put together from the phrases of the declared vocabulary."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from sim.cards.action import all_actions
from sim.cards.phrase import Say, said
from sim.cards.reading.clause_rules import one_row
from sim.cards.reading.event_rules import add_events
from sim.cards.reading.group_rules import (
    ADJECTIVES,
    AFTER,
    BOUNDS,
    DETERMINED,
    KEYWORDS,
    NOUNS,
    PREDICATES,
    SINGLES,
    STATS,
    build_group,
    build_in_hand,
    build_predicate,
    build_reference,
)
from sim.cards.reading.matcher import Phrases, Rule, Rules, Values, add, listed_values
from sim.cards.reading.measure_rules import (
    COUNTED,
    POSSESSED,
    QUALITIES,
    build_condition,
    build_quantity,
    condition_rules,
    measure_rules,
    negations,
)
from sim.cards.reading.row_rules import (
    MADE,
    MADE_NOUN,
    PARTS,
    RANDOM_CARD,
    WITH_ARGUMENT,
    build_made,
)
from sim.cards.reading.sentence_rules import add_sentences
from sim.cards.reading.template import Part
from sim.cards.vocabulary import Keyword, Kind, Selector, Side

_THIS = "this <card|minion|weapon|spell|secret>"
"""Phrases for the card that has a row, which printed texts name by its kind."""


def grammar() -> Mapping[str, Rule]:
    """Return the rules that read card texts; the grammar grows with the declared actions."""
    return _grammar(tuple(all_actions()))


@cache
def _grammar(actions: tuple[str, ...]) -> Mapping[str, Rule]:  # noqa: ARG001 -- the cache's key
    rules: Rules = {}
    _add_words(rules)
    _add_groups(rules)
    _add_measures(rules)
    _add_rows(rules)
    add_events(rules)
    add_sentences(rules)
    _add_parts_with_arguments(rules)
    return rules


def _value(values: Values) -> Iterable[Hashable]:
    yield values["value"]


def _with_sign(values: Values) -> Iterable[Hashable]:
    yield values["value"] if "value" in values else -values["minus"]


def _add_words(rules: Rules) -> None:
    add(rules, "stat", ((word, {"value": stat}) for word, stat in STATS), _value)
    add(rules, "keyword", ((word, {"value": flag}) for word, flag in KEYWORDS), _value)
    add(
        rules,
        "kind",
        ((kind.name.lower(), {"value": kind}) for kind in Kind),
        _value,
    )
    add(rules, "keyword_list", _listed("keyword", "<,|and|, and>"), _keyword_words)
    add(rules, "keyword_set", [("{keyword_list as all}", {})], _keyword_flags)
    add(rules, "card_id", [("{one_card as ids}", {})], lambda values: [values["ids"][0]])
    add(rules, "name_list", _listed("name"), listed_values)
    for name, sign in (("signed", "+"), ("integer", "")):
        either: Phrases = [(f"{sign}{{number as value}}", {}), ("-{number as minus}", {})]
        add(rules, name, either, _with_sign)
    add(
        rules,
        "price",
        [("({number as value})", {}), ("{number as value} [mana]", {})],
        _value,
    )
    add(
        rules,
        "body",
        [("{number as attack}/{number as health}", {})],
        lambda values: [(values["attack"], values["health"])],
    )


def _listed(rule: str, joint: str = "<,|and|or|, and|, or>") -> Phrases:
    """Return the phrases of a list of things that a rule reads, joined by commas and words."""
    yield f"{{{rule} as one}}", {}
    yield f"{{{rule} as one}} {joint} {{{rule}_more as more}}", {}


def _keyword_words(values: Values) -> Iterable[Hashable]:
    words = (values["one"].name.lower(), *values.get("more", ()))
    if len(set(words)) == len(words):
        yield words


def _keyword_flags(values: Values) -> Iterable[Hashable]:
    flags = Keyword(0)
    for word in values["all"]:
        flags |= Keyword[word.upper()]
    yield flags


def _add_groups(rules: Rules) -> None:
    add(rules, "adjective", ADJECTIVES)
    add(rules, "adjectives", [("", {}), ("{adjective} {adjectives}", {})])
    add(rules, "noun", NOUNS)
    add(rules, "after", AFTER)
    add(rules, "afters", [("", {}), ("{after} {afters}", {})])
    add(rules, "description", [("{adjectives} {noun} {afters}", {})])
    add(rules, "bounds", BOUNDS)
    add(rules, "predicate_one", PREDICATES)
    add(
        rules,
        "predicate",
        [("{predicate_one}", {}), ("{predicate_one} and {predicates}", {})],
        build_predicate,
    )
    add(rules, "predicates", [("{predicate_one}", {}), ("{predicate_one} and {predicates}", {})])
    add(rules, "negation", negations(), build_predicate)
    add(rules, "quality", QUALITIES, build_predicate)
    add(rules, "single_phrase", SINGLES)
    add(
        rules,
        "single",
        [
            ("{single_phrase}", {}),
            ("{single_phrase} provided it {predicate as predicate}", {}),
        ],
        build_reference,
    )
    add(rules, "reference", [*DETERMINED, ("{single as value}", {})], _reference)
    add(rules, "group", [("{description}", {}), ("{single as value}", {})], _group)
    in_hand = [("[all] {description}", {}), ("your {description}", {"side": Side.OWN})]
    add(
        rules,
        "in_hand",
        [*in_hand, ("your opponent's {description}", {"side": Side.ENEMY})],
        build_in_hand,
    )
    deck = {"where": Selector.OWN_DECK}
    add(rules, "in_deck", [("{description}", deck)], build_group)
    add(rules, "held", [("{description}", {"side": Side.OWN})], build_in_hand)


def _reference(values: Values) -> Iterable[Hashable]:
    return _value(values) if "value" in values else build_reference(values)


def _group(values: Values) -> Iterable[Hashable]:
    return _value(values) if "value" in values else build_group(values)


def _add_measures(rules: Rules) -> None:
    add(rules, "measure", measure_rules(), build_quantity)
    add(rules, "possessed", POSSESSED, build_quantity)
    add(rules, "counted", COUNTED, build_quantity)
    add(rules, "condition", condition_rules(), build_condition)
    add(
        rules,
        "conditions",
        [("{condition as one}", {}), ("{condition as one} and {conditions as more}", {})],
        lambda values: [(*values["one"], *values.get("more", ()))],
    )


def _add_rows(rules: Rules) -> None:
    for name, phrases in PARTS.items():
        add(rules, name, phrases)
    add(rules, "made_one", MADE, build_made)
    either = "{made_one as one} or {made_one as other}"
    add(rules, "made", [("{made_one as one}", {}), (either, {})], _either)
    add(rules, "deck_cards", [("{reference as to}", {})], _deck_cards)
    add(rules, "made_noun", MADE_NOUN)
    add(rules, "random_card", RANDOM_CARD)
    for action in all_actions().values():
        if not callable(action.phrase):
            add(
                rules,
                "act",
                _of_action(action.word, (*said(action.phrase), *said(action.reads))),
                one_row,
            )
        standing = (*said(action.standing), *said(action.standing_reads))
        priced = [Say(say.text.replace("{power}", "{priced}"), say.keys) for say in standing]
        add(rules, "standing_act", _of_action(action.word, priced), one_row)


def _either(values: Values) -> Iterable[Hashable]:
    yield replace(values["one"], other=values["other"]) if "other" in values else values["one"]


def _deck_cards(values: Values) -> Iterable[Hashable]:
    if values["to"].group.is_of_deck:
        yield frozenset(values.items())


def _of_action(word: str, phrases: Sequence[Say]) -> Phrases:
    for phrase in phrases:
        yield phrase.text.replace("this card", _THIS), {"do": word, **phrase.keys}


def _add_parts_with_arguments(rules: Rules) -> None:
    """Add a rule for each part with an argument that a template has, such as `amount:damage`."""
    while missing := sorted(set(_parts(rules)) - rules.keys()):
        known = [name for name in missing if name.partition(":")[0] in WITH_ARGUMENT]
        more = [name for name in missing if name.endswith("_more")]
        for name in known:
            part, _, argument = name.partition(":")
            add(rules, name, [(text.format(argument), keys) for text, keys in WITH_ARGUMENT[part]])
        for name in more:
            rule = {"keyword_more": "keyword_list"}.get(name, f"{name.removesuffix('_more')}_list")
            rules[name] = rules[rule]
        if not known and not more:
            return


def _parts(rules: Rules) -> Iterator[str]:
    for rule in rules.values():
        for alternatives in (*rule.by_word.values(), rule.others):
            for alternative in alternatives:
                for element in alternative.elements:
                    if isinstance(element, Part):
                        yield element.rule

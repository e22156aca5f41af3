"""Rules that read sentences that give numbers and keywords: "Give a minion +1/+1 and taunt."."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from sim.cards.notation import Group
from sim.cards.reading.matcher import Phrases, Rules, Values, add, listed_values
from sim.cards.reading.meanings import How, Reference
from sim.cards.vocabulary import Keyword, Selector

_BEARER = Reference(How.BEARER)
_SELF = Reference(How.ALL, Group(Selector.SELF))
_AND = "<and|,|, and|and have|and has>"


def _keyword(keyword: Keyword) -> dict[str, Any]:
    """Return the values of a phrase that gives a keyword without naming it."""
    return {"gifts": (frozenset({("do", "grant"), ("keyword", keyword)}),)}


_GIFTS: Phrases = (
    ("{bonus}", {"do": "buff"}),
    ("{keyword as keyword}", {"do": "grant"}),
    ("spell damage + {number as amount}", {"do": "voice"}),
    ("{number as attack} attack", {"do": "buff"}),
    ("{number as health} health", {"do": "buff"}),
)

_GIVING: Phrases = (
    ("[also] give {reference as to} {gifts as gifts}{lasting}", {}),
    ("<gain|gains|also gain|also gains> {gifts as gifts}{lasting}", {"to": _BEARER}),
    ("{reference as to} <gain|gains|get|gets> {gifts as gifts}{lasting}", {}),
    ("put <a|an> {gifts as gifts} counter on {reference as to}", {}),
    ("<get|gets> {gifts as gifts}{lasting}", {"to": _BEARER}),
    ("become immune{lasting}", {"to": _BEARER, **_keyword(Keyword.IMMUNE)}),
    ("{reference as to} is immune {until}", _keyword(Keyword.IMMUNE)),
    ("{reference as to} becomes immune{lasting}", _keyword(Keyword.IMMUNE)),
    (
        "{reference as to} can't attack heroes{lasting}",
        _keyword(Keyword.MINIONS_ONLY),
    ),
    (
        "{reference as to} can't attack{lasting}",
        _keyword(Keyword.CANNOT_ATTACK),
    ),
)
"""Sentences that give numbers and keywords; each gift becomes a row."""

_HAVING: Phrases = (
    ("{reference as to} <has|have|get|gets> {gifts as gifts}{lasting}", {}),
    ("<has|have> {gifts as gifts}", {"to": _SELF}),
    (
        "{reference as to} is immune",
        _keyword(Keyword.IMMUNE),
    ),
    (
        "{reference as to} can't be targeted by spells or hero powers",
        _keyword(Keyword.ELUSIVE),
    ),
)
"""Standing sentences of numbers and keywords."""


def add_gifts(rules: Rules) -> None:
    """Add the rules `giving`, `having` and, for bonuses without a verb, `bare`."""
    add(rules, "gift", _GIFTS)
    more = f"{{gift as one}} {_AND} {{gifts as more}}"
    add(rules, "gifts", [("{gift as one}", {}), (more, {})], listed_values)
    add(rules, "bonus_gift", [("{bonus}", {"do": "buff"})])
    more = f"{{bonus_gift as one}} {_AND} {{gifts as more}}"
    add(rules, "bonus_gifts", [("{bonus_gift as one}", {}), (more, {})], listed_values)
    add(rules, "giving", _GIVING, _given_rows)
    add(rules, "having", _HAVING, _given_rows)
    add(rules, "bare", [("{bonus_gifts as gifts}{lasting}", {"to": _BEARER})], _given_rows)


def _given_rows(values: Values) -> Iterable[Hashable]:
    """Yield the rows that give numbers, keywords and spell damage to the same receivers."""
    shared: dict[str, Any] = {key: values[key] for key in ("to", "lasts") if key in values}
    if "to" not in shared:
        return
    rows: list[dict[str, Any]] = []
    keywords: tuple[str, ...] = ()
    for gift in map(dict, values["gifts"]):
        if "keyword" in gift:
            keywords = (*keywords, gift["keyword"].name.lower())
        else:
            rows.append({**gift, **shared})
    if keywords:
        rows.append({"do": "grant", "keywords": keywords, **shared})
    yield tuple(frozenset(row.items()) for row in rows)

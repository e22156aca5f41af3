"""Rules that read clauses: what a sentence does, with multipliers, floors and repetitions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from sim.cards.notation import Group
from sim.cards.reading.compound_rules import add_compounds
from sim.cards.reading.gift_rules import add_gifts
from sim.cards.reading.matcher import Phrases, Rules, Values, add, listed_values
from sim.cards.reading.meanings import How, Reference
from sim.cards.vocabulary import Selector

_SELF = Reference(How.ALL, Group(Selector.SELF))

_OWN_COST: Phrases = (
    ("[this <card|minion|spell|weapon|creature|unit>] <costs|cost> {price as less} less", {}),
    ("[this <card|minion|spell|weapon|creature|unit>] <costs|cost> {price as amount} more", {}),
)

_JOINT = "<and|,|, and|, then|then|and then|, and then>"


def add_clauses(rules: Rules) -> None:
    """Add the rules `clauses`, `standing_rows` and `own_cost`."""
    add_gifts(rules)
    add_compounds(rules)
    kinds = ("act", "giving", "chosen", "compound")
    base: Phrases = [(f"{{{kind} as rows}}", {}) for kind in kinds]
    add(rules, "clause_base", base, rows_of)
    add(rules, "clause_times", _with_times("clause_base"), _multiplied)
    add(rules, "clause_floor", _with_floor("clause_times"), _multiplied)
    add(rules, "clause_cause", _with_cause("clause_floor"), _multiplied)
    add(rules, "clause", _with_repeat("clause_cause"), _multiplied)
    # A bonus without a verb begins a sentence: "+4 attack" of an option or after "Combo:".
    add(rules, "first_clause", [("{clause as rows}", {}), ("{bare as rows}", {})], rows_of)
    again = ("{reference as to}", {"do": "again"})
    add(rules, "again", [again], one_row)
    add(rules, "later_clause", [("{clause as rows}", {}), ("{again as rows}", {})], rows_of)
    add(
        rules,
        "later_clauses",
        [
            ("{later_clause as one}", {}),
            (f"{{later_clause as one}} {_JOINT} {{later_clauses as more}}", {}),
        ],
        listed_values,
    )
    add(
        rules,
        "clauses",
        [
            ("{first_clause as one}", {}),
            (f"{{first_clause as one}} {_JOINT} {{later_clauses as more}}", {}),
        ],
        listed_values,
    )
    standing: Phrases = [("{standing_act as rows}", {}), ("{having as rows}", {})]
    add(rules, "standing_base", standing, rows_of)
    add(rules, "standing_times", _with_times("standing_base"), _multiplied)
    add(rules, "standing_rows", _with_floor("standing_times"), _multiplied)
    add(rules, "own_cost_base", _OWN_COST, _own_cost)
    add(rules, "own_cost_times", _with_times("own_cost_base"), _multiplied)
    add(rules, "own_cost", _with_floor("own_cost_times"), _multiplied)
    add(
        rules,
        "chosen",
        [("<choose|pick|select> {reference as to}", {"do": "choose_target"})],
        one_row,
    )


def one_row(values: Values) -> Iterable[Hashable]:
    """Yield the values as the keys of the only row of a clause."""
    yield (frozenset(values.items()),)


def rows_of(values: Values) -> Iterable[Hashable]:
    """Yield the rows of the part of a phrase that has them."""
    yield values["rows"]


def _own_cost(values: Values) -> Iterable[Hashable]:
    yield (frozenset({"do": "cost", "to": _SELF, **values}.items()),)


def _with_times(rule: str) -> Phrases:
    yield f"{{{rule} as rows}}", {}
    yield f"{{{rule} as rows}} for each {{counted as times}}", {}
    yield f"{{{rule} as rows}} per {{counted as times}}", {}
    yield f"{{{rule} as rows}}, times {{measure as times}}", {}


def _with_floor(rule: str) -> Phrases:
    yield f"{{{rule} as rows}}", {}
    yield f"{{{rule} as rows}}, but not less than ({{number as at_least}})", {}


def _with_cause(rule: str) -> Phrases:
    yield f"{{{rule} as rows}}", {}
    yield f"{{{rule} as rows}}, caused by the target", {"by": "target"}


def _with_repeat(rule: str) -> Phrases:
    yield f"{{{rule} as rows}}", {}
    yield f"{{{rule} as rows}}, {{number as repeat}} times", {}
    yield f"{{{rule} as rows}} twice", {"repeat": 2}


def _multiplied(values: Values) -> Iterable[Hashable]:
    """Yield rows with a multiplier, a lowest cost or repetitions, which they must not have yet."""
    added = {key: value for key, value in values.items() if key != "rows"}
    rows = [dict(row) for row in values["rows"]]
    if not any(added.keys() & row.keys() for row in rows):
        yield tuple(frozenset({**row, **added}.items()) for row in rows)

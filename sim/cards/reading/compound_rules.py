"""Rules that read phrases of several rows, such as "your opponent gains a mana crystal"."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from sim.cards.notation import Group
from sim.cards.reading.matcher import Phrases, Rules, Values, add
from sim.cards.reading.meanings import THIS_CARD, How, Made, Quantity, Reference
from sim.cards.reading.sentences import Ability, Occurrence, Sentence
from sim.cards.vocabulary import Selector, Stat

_SELF = Reference(How.ALL, Group(Selector.SELF))
_BEARER = Reference(How.BEARER)
_IT = Reference(How.IT)
_NEW = Reference(How.ALL, Group(Selector.PREVIOUS))
_MOST_CRYSTALS = 10  # the rich rules' limit, which the published cards are written for

_RETURN_AT_END = Ability(
    Sentence(((frozenset({("do", "give"), ("made", THIS_CARD)}),),)),
    Occurrence("turn_end", Group(Selector.OWN_PLAYER)),
)
"""Attached text: at the end of your turn, add this card to your hand."""

_DEATH_AT_END = Ability(
    Sentence(((frozenset({("do", "destroy"), ("to", _SELF)}),),)),
    Occurrence("turn_end", Group(Selector.PLAYERS)),
)
"""Attached text: at the end of each turn, destroy this minion."""

_COMPOUNDS: Phrases = (
    ("summon {made as made} as the new target", {"do": ("summon", "aim")}),
    ("return it to life with {number as amount} health", {"do": ("clone", "wound")}),
    ("gain <its|their> attack and health", {"do": ("buff", "buff")}),
    ("your minions can't be reduced below 1 health{lasting}", {"do": ("grant",)}),
    (
        "add {few as amount} random <card|cards> to your hand from your opponent's class",
        {"do": ("give",)},
    ),
    ("{reference as to} dies at [the] end of [the|your] turn", {"do": ("attach",)}),
    ("return this to your hand next turn", {"do": ("attach", "give")}),
    (
        "<take|gain> control of {reference as to} until [the] end of [the|your] turn",
        {"do": ("steal", "grant")},
    ),
    ("gain {few as amount} mana <crystal|crystals>", {"do": ("crystals",), "to": "own_player"}),
    (
        "give your opponent {few as amount} mana <crystal|crystals>",
        {"do": ("crystals",), "to": "enemy_player"},
    ),
)
"""Phrases of several rows, of which the second acts on what the first one made."""


def add_compounds(rules: Rules) -> None:
    """Add the rule `compound`."""
    add(rules, "compound", _COMPOUNDS, _compound_rows)


def _compound_rows(values: Values) -> Iterable[Hashable]:
    lasts = {"lasts": values["lasts"]} if "lasts" in values else {}
    rows: Iterable[dict[str, Any]]
    match values["do"]:
        case ("summon", "aim"):
            rows = ({"do": "summon", "made": values["made"]}, {"do": "aim", "to": _NEW})
        case ("clone", "wound"):
            wound = {"do": "wound", "to": _NEW, "amount": values["amount"]}
            rows = ({"do": "clone", "to": _IT}, wound)
        case ("buff", "buff"):
            rows = (
                {
                    "do": "buff",
                    "to": Reference(How.BEARER),
                    key: 1,
                    "times": Quantity("stat", _IT, stat),
                }
                for key, stat in (("attack", Stat.ATTACK), ("health", Stat.HEALTH))
            )
        case ("give",):
            made = Made(values["amount"], is_random=True, filters=(("enemy", True),))
            rows = ({"do": "give", "made": made},)
        case ("attach",):
            rows = ({"do": "attach", "to": values["to"], "quoted": (_DEATH_AT_END,)},)
        case ("attach", "give"):
            rows = ({"do": "attach", "to": "own_player", "quoted": (_RETURN_AT_END,)},)
        case ("steal", "grant"):
            turn = {"to": values["to"], "lasts": "turn"}
            rows = ({"do": "steal", **turn}, {"do": "grant", "keywords": ("haste",), **turn})
        case ("crystals",):
            rows = _crystals(values["amount"], values["to"])
        case _:
            rows = ({"do": "grant", "to": "own_player", "keywords": ("sturdy_side",), **lasts},)
    yield tuple(frozenset(row.items()) for row in rows)


def _crystals(amount: int, to: str) -> Iterable[dict[str, Any]]:
    """Yield rows for full mana crystals: mana now, as far as there is room, then the crystals."""
    for number in range(1, amount + 1):
        room = f"crystals of {to} <= {_MOST_CRYSTALS - number}"
        yield {"do": "mana", "to": to, "when": room}
    yield {"do": "crystals", "to": to, "amount": amount}

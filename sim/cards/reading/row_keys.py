"""Keys of effect rows while a text is read: shorthands of templates, order, and impossible rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.cards.notation import NUMBER_HIGH, Bounds, Group, Reading, read_measure
from sim.cards.reading.context import PICKED, reason_of_change
from sim.cards.reading.meanings import How, Reference
from sim.cards.vocabulary import Selector
from sim.errors import InputError

Keys = dict[str, Any]

_OF_TARGETS = (Selector.TARGET, Selector.TARGET_NEIGHBOURS)
_HARMFUL = ("damage", "destroy")


def is_them(keys: Keys) -> bool:
    """Return whether a row acts on "them", which may be two groups."""
    to = keys.get("to")
    return isinstance(to, Reference) and to.word == "them"


def acts_on_target(row: Keys) -> bool:
    """Return whether a row acts on the card's target or the minions next to it."""
    to = row.get("to")
    return isinstance(to, Group) and to.selector in _OF_TARGETS


def is_one(row: Keys) -> bool:
    """Return whether a row makes, draws or moves exactly one card."""
    to = row.get("to")
    is_to_one = not isinstance(to, Group) or to.selector.is_single or row.get("pick") == 1
    is_once = row.get("amount", 1) == 1 and row.get("repeat", 1) == 1 and row.get("pick", 1) <= 1
    return is_to_one and is_once and not {"times", "amount_to"} & row.keys()


def check_each(keys: Keys) -> None:
    """Refuse "for each card, deal 1 damage to a random enemy": rows draw once, not for each card.

    Raises:
        InputError: the row acts on something random.
    """
    to = keys.get("to")
    if isinstance(to, Reference) and to.how is How.RANDOM:
        raise InputError("'for each' cannot choose something random each time")


def check_same_receivers(rows: Sequence[Keys]) -> None:
    """Refuse the rows of one clause, "give a random minion +1/+1 and taunt", if receivers differ.

    Raises:
        InputError: each row would act on other things.
    """
    for row in rows:
        if {"pick", "spare"} & row.keys():
            raise InputError(PICKED)
        if isinstance(to := row.get("to"), Group) and (reason := reason_of_change(to)):
            raise InputError(reason)


def keep_the_dead(keys: Keys) -> None:
    """Replace the return of a minion that has died, which has left the board, by a new copy."""
    to = keys.get("to")
    is_dead = isinstance(to, Group) and to.selector in (Selector.SELF, Selector.SUBJECT)
    if keys["do"] == "return" and keys["on"] in ("death", "deathrattle") and is_dead:
        keys["do"] = "copy"


def spell_out(keys: Keys) -> None:
    """Replace shorthands of templates by the keys of rows.

    Raises:
        InputError: a number that each of several receivers has is given to all of them.
    """
    if "less" in keys:
        keys["amount"] = -keys.pop("less")
    if "both" in keys:
        keys["attack"] = keys["health"] = keys.pop("both")
    if "durability_lost" in keys:
        keys["health"] = -keys.pop("durability_lost")
    times = keys.get("times")
    if not isinstance(times, str):
        return
    if "{to}" in times:
        to = keys["to"]
        # Healing stops at full health, so that several may be healed by the sum of their damage.
        is_one_thing = to.selector.is_single and to == Group(to.selector) and "pick" not in keys
        if not is_one_thing and keys["do"] != "heal":
            raise InputError("a row cannot give each of several things a number of its own")
        times = times.format(to=to.selector.name.lower())
    keys["times"] = read_measure(times)


def may_begin(replaced: Sequence[Keys], condition: Bounds) -> bool:
    """Return whether the rows of "instead" come before the rows that they replace.

    Of two rows with opposite conditions, the first must not make the condition of the second true.
    Harm can end what is at least a number, and makes true what is at most a number.
    """
    are_harmful = all(row["do"] in _HARMFUL for row in replaced)
    return not (are_harmful and condition.high == NUMBER_HIGH)


def destroying_last(rows: Sequence[Keys]) -> list[Keys]:
    """Return rows with a destruction behind the rows that read what is destroyed."""
    read = [row["times"].group for row in rows if isinstance(row.get("times"), Reading)]
    doomed = [row for row in rows if row["do"] == "destroy" and row.get("to") in read]
    return [*(row for row in rows if row not in doomed), *doomed]

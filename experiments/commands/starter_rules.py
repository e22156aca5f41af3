"""The rules of a game that `evenhand init` begins: those named or ours, with room for the cards."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from importlib import resources
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit

import sim
from experiments.files.output_file import counted
from sim import Ruleset
from sim.cards.pool import Pool, bound_numbers
from sim.cards.spreadsheet.fit import Misfit, card_misfits, deck_misfits, rules_for
from sim.cards.spreadsheet.pool_sheet import PoolSheet
from sim.errors import Problems

TEMPLATES = Path(str(resources.files("experiments").joinpath("starter")))
RULES = "rules"
N_DECKS = 2  # at least, for there to be a matchup
_SHOWN_MAX = 3  # places that break one rule; more of them hide the others
_ROOM = 2  # steps that numbers may go beyond the largest of today


class StarterRules(NamedTuple):
    """Rules as a file.

    Attributes:
        text: TOML, with the comments of the file that they are taken from.
        remarks: what was changed for the cards, each a line.
    """

    text: str
    remarks: tuple[str, ...]


def make_rules(
    found: PoolSheet, named: str | None, changes: Collection[str], source: Path
) -> StarterRules:
    """Rules called `RULES` that allow the cards and decks of a sheet.

    Our own rules grow to hold the numbers of the cards, and the remarks say so; copies and sizes of
    decks are never widened unasked, since a slip of the hand asks for the same.

    Args:
        found: the sheet.
        named: the rules, a name or a file; `None` for ours.
        changes: such as `"copy_limit=3"`, which stand above all else.
        source: the sheet's file, for messages.

    Raises:
        InputError: there are no such rules, a change is none, or they do not allow the sheet;
            names each place in the sheet, and the option that would allow it.
    """
    place = TEMPLATES / f"{RULES}.toml" if named is None else sim.find_data_file("rulesets", named)
    label = "the rules" if named is None else f"ruleset {sim.load_ruleset(_path(place)).name!r}"
    document: Any = tomlkit.parse(place.read_text(encoding="utf-8-sig"))
    document["name"] = RULES
    remarks = list[str]()
    if named is None and (raised := _make_room(document, found)):
        remarks.append(f"{RULES}.toml allows what the sheet asks for: {', '.join(raised)}")
    if document.get("hero_powers"):
        document["hero_powers"] = False
        remarks.append(f"hero_powers is switched off in {RULES}.toml: a sheet has no heroes")
    _deal_coin(document, found.pool, remarks)
    for change in changes:
        remarks.append(f"{RULES}.toml: {_change(document, change)}, as asked")
    text = tomlkit.dumps(document)
    rules = sim.validate(Ruleset, tomllib.loads(text), source="--rule" if changes else str(place))
    _check_fit(found, rules, label, source)
    return StarterRules(text, tuple(remarks))


def _path(place: Path) -> str:
    return str(place.absolute())


def _change(rules: Any, change: str) -> str:
    """Change a rule; say what it is now."""
    key, mark, text = change.partition("=")
    *tables, name = key.strip().split(".")
    table = rules
    for one in tables:
        table = table.get(one) if isinstance(table, dict) else None
    known = Ruleset.model_fields.keys() - {"name", "limits"}
    is_known = isinstance(table, dict) and (name in table if tables else name in known)
    if not mark or not is_known:
        if is_known:
            raise sim.InputError(f"--rule {change!r}: has no value; write {key.strip()}=3, say")
        near = sim.did_you_mean(key.strip(), sorted(known))
        raise sim.InputError(f"--rule {change!r}: must be like copy_limit=3{near}")
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()  # a word, such as that of deck_out
    table[name] = value
    return f"{key.strip()} = {text.strip()}"


def _deal_coin(rules: Any, pool: Pool, remarks: list[str]) -> None:
    """Let the rules deal a coin where the sheet has one, and only there; say so.

    A coin takes the place of the mana that the rules of a new game give the second player.
    """
    is_dealt = bool(rules.get("coin"))
    is_there = pool.coin is not None
    if is_dealt and not is_there:
        rules["coin"] = False
        remarks.append(f"coin is switched off in {RULES}.toml: no row of the sheet is of kind coin")
    elif is_there and not is_dealt:
        rules["coin"] = tomlkit.boolean("true").comment("the second player is given it")
        if "extra_mana_second" in rules:
            rules["extra_mana_second"] = 0
        remarks.append(f"coin is switched on in {RULES}.toml: the sheet has one, {pool.coin!r}")


def _make_room(rules: Any, found: PoolSheet) -> list[str]:
    """Raise the limits of the rules until they allow the numbers of the cards; say which.

    Where decks must be made up of very few cards, they need more copies of each to be dealt.
    """
    pool = found.pool
    highest: dict[str, int] = {}
    for field, value in (pair for card in pool.cards for pair in bound_numbers(card)):
        kind = field.rpartition(".")[2]
        highest[kind] = max(value, highest.get(kind, 0))
    raised = []
    copies = ceil(max(rules["opening_hand"]) / len(pool.cards))
    if len(found.decks) < N_DECKS and copies > rules["copy_limit"]:
        rules["copy_limit"] = copies
        raised.append(
            f"copy_limit {copies}, to fill a deck with {counted(len(pool.cards), 'card')}"
        )
    if highest["cost"] > rules["mana_max"]:
        rules["mana_max"] = highest["cost"]
        raised.append(f"mana_max {highest['cost']}")
    for kind, (_, limit) in rules["limits"].items():
        if highest.get(kind, 0) > limit:
            rules["limits"][kind][1] = highest[kind] + (0 if kind == "cost" else _ROOM)
            raised.append(f"limits.{kind} {rules['limits'][kind]}")
    return raised


def _check_fit(found: PoolSheet, rules: Ruleset, label: str, source: Path) -> None:
    misfits = list(card_misfits(found.pool, found.places, rules, label))
    for deck in found.decks:
        known = {misfit.problem for misfit in misfits}
        more = deck_misfits(deck, found.pool, found.places, rules, label)
        misfits += [misfit for misfit in more if misfit.problem not in known]
    problems = Problems(source)
    if way := _way_on(misfits):
        problems.add(f"the rules do not allow it; if the sheet is right, add {way}")
    for rule in dict.fromkeys(misfit.rule for misfit in misfits):
        alike = [misfit.problem for misfit in misfits if misfit.rule == rule]
        for problem in alike[:_SHOWN_MAX]:
            problems.add(problem)
        if len(alike) > _SHOWN_MAX:
            problems.add(f"and {len(alike) - _SHOWN_MAX} more beyond {rule}")
    problems.check()


def _way_on(misfits: Sequence[Misfit]) -> str:
    options = []
    for rule, value in rules_for(misfits).items():
        shown = list(value) if isinstance(value, tuple) else value
        options.append(f'--rule "{rule}={shown}"' if "." in rule else f"--rule {rule}={shown}")
    return " ".join(options)

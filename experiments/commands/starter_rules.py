"""The rules of a game that `evenhand init` makes: named rules or ours, fitted to its cards."""

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
N_DECKS = 2  # fewest decks that make a matchup
_SHOWN_MAX = 3  # places per broken rule; more of one rule would hide the others
# Steps by which limits exceed the largest number of the cards, so that balancing can also raise
# that number. Chosen by hand: patches rarely move a number further.
_MARGIN = 2


class StarterRules(NamedTuple):
    """A ruleset as a file.

    Attributes:
        text: TOML, with the comments of the file that the rules are taken from.
        remarks: changes that were made for the cards, as lines.
    """

    text: str
    remarks: tuple[str, ...]


def make_rules(
    pool_sheet: PoolSheet, name: str | None, changes: Collection[str], source: Path
) -> StarterRules:
    """Return rules with the name `RULES` that allow the cards and decks of a sheet.

    Our own rules are widened to hold the numbers of the cards, and the remarks list the changes.
    Copies and deck sizes are never widened unasked: a typing error in the sheet would ask for the
    same.

    Args:
        pool_sheet: the sheet.
        name: name or file of the rules; `None` for our own.
        changes: changes such as `"copy_limit=3"`, which override everything else.
        source: the sheet's file, for messages.

    Raises:
        InputError: there are no such rules, a change is wrong, or the rules do not allow the sheet;
            names each place in the sheet, and the option that would allow it.
    """
    place = TEMPLATES / f"{RULES}.toml" if name is None else sim.find_data_file("rulesets", name)
    label = "the rules" if name is None else f"ruleset {sim.load_ruleset(_path(place)).name!r}"
    document: Any = tomlkit.parse(place.read_text(encoding="utf-8-sig"))
    document["name"] = RULES
    remarks = list[str]()
    if name is None and (raised := _widen_limits(document, pool_sheet)):
        remarks.append(f"{RULES}.toml was widened for the sheet: {', '.join(raised)}")
    if document.get("hero_powers"):
        document["hero_powers"] = False
        remarks.append(f"hero_powers is switched off in {RULES}.toml: a sheet has no heroes")
    _deal_coin(document, pool_sheet.pool, remarks)
    for change in changes:
        remarks.append(f"{RULES}.toml: {_change(document, change)}, as --rule says")
    text = tomlkit.dumps(document)
    rules = sim.validate(Ruleset, tomllib.loads(text), source="--rule" if changes else str(place))
    _check_fit(pool_sheet, rules, label, source)
    return StarterRules(text, tuple(remarks))


def _path(place: Path) -> str:
    """Return the absolute path of a file, which cannot be mistaken for a name."""
    return str(place.absolute())


def _change(rules: Any, change: str) -> str:
    """Change a rule in place.

    Args:
        rules: the document of the rules.
        change: the change, such as `"copy_limit=3"`.

    Returns:
        The rule and its new value.

    Raises:
        InputError: the rule is unknown, or the change has no value.
    """
    key, mark, text = change.partition("=")
    *tables, name = key.strip().split(".")
    table = rules
    for table_name in tables:
        table = table.get(table_name) if isinstance(table, dict) else None
    known = Ruleset.model_fields.keys() - {"name", "limits"}
    is_known = isinstance(table, dict) and (name in table if tables else name in known)
    if not mark or not is_known:
        if is_known:
            raise sim.InputError(
                "has no value",
                place=f"--rule {change!r}",
                value=change,
                remedy=f"write, for example, {key.strip()}=3",
            )
        near = sim.did_you_mean(key.strip(), sorted(known))
        raise sim.InputError(
            "names no rule with a value",
            place=f"--rule {change!r}",
            value=change,
            limit=tuple(sorted(known)),
            remedy=f"write, for example, copy_limit=3{near}",
        )
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()  # a word without quotes, such as a value of deck_out
    table[name] = value
    return f"{key.strip()} = {text.strip()}"


def _deal_coin(rules: Any, pool: Pool, remarks: list[str]) -> None:
    """Switch the coin on if the sheet has one, and off otherwise; add a remark on the change.

    The coin replaces the extra mana that the rules of a new game give the second player.

    Args:
        rules: the document of the rules, changed in place.
        pool: the cards.
        remarks: where the remark is added.
    """
    is_dealt = bool(rules.get("coin"))
    is_there = pool.coin is not None
    if is_dealt and not is_there:
        rules["coin"] = False
        remarks.append(
            f"coin is switched off in {RULES}.toml: no row of the sheet has the kind coin"
        )
    elif is_there and not is_dealt:
        rules["coin"] = tomlkit.boolean("true").comment("the second player is given it")
        if "extra_mana_second" in rules:
            rules["extra_mana_second"] = 0
        remarks.append(f"coin is switched on in {RULES}.toml: the sheet has one, {pool.coin!r}")


def _widen_limits(rules: Any, pool_sheet: PoolSheet) -> list[str]:
    """Raise the limits of the rules until they allow the numbers of the cards.

    The copy limit is raised, too, if decks have to be made up of so few cards that an opening
    hand could not be dealt otherwise.

    Args:
        rules: the document of the rules, changed in place.
        pool_sheet: the sheet.

    Returns:
        The raised limits with their new values.
    """
    pool = pool_sheet.pool
    highest: dict[str, int] = {}
    for field, value in (pair for card in pool.cards for pair in bound_numbers(card)):
        kind = field.rpartition(".")[2]
        highest[kind] = max(value, highest.get(kind, 0))
    raised = []
    copies = ceil(max(rules["opening_hand"]) / len(pool.cards))
    if len(pool_sheet.decks) < N_DECKS and copies > rules["copy_limit"]:
        rules["copy_limit"] = copies
        raised.append(
            f"copy_limit {copies}, to fill a deck with {counted(len(pool.cards), 'card')}"
        )
    if highest["cost"] > rules["mana_max"]:
        rules["mana_max"] = highest["cost"]
        raised.append(f"mana_max {highest['cost']}")
    for kind, (_, limit) in rules["limits"].items():
        if highest.get(kind, 0) > limit:
            rules["limits"][kind][1] = highest[kind] + (0 if kind == "cost" else _MARGIN)
            raised.append(f"limits.{kind} {rules['limits'][kind]}")
    return raised


def _check_fit(pool_sheet: PoolSheet, rules: Ruleset, label: str, source: Path) -> None:
    """Refuse a sheet that the rules do not allow.

    Raises:
        InputError: lists the places in the sheet, after the options that would allow them.
    """
    misfits = list(card_misfits(pool_sheet.pool, pool_sheet.places, rules, label))
    for deck in pool_sheet.decks:
        known = {misfit.problem for misfit in misfits}
        more = deck_misfits(deck, pool_sheet.pool, pool_sheet.places, rules, label)
        misfits += [misfit for misfit in more if misfit.problem not in known]
    problems = Problems(source)
    if options := _allowing_options(misfits):
        problems.add("the rules do not allow it", remedy=f"if the sheet is right, add {options}")
    for rule in dict.fromkeys(misfit.rule for misfit in misfits):
        alike = [misfit.problem for misfit in misfits if misfit.rule == rule]
        for problem in alike[:_SHOWN_MAX]:
            problems.add(problem)
        if len(alike) > _SHOWN_MAX:
            problems.add(f"and {len(alike) - _SHOWN_MAX} more that break {rule}")
    problems.check()


def _allowing_options(misfits: Sequence[Misfit]) -> str:
    """Return the `--rule` options that would allow the sheet."""
    options = []
    for rule, value in rules_for(misfits).items():
        shown = list(value) if isinstance(value, tuple) else value
        options.append(f'--rule "{rule}={shown}"' if "." in rule else f"--rule {rule}={shown}")
    return " ".join(options)

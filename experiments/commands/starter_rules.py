"""Rules of a game that `evenhand init` creates: named or default rules, fitted to the cards."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from importlib import resources
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit

import sim
from experiments.screen import counted
from experiments.spreadsheet.fit import Misfit, card_misfits, deck_misfits, rules_for
from experiments.spreadsheet.pool_sheet import PoolSheet
from sim import Ruleset
from sim.cards.pool import Pool, bound_numbers
from sim.errors import Problems

TEMPLATES = Path(str(resources.files("experiments").joinpath("starter")))
RULES = "rules"
N_DECKS = 2  # minimum number of decks for a matchup
_SHOWN_MAX = 3  # maximum number of places to list per broken rule, so that other rules are listed
# Amount by which limits exceed the largest number of the cards, so that balancing can also raise
# that number. Chosen by hand, not tuned: patches rarely move a number further.
_MARGIN = 2


class StarterRules(NamedTuple):
    """Ruleset as the text of a file.

    Attributes:
        text: TOML, with the comments of the file that the rules are taken from.
        remarks: lines on the changes that were made to the rules.
    """

    text: str
    remarks: tuple[str, ...]


def make_rules(
    pool_sheet: PoolSheet, name: str | None, changes: Collection[str], source: Path
) -> StarterRules:
    """Return rules with the name `RULES` that allow the cards and decks of a sheet.

    The limits of the default rules are raised to allow the numbers of the cards, and hero powers
    are switched off. Deck sizes, and copies in the sheet's decks, are never allowed automatically,
    because a typing error in the sheet cannot be distinguished from an intended number.

    Args:
        pool_sheet: cards and decks of the sheet.
        name: name or file of the rules; `None` for the default rules.
        changes: changes such as `"copy_limit=3"`, which are applied last.
        source: file of the sheet, for messages.

    Raises:
        InputError: the rules do not exist, a change is invalid, or the rules do not allow the
            sheet; the message names each place in the sheet and the option that would allow it.
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
    """Return the absolute path of a file, which cannot be confused with a ruleset's name."""
    return str(place.absolute())


def _change(rules: Any, change: str) -> str:
    """Change a rule in place, without checking its value.

    Args:
        rules: TOML document of the rules.
        change: change such as `"copy_limit=3"`.

    Returns:
        The rule and its new value, such as `copy_limit = 3`.

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
            "does not name a rule that can be set",
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
    """Switch the coin on if the sheet has one, else off; add a remark if this changes the rules.

    The coin replaces the extra mana that the default rules give the second player.

    Args:
        rules: TOML document of the rules, changed in place.
        pool: the card pool.
        remarks: list to which the remark is added.
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

    The copy limit is also raised if decks must be generated, and the sheet has too few cards for
    an opening hand.

    Args:
        rules: TOML document of the rules, changed in place.
        pool_sheet: cards and decks of the sheet.

    Returns:
        Each raised limit with its new value, as text.
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
    """Check that the rules allow all cards and decks of a sheet.

    Raises:
        InputError: a card or a deck breaks a rule; the message lists the first `_SHOWN_MAX` places
            for each rule, and the options that would allow them.
    """
    misfits = list(card_misfits(pool_sheet.pool, pool_sheet.places, rules, label))
    for deck in pool_sheet.decks:
        known = {misfit.problem for misfit in misfits}
        more = deck_misfits(deck, pool_sheet.pool, pool_sheet.places, rules, label)
        misfits += [misfit for misfit in more if misfit.problem not in known]
    problems = Problems(source)
    if options := _allowing_options(misfits):
        remedy = f"if the sheet is right, add {options}"
        problems.add("the rules do not permit all cards and decks of the sheet", remedy=remedy)
    for rule in dict.fromkeys(misfit.rule for misfit in misfits):
        problems_of_rule = [misfit.problem for misfit in misfits if misfit.rule == rule]
        for problem in problems_of_rule[:_SHOWN_MAX]:
            problems.add(problem)
        if len(problems_of_rule) > _SHOWN_MAX:
            problems.add(f"and {len(problems_of_rule) - _SHOWN_MAX} more that break {rule}")
    problems.check()


def _allowing_options(misfits: Sequence[Misfit]) -> str:
    """Return the `--rule` options that would allow the sheet, separated by blanks."""
    options = []
    for rule, value in rules_for(misfits).items():
        shown = list(value) if isinstance(value, tuple) else value
        options.append(f'--rule "{rule}={shown}"' if "." in rule else f"--rule {rule}={shown}")
    return " ".join(options)

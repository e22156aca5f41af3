"""Filters of page templates that format numbers, and functions that describe players and cards."""

from __future__ import annotations

from math import isnan
from typing import Any

from experiments.runs.finished_run import FinishedRun
from experiments.screen import counted, duration, level, percent_between, wanted_words
from sim.cards.card import Card
from sim.cards.fields import AMOUNTS
from sim.ruleset import RULE_LABELS, RULES

UNKNOWN = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"


def known(value: float) -> bool:
    """Return whether a value is known, that is, not NaN."""
    return not isnan(value)


def fixed(value: float | None, digits: int = 1) -> str:
    """Return a value with `digits` decimals, such as `3.1`; a dash if the value is `None`."""
    # Adding 0.0 turns a negative zero into a positive one.
    return UNKNOWN if value is None else f"{value + 0.0:.{digits}f}".replace("-", _MINUS)


def signed(value: float | None, digits: int = 1) -> str:
    """Return a value with sign and `digits` decimals, such as `+3.1`; a dash for `None`."""
    return UNKNOWN if value is None else f"{value:+.{digits}f}".replace("-", _MINUS)


def percent(rate: float | None, digits: int = 1) -> str:
    """Return a rate in percent without the sign, such as `50.9` for 0.509; a dash for `None`."""
    return fixed(None if rate is None else 100 * rate, digits)


def general(value: float) -> str:
    """Return a value with at most six significant digits, such as `4` or `0.25`."""
    return f"{value:g}".replace("-", _MINUS)


def count(value: float) -> str:
    """Return a value rounded to a whole number with thousands separators, such as `20,000`."""
    return f"{value:,.0f}"


def size(n_bytes: int) -> str:
    """Return a size of `n_bytes` bytes as text in kB or MB, such as `2.5 kB`."""
    return f"{n_bytes / 1e3:,.1f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:,.1f} MB"


def has_cards(run: FinishedRun) -> bool:
    """Return whether a run is of a card game, which the key `game` of its experiment excludes."""
    return "game" not in run.resolved["experiment"]


def touched_words(run: FinishedRun, n_cards: int, n_edits: int) -> str:
    """Return what a patch touches in words: its cards or, in games without cards, its numbers."""
    return counted(n_cards, "card") if has_cards(run) else counted(n_edits, "number")


def players_of(run: FinishedRun) -> list[dict[str, str]]:
    """Return `name`, `deck` and `agent` of each player, in the order of the experiment.

    A player without a name has the name of its deck. Games without cards have no such players.
    """
    if not has_cards(run):
        return []
    entries = run.resolved["experiment"]["player"]
    decks = run.resolved["decks"]
    return [
        {"name": entry["name"] or deck["name"], "deck": deck["name"], "agent": entry["agent"]}
        for entry, deck in zip(entries, decks, strict=True)
    ]


def cards_of(run: FinishedRun) -> dict[str, dict[str, Any]]:
    """Return the baseline cards of a run's pool, as in a pool file, by id; none without cards."""
    cards = run.resolved["pool"]["card"] if has_cards(run) else ()
    return {card["id"]: card for card in cards}


def label_of(card: dict[str, Any], field: str) -> str:
    """Return the label of a field of a card or of the rules, such as `damage` for `amount`."""
    if field in RULE_LABELS:
        return RULE_LABELS[field]
    is_amount = field in AMOUNTS and "id" in card
    return Card.model_validate(card).label(field) if is_amount else field


def edits_by_card(
    edits: list[dict[str, Any]], cards: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return one entry per edited card with its name and all its changes.

    A change is a list of label, old and new value. Edits of the rules are under the name `Rules`,
    and those of an owner that is no card under its own name.

    Args:
        edits: edits with the keys `card`, `field`, `from` and `to`.
        cards: baseline cards by id, as returned by `cards_of`.
    """
    notes: dict[str, dict[str, Any]] = {}
    for edit in edits:
        owner = edit["card"]
        card = cards.get(owner) or {"name": "Rules" if owner == RULES else owner}
        note = notes.setdefault(edit["card"], {"name": card["name"], "changes": []})
        note["changes"].append([label_of(card, edit["field"]), edit["from"], edit["to"]])
    return list(notes.values())


FILTERS = {
    function.__name__: function
    for function in (
        fixed, signed, percent, general, count, counted, level, size, duration, percent_between,
        wanted_words,
    )
}  # fmt: skip

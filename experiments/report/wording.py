"""The words of the page: who plays, what cards are called, and numbers, which are its filters."""

from __future__ import annotations

from math import isnan
from typing import Any

from experiments.runs.finished_run import FinishedRun
from experiments.screen import duration, level
from sim.cards.card import AMOUNTS, Card
from sim.ruleset import RULE_LABELS

UNKNOWN = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"


def known(value: float) -> bool:
    """Whether it is a number; NaN is none."""
    return not isnan(value)


def fixed(value: float | None, digits: int = 1) -> str:
    """`3.1`, or a dash where the value is unknown."""
    return UNKNOWN if value is None else f"{value + 0.0:.{digits}f}".replace("-", _MINUS)


def signed(value: float | None, digits: int = 1) -> str:
    """`+3.1`."""
    return UNKNOWN if value is None else f"{value:+.{digits}f}".replace("-", _MINUS)


def percent(rate: float | None, digits: int = 1) -> str:
    """`50.9` for a rate of 0.509."""
    return fixed(None if rate is None else 100 * rate, digits)


def general(value: float) -> str:
    """`4`, `0.25`: no more digits than there are."""
    return f"{value:g}".replace("-", _MINUS)


def count(value: float) -> str:
    """`20,000`."""
    return f"{value:,.0f}"


def counted(value: int, thing: str) -> str:
    """`1 card`, `4 cards`."""
    return f"{value:,} {thing}{'' if value == 1 else 's'}"


def size(n_bytes: int) -> str:
    """A file's size: `2.5 kB`."""
    return f"{n_bytes / 1e3:,.1f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:,.1f} MB"


def players_of(run: FinishedRun) -> list[dict[str, str]]:
    """The players in their order: `name`, `deck`, `agent`."""
    entries = run.resolved["experiment"]["player"]
    decks = run.resolved["decks"]
    return [
        {"name": entry["name"] or deck["name"], "deck": deck["name"], "agent": entry["agent"]}
        for entry, deck in zip(entries, decks, strict=True)
    ]


def cards_of(run: FinishedRun) -> dict[str, dict[str, Any]]:
    """Today's cards of the run's pool by id."""
    return {card["id"]: card for card in run.resolved["pool"]["card"]}


def label_of(card: dict[str, Any], field: str) -> str:
    """What people call a field of one of today's cards: `damage` rather than `amount`."""
    if field in RULE_LABELS:
        return RULE_LABELS[field]
    return Card.model_validate(card).label(field) if field in AMOUNTS else field


def edits_by_card(
    edits: list[dict[str, Any]], cards: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Edits with `card`, `field`, `from`, `to` as patch notes: one entry per card.

    Args:
        edits: the edits.
        cards: today's cards by id, see `cards_of`.
    """
    notes: dict[str, dict[str, Any]] = {}
    for edit in edits:
        card = cards.get(edit["card"]) or {"name": "Rules"}
        note = notes.setdefault(edit["card"], {"name": card["name"], "changes": []})
        note["changes"].append([label_of(card, edit["field"]), edit["from"], edit["to"]])
    return list(notes.values())


FILTERS = {
    function.__name__: function
    for function in (fixed, signed, percent, general, count, counted, level, size, duration)
}

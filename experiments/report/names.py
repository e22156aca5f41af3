"""Who plays and what the cards are called, as a run's resolved config has it."""

from __future__ import annotations

from typing import Any

from experiments.runs.finished_run import FinishedRun
from sim.cards.card import AMOUNTS, Card


def players_of(run: FinishedRun) -> list[dict[str, str]]:
    """The players in their order: `name`, `deck`, `agent`."""
    entries, decks = run.resolved["experiment"]["player"], run.resolved["decks"]
    return [
        {"name": entry["name"] or deck["name"], "deck": deck["name"], "agent": entry["agent"]}
        for entry, deck in zip(entries, decks, strict=True)
    ]


def cards_of(run: FinishedRun) -> dict[str, dict[str, Any]]:
    """Today's cards of the run's pool by id."""
    return {card["id"]: card for card in run.resolved["pool"]["card"]}


def label_of(card: dict[str, Any], field: str) -> str:
    """What people call a field of one of today's cards: `damage` rather than `amount`."""
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
        card = cards[edit["card"]]
        note = notes.setdefault(edit["card"], {"name": card["name"], "changes": []})
        note["changes"].append([label_of(card, edit["field"]), edit["from"], edit["to"]])
    return list(notes.values())

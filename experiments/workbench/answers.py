"""Answers: what the page is told, as plain data. The seam to the page; docs/formats.md lists it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np

from balance import Demands, Edit
from balance.risk import RISK, risk_of_try
from experiments.results.compared import ChangeRow
from experiments.runs.ledger import next_number
from experiments.workbench.board import Board
from experiments.workbench.draft import Draft, values_of
from experiments.workbench.refused import crash_words
from experiments.workbench.session import Session, Suggestion
from sim.errors import CardFault

_NAMED = 3  # edits, of which more are only counted


def state_of(
    board: Board, session: Session, draft: Draft, *, tries: Sequence[int], busy: str | None
) -> dict[str, Any]:
    """The event `state`.

    Args:
        board: what lies before the designer.
        session: what she did.
        draft: what came of it.
        tries: numbers of the certificates of this question so far, here or elsewhere.
        busy: what a search or a certificate is called that is at work.
    """
    experiment = board.experiment
    settings = board.experiment.settings
    patch = board.patch(draft.values)
    return {
        "session": session.key,
        "revision": session.revision,
        "experiment": settings.name,
        "seed": settings.seed,
        "ruleset": experiment.ruleset.name,
        "pool": experiment.pool.name,
        "decks": [
            {
                "name": player.name,
                "agent": player.agent.name,
                "cards": [{"card": card, "copies": n} for card, n in player.deck.cards.items()],
            }
            for player in board.contest.players
        ],
        "cards": _cards(board, draft),
        "demands": [*_demands(board)],
        "edits": edits_told(patch.edits),
        "printed": _printed(board, patch.edits),
        "notes": draft.notes,
        "change": patch.change,
        "cards_touched": patch.cards_touched,
        "constraints": draft.constraints.model_dump(),
        "can_undo": session.n_done > 0,
        "can_redo": session.n_done < len(session.actions),
        "certificates": _certificates(session, draft, tries),
        "suggestions": [suggestion_told(board, one) for one in session.suggestions],
        "busy": busy,
        "saved": None if session.saved is None else session.saved.model_dump(mode="json"),
    }


def _cards(board: Board, draft: Draft) -> list[dict[str, Any]]:
    """The cards of the decks, and the rules where they may move, with their numbers."""
    values = draft.values
    numbers: dict[str, list[dict[str, Any]]] = {card: [] for card in board.shown}
    for (card, field), number in board.numbers.items():
        numbers[card].append(
            {
                "field": field,
                "label": number.label,
                "today": number.today,
                "value": values.get((card, field), number.today),
                "least": number.least,
                "most": number.most,
                "locked": draft.is_locked(card, field),
            }
        )
    return [
        {
            "card": card,
            "name": board.name(card),
            "text": board.texts.get(card, ""),
            "locked": draft.is_locked(card, None),
            "decks": list(decks),
            "numbers": numbers[card],
        }
        for card, decks in board.shown.items()
    ]


def _demands(board: Board) -> Iterator[dict[str, Any]]:
    if not board.has_opponents:
        return
    told, kinds, bounds = board.told
    names = board.contest.player_names
    matchups = board.contest.matchups
    by_name = {f"{name} vs the field": name for name in names}
    for n, (name, kind) in enumerate(zip(told.names, kinds, strict=True)):
        a, b = [names[one] for one in matchups[n]] if kind == "matchup" else (None, None)
        least_aim, most_aim = told.aims[:, n]
        is_point = isfinite(least_aim) and abs(most_aim - least_aim) < 1e-9
        yield {
            "name": name,
            "a": by_name[name] if kind == "deck" else a,
            "b": b,
            "of": kind,
            "aim": float(least_aim) if is_point else None,
            "least": float(bounds[0, n]),
            "most": float(bounds[1, n]),
        }


def edits_told(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """Patch notes, and what they are about."""
    return [
        {
            "card": edit.card,
            "name": edit.name,
            "field": edit.field,
            "from": edit.before,
            "to": edit.after,
            "text": str(edit),
        }
        for edit in edits
    ]


def suggestion_told(board: Board, suggestion: Suggestion) -> dict[str, Any]:
    """The event `suggestion`."""
    patch = board.patch(values_of(suggestion.edits))
    return {
        **suggestion.model_dump(exclude={"edits"}),
        "edits": edits_told(patch.edits),
        "printed": _printed(board, patch.edits),
        "change": patch.change,
        "cards_touched": patch.cards_touched,
    }


def _printed(board: Board, edits: Sequence[Edit]) -> dict[str, Any]:
    """The changed cards before and after, and minions that end as the largest, with their words."""
    printed = board.printed(edits)
    cards = [
        {
            **card.as_entry(),
            "numbers": {"before": str(card.before), "after": str(card.after)},
        }
        for card in printed.cards
    ]
    largest = [{**one.as_entry(), "text": str(one)} for one in printed.largest]
    return {"cards": cards, "largest_minions": largest}


def _certificates(session: Session, draft: Draft, tries: Sequence[int]) -> dict[str, Any]:
    last = session.certificate
    told = None
    if last is not None:
        is_current = values_of(last.edits) == draft.values
        told = {**last.model_dump(exclude={"edits"}), "is_current": is_current}
    left = max(RISK - sum(map(risk_of_try, tries)), 0.0)
    next_risk = risk_of_try(next_number(tries))
    return {
        "tries": len(tries),
        "next_risk": next_risk,
        "error_left": left,
        "error_left_after": max(left - next_risk, 0.0),
        "last": told,
    }


def rates_of(board: Board, rows: Sequence[ChangeRow], *, is_settled: bool) -> dict[str, Any]:
    """The event `rates` but for its revision.

    Args:
        board: says which rates are told.
        rows: what `evenhand whatif` tells of as many games.
        is_settled: whether there will be no more.
    """
    worst = worst_of(board.told.demands, np.array([row.patched.estimate for row in rows]))
    return {
        "n_games": rows[0].n,
        "settled": is_settled,
        "rates": [_rate(row) for row in rows],
        "worst": rows[worst].rate,
        "fault": None,
    }


def no_rates(fault: dict[str, Any] | None = None) -> dict[str, Any]:
    """The event `rates` but for its revision, where there are none.

    Args:
        fault: why, as a message; none of a deck that meets nobody.
    """
    return {"n_games": 0, "settled": True, "rates": [], "worst": None, "fault": fault}


def fault_of(board: Board, draft: Draft, error: Exception) -> dict[str, Any]:
    """Why there are no rates, which edits did it, and what to do; a message at one of them.

    Args:
        board: whose numbers.
        draft: with the edits.
        error: a `CardFault`, or a fault of ours.
    """
    edits = board.patch(draft.values).edits
    edited = [edit.card for edit in draft.edits]
    all_edits = ", ".join(map(str, edits)) or "today's numbers"
    named = all_edits if len(edits) <= _NAMED else f"these {len(edits)} edits"
    told = str(error) if isinstance(error, CardFault) else crash_words(error)
    what_next = "Undo, or take an edit back; all else goes on." if edits else ""
    blamed = error.card if isinstance(error, CardFault) else ""
    place = blamed if blamed in edited else edited[-1] if edited else None
    why = f"No win rates: games cannot be played with {named}. {told[0].upper()}{told[1:]}."
    return message(f"{why} {what_next}".strip(), place)


def _rate(row: ChangeRow) -> dict[str, Any]:
    return {
        "demand": row.rate,
        "rate": float(row.patched.estimate),
        "low": float(row.patched.low),
        "high": float(row.patched.high),
        "today": float(row.today.estimate),
        "change_pp": float(row.change.estimate),
        "change_low_pp": float(row.change.low),
        "change_high_pp": float(row.change.high),
        "can_change": row.can_change,
        "state": row.verdict,
    }


def worst_of(demands: Demands, rates: Any) -> int:
    """The demanded rate that is farthest from its aim; of none the one nearest to a bound."""
    distance_pp = demands.distance_pp(rates)
    spare = np.minimum(rates - demands.low, demands.high - rates)
    return int(np.lexsort([spare, -distance_pp])[0])


def message(text: object, place: str | None = None) -> dict[str, Any]:
    """The event `message`."""
    return {"text": str(text), "place": place}

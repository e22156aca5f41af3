"""Data of the workbench's events, in the formats that docs/formats.md lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np

from balance import Demands, Edit
from balance.verdict.risk import RISK, risk_of_try
from experiments.results.compared import ChangeRow
from experiments.runs.ledger import next_number
from experiments.screen import VERDICT_WORDS
from experiments.workbench.draft import Draft, values_of
from experiments.workbench.page_errors import defect_message
from experiments.workbench.session import Session, Suggestion
from experiments.workbench.view_model import ViewModel
from sim.errors import CardFault

# A message with three edits fits on three lines of the page; longer lists are replaced by a count.
_NAMED_EDITS = 3


def state_of(
    view: ViewModel, session: Session, draft: Draft, *, tries: Sequence[int], busy: str | None
) -> dict[str, Any]:
    """Return the data of the event `state`: cards, edits, constraints and results of a session.

    Args:
        view: view model of the experiment.
        session: session with the undo history and the results of jobs.
        draft: current draft of the session.
        tries: numbers of all certificates of the same question so far, played by any command.
        busy: name of the running job; `None` if no job is running.
    """
    settings = view.experiment.settings
    patch = view.patch(draft.values)
    return {
        "session": session.key,
        "revision": session.revision,
        "experiment": settings.name,
        "seed": settings.seed,
        **view.sources,
        "cards": _cards(view, draft),
        "demands": [*_demands(view)],
        "edits": edit_entries(patch.edits),
        "printed": _printed(view, patch.edits),
        "notes": draft.notes,
        "change": patch.change,
        "cards_touched": patch.cards_touched,
        "constraints": draft.constraints.model_dump(),
        "can_undo": session.n_done > 0,
        "can_redo": session.n_done < len(session.actions),
        "certificates": _certificates(session, draft, tries),
        "suggestions": [suggestion_entry(view, suggestion) for suggestion in session.suggestions],
        "busy": busy,
        "saved": None if session.saved is None else session.saved.model_dump(mode="json"),
    }


def _cards(view: ViewModel, draft: Draft) -> list[dict[str, Any]]:
    """Return one entry per card on the page, and one for the rules if they may change.

    Each entry lists the card's editable numbers with baseline, current value, range and lock.
    """
    values = draft.values
    numbers: dict[str, list[dict[str, Any]]] = {card: [] for card in view.decks_by_card}
    for (card, field), number in view.numbers.items():
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
            "name": view.name(card),
            "text": view.texts.get(card, ""),
            "locked": draft.is_locked(card, None),
            "decks": list(decks),
            "numbers": numbers[card],
        }
        for card, decks in view.decks_by_card.items()
    ]


def _demands(view: ViewModel) -> Iterator[dict[str, Any]]:
    """Yield one entry per rate on the page, with the rate's decks, aim and bounds.

    Yield nothing if the experiment has a single deck.
    """
    if not view.has_opponents:
        return
    demands, kinds, bounds = view.shown_rates
    names = view.contest.player_names
    matchups = view.contest.matchups
    by_name = {f"{name} vs the field": name for name in names}
    for n, (name, kind) in enumerate(zip(demands.names, kinds, strict=True)):
        is_pair = kind == "matchup" and len(matchups[n]) == 2
        a, b = [names[player] for player in matchups[n]] if is_pair else (None, None)
        least_aim, most_aim = demands.aims[:, n]
        # The page shows an aim only if it is a single rate, not an interval of rates.
        is_point = isfinite(least_aim) and abs(most_aim - least_aim) < 1e-9
        yield {
            "name": name,
            "a": by_name[name] if kind == "deck" else a,
            "b": b,
            # The matrix of the page has a cell for two players only.
            "of": kind if is_pair or kind != "matchup" else "else",
            "aim": float(least_aim) if is_point else None,
            "least": float(bounds[0, n]),
            "most": float(bounds[1, n]),
        }


def edit_entries(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """Return one JSON entry per edit: card, field, old and new value, and line of patch notes."""
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


def suggestion_entry(view: ViewModel, suggestion: Suggestion) -> dict[str, Any]:
    """Return the data of the event `suggestion`: a proposed patch, its size and changed cards."""
    patch = view.patch(values_of(suggestion.edits))
    return {
        **suggestion.model_dump(exclude={"edits"}),
        "edits": edit_entries(patch.edits),
        "printed": _printed(view, patch.edits),
        "change": patch.change,
        "cards_touched": patch.cards_touched,
    }


def _printed(view: ViewModel, edits: Sequence[Edit]) -> dict[str, Any]:
    """Return the printed cards that edits change, before and after the edits.

    The entry `largest_minions` lists minions that the edits make the largest of their cost.
    """
    printed = view.printed(edits)
    cards = [
        {
            **card.as_entry(),
            "numbers": {"before": str(card.before), "after": str(card.after)},
        }
        for card in printed.cards
    ]
    largest = [{**minion.as_entry(), "text": str(minion)} for minion in printed.largest]
    return {"cards": cards, "largest_minions": largest}


def _certificates(session: Session, draft: Draft, tries: Sequence[int]) -> dict[str, Any]:
    """Return the last certificate, and the error probability of the next one.

    All certificates of a question share the error probability `RISK`. The entries `error_left` and
    `error_left_after` are the unused parts of `RISK` before and after the next certificate, at
    least 0.

    Args:
        session: session with the last certificate, if any.
        draft: current draft; the certificate is current if it certified the same edits.
        tries: numbers of all certificates of the question so far.
    """
    last = session.certificate
    entry = None
    if last is not None:
        is_current = values_of(last.edits) == draft.values
        entry = {**last.model_dump(exclude={"edits"}), "is_current": is_current}
    left = max(RISK - sum(map(risk_of_try, tries)), 0.0)
    next_risk = risk_of_try(next_number(tries))
    return {
        "tries": len(tries),
        "next_risk": next_risk,
        "error_left": left,
        "error_left_after": max(left - next_risk, 0.0),
        "last": entry,
    }


def rates_of(view: ViewModel, rows: Sequence[ChangeRow], *, is_settled: bool) -> dict[str, Any]:
    """Return the data of the event `rates`, without the key `revision`.

    Args:
        view: view model of the experiment.
        rows: one row per rate on the page, at least one, all from the same number of games.
        is_settled: whether no further games will be played for the same edits.
    """
    worst = worst_of(view.shown_rates.demands, np.array([row.patched.estimate for row in rows]))
    return {
        "n_games": rows[0].n,
        "settled": is_settled,
        "rates": [_rate(row) for row in rows],
        "worst": rows[worst].rate,
        "fault": None,
    }


def no_rates(fault: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the data of an event `rates` without rates and without the key `revision`.

    Args:
        fault: message that gives the reason, as from `fault_of`; `None` if the reason is that the
            experiment has a single deck.
    """
    return {"n_games": 0, "settled": True, "rates": [], "worst": None, "fault": fault}


def fault_of(view: ViewModel, draft: Draft, error: Exception) -> dict[str, Any]:
    """Return a message that explains why games with a draft cannot be played.

    Args:
        view: view model of the experiment.
        draft: draft with the edits that were played.
        error: `CardFault` if a card caused the failure; any other exception is reported as a
            defect of the program.

    Returns:
        Data of the event `message`, with the place of the faulty card if the draft edits it, else
        of the last edited card; the place is `None` without edits. The message names at most
        three edits and counts longer lists.
    """
    edits = view.patch(draft.values).edits
    edited = [edit.card for edit in draft.edits]
    all_edits = ", ".join(map(str, edits)) or "the baseline numbers"
    named = all_edits if len(edits) <= _NAMED_EDITS else f"these {len(edits)} edits"
    reason = str(error) if isinstance(error, CardFault) else defect_message(error)
    remedy = "Undo or revert an edit; everything else still works." if edits else ""
    card = error.card if isinstance(error, CardFault) else ""
    place = card if card in edited else edited[-1] if edited else None
    text = f"No win rates: games cannot be played with {named}. {reason[0].upper()}{reason[1:]}."
    return message(f"{text} {remedy}".strip(), place)


def _rate(row: ChangeRow) -> dict[str, Any]:
    """Return the JSON entry of one rate: fractions for rates, percentage points for changes."""
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
        "symbol": VERDICT_WORDS[row.verdict].symbol,
    }


def worst_of(demands: Demands, rates: Any) -> int:
    """Return the index of the worst rate.

    The worst rate is the rate farthest from its aim. Rates at equal distances, for instance at
    their aims, are compared by their margin inside the bounds; the smallest margin is worst.

    Args:
        demands: aims and bounds of the rates; a rate without an aim has distance 0.
        rates: estimated rates as fractions, one per demand.
    """
    distance_pp = demands.distance_pp(rates)
    spare = np.minimum(rates - demands.low, demands.high - rates)
    return int(np.lexsort([spare, -distance_pp])[0])


def message(text: object, place: str | None = None) -> dict[str, Any]:
    """Return the data of the event `message`.

    Args:
        text: text of the message; other objects are converted by `str`.
        place: element of the page next to which the message is shown; `None` for the top.
    """
    return {"text": str(text), "place": place}

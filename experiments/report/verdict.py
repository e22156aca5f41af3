"""The top of the page: what was found, and what it is worth."""

from __future__ import annotations

from typing import Any

from experiments.report.guards import failed_guards
from experiments.report.names import cards_of, edits_by_card, players_of
from experiments.report.wording import counted, percent
from experiments.results.verdict import Verdict, verdict_in
from experiments.runs.finished_run import FinishedRun

_MOST_REASONS = 5
_STAGES = {
    "measure": "measuring today",
    "narrow": "narrowing",
    "search": "searching",
    "select": "selecting",
    "certify": "certifying",
}


def verdict(run: FinishedRun) -> dict[str, Any]:
    """Headline, patch notes, and what they cost."""
    summary = run.summary
    notes = edits_by_card(summary["patch"], cards_of(run))
    lines = [(note["name"], change) for note in notes for change in note["changes"]]
    found = verdict_in(summary)
    return {
        "certified": found.certified,
        "title": _title(found, len(summary["patch"]), summary["cards_touched"]),
        "reasons": [*_reasons(found), *failed_guards(summary)],
        "before": found.today_pp,
        "after": found.patched_pp,
        "n": found.n,
        "notes": notes,
        "text": "".join(f"{name}: {what} {old} -> {new}\n" for name, (what, old, new) in lines),
        "change": summary["change"],
        "cards_touched": summary["cards_touched"],
        "games": [(_STAGES.get(stage, stage), n) for stage, n in summary["games"].items()],
        "n_all": sum(summary["games"].values()),
        "seconds": summary["seconds"],
        "players": players_of(run),
    }


def _title(found: Verdict, n_edits: int, n_cards: int) -> str:
    if not found.certified:
        if all(matchup.inside for matchup in found.matchups):
            return "Not certified: not every guard was shown to hold"
        return "Not certified: no patch was shown to bring every matchup inside its band"
    if not n_edits:
        return "Every matchup is inside its band as the cards are"
    bring = "brings" if n_edits == 1 else "bring"
    edits, cards = counted(n_edits, "edit"), counted(n_cards, "card")
    return f"{edits} on {cards} {bring} every matchup inside its band"


def _reasons(found: Verdict) -> list[str]:
    """How matchups miss their bands, the worst first."""
    outside = [matchup for matchup in found.matchups if not matchup.inside]
    outside.sort(key=lambda matchup: -abs(float(matchup.after.estimate) - matchup.target))
    reasons = []
    for matchup in outside[:_MOST_REASONS]:
        rate, low, high = (percent(float(bound)) for bound in matchup.after)
        half = found.band_pp / 100
        least, most = percent(matchup.target - half), percent(matchup.target + half)
        reasons.append(
            f"{matchup.name}: {rate} % ({low} to {high}), not wholly inside {least} to {most}"
        )
    if len(outside) > _MOST_REASONS:
        reasons.append(f"and {counted(len(outside) - _MOST_REASONS, 'more matchup')}, see below")
    return reasons

"""The top of the page: what was found, and what it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.demands import Demands
from balance.statistics.intervals import Interval
from experiments.report.guards import failed_guards
from experiments.report.names import cards_of, edits_by_card, players_of
from experiments.report.wording import counted, percent
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
    return {
        "certified": summary["certified"],
        "title": _title(summary),
        "reasons": _reasons(summary),
        "before": _imbalance(summary["matchups"], "before"),
        "after": _imbalance(summary["matchups"], "after"),
        "n": summary["matchups"][0]["after"]["n"],
        "notes": notes,
        "text": "".join(f"{name}: {what} {old} -> {new}\n" for name, (what, old, new) in lines),
        "change": summary["change"],
        "cards_touched": summary["cards_touched"],
        "games": [(_STAGES.get(stage, stage), n) for stage, n in summary["games"].items()],
        "n_all": sum(summary["games"].values()),
        "seconds": summary["seconds"],
        "players": players_of(run),
    }


def _title(summary: dict[str, Any]) -> str:
    edits, n_cards = counted(len(summary["patch"]), "edit"), summary["cards_touched"]
    if not summary["certified"]:
        if all(matchup["inside"] for matchup in summary["matchups"]):
            return "Not certified: not every guard was shown to hold"
        return "Not certified: no patch was shown to bring every matchup inside its band"
    if not summary["patch"]:
        return "Every matchup is inside its band as the cards are"
    bring = "brings" if len(summary["patch"]) == 1 else "bring"
    return f"{edits} on {counted(n_cards, 'card')} {bring} every matchup inside its band"


def _reasons(summary: dict[str, Any]) -> list[str]:
    """Why there is no certificate: the worst matchups first, then the guards."""
    outside = [matchup for matchup in summary["matchups"] if not matchup["inside"]]
    outside.sort(key=lambda matchup: -abs(matchup["after"]["win_rate"] - matchup["target"]))
    reasons = [_outside(matchup) for matchup in outside[:_MOST_REASONS]]
    if len(outside) > _MOST_REASONS:
        reasons.append(f"and {counted(len(outside) - _MOST_REASONS, 'more matchup')}, see below")
    return reasons + failed_guards(summary)


def _outside(matchup: dict[str, Any]) -> str:
    """How a matchup misses its band."""
    after, half = matchup["after"], matchup["band_pp"] / 100
    low, high = matchup["target"] - half, matchup["target"] + half
    return (
        f"{matchup['a']} vs {matchup['b']}: {percent(after['win_rate'])} % "
        f"({percent(after['low'])} to {percent(after['high'])}), not wholly inside "
        f"{percent(low)} to {percent(high)}"
    )


def _imbalance(matchups: list[dict[str, Any]], side: str) -> dict[str, float]:
    """Largest distance from target over all matchups, with its 95 % interval."""
    bounds = ("win_rate", "low", "high")
    rates = (np.array([matchup[side][bound] for matchup in matchups]) for bound in bounds)
    targets = np.array([matchup["target"] for matchup in matchups])
    demands = Demands.around(targets, matchups[0]["band_pp"])
    distance = demands.imbalance_pp(Interval(*rates))
    return {name: float(bound) for name, bound in zip(Interval._fields, distance, strict=True)}

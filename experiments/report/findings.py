"""Results of a balance run as data for the report: verdict, matchups, guards and power."""

from __future__ import annotations

from typing import Any

from balance import Interval, NarrowingRow, PowerRow
from balance.cards.printed_patch import PrintedPatch
from balance.contest.band import band_verdict
from balance.contest.target import FIRST_SEAT
from balance.run.edit_rows import EditRow
from balance.run.patch_rows import GuardRow, StageRow
from balance.verdict.edit_reasons import EditReason
from balance.verdict.first_seat import allows_everything, share_of
from balance.verdict.first_seat_guard import FirstSeatGuard
from balance.verdict.guards import GUARDS
from experiments.report.wording import (
    cards_of,
    edits_by_card,
    has_cards,
    players_of,
    touched_words,
)
from experiments.results.verdict import Verdict, verdict_in, watched
from experiments.runs.finished_run import FinishedRun
from experiments.screen import (
    GUARD_WORDS,
    VERDICT_WORDS,
    GuardWords,
    certificate_words,
    counted,
    explanation_words,
    failed_guard_lines,
    percent_between,
    reach_of,
    smaller_words,
    state_of,
    wanted_words,
    widened_words,
)
from experiments.screen.edit_words import how_measured, why_edits

_REASONS_MAX = 5  # matchups listed at the top, chosen by eye; the table below lists all matchups
_STAGES = {
    "measure": "measuring the baseline",
    "narrow": "narrowing",
    "search": "searching",
    "select": "selecting",
    "clean_up": "backward elimination",
    "certify": "certifying",
    "explain": "explaining",
    "edits": "leaving edits out",
}


def verdict(run: FinishedRun) -> dict[str, Any]:
    """Return the data of the report's first section.

    These are the headline with reasons, the patch notes, and the number of games per stage.
    """
    summary = run.summary
    notes = edits_by_card(summary["patch"], cards_of(run))
    lines = [(note["name"], change) for note in notes for change in note["changes"]]
    result = verdict_in(summary)
    explanation = summary.get("explanation")
    explained = explanation_words(explanation, result.band_pp) if explanation else []
    touched = touched_words(run, summary["cards_touched"], len(summary["patch"]))
    return {
        "certified": result.certified,
        "title": _title(result, len(summary["patch"]), touched if has_cards(run) else ""),
        "touched": touched,
        "smaller": smaller_words(summary),
        "widened": widened_words(summary.get("widened", ())),
        "reasons": [*_reasons(result), *failed_guard_lines(watched(summary)), *explained],
        "is_nearest": summary.get("is_nearest", True),  # missing in runs of earlier versions
        "before": result.today_pp,
        "after": result.patched_pp,
        "n": result.n,
        "notes": notes,
        "printed": PrintedPatch.in_summary(summary),
        "text": "".join(f"{name}: {label} {old} -> {new}\n" for name, (label, old, new) in lines),
        "change": summary["change"],
        "games": [(_STAGES.get(stage, stage), n) for stage, n in summary["games"].items()],
        "n_all": sum(summary["games"].values()),
        "seconds": summary["seconds"],
        "players": players_of(run),
    }


def _title(result: Verdict, n_edits: int, cards: str) -> str:
    """Return the headline of the report: the verdict in one clause.

    Args:
        result: verdict on the recommended patch.
        n_edits: number of edits of the patch.
        cards: number of edited cards with its noun; empty for games without cards.
    """
    if not result.certified:
        if all(matchup.inside for matchup in result.matchups):
            return "Not certified: not every guard was verified"
        return "Not certified: no patch was shown to bring every matchup inside its band"
    if not n_edits:
        return "Every matchup is inside its band without a change"
    bring = "brings" if n_edits == 1 else "bring"
    edits = counted(n_edits, "edit")
    place = f" on {cards}" if cards else ""
    return f"{edits}{place} {bring} every matchup inside its band"


def _reasons(result: Verdict) -> list[str]:
    """Return one line per matchup that is not inside its band, the worst first.

    After `_REASONS_MAX` matchups, one line counts the others.
    """
    outside = sorted(
        (matchup for matchup in result.matchups if not matchup.inside),
        key=lambda row: min(row.after.estimate - row.least, row.most - row.after.estimate),
    )
    reasons = []
    for matchup in outside[:_REASONS_MAX]:
        phrase = VERDICT_WORDS[matchup.verdict].phrase
        wanted = wanted_words(matchup.least, matchup.most)
        reasons.append(
            f"{matchup.name}: {percent_between(matchup.after)}, {phrase} (wanted: {wanted})"
        )
    if len(outside) > _REASONS_MAX:
        reasons.append(f"and {counted(len(outside) - _REASONS_MAX, 'more matchup')}, see below")
    return reasons


def guards(run: FinishedRun) -> list[dict[str, Any]]:
    """Return one entry per guard: readings before and after the patch, limit and verdict.

    Games without cards may measure no guard.

    The guard on the first seat is left out if its limit permits everything and the target demands
    a win rate of the first seat, which is shown with the matchups.
    """
    rows = list[dict[str, Any]]()
    if not (has_cards(run) or (run.path / "guards.csv").is_file()):
        return rows
    seats = run.summary.get("first_seat")  # missing in runs of earlier versions
    names = [f"{entry['a']} vs {entry['b']}" for entry in run.summary["matchups"]]
    is_demanded = FIRST_SEAT in names
    for row in run.rows("guards.csv", GuardRow):
        if allows_everything(row.guard, row.limit, is_demanded=is_demanded):
            continue
        if not has_cards(run) and row.limit >= GUARDS[row.guard].highest_limit:
            continue  # games without cards have no limits unless their files set them
        words = GUARD_WORDS[row.guard]
        band = seats["band"] if seats and row.guard == FirstSeatGuard.name else None
        rows.append(
            {
                "name": row.guard,
                "what": words.what,
                "before": _reading(words, row.before) | _judged(row.before, band),
                "after": _reading(words, row.after) | _judged(row.after, band),
                "allowed": _allowed(words, row.least, row.most),
                "holds": row.holds,
                **_state(row.guard, row._asdict()),
                "n": row.n,
            }
        )
    return rows


def _state(name: str, guard: dict[str, Any]) -> dict[str, str]:
    """Return a guard's state, and its confidence bound compared with its limit, in words.

    Args:
        name: name of the guard.
        guard: fields of its row in `guards.csv`.
    """
    estimate, bound, limit = (float(guard[key]) for key in ("estimate", "bound", "limit"))
    return {
        "state": state_of(estimate, limit, holds=guard["holds"]),
        "reach": reach_of(name, estimate, bound, limit),
    }


def _reading(words: GuardWords, reading: Interval) -> dict[str, str]:
    """Return a guard's reading as text: value with unit, and interval without unit."""
    value, low, high = (words.number(float(bound)) for bound in reading)
    return {"value": f"{value} {words.unit}", "interval": f"{low} to {high}"}


def _judged(lead_pp: Interval, band: list[float] | None) -> dict[str, str]:
    """Return the verdict on the first seat's win rate, and the band of this rate in words.

    Args:
        lead_pp: reading of the guard on the first seat, in percentage points beyond 50 %.
        band: lower and upper bound of the first seat's win rate; `None` if the run has no band,
            which gives empty texts.
    """
    if band is None:
        return {"verdict": "", "wanted": ""}
    return {"verdict": band_verdict(share_of(lead_pp), *band), "wanted": wanted_words(*band)}


def _allowed(words: GuardWords, least: float, most: float) -> str:
    """Return the permitted range of a guard as text; `at most ...` if the minimum is 0."""
    low = words.number(least)
    high = words.number(most)
    return f"at most {high} {words.unit}" if least == 0 else f"{low} to {high} {words.unit}"


def before_after(run: FinishedRun) -> dict[str, Any]:
    """Return the demanded matchups before and after the patch, and their rates in each stage."""
    verdict = verdict_in(run.summary).demanded
    certificate = run.summary.get("certificate")
    return {
        "rows": [
            matchup._asdict() | {"wanted": wanted_words(matchup.least, matchup.most)}
            for matchup in verdict.matchups
        ],
        "n": verdict.n,
        "confidence": verdict.confidence,
        "settled": certificate_words(certificate) if certificate else "",
        "stages": run.rows("stages.csv", StageRow),
    }


def card_power(run: FinishedRun) -> dict[str, Any] | None:
    """Return the table of card power, the strongest card first.

    Returns:
        One row per card and deck, with the settings of the measurement; `None` if the run did not
        measure power.
    """
    if not (run.path / "power.csv").is_file():
        return None
    cards = cards_of(run)
    narrowed = run.rows("narrowing.csv", NarrowingRow)
    moves = {row.card: "kept" if row.kept else "dropped" for row in narrowed}
    rows = run.rows("power.csv", PowerRow)
    # Half the length of the bars' axis; 1 instead of 0, since positions are divided by it.
    reach = max((abs(float(bound)) for row in rows for bound in row.power_pp), default=0.0) or 1.0
    return {
        "rows": [
            row._asdict()
            | {
                "name": cards[row.card]["name"],
                "moves": moves.get(row.card, "locked"),
                "bar": [round(50 + 50 * float(bound) / reach, 2) for bound in row.power_pp],
            }
            for row in sorted(rows, key=lambda row: (-row.power_pp.estimate, row.player, row.card))
        ],
        "players": list(dict.fromkeys(row.player for row in rows)),
        "baseline": run.resolved["experiment"]["narrow"]["baseline"],
        "agents": sorted({row.agent for row in rows}),
    }


def narrowing(run: FinishedRun) -> dict[str, Any] | None:
    """Return the search space before and after narrowing, and one row with a score per card.

    Returns:
        The data; `None` for games without cards, which are not narrowed.
    """
    if not has_cards(run):
        return None
    space = run.summary["narrowing"]
    experiment = run.resolved["experiment"]
    rows = run.rows("narrowing.csv", NarrowingRow)
    return {
        **space,
        "keep": experiment["narrow"]["keep"],
        "rows": rows,
        "n_kept": sum(row.kept for row in rows),
        "n_games": experiment["games"].get(space["by"]),
    }


def edits(run: FinishedRun) -> dict[str, Any] | None:
    """Return the reasons for each edit, and how they were measured; `None` if not measured."""
    if not (run.path / "edits.csv").is_file():
        return None
    rows = run.rows("edits.csv", EditRow)
    has_reasons = (run.path / "edit_reasons.csv").is_file()  # missing in runs of earlier versions
    reasons = run.rows("edit_reasons.csv", EditReason) if has_reasons else []
    return {"how": how_measured(rows), "rows": why_edits(rows, reasons)}

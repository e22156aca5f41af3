"""What was found: verdict, matchups, guards, what cards are worth, and what an attack showed."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from balance import Interval, NarrowingRow, PowerRow, wilson
from balance.band import band_verdict
from balance.edit_reasons import EditReason
from balance.target import FIRST_SEAT
from experiments.report.wording import cards_of, counted, edits_by_card, fixed, percent, players_of
from experiments.results.first_seat import GUARD, allows_everything, share_of
from experiments.results.front import Verdict, verdict_in, watched
from experiments.results.printed import PrintedPatch
from experiments.results.stages import REASONS, EditRow, GuardRow, StageRow
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import read_object
from experiments.screen import (
    band_words,
    certificate_words,
    explanation_words,
    failed_guard_words,
    mark_of,
    reach_of,
    smaller_words,
    state_of,
    wanted_words,
    widened_words,
)
from experiments.screen.edit_words import how_measured, why_edits


class _Guard(NamedTuple):
    """How one guard is spoken of: a reading is shown as ``scale * reading + shift``."""

    what: str
    unit: str
    scale: float
    shift: float
    digits: int


_MOST_REASONS = 5
_STAGES = {
    "measure": "measuring today",
    "narrow": "narrowing",
    "search": "searching",
    "select": "selecting",
    "clean_up": "cleaning up",
    "certify": "certifying",
    "explain": "explaining",
    "edits": "leaving edits out",
}
_GUARDS = {
    "max_draw_rate": _Guard("games drawn", "%", 100, 0, 2),
    "max_first_seat_pp": _Guard("first seat wins", "%", 1, 50, 1),
    "median_turns": _Guard("median length", "turns", 1, 0, 1),
}
_STEPS_PP = (1, 2, 5, 10, 20)  # between the marks of the axis
_MOST_MARKS = 8


def verdict(run: FinishedRun) -> dict[str, Any]:
    """Headline, patch notes, and what they cost."""
    summary = run.summary
    notes = edits_by_card(summary["patch"], cards_of(run))
    lines = [(note["name"], change) for note in notes for change in note["changes"]]
    found = verdict_in(summary)
    told = summary.get("explanation")
    explained = explanation_words(told, found.band_pp) if told else []
    return {
        "certified": found.certified,
        "title": _title(found, len(summary["patch"]), summary["cards_touched"]),
        "smaller": smaller_words(summary["smaller"], certified=found.certified),
        "widened": widened_words(summary.get("widened", ())),
        "reasons": [*_reasons(found), *failed_guards(summary), *explained],
        "is_nearest": summary.get("is_nearest", True),  # which earlier versions did not tell
        "before": found.today_pp,
        "after": found.patched_pp,
        "n": found.n,
        "notes": notes,
        "printed": PrintedPatch.in_summary(summary),
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
    edits = counted(n_edits, "edit")
    cards = counted(n_cards, "card")
    return f"{edits} on {cards} {bring} every matchup inside its band"


def _reasons(found: Verdict) -> list[str]:
    """How matchups miss their bands, the worst first."""
    outside = sorted(
        (matchup for matchup in found.matchups if not matchup.inside),
        key=lambda one: min(one.after.estimate - one.least, one.most - one.after.estimate),
    )
    reasons = []
    for matchup in outside[:_MOST_REASONS]:
        rate, low, high = (percent(float(bound)) for bound in matchup.after)
        least = percent(matchup.least)
        most = percent(matchup.most)
        reasons.append(
            f"{matchup.name}: {rate} % ({low} to {high}), {band_words(matchup.verdict)}, "
            f"{least} to {most}"
        )
    if len(outside) > _MOST_REASONS:
        reasons.append(f"and {counted(len(outside) - _MOST_REASONS, 'more matchup')}, see below")
    return reasons


def guards(run: FinishedRun) -> list[dict[str, Any]]:
    """Each guard before and after, with what is allowed."""
    rows = []
    seats = run.summary.get("first_seat")  # which runs of earlier versions lack
    is_demanded = any(f"{one['a']} vs {one['b']}" == FIRST_SEAT for one in run.summary["matchups"])
    for row in run.rows("guards.csv", GuardRow):
        if allows_everything(row.guard, row.limit, is_demanded=is_demanded):
            continue  # the demand is shown with the matchups
        words = _GUARDS[row.guard]
        band = seats["band"] if seats and row.guard == GUARD else None
        rows.append(
            {
                "name": row.guard,
                "what": words.what,
                "before": _reading(words, row.before) | _marked(row.before, band),
                "after": _reading(words, row.after) | _marked(row.after, band),
                "allowed": _allowed(words, row.least, row.most),
                "holds": row.holds,
                **_state(row.guard, row._asdict()),
                "n": row.n,
            }
        )
    return rows


def failed_guards(summary: dict[str, Any]) -> list[str]:
    """A sentence for each guard that is not shown to hold: its reading, and what would pass."""
    return [
        failed_guard_words(
            name,
            one["estimate"],
            one["bound"],
            one["limit"],
            passing_limit=one.get("passing_limit"),
        )
        for name, one in watched(summary).items()
        if not one["holds"]
    ]


def _state(name: str, guard: dict[str, Any]) -> dict[str, str]:
    """State and reach of a guard from a table or a summary."""
    estimate, bound, limit = (float(guard[key]) for key in ("estimate", "bound", "limit"))
    return {
        "state": state_of(estimate, limit, holds=guard["holds"]),
        "reach": reach_of(name, estimate, bound, limit),
    }


def _reading(words: _Guard, reading: Interval) -> dict[str, str]:
    value, low, high = (_shown(words, bound) for bound in reading)
    return {"value": f"{value} {words.unit}", "interval": f"{low} to {high}"}


def _marked(lead_pp: Interval, band: list[float] | None) -> dict[str, str]:
    """The mark of a first seat's share, and what is wanted of it."""
    if band is None:
        return {"mark": "", "wanted": ""}
    return {"mark": mark_of(band_verdict(share_of(lead_pp), *band)), "wanted": wanted_words(*band)}


def _shown(words: _Guard, reading: Any) -> str:
    return fixed(words.scale * reading + words.shift, words.digits)


def _allowed(words: _Guard, least: float, most: float) -> str:
    """What a guard allows, in a few words."""
    low = _shown(words, least)
    high = _shown(words, most)
    return f"at most {high} {words.unit}" if least == 0 else f"{low} to {high} {words.unit}"


def before_after(run: FinishedRun) -> dict[str, Any]:
    """Matchups with places along the axis in percent of its length, also stage by stage."""
    verdict = verdict_in(run.summary).demanded
    low, high, marks = _axis(verdict)

    def places(rates: Interval | tuple[float, ...]) -> list[float]:
        return [round(100 * (100 * float(rate) - low) / (high - low), 2) for rate in rates]

    rows = [
        matchup._asdict()
        | {
            "inside": matchup.inside,
            "before_at": places(matchup.before),
            "after_at": places(matchup.after),
            "wanted": wanted_words(matchup.least, matchup.most),
            "band_at": places((matchup.least, matchup.most)),
        }
        for matchup in verdict.matchups
    ]
    shown = zip(places(tuple(pp / 100 for pp in marks)), marks, strict=True)
    return {
        "rows": rows,
        "marks": [{"at": at, "label": f"{pp:g}"} for at, pp in shown],
        "n": verdict.n,
        "confidence": verdict.confidence,
        "settled": certificate_words(told) if (told := run.summary.get("certificate")) else "",
        "stages": run.rows("stages.csv", StageRow),
    }


def _axis(verdict: Verdict) -> tuple[float, float, range]:
    """Both ends of the axis and its marks, in percent."""
    rates = [100 * bounds for bounds in (*verdict.before[1:], *verdict.after[1:])]
    shown = np.concatenate([*rates, *100 * verdict.bounds])
    margin = 0.05 * float(np.ptp(shown))
    low = max(float(shown.min()) - margin, 0)
    high = min(float(shown.max()) + margin, 100)
    step = next((step for step in _STEPS_PP if (high - low) / step <= _MOST_MARKS), _STEPS_PP[-1])
    return low, high, range(step * math.ceil(low / step), math.floor(high) + 1, step)


def card_power(run: FinishedRun) -> dict[str, Any] | None:
    """Power of every card in every deck, the strongest first; `None` where it was not measured."""
    if not (run.path / "power.csv").is_file():
        return None
    cards = cards_of(run)
    narrowed = run.rows("narrowing.csv", NarrowingRow)
    moves = {row.card: "kept" if row.kept else "dropped" for row in narrowed}
    rows = run.rows("power.csv", PowerRow)
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


def narrowing(run: FinishedRun) -> dict[str, Any]:
    """The search space before and after, and every movable card with its score."""
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
    """Why each edit; `None` where that was not measured."""
    if not (run.path / "edits.csv").is_file():
        return None
    rows = run.rows("edits.csv", EditRow)
    has_reasons = (run.path / REASONS).is_file()  # which runs of earlier versions lack
    reasons = run.rows(REASONS, EditReason) if has_reasons else []
    return {"how": how_measured(rows), "rows": why_edits(rows, reasons)}


ATTACK = "attack.json"


def attack(run: FinishedRun) -> dict[str, Any] | None:
    """The phases of the attack with cards by name; `None` where there was none.

    Raises:
        InputError: the file is damaged.
    """
    path = run.path / ATTACK
    if not path.is_file():
        return None
    content = read_object(path)
    names = {card: values["name"] for card, values in cards_of(run).items()}
    phases = [_attack_phase(phase, names) for phase in content["phases"]]
    said = {key: content[key] for key in ("agent", "seed", "rounds", "margin_pp", "conclusion")}
    return {**said, "phases": phases, "showed": _showed(phases[-1])}


def _showed(patched: dict[str, Any]) -> str:
    """In a few words, who is played in the end with the patched cards."""
    shares = patched["equilibrium"]
    built = [entry for entry in shares if not entry["original"]]
    own = [entry for entry in shares if entry["original"]]
    if not built:
        return "no built deck was found that wins enough to join the experiment's own decks"
    if all(entry["share"] == 0 for entry in built):
        return "built decks joined, and in the end only the experiment's own decks are played"
    if any(entry["share"] > 0 for entry in own):
        return "in the end built decks are played beside the experiment's own"
    if any(entry["high"] > 0 for entry in own):
        return "in the end built decks are played, and hardly any of the experiment's own"
    return "in the end only built decks are played"


def _attack_phase(phase: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    rounds = [
        {**entry, "cards": [(n, names.get(card, card)) for card, n in entry["deck"].items()]}
        for entry in phase["rounds"]
    ]
    n_games = phase["n_games"]
    matrix = [  # the row's player against the column's, with 95 % intervals
        [[round(float(bound), 4) for bound in wilson(rate * n_games, n_games)] for rate in row]
        for row in phase["win_rates"]
    ]
    return {**phase, "rounds": rounds, "matrix": matrix}

"""What a finished balance run comes to: its summary, its sentences and its figures."""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np

from balance import CONFIDENCE, BalanceRun, Certificate, FoundPatch, GuardVerdict, patch_notes
from balance.edit_effects import LEAST_GAMES, EditEffects
from balance.explanation import Explanation
from experiments.commands.second_opinion import OpinionReport
from experiments.files.output_file import counted
from experiments.game import AnyExperiment
from experiments.results.first_seat import first_seats
from experiments.results.front import verdict_of
from experiments.results.printed import PrintedPatch
from experiments.results.stages import EditRow, edit_rows, games_of_stages
from experiments.screen import (
    certificate_words,
    entry_of,
    explanation_words,
    in_pp,
    smaller_words,
    widened_words,
)
from experiments.screen.edit_words import how_measured, why_edits
from sim.files.row_file import entry
from sim.ruleset import RULES


def summarise(
    experiment: AnyExperiment,
    run: FoundPatch,
    effects: EditEffects | None = None,
    *,
    seconds: float,
) -> dict[str, Any]:
    """The stable shape of `summary.json` for `balance` (docs/formats.md)."""
    certificate, selection = run.certificate, run.selection
    chosen = selection.recommended
    seats = first_seats(experiment, run)
    return {
        "command": "balance",
        "certified": certificate.certified,
        "why_not": why_not(run),
        "widened": list(run.widened),
        "explanation": run.explanation and _explanation_summary(run.explanation),
        "matchups": _matchup_summaries(run),
        "band_pp": certificate.demands.band_pp,
        "guards": {guard.name: _guard_summary(run, guard) for guard in certificate.guards}
        | dict.fromkeys(certificate.not_watched, "not watched"),
        "first_seat": None if seats is None else seats.entry(),
        "patch": [
            {"card": edit.card, "field": edit.field, "from": edit.before, "to": edit.after}
            for edit in run.patch
        ],
        **(PrintedPatch.of_run(run).as_entries() if isinstance(run, BalanceRun) else {}),
        "change": float(selection.scores.change[chosen]),
        "cards_touched": int(selection.scores.cards_touched[chosen]),
        "smaller": what_is_smaller(run),
        "imbalance_pp": run.certificate.imbalance_pp,
        "edits": list(map(entry, edit_rows(run, effects))),
        "games": games_of_stages(run, effects),
        **({"narrowing": _narrowing_summary(run)} if isinstance(run, BalanceRun) else {}),
        "confidence": certificate.confidence,
        "certificate": _certificate_summary(certificate),
        "seed": experiment.settings.seed,
        "seconds": round(seconds, 3),
    }


def _narrowing_summary(run: BalanceRun) -> dict[str, Any]:
    narrowing = run.measurement.narrowing
    return {
        "by": narrowing.by,
        "genes_before": len(narrowing.full.genes),
        "genes_after": len(narrowing.space.genes),
        "log10_size_before": narrowing.full.log10_size,
        "log10_size_after": narrowing.space.log10_size,
    }


def _explanation_summary(explanation: Explanation) -> dict[str, Any]:
    return {
        "expected_pp": explanation.imbalance_pp,
        "impossible": list(explanation.impossible),
        "contradicting": list(explanation.contradicting),
        "settings": [one._asdict() for one in explanation.relaxations],
    }


def _certificate_summary(certificate: Certificate) -> dict[str, Any]:
    return {
        "try": certificate.try_number,
        "risk": certificate.risk,
        "looks": certificate.n_looks,
        "most_looks": len(certificate.looks),
        "n": certificate.n_games_played,
        "most_n": certificate.looks[-1].n_games,
        "imbalance_before": entry_of(certificate.before_pp, "pp"),
        "imbalance_after": entry_of(certificate.after_pp, "pp"),
    }


def _guard_summary(run: FoundPatch, guard: GuardVerdict) -> dict[str, Any]:
    return {
        "value": float(guard.after.estimate),
        "before": float(guard.before.estimate),
        "low": guard.low,
        "high": guard.high,
        "estimate": guard.estimate,
        "bound": guard.bound,
        "limit": guard.limit,
        "confidence": CONFIDENCE,
        "n": guard.n_games * len(run.evaluator.contest.matchups),
        "holds": guard.holds,
    }


def _matchup_summaries(run: FoundPatch) -> list[dict[str, Any]]:
    n_games = {"n": run.certificate.n_games}
    return [
        {
            "a": one.a,
            "b": one.b,
            "least": one.least,
            "most": one.most,
            "inside": one.inside,
            "before": entry_of(one.before) | n_games,
            "after": entry_of(one.after) | n_games,
        }
        for one in verdict_of(run).matchups
    ]


def headline(experiment: AnyExperiment, run: FoundPatch) -> str:
    """What kind of patch this is, in one line."""
    verdict = "Nearest patch found (NOT certified"
    if run.certificate.certified:
        verdict = "Recommended patch (certified" if run.patch else "No patch needed (certified"
    return (
        f"{verdict}; seed {experiment.settings.seed}; {_size_words(run)}; "
        f"{run.certificate.n_games:,} certifying games per matchup)"
    )


def _size_words(run: FoundPatch) -> str:
    """How large a patch is: `change 5 on 4 cards`, or its steps where change counts otherwise."""
    scores = run.selection.scores
    chosen = run.selection.recommended
    change = float(scores.change[chosen])
    n_steps = int(np.abs(run.selection.genome).sum())
    moved = [counted(len(run.patch), "number")]
    if isinstance(run, BalanceRun):
        n_rules = sum(edit.card == RULES for edit in run.patch)
        moved = [counted(int(scores.cards_touched[chosen]), "card")]
        moved += [counted(n_rules, "number") + " of the rules"] if n_rules else []
    if change == n_steps:
        return f"change {change:g} on {' and '.join(moved)}"
    return f"{counted(n_steps, 'step')} on {' and '.join(moved)}, weighted change {change:g}"


def what_is_smaller(run: FoundPatch) -> dict[str, Any]:
    """What is known of patches smaller than the recommended one."""
    cleanup = run.cleanup
    return {
        "without_room": cleanup.n_smaller if cleanup.is_minimal else 0,
        "least_n": cleanup.n_few,
        "most_n": cleanup.n_many,
        "least_change": run.least_change or 0.0,
    }


def patch_text(
    experiment: AnyExperiment, run: FoundPatch, edits: list[EditRow], opinion: OpinionReport
) -> str:
    """The patch notes as a file: what they are worth, the edits, what they move, and why each."""
    lines = [f"{experiment.settings.name}: {headline(experiment, run)}", *opinion.headline, ""]
    lines += [*patch_notes(run.patch).splitlines(), ""]
    printed = PrintedPatch.of_run(run)
    lines += [*map(str, printed.largest), ""] if printed.largest else []
    for line in (smaller_words(what_is_smaller(run)), widened_words(run.widened)):
        if line:
            lines += [line, ""]
    if run.explanation:
        lines += [*explained(run), ""]
    for one in verdict_of(run).matchups:
        before, (after, low, high) = 100 * float(one.before.estimate), in_pp(one.after)
        lines.append(
            f"{one.name}: {before:.1f} % -> {after:.1f} % [{low:.1f}, {high:.1f}]"
            f"{'' if one.inside else ' OUT OF BAND'}"
        )
    if (seats := first_seats(experiment, run)) and not run.told.with_first_seat:
        before, (after, low, high) = in_pp(seats.today.win_rate)[0], in_pp(seats.patched.win_rate)
        lines.append(
            f"first seat: {before:.1f} % -> {after:.1f} % [{low:.1f}, {high:.1f}]"
            f"{' OUT OF BAND' if seats.patched.is_outside else ''}"
        )
    if opinion.notes:
        lines += ["", *opinion.notes]
    if printed.cards:
        lines += ["", "## The changed cards", "", *(f"- {card}" for card in printed.cards)]
    if run.patch:
        lines += ["", "## Why each edit", "", *_why_lines(edits)]
    return "\n".join(lines) + "\n"


def _why_lines(rows: list[EditRow]) -> list[str]:
    """Why each edit, as Markdown."""
    if not rows:
        return [
            f"Not measured: that takes {LEAST_GAMES} games per matchup of each, and [games] leaves "
            "fewer."
        ]
    lines = [how_measured(rows), ""]
    for why in why_edits(rows):
        lines += [f"- {why.edit} ({why.players})"]
        lines += [f"  - does: {why.does}", f"  - left out: {why.without}"]
    return lines


def explained(run: FoundPatch) -> list[str]:
    """Why the patch is not certified, and what would help, in sentences."""
    if run.explanation is None:
        return []
    told = _explanation_summary(run.explanation)
    return explanation_words(told, run.certificate.demands.band_pp)


def why_not(run: FoundPatch) -> list[str]:
    """The demands and guards that keep the patch from being certified."""
    certificate = run.certificate
    return [
        *compress(certificate.demands.names, certificate.failed),
        *(guard.name for guard in certificate.guards if not guard.holds),
    ]


def verdict_sentence(certificate: Certificate) -> str:
    """What the certificate shows, at what risk, and how soon, in words for a designer."""
    said = "Not each rate is shown to be inside its band"
    if certificate.inside.all():
        link = " and" if certificate.certified else ", but not"
        guards = f"{link} each guard to hold" if certificate.guards else ""
        said = f"Each rate is shown to be inside its band{guards}"
    return f"{said}: {certificate_words(_certificate_summary(certificate))}"


def not_shown(certificate: Certificate) -> list[str]:
    """The guards that more games may yet show to hold."""
    return [one.name for one in certificate.guards if not one.holds and not one.is_broken]

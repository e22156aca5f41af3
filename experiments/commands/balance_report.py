"""Result of a finished balance run: its summary, and the sentences of its patch notes."""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np

from balance import CONFIDENCE, BalanceRun, Certificate, FoundPatch, GuardVerdict, patch_notes
from balance.verdict.edit_effects import LEAST_GAMES, EditEffects
from balance.verdict.edit_reasons import EditReason
from experiments.commands.second_opinion import OpinionReport
from experiments.game import AnyExperiment
from experiments.results.first_seat import first_seats
from experiments.results.front_rows import verdict_of
from experiments.results.printed import PrintedPatch
from experiments.results.stages import EditRow, edit_rows, games_of_stages
from experiments.screen import (
    certificate_words,
    counted,
    entry_of,
    explanation_words,
    failed_guard_lines,
    patched_rate_words,
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
    """Return the content of `summary.json` for `balance`, as documented in `docs/formats.md`.

    Args:
        experiment: the experiment that was balanced.
        run: result of the search.
        effects: measured effect of each edit; `None` if the effects were not measured.
        seconds: wall time of the run in seconds.
    """
    certificate = run.certificate
    selection = run.selection
    chosen = selection.recommended
    seats = first_seats(experiment, run)
    return {
        "command": "balance",
        "certified": certificate.certified,
        "why_not": why_not(run),
        "widened": list(run.widened),
        "explanation": _explanation_summary(run, effects),
        "matchups": _matchup_summaries(run),
        "band_pp": certificate.demands.band_pp,
        "guards": {
            guard.name: _guard_entry(guard)
            | {"n": guard.n_games * len(run.evaluator.contest.matchups)}
            for guard in certificate.guards
        }
        | dict.fromkeys(certificate.not_watched, "not watched"),
        "first_seat": None if seats is None else seats.entry(),
        "patch": [
            {"card": edit.card, "field": edit.field, "from": edit.before, "to": edit.after}
            for edit in run.patch
        ],
        **(PrintedPatch.of_run(run).as_entries() if isinstance(run, BalanceRun) else {}),
        "change": float(selection.scores.change[chosen]),
        "cards_touched": int(selection.scores.cards_touched[chosen]),
        "smaller": smaller_patches_entry(run),
        "imbalance_pp": run.certificate.imbalance_pp,
        "is_nearest": run.is_nearest,
        "edits": list(map(entry, edit_rows(run, effects))),
        "edit_reasons": list(map(entry, run.edit_reasons(effects))),
        "games": games_of_stages(run, effects),
        **({"narrowing": _narrowing_summary(run)} if isinstance(run, BalanceRun) else {}),
        "confidence": certificate.confidence,
        "certificate": _certificate_summary(certificate),
        "seed": experiment.settings.seed,
        "seconds": round(seconds, 3),
    }


def _narrowing_summary(run: BalanceRun) -> dict[str, Any]:
    """Return the entry `narrowing`: sizes of the search space before and after narrowing."""
    narrowing = run.measurement.narrowing
    return {
        "by": narrowing.by,
        "genes_before": len(narrowing.full.genes),
        "genes_after": len(narrowing.space.genes),
        "log10_size_before": narrowing.full.log10_size,
        "log10_size_after": narrowing.space.log10_size,
    }


def _explanation_summary(run: FoundPatch, effects: EditEffects | None) -> dict[str, Any] | None:
    """Return the entry `explanation` of a failed certificate; `None` if the run has none."""
    explanation = run.consistent_explanation(effects)
    if explanation is None:
        return None
    nearest = explanation.nearest
    return {
        "expected_pp": explanation.imbalance_pp,
        "low_pp": explanation.low_pp,
        "high_pp": explanation.high_pp,
        "nearest": nearest
        and {
            **entry_of(nearest.imbalance_pp, "pp"),
            "change": nearest.change,
            "n": nearest.n_games,
            "games": nearest.games,
        },
        "impossible": list(explanation.impossible),
        "contradicting": list(explanation.contradicting),
        "settings": [relaxation._asdict() for relaxation in explanation.relaxations],
    }


def _certificate_summary(certificate: Certificate) -> dict[str, Any]:
    """Return the entry `certificate`: its risk, its looks at the games, and the imbalance."""
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


def _guard_entry(guard: GuardVerdict) -> dict[str, Any]:
    """Return a guard's values before and after the patch, with bound, limit and verdict."""
    return {
        "value": float(guard.after.estimate),
        "before": float(guard.before.estimate),
        "low": guard.low,
        "high": guard.high,
        "estimate": guard.estimate,
        "bound": guard.bound,
        "limit": guard.limit,
        "confidence": CONFIDENCE,
        "holds": guard.holds,
        "passing_limit": guard.passing_limit,
    }


def _matchup_summaries(run: FoundPatch) -> list[dict[str, Any]]:
    """Return an entry for each matchup: its target, and its win rate before and after the patch."""
    n_games = {"n": run.certificate.n_games}
    return [
        {
            "a": matchup.a,
            "b": matchup.b,
            "least": matchup.least,
            "most": matchup.most,
            "inside": matchup.inside,
            "verdict": matchup.verdict,
            "before": entry_of(matchup.before) | n_games,
            "after": entry_of(matchup.after) | n_games,
        }
        for matchup in verdict_of(run).matchups
    ]


def headline(experiment: AnyExperiment, run: FoundPatch) -> str:
    """Return a line on a patch: whether it is certified, its size, and its certifying games."""
    verdict = f"{'Nearest' if run.is_nearest else 'Likeliest'} patch found (NOT certified"
    if run.certificate.certified:
        verdict = "Recommended patch (certified" if run.patch else "No patch needed (certified"
    return (
        f"{verdict}; seed {experiment.settings.seed}; {_size_words(run)}; "
        f"{run.certificate.n_games:,} certifying games per matchup)"
    )


def _size_words(run: FoundPatch) -> str:
    """Return the size of a patch: `change 5 on 4 cards`, or its steps if they are weighted."""
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


def smaller_patches_entry(run: FoundPatch) -> dict[str, Any]:
    """Return the entry `smaller`: results of the search for patches smaller than the found one."""
    cleanup = run.cleanup
    beyond = run.without_margin
    return {
        "without_room": cleanup.n_smaller if cleanup.is_complete else 0,
        "least_n": cleanup.n_few,
        "most_n": cleanup.n_many,
        "least_change": run.bound or 0.0,
        "edits": len(run.patch),
        "clean_up": cleanup.state,
        "complete": cleanup.is_complete,
        "tried": cleanup.n_tried,
        "of": cleanup.n_smaller,
        "reads_inside": len(cleanup.too_near),
        "replaced": cleanup.n_replaced,
        "games": cleanup.n_games,
        "games_left": cleanup.n_games_left,
        "without_margin": beyond
        and {
            **entry_of(beyond.imbalance_pp, "imbalance_pp"),
            "change": beyond.change,
            "cards_touched": beyond.cards_touched,
            "n": beyond.n_games,
            "patches": beyond.n_patches,
            "times_games": beyond.times_games,
        },
    }


def patch_text(
    experiment: AnyExperiment,
    run: FoundPatch,
    edits: list[EditRow],
    effects: EditEffects | None,
    opinion: OpinionReport,
) -> str:
    """Return the patch notes as text: verdict, edits, win rates, and the reason for each edit.

    Args:
        experiment: the experiment that was balanced.
        run: result of the search.
        edits: effects of the edits, one row per edit and rate; empty if not measured.
        effects: measured effect of each edit; `None` if the effects were not measured.
        opinion: second opinion of other pilots on the patch.
    """
    lines = [f"{experiment.settings.name}: {headline(experiment, run)}", *opinion.headline, ""]
    lines += [*patch_notes(run.patch).splitlines(), ""]
    printed = PrintedPatch.of_run(run)
    lines += [*map(str, printed.largest), ""] if printed.largest else []
    smaller = smaller_words(smaller_patches_entry(run), certified=run.certificate.certified)
    for line in (smaller, widened_words(run.widened)):
        if line:
            lines += [line, ""]
    if failed := failed_guards(run.certificate):
        lines += [*failed, ""]
    if run.explanation:
        lines += [*explanation_lines(run, effects), ""]
    for row in verdict_of(run).matchups:
        lines.append(patched_rate_words(row.name, row.before, row.after, row.verdict))
    if (seats := first_seats(experiment, run)) and not run.reported_demands.with_first_seat:
        today, patched = (seat.win_rate for seat in seats)
        lines.append(patched_rate_words("first seat", today, patched, seats.patched.verdict))
    if opinion.notes:
        lines += ["", *opinion.notes]
    if printed.cards:
        lines += ["", "## The changed cards", "", *(f"- {card}" for card in printed.cards)]
    if run.patch:
        lines += ["", "## Why each edit", "", *_why_lines(edits, run.edit_reasons(effects))]
    return "\n".join(lines) + "\n"


def _why_lines(rows: list[EditRow], reasons: list[EditReason]) -> list[str]:
    """Return lines of Markdown on the effect of each edit and on the patch without the edit."""
    unmeasured = (
        f"The effects of the edits are not measured: that takes {LEAST_GAMES} games per matchup "
        "for each edit, and [games] leaves fewer."
    )
    lines = [how_measured(rows) if rows else unmeasured, ""]
    for why in why_edits(rows, reasons):
        lines += [f"- {why.edit} ({why.players})" if why.players else f"- {why.edit}"]
        lines += [f"  - does: {why.does}", f"  - left out: {why.without}"]
    return lines


def explanation_lines(run: FoundPatch, effects: EditEffects | None) -> list[str]:
    """Return sentences on why the patch is not certified; empty without an explanation."""
    explanation = _explanation_summary(run, effects)
    if explanation is None:
        return []
    return explanation_words(explanation, run.certificate.demands.band_pp)


def failed_guards(certificate: Certificate) -> list[str]:
    """Return a line for each guard that is not verified, with a limit that these games verify."""
    return failed_guard_lines({guard.name: _guard_entry(guard) for guard in certificate.guards})


def why_not(run: FoundPatch) -> list[str]:
    """Return the names of the demands and guards that prevent the certification of the patch."""
    certificate = run.certificate
    return [
        *compress(certificate.demands.names, certificate.failed),
        *(guard.name for guard in certificate.guards if not guard.holds),
    ]


def verdict_sentence(certificate: Certificate) -> str:
    """Return a sentence on the verdict on rates and guards, with the risk and the games."""
    verdict = "Not every rate is shown to be inside its band"
    if certificate.inside.all():
        verdict = "Every rate is shown to be inside its band"
        if certificate.guards and certificate.certified:
            verdict += ", and every guard to hold"
        elif certificate.guards:
            verdict += ", but not every guard is shown to hold"
    return f"{verdict}: {certificate_words(_certificate_summary(certificate))}"

"""Sentences on the result of a finished balance run, and its patch notes."""

from __future__ import annotations

import numpy as np

from balance import Certificate, FoundPatch, patch_notes
from balance.cards.printed_patch import PrintedPatch
from balance.run.edit_rows import EditRow
from balance.verdict.edit_effects import LEAST_GAMES
from balance.verdict.edit_reasons import EditReason
from experiments.commands.second_opinion import OpinionReport
from experiments.game import AnyExperiment
from experiments.results.verdict import verdict_in
from experiments.screen import (
    certificate_words,
    counted,
    explanation_words,
    failed_guard_lines,
    patched_rate_words,
    smaller_words,
    widened_words,
)
from experiments.screen.edit_words import how_measured, why_edits
from sim.ruleset import RULES


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
    change = run.change
    n_steps = int(np.abs(run.selection.genome).sum())
    moved = [counted(len(run.patch), "number")]
    if run.parts == "cards":
        n_rules = sum(edit.card == RULES for edit in run.patch)
        moved = [counted(run.cards_touched, "card")]
        moved += [counted(n_rules, "number") + " of the rules"] if n_rules else []
    if change == n_steps:
        return f"change {change:g} on {' and '.join(moved)}"
    return f"{counted(n_steps, 'step')} on {' and '.join(moved)}, weighted change {change:g}"


def patch_text(experiment: AnyExperiment, run: FoundPatch, opinion: OpinionReport) -> str:
    """Return the patch notes as text: verdict, edits, win rates, and the reason for each edit.

    Args:
        experiment: the experiment that was balanced.
        run: result of the search.
        opinion: second opinion of other pilots on the patch.
    """
    summary = run.to_dict()
    lines = [f"{experiment.settings.name}: {headline(experiment, run)}", *opinion.headline, ""]
    lines += [*patch_notes(run.patch).splitlines(), ""]
    printed = PrintedPatch.in_summary(summary)
    lines += [*map(str, printed.largest), ""] if printed.largest else []
    smaller = smaller_words(summary)
    for line in (smaller, widened_words(run.widened)):
        if line:
            lines += [line, ""]
    if failed := failed_guards(run.certificate):
        lines += [*failed, ""]
    if explanation := summary["explanation"]:
        lines += [*explanation_words(explanation, summary["band_pp"]), ""]
    for row in verdict_in(summary).matchups:
        lines.append(patched_rate_words(row.name, row.before, row.after, row.verdict))
    if (seats := run.first_seats) and not run.demands_first_seat:
        today, patched = (seat.win_rate for seat in seats)
        lines.append(patched_rate_words("first seat", today, patched, seats.patched.verdict))
    if opinion.notes:
        lines += ["", *opinion.notes]
    if printed.cards:
        lines += ["", "## The changed cards", "", *(f"- {card}" for card in printed.cards)]
    if run.patch:
        lines += ["", "## Why each edit", "", *_why_lines(run)]
    return "\n".join(lines) + "\n"


def _why_lines(run: FoundPatch) -> list[str]:
    """Return lines of Markdown on the effect of each edit and on the patch without the edit."""
    rows = run.rows(EditRow)
    unmeasured = (
        f"The effects of the edits are not measured: that takes {LEAST_GAMES} games per matchup "
        "for each edit, and [games] leaves fewer."
    )
    lines = [how_measured(rows) if rows else unmeasured, ""]
    for why in why_edits(rows, run.rows(EditReason)):
        lines += [f"- {why.edit} ({why.players})" if why.players else f"- {why.edit}"]
        lines += [f"  - does: {why.does}", f"  - left out: {why.without}"]
    return lines


def failed_guards(certificate: Certificate) -> list[str]:
    """Return a line for each guard that is not verified, with a limit that these games verify."""
    return failed_guard_lines({guard.name: guard.as_entry() for guard in certificate.guards})


def verdict_sentence(certificate: Certificate) -> str:
    """Return a sentence on the verdict on rates and guards, with the risk and the games."""
    verdict = "Not every rate is shown to be inside its band"
    if certificate.inside.all():
        verdict = "Every rate is shown to be inside its band"
        if certificate.guards and certificate.certified:
            verdict += ", and every guard to hold"
        elif certificate.guards:
            verdict += ", but not every guard is shown to hold"
    return f"{verdict}: {certificate_words(certificate.as_entry())}"
